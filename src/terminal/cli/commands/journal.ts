import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import { marketName, signedUsd, usd } from '../../../base/text/format.ts';
import { blankNotes, checkedNote, checkedTags, Journal, type TripNotes } from '../../../desk/account/journal.ts';
import { identify, journaled, tripRecord } from '../../../desk/history/journaled.ts';
import { readHistory } from '../../../desk/history/read-history.ts';
import { sameTrip } from '../../../desk/reading/one-r.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { resolvePosition } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { markdownTable } from '../../console/output/markdown.ts';
import { fields, line, listOf, type Result, recordOf } from '../../console/output/result.ts';
import { tripBlocks, tripColumns, tripFields } from '../history/journal-view.ts';
import { extentOptions, firstOf } from '../reading/lists.ts';

const defaultLimit = 20;

const list = defineCommand({
  summary: 'List round trips with your notes and tags, newest first',
  description:
    'A round trip is a position from flat to flat. Open positions come first. Notes and tags stay on this machine, in the state folder.',
  options: {
    tag: { value: 'TAG', summary: 'only trips with this tag' },
    market: { value: 'MARKET', kind: 'market', summary: 'only this market' },
    limit: { ...extentOptions.limit, summary: `number of rows to show (default ${defaultLimit})` },
    all: extentOptions.all,
    markdown: { summary: 'print a Markdown table' },
  },
  examples: [
    ['perp journal', 'the last round trips'],
    ['perp journal --tag breakout', 'trips of one strategy'],
    ['perp journal --all -o ndjson > trips.ndjson', 'all of them, for a program'],
    ['perp journal --all --markdown > trips.md', 'all of them, for a document'],
  ],
  async run(console, input) {
    const account = await accountId(console);
    const history = await console.person.during('Reading fills', () => readHistory(console, account));
    const { notesOf, riskOf } = await journaled(console, history);
    const market = input.market === undefined ? undefined : await resolveMarket(console, input.market);
    const tag = input.tag?.toLowerCase();
    const chosen = history.trips
      .filter(({ marketId }) => market === undefined || marketId === market.market_id)
      .filter((trip) => tag === undefined || notesOf(trip)?.tags.includes(tag) === true)
      .toReversed()
      .sort((one, other) => endOf(other.closedAt) - endOf(one.closedAt));
    const shown = firstOf(console, chosen, { ...input, limit: input.limit ?? defaultLimit });
    const ids = await identify(console, account, history.trips, shown);
    const rows = shown.map((trip) => tripRecord(trip, ids.get(trip), notesOf(trip), riskOf(trip)));
    if (input.markdown) return { kind: 'text', text: markdownTable(tripColumns, rows) };
    return listOf(rows, { fields: tripFields, columns: tripColumns, empty: 'No round trips.' });
  },
});

/** Open ones end last. */
function endOf(closedAt: number | null): number {
  return closedAt ?? Number.MAX_SAFE_INTEGER;
}

const show = defineCommand({
  summary: 'Show one round trip with its prices, costs, R, note and tags',
  args: [{ name: 'position', kind: 'position', summary: 'id, or the market of an open one' }],
  examples: [
    ['perp journal show pos_000000005', 'a closed position'],
    ['perp journal show BTC --json', 'the open one, for a program'],
  ],
  async run(console, input) {
    const position = await resolvePosition(console, input.position);
    const history = await console.person.during('Reading fills', () => readHistory(console, position.account_id));
    const { notesOf, riskOf } = await journaled(console, history);
    const ofMoment = history.trips.filter(
      ({ marketId, openedAt }) => marketId === position.market_id && openedAt === position.opened_at,
    );
    const ids = await identify(console, position.account_id, history.trips, ofMoment);
    const trip = ofMoment.find((one) => ids.get(one) === position.id);
    if (trip === undefined)
      throw notFoundFailure(
        `The fills of position ${position.id} are not in the history.`,
        'perp journal lists trips.',
      );
    const { readExcursions } = await import('../../../desk/history/read-marks.ts');
    const excursions = (await readExcursions(console, [trip], history.to)).get(trip)!;
    const record = {
      ...tripRecord(trip, position.id, notesOf(trip), riskOf(trip)),
      largest_run_against: moneyToNumber(excursions.against),
      largest_run_in_favor: moneyToNumber(excursions.favor),
    };
    return recordOf(record, () => [
      ...tripBlocks(record),
      fields(
        ['max adverse', signedUsd(record.largest_run_against)],
        ['max favorable', signedUsd(record.largest_run_in_favor)],
      ),
    ]);
  },
});

