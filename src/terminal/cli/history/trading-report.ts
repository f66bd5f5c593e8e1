import { resolve } from 'node:path';
import { dateTime, marketName } from '../../../base/text/format.ts';
import { identify, journaled, tripRecord } from '../../../desk/history/journaled.ts';
import { rangeOf, readHistory } from '../../../desk/history/read-history.ts';
import { equityOver } from '../../../desk/history/read-marks.ts';
import type { Trip } from '../../../desk/history/records.ts';
import { type Results, resultsOf, type Sum, sumsByTag } from '../../../desk/history/results.ts';
import { readCandles, shortestInterval } from '../../../desk/reading/candle-history.ts';
import { endingOf } from '../../../desk/reading/endings.ts';
import { prospectOf } from '../../../desk/reading/prospects.ts';
import { accountId, titleOf } from '../../../desk/resolve/account.ts';
import { positionsOf } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { PastTime } from '../../../desk/values/times.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { CandleEvent } from '../../../wire/contract/streams.ts';
import { decimalsOf } from '../../console/charts/market-chart.ts';
import type { Console } from '../../console/console.ts';
import { pageTable } from '../../console/output/html-page.ts';
import { type Column, line, type Result, recordOf } from '../../console/output/result.ts';
import { endingText } from '../../console/views/ending-view.ts';
import { openColumns } from '../../console/views/position-view.ts';
import { goesTo } from '../../console/where.ts';
import { chartLibrary } from './chart-library.ts';
import { tripColumns } from './journal-view.ts';
import { dayRecord, equityRecords, sumRecord } from './pnl-record.ts';
import { dayColumns, figureTexts, sumColumns } from './pnl-view.ts';
import { type ReportMarket, reportPage } from './report-page.ts';
import { checkPage, openInBrowser, writePage } from './write-page.ts';

const maxTrips = 500;
interface Input {
  out: string;
  from: PastTime | undefined;
  to: PastTime | undefined;
  open: boolean;
  force: boolean;
}

/** Runs `perp report`. */
export async function report(console: Console, input: Input): Promise<Result> {
  const file = resolve(input.out);
  checkPage(file, input.force);
  const html = await console.during('Reading fills', () => pageOf(console, input));
  if (!console.settings.dryRun) {
    writePage(file, html);
    if (input.open) await openInBrowser(console, file);
  }
  const verb = console.settings.dryRun ? 'Dry run: would write ' : 'Wrote ';
  return recordOf({ file, bytes: Buffer.byteLength(html) }, () => [line(verb, { text: file, tone: 'strong' }, '.')]);
}

async function pageOf(console: Console, input: Input): Promise<string> {
  const account = await accountId(console);
  const history = await readHistory(console, account);
  const ending = await endingOf(console, history.account);
  const open = await openNow(console, history.account);
  const journal = await journaled(console, history);
  const range = rangeOf(history, input);
  const results = resultsOf(history, range, journal.riskOf);
  const { equity, approximations } = await equityOver(console, history, range);
  const { markets, missing } = await readReportMarkets(console, history.trips, results);
  const trips = results.ended.slice(-maxTrips).reverse();
  const ids = await identify(console, account, history.trips, trips);
  const tags = sumsByTag(results, (trip) => journal.notesOf(trip)?.tags ?? []);
  return reportPage({
    title: `${titleOf(history.account)}: trading results`,
    range: `${dateTime(range.from)} to ${dateTime(range.to)}, ${await goesTo(console, account)}`,
    ending: ending === undefined ? undefined : `${endingText(ending)}. Next: ${ending.next}.`,
    figures: figureTexts(history, results, equity),
    equity: equityRecords(equity),
    markets,
    tables: [
      pageTable('Open positions now', openColumns(open.marks, open.outlook, open.working), open.positions),
      pageTable('Days', dayColumns, results.days.toReversed().map(dayRecord)),
      pageTable('Markets', groupColumns('MARKET'), results.markets.map(groupRow('account'))),
      pageTable('Sides', groupColumns('SIDE'), results.sides.map(groupRow('account'))),
      ...(tags.some(({ key }) => key !== null)
        ? [pageTable('Tags', groupColumns('TAG'), tags.map(groupRow('untagged')))]
        : []),
      pageTable(
        results.ended.length > maxTrips ? `The last ${maxTrips} round trips` : 'Round trips',
        tripColumns,
        trips.map((trip) => tripRecord(trip, ids.get(trip), journal.notesOf(trip), journal.riskOf(trip))),
      ),
    ],
    remarks: [...history.approximations, ...approximations, ...missing],
    library: chartLibrary(),
  });
}

/** What is open while the report is written. */
function openNow(console: Console, account: Account) {
  const positions = positionsOf(console, account.id);
  return prospectOf(console, account.id, { account, positions });
}

type GroupRow = ReturnType<typeof sumRecord> & { group: string };

function groupColumns(header: string): Column<GroupRow>[] {
  return [{ header, cell: ({ group }) => marketName(group) }, ...sumColumns];
}

/** A row of a table of sums; `rest` names what belongs to no group. */
function groupRow(rest: string): (sum: Sum<string | null>) => GroupRow {
  return (sum) => ({ group: sum.key ?? rest, ...sumRecord(sum) });
}

const intervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
const maxMarkets = 6;
const maxCandles = 1_000;

/** Reads the candles of the most traded markets, for the time in which they were traded. */
async function readReportMarkets(
  console: Console,
  trips: readonly Trip[],
  { markets, from, to }: Results,
): Promise<{ markets: ReportMarket[]; missing: string[] }> {
  const most = [...markets].sort((one, other) => Number(other.volume - one.volume)).slice(0, maxMarkets);
  const missing: string[] = [];
  const found: ReportMarket[] = [];
  for (const { key: marketId } of most) {
    if (marketId === null) continue;
    const fills = trips
      .filter((trip) => trip.marketId === marketId)
      .flatMap(({ fills }) => fills.map(({ fill }) => fill))
      .filter(({ time }) => time >= from && time <= to);
    if (fills.length === 0) continue;
    const market = await resolveMarket(console, marketId);
    const [first, last] = [fills[0]!.time, fills.at(-1)!.time];
    const { interval, length } = shortestInterval(intervals, last - first, maxCandles * 0.9);
    const margin = 20 * length;
    const range = { interval, from: { at: Math.max(0, first - margin) }, to: { at: Math.min(to, last + margin) } };
    try {
      const candles = await readCandles(console, market, range);
      found.push({
        name: marketName(market.market_id, market.symbol),
        interval,
        decimals: decimalsOf(candles),
        candles: candles.map(candleRow),
        fills: fills.map(({ time, side, price }) => [time - (time % length), side, price] as const),
      });
    } catch (error) {
      missing.push(`No candles for ${marketName(marketId)}: ${(error as Error).message}`);
    }
  }
  return { markets: found, missing };
}

function candleRow({ openTime, open, high, low, close }: CandleEvent) {
  return [openTime, Number(open), Number(high), Number(low), Number(close)] as const;
}
