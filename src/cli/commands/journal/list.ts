import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { markdownTable } from '../../../console/output/markdown.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { identify, journaled, tripRecord } from '../../../desk/history/journaled.ts';
import { readHistory } from '../../../desk/history/read-history.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { tripColumns, tripFields } from '../../history/journal-view.ts';
import { extentOptions, firstOf } from '../../reading/lists.ts';

const defaultLimit = 20;

export const command = defineCommand({
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
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  return listTrips(console, { ...input, limit: input.limit ?? defaultLimit });
}

interface Input {
  tag: string | undefined;
  market: string | undefined;
  limit: number;
  all: boolean;
  markdown: boolean;
}

/** Runs `perp journal list`. */
export async function listTrips(console: Console, input: Input): Promise<Result> {
  const account = await accountId(console);
  const history = await console.during('Reading fills', () => readHistory(console, account));
  const { notesOf, riskOf } = await journaled(console, history);
  const market = input.market === undefined ? undefined : await resolveMarket(console, input.market);
  const tag = input.tag?.toLowerCase();
  const chosen = history.trips
    .filter(({ marketId }) => market === undefined || marketId === market.market_id)
    .filter((trip) => tag === undefined || notesOf(trip)?.tags.includes(tag) === true)
    .toReversed()
    .sort((one, other) => endOf(other.closedAt) - endOf(one.closedAt));
  const shown = firstOf(console, chosen, input);
  const ids = await identify(console, account, history.trips, shown);
  const rows = shown.map((trip) => tripRecord(trip, ids.get(trip), notesOf(trip), riskOf(trip)));
  if (input.markdown) return { kind: 'text', text: markdownTable(tripColumns, rows) };
  return listOf(rows, { fields: tripFields, columns: tripColumns, empty: 'No round trips.' });
}

/** Open ones end last. */
function endOf(closedAt: number | null): number {
  return closedAt ?? Number.MAX_SAFE_INTEGER;
}