const note = defineCommand({
  summary: "Write or remove a round trip's note",
  args: [
    { name: 'position', kind: 'position', summary: 'id, or the market of an open one' },
    { name: 'text', optional: true, summary: 'the note; it replaces an earlier one' },
  ],
  options: { remove: { summary: 'remove the note' } },
  examples: [
    ['perp journal note BTC late', 'of the open position; quote several words'],
    ['perp journal note pos_000000005 --remove', 'remove the note'],
  ],
  changesMore: true,
  async run(console, { position, text, remove }) {
    if (remove === (text !== undefined))
      throw usageFailure(remove ? '--remove takes no TEXT.' : 'TEXT is missing.', 'perp journal note POSITION TEXT');
    const note = text === undefined ? null : checkedNote(text);
    return editNotes(console, position, () => ({ note }));
  },
});

const tag = defineCommand({
  summary: "Add or remove a round trip's tags",
  args: [
    { name: 'position', kind: 'position', summary: 'id, or the market of an open one' },
    { name: 'tags', repeat: true, summary: 'words, such as breakout' },
  ],
  options: { remove: { summary: 'remove these tags' } },
  examples: [
    ['perp journal tag BTC breakout a-plus', 'of the open position'],
    ['perp journal tag pos_000000005 breakout --remove', 'remove a tag'],
  ],
  changesMore: true,
  async run(console, { position, tags, remove }) {
    const given = checkedTags(tags);
    return editNotes(console, position, (notes) => ({
      tags: remove ? notes.tags.filter((tag) => !given.includes(tag)) : checkedTags([...notes.tags, ...given]),
    }));
  },
});

const oneR = defineCommand({
  summary: 'Set the 1R amount of a round trip',
  description:
    '1R is what the stops lose, fees included, when they first cover the whole position. Set it if perp did not see them, or if you intended to lose another amount.',
  args: [
    { name: 'position', kind: 'position', summary: 'id, or the market of an open one' },
    { name: 'usd', kind: 'amount', optional: true, summary: 'what you intended to lose' },
  ],
  options: { remove: { summary: 'remove the amount you set' } },
  examples: [
    ['perp journal one-r BTC 250', 'of the open position'],
    ['perp journal one-r pos_000000005 --remove', 'use the loss at its first stops'],
  ],
  changesMore: true,
  async run(console, { position, usd, remove }) {
    if (remove === (usd !== undefined))
      throw usageFailure(remove ? '--remove takes no USD.' : 'USD is missing.', 'perp journal one-r POSITION USD');
    if (usd === 0) throw usageFailure('1R must be above zero.', 'Use --remove to remove it.');
    return editNotes(console, position, () => ({ risk: usd ?? null }));
  },
});

/** Changes the journal's entry of a position, which must exist, and shows the entry. */
async function editNotes(
  console: Console,
  positionText: string,
  change: (notes: TripNotes) => Partial<TripNotes>,
): Promise<Result> {
  const position = await resolvePosition(console, positionText);
  const journal = new Journal(console, position.account_id);
  const changed = (written: TripNotes | null): TripNotes => {
    const before = sameTrip(written, position) ?? blankNotes(position);
    return { ...before, ...change(before) };
  };
  const { dryRun } = console.settings;
  const notes = dryRun ? changed(journal.notesOn(position.id)) : journal.change(position.id, changed);
  const { risk, first: _, ...kept } = notes;
  const { note, tags } = notes;
  return recordOf({ ...kept, one_r: risk }, () => [
    line(
      { text: `${marketName(position.market_id, position.symbol)} ${position.side}  ${position.id}`, tone: 'strong' },
      dryRun ? '  (dry run)' : '',
    ),
    fields(
      ['tags', tags.length === 0 ? 'none' : tags.join(' ')],
      ['note', note ?? undefined],
      ['1R', risk === null ? undefined : `${usd(risk)} USD`],
    ),
  ]);
}

export const commands = { list, show, note, tag, 'one-r': oneR };
