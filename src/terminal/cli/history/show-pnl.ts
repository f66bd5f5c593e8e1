import { marketName } from '../../../base/text/format.ts';
import { type Journaled, journaled } from '../../../desk/history/journaled.ts';
import { type History, rangeOf, readHistory } from '../../../desk/history/read-history.ts';
import { equityIn } from '../../../desk/history/read-marks.ts';
import type { Money, Trip } from '../../../desk/history/records.ts';
import { type Results, resultsOf, type Selection, sumsByTag } from '../../../desk/history/results.ts';
import { readStatistics } from '../../../desk/history/statistics.ts';
import { endingOf } from '../../../desk/reading/endings.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { PastTime } from '../../../desk/values/times.ts';
import { isUnicode } from '../../console/charts/glyphs.ts';
import type { Console } from '../../console/console.ts';
import { markdownTable } from '../../console/output/markdown.ts';
import { blank, type Column, listOf, type Result, recordOf } from '../../console/output/result.ts';
import { dayRecord, pnlRecord, type SumRecord, sumFields, sumRecord } from './pnl-record.ts';
import { dayColumns, pnlBlocks, sumColumns } from './pnl-view.ts';
import { statisticsBlocks, statisticsRecord } from './statistics-view.ts';

const listedDays = 5;

/** The range and view to show. */
interface Input {
  from: PastTime | undefined;
  to: PastTime | undefined;
  by: 'day' | 'market' | 'side' | 'tag' | undefined;
  market: string | undefined;
  tag: string | undefined;
  markdown: boolean;
  excursions: boolean;
  stats: boolean;
}

/** Runs `perp pnl`. */
export async function showPnl(console: Console, input: Input): Promise<Result> {
  const account = await accountId(console);
  const history = await console.person.during('Reading fills', () => readHistory(console, account));
  const journal = await journaled(console, history);
  const selection = await selectionOf(console, history, journal, input);
  const results = resultsOf(history, selection, journal.riskOf);
  for (const text of input.by === undefined ? [] : history.approximations) console.note(text);
  if (input.by !== undefined) return tableBy(results, input, journal);
  const { equity, approximations } = await equityIn(console, history, selection);
  const statistics = input.stats
    ? await console.person.during('Reading candles', () => readStatistics(console, history, results, journal, equity))
    : undefined;
  const largestRunAgainst = input.excursions ? await largestRun(console, results.ended, history.to) : undefined;
  const ending = await endingOf(console, history.account);
  if (ending !== undefined) console.memory.saidEndings.add(account);
  const all = [...history.approximations, ...approximations];
  for (const text of console.settings.output === 'table' ? all : []) console.note(text);
  const record = {
    ...pnlRecord(history, results, equity, { ending, largestRunAgainst, approximations: all }),
    ...(statistics !== undefined && { statistics: statisticsRecord(statistics) }),
  };
  return recordOf(record, () => [
    ...pnlBlocks(
      history,
      results,
      equity,
      { ending, largestRunAgainst },
      {
        width: console.io.columns,
        isUnicode: isUnicode(console.variables),
        days: statistics === undefined ? listedDays : 0,
      },
    ),
    ...(statistics === undefined ? [] : [blank, ...statisticsBlocks(statistics)]),
  ]);
}

/** The requested range and market; a duration counts back from now. */
async function selectionOf(
  console: Console,
  history: History,
  { notesOf }: Journaled,
  { from, to, market, tag }: Input,
): Promise<Selection> {
  const range = rangeOf(history, { from, to });
  if (market === undefined && tag === undefined) return range;
  const marketId = market === undefined ? undefined : (await resolveMarket(console, market)).market_id;
  const includes = (trip: Trip) =>
    (marketId === undefined || trip.marketId === marketId) &&
    (tag === undefined || notesOf(trip)?.tags.includes(tag.toLowerCase()) === true);
  return { ...range, includes };
}

async function largestRun(console: Console, trips: readonly Trip[], now: number): Promise<Money | null> {
  const { readExcursions } = await import('../../../desk/history/read-marks.ts');
  const found = await readExcursions(console, trips, now);
  const runs = [...found.values()].map(({ against }) => against);
  return runs.length === 0 ? null : runs.reduce((worst, one) => (one < worst ? one : worst));
}

function tableBy(results: Results, { by, markdown }: Input, { notesOf }: Journaled): Result {
  const view = by === 'day' ? daysView(results) : groupsView(results, by!, (trip) => notesOf(trip)?.tags ?? []);
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
  const first = { header: by.toUpperCase(), cell: (row: SumRecord) => marketName(String(row[by as never])) };
  return { rows, fields: [by, ...sumFields], columns: [first, ...sumColumns] as Columns };
}
