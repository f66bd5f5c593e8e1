import { netOf } from '../../../base/margin/notional.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import { dateTime, dollars, marketName, signedUsd, usd } from '../../../base/text/format.ts';
import { identify, type Journaled, journaled, tripRecord } from '../../../desk/history/journaled.ts';
import { type History, rangeOf, readHistory } from '../../../desk/history/read-history.ts';
import { equityOver } from '../../../desk/history/read-marks.ts';
import { readOdds } from '../../../desk/history/read-odds.ts';
import { rMultipleOf, type Trip } from '../../../desk/history/records.ts';
import { type Results, resultsOf } from '../../../desk/history/results.ts';
import { readStatistics, type Statistics, type TripGroup } from '../../../desk/history/statistics.ts';
import { destinationName } from '../../../desk/intents/note.ts';
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
import {
  barChart,
  calendar,
  chartSection,
  escaped,
  figureList,
  gauge,
  pageTable,
  scatter,
  section,
  tableSection,
} from '../../console/output/html-page.ts';
import type { Result } from '../../console/output/result.ts';
import { endingText } from '../../console/views/ending-view.ts';
import { openColumns } from '../../console/views/position-view.ts';
import { goesTo } from '../../console/where.ts';
import { chartLibrary } from './chart-library.ts';
import { tripColumns } from './journal-view.ts';
import { chanceText } from './odds-view.ts';
import { type ReportMarket, reportPage } from './report-page.ts';
import { dayColumns, dayRecord, equityRecords, groupsView, pnlFields } from './show-pnl.ts';
import { statisticsFields } from './statistics-view.ts';
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

/** Open positions and their stops. */
async function openSection(console: Console, account: Account): Promise<string> {
  const positions = positionsOf(console, account.id);
  const { marks, outlook, working, positions: open } = await prospectOf(console, account.id, { account, positions });
  if (open.length === 0) return section('Open positions', '<p>Nothing is open.</p>');
  const columns = openColumns(marks, outlook, working).filter(({ header }) => !moreAboutOpen.has(header));
  return tableSection(pageTable('Open positions', columns, open));
}

/** The additional figures of `perp positions`. */
const moreAboutOpen = new Set(['ENDS', 'LEVERAGE', 'FEES', 'CARRY', 'OPENED', 'ID']);

/** The used share of each floor's allowance; empty for an account that has ended or has no floors. */
function floorSection({ status, risk, starting_balance }: Account): string {
  if (status !== 'active' || risk === undefined) return '';
  const { requirements: rules } = risk;
  const of = (name: string, floor: number | null, room: number | null, percent: number | null) => {
    if (floor === null) return [];
    const allowance = (starting_balance * (percent ?? 0)) / 100;
    if (room === null || allowance === 0) return [gauge(name, 0, `room unknown, floor ${usd(floor)}`)];
    return [gauge(name, 1 - room / allowance, `${dollars(room)} left, floor ${usd(floor)}`)];
  };
  const gauges = [
    ...of('daily loss', risk.daily_loss_floor, risk.daily_loss_room, rules.daily_loss_pct),
    ...of('drawdown', risk.max_drawdown_floor, risk.max_drawdown_room, rules.max_drawdown_pct),
  ];
  const says = 'A full bar is a floor that equity has touched: the account fails.';
  return chartSection('Room above the floors', says, gauges.join(''));
}

