import type { Context } from '../context/context.ts';
import { isUnicode } from '../desk/glyphs.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import { neededMarks } from '../history/equity.ts';
import { type Journaled, journaled } from '../history/journaled.ts';
import { dayRecord, pnlRecord, type SumRecord, sumFields, sumRecord } from '../history/pnl-record.ts';
import { dayColumns, pnlBlocks, sumColumns } from '../history/pnl-view.ts';
import { rangeOf } from '../history/range.ts';
import { type History, readHistory } from '../history/read-history.ts';
import { readMarks } from '../history/read-marks.ts';
import type { Money, Trip } from '../history/records.ts';
import {
  curveMoments,
  type EquityHistory,
  equityHistory,
  type Results,
  resultsOf,
  type Selection,
  sumsByTag,
} from '../history/results.ts';
import { markdownTable } from '../output/markdown.ts';
import { type Column, listOf, type Result, recordOf } from '../output/result.ts';
import { accountId } from '../resolve/account.ts';
import { resolveMarket } from '../resolve/market.ts';

const listedDays = 5;

export const command = defineCommand({
  summary: 'Show what came of your trading: by day, market and side, net of fees and carry',
  description:
    "Money counts on the day on which it was booked, a round trip (a position from flat to flat) on the day on which it ended. Days are the challenge's: they turn at midnight in New York. In the simulation, every figure comes from the ledger and is exact. On a host it comes from your fills, kept in a local copy; what is approximate is said. R is the result over what the stop of the first order risked.",
  options: {
    from: { value: 'TIME', kind: 'time', summary: 'first moment, or a duration before now, such as 7d' },
    to: { value: 'TIME', kind: 'time', summary: 'last moment, or a duration before now (default now)' },
    by: {
      value: 'GROUP',
      choices: ['day', 'market', 'side', 'tag'],
      summary: 'only a table: by day, market, side or tag',
    },
    market: { value: 'MARKET', kind: 'market', summary: 'only this market; then without equity' },
    tag: { value: 'TAG', summary: 'only trips with this tag of your journal; then without equity' },
    markdown: { summary: 'with --by: print a Markdown table' },
    excursions: { summary: 'also read candles for the largest run against you; takes longer' },
  },
  examples: [
    ['perp pnl', 'everything so far'],
    ['perp pnl --from 7d --by market', 'what each market brought in a week'],
    ['perp pnl --by day -o csv > days.csv', 'the days, for a spreadsheet'],
  ],
});

type Input = InputOf<typeof command>;

export async function run(context: Context, input: Input): Promise<Result> {
  const account = await accountId(context);
  const history = await context.during('Reading fills', () => readHistory(context, account));
  const journal = await journaled(context, history);
  const selection = await selectionOf(context, history, journal, input);
  const results = resultsOf(history, selection, journal.riskOf);
  for (const text of input.by === undefined ? [] : history.approximations) context.note(text);
  if (input.by !== undefined) return tableBy(results, input, journal);
  const { equity, approximations } = await equityIn(context, history, selection);
  const largestRunAgainst = input.excursions ? await largestRun(context, results.ended, history.to) : undefined;
  const all = [...history.approximations, ...approximations];
  for (const text of context.settings.output === 'table' ? all : []) context.note(text);
  return recordOf(pnlRecord(history, results, equity, { largestRunAgainst, approximations: all }), () =>
    pnlBlocks(history, results, equity, largestRunAgainst, {
      width: context.io.columns,
      isUnicode: isUnicode(context.variables),
      days: listedDays,
    }),
  );
}

/** The range and the market asked for; a duration counts back from now. */
async function selectionOf(
  context: Context,
  history: History,
  { entryOf }: Journaled,
  { from, to, market, tag }: Input,
): Promise<Selection> {
  const range = rangeOf(history, { from, to });
  if (market === undefined && tag === undefined) return range;
  const marketId = market === undefined ? undefined : (await resolveMarket(context, market)).market_id;
  const includes = (trip: Trip) =>
    (marketId === undefined || trip.marketId === marketId) &&
    (tag === undefined || entryOf(trip)?.tags.includes(tag.toLowerCase()) === true);
  return { ...range, includes };
}

/** Equity over the range; none of one market alone. */
async function equityIn(
  context: Context,
  history: History,
  selection: Selection,
): Promise<{ equity: EquityHistory | null; approximations: readonly string[] }> {
  if (selection.includes !== undefined || selection.from === selection.to) return { equity: null, approximations: [] };
  const moments = curveMoments(history, selection);
  const { markAt, approximations } = await readMarks(context, neededMarks(history.trips, moments));
  return { equity: equityHistory(history, moments, markAt), approximations };
}

async function largestRun(context: Context, trips: readonly Trip[], now: number): Promise<Money | null> {
  const { readExcursions } = await import('../history/read-excursions.ts');
  const found = await readExcursions(context, trips, now);
  const runs = [...found.values()].map(({ against }) => against);
  return runs.length === 0 ? null : runs.reduce((worst, one) => (one < worst ? one : worst));
}

function tableBy(results: Results, { by, markdown }: Input, { entryOf }: Journaled): Result {
  const view = by === 'day' ? daysView(results) : groupsView(results, by!, (trip) => entryOf(trip)?.tags ?? []);
  if (markdown) return { kind: 'text', text: markdownTable(view.columns, view.rows as never) };
  return listOf(view.rows as readonly SumRecord[], { ...view, empty: 'No fills in this range.' });
}

function daysView({ days }: Results) {
  return { rows: days.map(dayRecord), fields: ['day', 'starts_at', ...sumFields], columns: dayColumns as Columns };
}

type Columns = readonly Column<SumRecord>[];

function groupsView(results: Results, by: 'market' | 'side' | 'tag', tagsOf: (trip: Trip) => readonly string[]) {
  const { markets, sides } = results;
  const sums = by === 'market' ? markets : by === 'side' ? sides : sumsByTag(results, tagsOf);
  const rows = sums.map((sum) => ({ [by]: sum.key ?? (by === 'tag' ? 'untagged' : 'account'), ...sumRecord(sum) }));
  const first = { header: by.toUpperCase(), cell: (row: SumRecord) => String(row[by as never]) };
  return { rows, fields: [by, ...sumFields], columns: [first, ...sumColumns] as Columns };
}
