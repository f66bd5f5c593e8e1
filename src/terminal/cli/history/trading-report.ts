import { dateTime, marketName } from '../../../base/text/format.ts';
import { identify, journaled, tripRecord } from '../../../desk/history/journaled.ts';
import { rangeOf, readHistory } from '../../../desk/history/read-history.ts';
import { equityOver } from '../../../desk/history/read-marks.ts';
import type { Trip } from '../../../desk/history/records.ts';
import { type Results, resultsOf } from '../../../desk/history/results.ts';
import { readStatistics } from '../../../desk/history/statistics.ts';
import { destinationName } from '../../../desk/intents/note.ts';
import { readCandles, shortestInterval } from '../../../desk/reading/candle-history.ts';
import { endingOf } from '../../../desk/reading/endings.ts';
import { accountId, titleOf } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { PastTime } from '../../../desk/values/times.ts';
import type { CandleEvent } from '../../../wire/contract/streams.ts';
import { decimalsOf } from '../../console/charts/market-chart.ts';
import type { Console } from '../../console/console.ts';
import { pageTable } from '../../console/output/html-page.ts';
import type { Result } from '../../console/output/result.ts';
import { endingText } from '../../console/views/ending-view.ts';
import { goesTo } from '../../console/where.ts';
import { chartLibrary } from './chart-library.ts';
import { tripColumns } from './journal-view.ts';
import { dayRecord, equityRecords } from './pnl-record.ts';
import { dayColumns, pnlFields } from './pnl-view.ts';
import { type ReportMarket, reportPage } from './report-page.ts';
import { floorSection, openSection, proofSections, tripSections, verdictOf } from './report-sections.ts';
import { groupsView } from './show-pnl.ts';
import { pageWritten } from './write-page.ts';

const maxTrips = 150;
interface Input {
  out: string;
  from: PastTime | undefined;
  to: PastTime | undefined;
  open: boolean;
  force: boolean;
}

/** Runs `perp report`. */
export async function report(console: Console, input: Input): Promise<Result> {
  return pageWritten(console, input, () => console.person.during('Reading fills', () => pageOf(console, input)));
}

async function pageOf(console: Console, input: Input): Promise<string> {
  const account = await accountId(console);
  const history = await readHistory(console, account);
  const ending = await endingOf(console, history.account);
  const journal = await journaled(console, history);
  const range = rangeOf(history, input);
  const results = resultsOf(history, range, journal.riskOf);
  const { equity, approximations } = await equityOver(console, history, range);
  const statistics = await readStatistics(console, history, results, journal, equity);
  const { markets, missing } = await readReportMarkets(console, history.trips, results);
  const trips = results.ended.slice(-maxTrips).reverse();
  const ids = await identify(console, account, history.trips, trips);
  const places = new Map(trips.map((trip, at) => [trip, `trip-${at + 1}`]));
  const rows = trips.map((trip) => ({
    ...tripRecord(trip, ids.get(trip), journal.notesOf(trip), journal.riskOf(trip)),
    link: linkOf(trip, places.get(trip)!, markets),
  }));
  const groupTable = (title: string, by: 'market' | 'side' | 'tag') => {
    const view = groupsView(results, by, journal);
    return pageTable(title, view.columns, view.rows);
  };
  const tags = groupTable('Tags', 'tag');
  const { destination } = await console.access();
  return reportPage({
    title: `${titleOf(history.account)}: trading results, ${destinationName(destination)}`,
    verdict: ending === undefined ? verdictOf(history, results) : `${endingText(ending)}. Next: ${ending.next}.`,
    subject: `${await goesTo(console, account)}. ${dateTime(range.from)} to ${dateTime(range.to)}.`,
    before: [
      history.account.status === 'active' ? await openSection(console, history.account) : '',
      floorSection(history.account),
      ...tripSections(results, statistics, journal, (trip) => places.get(trip)),
    ],
    figures: pnlFields(history, results, equity, undefined),
    equity: equityRecords(equity).map(({ time, equity: value, daily_loss_floor, max_drawdown_floor }) => [
      Math.floor(time / 1000),
      value,
      daily_loss_floor,
      max_drawdown_floor,
    ]),
    between: await proofSections(console, history, journal, statistics),
    markets,
    tables: [
      { ...pageTable('Days', dayColumns, results.days.toReversed().map(dayRecord)), onPaper: 0 },
      groupTable('Markets', 'market'),
      groupTable('Sides', 'side'),
      ...(tags.rows.some((row) => (row as { tag: string }).tag !== 'untagged') ? [tags] : []),
      {
        ...pageTable(
          results.ended.length > maxTrips ? `The last ${maxTrips} round trips` : 'Round trips',
          tripColumns,
          rows,
        ),
        linkOf: ({ link }: (typeof rows)[number]) => link,
        onPaper: 15,
      },
    ],
    remarks: [...history.approximations, ...approximations, ...missing],
    library: chartLibrary(),
  });
}

/** A trip links to the candles of its market, around the time that it was open. */
function linkOf({ marketId, openedAt, closedAt }: Trip, id: string, markets: readonly ReportMarket[]) {
  const at = markets.findIndex(({ marketId: its }) => its === marketId);
  const around = Math.max(300_000, closedAt! - openedAt);
  const data = `market-${at} ${Math.floor((openedAt - around) / 1000)} ${Math.ceil((closedAt! + around) / 1000)}`;
  return { id, to: at < 0 ? id : `market-${at}`, data };
}

const intervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
const maxMarkets = 6;
/** For all markets together: a page takes at most 400 kB. */
const maxCandles = 1_400;

/** Reads the candles of the most traded markets, for the time in which they were traded. */
async function readReportMarkets(
  console: Console,
  trips: readonly Trip[],
  { markets, from, to }: Results,
): Promise<{ markets: ReportMarket[]; missing: string[] }> {
  const most = [...markets].sort((one, other) => Number(other.volume - one.volume)).slice(0, maxMarkets);
  const missing: string[] = [];
  const each = Math.floor(maxCandles / Math.max(1, most.length));
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
    const { interval, length } = shortestInterval(intervals, last - first, each * 0.8);
    const margin = Math.floor(each * 0.05) * length;
    const range = { interval, from: { at: Math.max(0, first - margin) }, to: { at: Math.min(to, last + margin) } };
    try {
      const candles = await readCandles(console, market, range);
      found.push({
        marketId,
        name: marketName(market.market_id, market.symbol),
        interval,
        decimals: decimalsOf(candles),
        candles: candles.map(candleRow),
        fills: fills.map(({ time, side, price }) => [(time - (time % length)) / 1000, side, price] as const),
      });
    } catch (error) {
      missing.push(`No candles for ${marketName(marketId)}: ${(error as Error).message}`);
    }
  }
  return { markets: found, missing };
}

function candleRow({ openTime, open, high, low, close }: CandleEvent) {
  return [openTime / 1000, Number(open), Number(high), Number(low), Number(close)] as const;
}