/** The days as a calendar, and the results of trips in R and in excursions. */
function tripSections(
  { days, ended }: Results,
  { multiples, excursions }: Statistics,
  { riskOf }: Journaled,
  idOf: (trip: Trip) => string | undefined,
): string[] {
  const shown = days.slice(-mostDays).map(dayRecord);
  const points = ended.flatMap((trip) => {
    const [risk, run] = [riskOf(trip), excursions.get(trip)];
    const r = rMultipleOf(trip, risk);
    if (risk === null || r === null || run === undefined) return [];
    const [x, y] = [-Number(run.against) / Number(risk), Number(run.favor) / Number(risk)];
    const says = `${marketName(trip.marketId)} ${trip.side}, ${dateTime(trip.closedAt!)}: ${r.toFixed(2)} R, ${x.toFixed(2)} against, ${y.toFixed(2)} in favor`;
    return [{ x, y, says, isWin: r > 0, to: idOf(trip) }];
  });
  const text = (net: number) => signedUsd(net).replace(/\.\d+$/, '');
  return [
    chartSection(
      'Calendar',
      'The net result of each day in whole USD; a dash is a day without a booking.',
      calendar(
        'net result by day',
        shown.map(({ day, net }) => ({ date: day, value: net, text: text(net) })),
      ),
    ),
    chartSection(
      'Results in R',
      'How many trips ended in each half R; a loss beyond -1 R is more than its stop.',
      barChart('trips by R', histogram(multiples)),
    ),
    chartSection(
      'Excursions',
      'Each point is a trip: how far it ran against you, and in your favor. A click leads to its row.',
      scatter('excursions of trips', ['against, R', 'in favor, R'], points.slice(-mostPoints)),
    ),
  ];
}

const mostDays = 92;
const mostPoints = 150;
/** Results further out are combined. */
const outermost = 4;

function histogram(multiples: readonly number[]) {
  const places = multiples.map((r) => Math.max(-outermost, Math.min(outermost, Math.floor(r * 2) / 2)));
  const [first, last] = [Math.min(...places), Math.max(...places)];
  return Array.from({ length: (last - first) * 2 + 1 }, (_, at) => {
    const from = first + at / 2;
    const count = places.filter((one) => one === from).length;
    const name = from === outermost ? `${from} R and more` : `${from} to ${from + 0.5} R`;
    return { name, value: from < 0 ? -count : count, text: String(count) };
  });
}

/** Hours, weekdays, the record's conclusions, and the odds from here. */
async function proofSections(
  console: Console,
  history: History,
  journal: Journaled,
  statistics: Statistics,
): Promise<string[]> {
  const bars = (title: string, unit: string, groups: readonly TripGroup[]) => {
    const says = `Net results of trips by the ${unit} of their opening in New York, USD, and how many.`;
    const of = groups.map(({ name, net, count }) => ({ name, value: net, text: `${signedUsd(net)} of ${count}` }));
    return chartSection(title, says, barChart(title, of));
  };
  return [
    bars('Weekdays', 'day', statistics.weekdays),
    bars('Hours', 'hour', statistics.hours),
    section('What the record proves', figureList(statisticsFields(statistics))),
    history.account.status === 'active' ? await oddsSection(console, history, journal) : '',
  ];
}

async function oddsSection(console: Console, history: History, journal: Journaled): Promise<string> {
  const odds = await readOdds(console, history, journal);
  if ('reason' in odds) return section('Odds from here', `<p>Not known. ${escaped(odds.reason)}</p>`);
  const figures = [
    ['passes', chanceText(odds.ends.passed)],
    ['fails', chanceText(odds.failed)],
    ['undecided after 90 days', chanceText(odds.ends.undecided)],
    ['next trade fails', chanceText(odds.nextTrade)],
  ] as const;
  const says = '10,000 ways on out of this record; each chance with the interval that a record of this length allows.';
  return chartSection('Odds from here', says, figureList(figures));
}

/** The summary, in one sentence. */
function verdictOf({ account }: History, { ended, total }: Results): string {
  const { status, risk } = account;
  const net = `${signedUsd(moneyToNumber(netOf(total)))} USD net in ${ended.length} round trips`;
  const rooms = [risk?.daily_loss_room, risk?.max_drawdown_room].filter((room) => typeof room === 'number');
  const room = rooms.length === 0 ? '' : `, ${dollars(Math.min(...rooms))} above the nearest floor`;
  const target = typeof risk?.remaining_profit === 'number' ? `, ${dollars(risk.remaining_profit)} to the target` : '';
  return `${account.stage} ${status}: ${net}${status === 'active' ? `${room}${target}` : ''}.`.replace(/^./, (first) =>
    first.toUpperCase(),
  );
}
