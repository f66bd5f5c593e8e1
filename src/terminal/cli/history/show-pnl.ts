import { netOf } from '../../../base/margin/notional.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import { dateTime, marketName, maybe, signedUsd, stretch, usd } from '../../../base/text/format.ts';
import type { EquityPoint, FloorsAt } from '../../../desk/history/equity.ts';
import { type Journaled, journaled } from '../../../desk/history/journaled.ts';
import { type History, rangeOf, readHistory } from '../../../desk/history/read-history.ts';
import { equityIn } from '../../../desk/history/read-marks.ts';
import type { Money, Ms, Trip } from '../../../desk/history/records.ts';
import {
  dateOfDay,
  type EquityHistory,
  emptySum,
  type Figures,
  type Results,
  resultsOf,
  type Selection,
  type Sum,
  sumsByTag,
} from '../../../desk/history/results.ts';
import { readStatistics } from '../../../desk/history/statistics.ts';
import { type Ending, endingOf } from '../../../desk/reading/endings.ts';
import { accountId, titleOf } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { PastTime } from '../../../desk/values/times.ts';
import { isUnicode } from '../../console/charts/glyphs.ts';
import { barRow, lineChart } from '../../console/charts/line-chart.ts';
import type { Console } from '../../console/console.ts';
import { markdownTable } from '../../console/output/markdown.ts';
import {
  type Blocks,
  below,
  blank,
  type Cell,
  type Column,
  type Field,
  fields,
  line,
  listOf,
  profitCell,
  type Result,
  recordOf,
  tableOf,
  textOf,
} from '../../console/output/result.ts';
import { endedRecord, endingBlocks } from '../../console/views/ending-view.ts';
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
    pnlBlocks(
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
    statistics && [blank, statisticsBlocks(statistics)],
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

function tableBy(results: Results, { by, markdown }: Input, journal: Journaled): Result {
  const view = by === 'day' ? daysView(results) : groupsView(results, by!, journal);
  if (markdown) return { kind: 'text', text: markdownTable(view.columns, view.rows as never) };
  return listOf<SumRecord>(view.rows, { ...view, empty: 'No fills in this range.' });
}

function daysView({ days }: Results) {
  return { rows: days.map(dayRecord), fields: ['day', 'starts_at', ...sumFields], columns: dayColumns as Columns };
}

type Columns = readonly Column<SumRecord>[];

/** The results by market, side or tag, as a table. */
export function groupsView(results: Results, by: 'market' | 'side' | 'tag', { notesOf }: Journaled) {
  const { markets, sides } = results;
  const sums = { market: markets, side: sides, tag: sumsByTag(results, (trip) => notesOf(trip)?.tags ?? []) }[by];
  const rows = sums.map((sum) => ({ [by]: sum.key ?? (by === 'tag' ? 'untagged' : 'account'), ...sumRecord(sum) }));
  const first = { header: by.toUpperCase(), cell: (row: SumRecord) => marketName(String(row[by as never])) };
  return { rows, fields: [by, ...sumFields], columns: [first, ...sumColumns] as Columns };
}

/** The parameters of `perp pnl`'s text output. */
interface PnlLayout {
  readonly width: number;
  readonly isUnicode: boolean;
  /** Number of days to list. */
  readonly days: number;
}

const chartRows = 5;

/** The text of `perp pnl`; it fits a terminal of 80 columns and 24 rows. */
function pnlBlocks(
  history: History,
  results: Results,
  equity: EquityHistory | null,
  { ending, largestRunAgainst }: { ending: Ending | undefined; largestRunAgainst: Money | null | undefined },
  layout: PnlLayout,
): Blocks {
  const days = layout.days === 0 ? [] : results.days.slice(-layout.days).reverse().map(dayRecord);
  return [
    line({ text: titleOf(history.account), tone: 'strong' }, `  ${dateTime(results.from)} to ${dateTime(results.to)}`),
    endingBlocks(ending),
    fields(...pnlFields(history, results, equity, largestRunAgainst)),
    equity && chartBlocks(equity, layout),
    below(tableOf(days, dayColumns)),
  ];
}

/** The figures as text. */
export function pnlFields(
  history: History,
  { total, figures, inMarketMs, from, to }: Results,
  equity: EquityHistory | null,
  largestRunAgainst: Money | null | undefined,
): (Field | undefined)[] {
  const { trips, won, lost, winRate, expectancy, averageR, tripsWithR } = figures;
  const parts = [
    `realized ${signed(total.realizedPnl)}`,
    `fees ${signed(-total.fees)}`,
    `carry ${signed(-total.funding)}`,
    ...(total.bankruptcy === 0n ? [] : [`losses forgiven ${signed(total.bankruptcy)}`]),
  ];
  const r = averageR === null ? '' : `; ${averageR.toFixed(2)} R over ${tripsWithR}`;
  return [
    ['net', { text: `${signed(netOf(total))} USD: ${parts.join(', ')}`, tone: netOf(total) < 0n ? 'bad' : 'good' }],
    history.unexplained === 0n
      ? undefined
      : ['unexplained', { text: `${signed(history.unexplained)} USD of the balance`, tone: 'warn' }],
    ['round trips', trips === 0 ? '0' : `${trips}: ${won} won (${percent(winRate!)}), ${lost} lost`],
    ['expectancy', maybe(expectancy, (gain) => `${signed(gain)} USD a trip${r}`)],
    winLoss(figures),
    ['drawdown', maybe(equity, drawdownText)],
    ['max adverse', largestRunAgainst === null ? 'none' : maybe(largestRunAgainst, (run) => `${signed(run)} USD`)],
    to === from ? undefined : ['in market', marketTime(inMarketMs, to - from, figures.averageHeldMs)],
  ];
}

function winLoss({ profitFactor, averageWin, averageLoss }: Results['figures']): Field | undefined {
  if (averageWin === null && averageLoss === null) return undefined;
  const averages = [
    maybe(averageWin, (win) => `average win ${signed(win)}`),
    maybe(averageLoss, (loss) => `average loss ${signed(loss)}`),
  ].filter(Boolean);
  return ['profit factor', `${profitFactor === null ? 'no losses' : profitFactor.toFixed(2)}; ${averages.join(', ')}`];
}

function drawdownText({ drawdown }: EquityHistory): string {
  if (drawdown === null) return 'none';
  const { amount, percent: share, peak, trough, precision } = drawdown;
  const about = { exact: '', upper_bound: '<= ', approximate: 'approximate: ' }[precision];
  return `${about}${signed(-amount)} USD (${share.toFixed(2)}%), ${dateTime(peak.time).slice(5, 16)} to ${dateTime(trough.time).slice(5, 16)}`;
}

function marketTime(inMarketMs: number, rangeMs: number, heldMs: number | null): string {
  const held = heldMs === null ? '' : `; a trip lasts ${stretch(Math.max(1, heldMs))} on average`;
  return `${percent(inMarketMs / rangeMs)} of the time${held}`;
}

function chartBlocks({ points }: EquityHistory, { width, isUnicode }: PnlLayout): Blocks {
  const samples = points.map(({ time, equity }) => ({ time, value: usdOf(equity) }));
  const columns = Number.isFinite(width) ? width : 100;
  const rows = lineChart(samples, { width: columns, height: chartRows, isUnicode, label: usd });
  if (rows.length === 0) return [];
  let peak = Number.NEGATIVE_INFINITY;
  const falls = samples.map(({ time, value }) => {
    peak = Math.max(peak, value);
    return { time, value: peak - value };
  });
  const axis = textOf(rows[0]![0]!).length;
  const bar = barRow(falls, columns - axis, isUnicode).trimEnd();
  const label: Cell = { text: 'drawdown'.padEnd(axis), tone: 'faint' };
  return [blank, ...rows.slice(0, -1).map((row) => line(...row)), line(label, bar), line(...rows.at(-1)!)];
}

/** Columns of sums, after those that identify the group. */
const sumColumns: readonly Column<SumRecord>[] = [
  { header: 'NET', cell: ({ net }) => profitCell(net), align: 'right' },
  { header: 'REALIZED', cell: (sum) => profitCell(sum.realized_pnl), align: 'right', keep: 8 },
  { header: 'FEES', cell: ({ fees }) => usd(fees), align: 'right', keep: 7 },
  { header: 'CARRY', cell: ({ funding }) => usd(funding), align: 'right', keep: 6 },
  { header: 'TRIPS', cell: (sum) => String(sum.round_trips), align: 'right', keep: 5 },
  { header: 'WON', cell: ({ won }) => String(won), align: 'right', keep: 4 },
  { header: 'FILLS', cell: ({ fills }) => String(fills), align: 'right', keep: 3 },
  { header: 'VOLUME', cell: ({ volume }) => usd(volume), align: 'right', keep: 2 },
];

/** The table of days. */
export const dayColumns: readonly Column<SumRecord & { day: string }>[] = [
  { header: 'DAY', cell: ({ day }) => day },
  ...sumColumns,
];

function signed(money: Money): string {
  return signedUsd(usdOf(money));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** USD of an amount, as the nearest JSON number. */
const usdOf = moneyToNumber;

function maybeUsd(money: Money | null): number | null {
  return money === null ? null : usdOf(money);
}

/** The sums of a group, for JSON: USD, with fees and carry positive. */
function sumRecord(sum: Sum<unknown>) {
  return {
    net: usdOf(netOf(sum)),
    realized_pnl: usdOf(sum.realizedPnl),
    fees: usdOf(sum.fees),
    funding: usdOf(sum.funding),
    bankruptcy: usdOf(sum.bankruptcy),
    volume: usdOf(sum.volume),
    fills: sum.fills,
    round_trips: sum.trips,
    won: sum.won,
    lost: sum.lost,
  };
}
/** Sums of results as JSON, USD. */
type SumRecord = ReturnType<typeof sumRecord>;

/** Names of the sums, in order. */
const sumFields = Object.keys(sumRecord(emptySum(null)));

/** A day of the challenge, by its date in New York. */
export function dayRecord(day: Sum<Ms>) {
  return { day: dateOfDay(day.key), starts_at: day.key, ...sumRecord(day) };
}

/** Figures of round trips. */
function figuresRecord(figures: Figures) {
  return {
    count: figures.trips,
    won: figures.won,
    lost: figures.lost,
    win_rate: figures.winRate,
    expectancy: maybeUsd(figures.expectancy),
    profit_factor: figures.profitFactor,
    average_win: maybeUsd(figures.averageWin),
    average_loss: maybeUsd(figures.averageLoss),
    largest_win: maybeUsd(figures.largestWin),
    largest_loss: maybeUsd(figures.largestLoss),
    with_known_risk: figures.tripsWithR,
    average_r: figures.averageR,
    total_r: figures.totalR,
    average_held_ms: figures.averageHeldMs,
  };
}

/** The output of `perp pnl --json`. */
function pnlRecord(
  history: History,
  results: Results,
  equity: EquityHistory | null,
  extra: {
    ending: Ending | undefined;
    largestRunAgainst: Money | null | undefined;
    approximations: readonly string[];
  },
) {
  const { account } = history;
  return {
    account_id: account.id,
    status: account.status,
    ended: extra.ending === undefined ? null : endedRecord(extra.ending),
    from: results.from,
    to: results.to,
    starting_balance: account.starting_balance,
    balance: account.balance,
    equity: account.risk?.equity ?? null,
    ...sumRecord(results.total),
    unexplained: usdOf(history.unexplained),
    trips: figuresRecord(results.figures),
    ...(extra.largestRunAgainst !== undefined && { largest_run_against: maybeUsd(extra.largestRunAgainst) }),
    time_in_market_ms: results.inMarketMs,
    drawdown: equity === null ? null : drawdownRecord(equity),
    days: results.days.map(dayRecord),
    markets: results.markets.map((sum) => ({ market_id: sum.key, ...sumRecord(sum) })),
    sides: results.sides.map((sum) => ({ side: sum.key, ...sumRecord(sum) })),
    equity_history: equity === null ? null : equityRecords(equity),
    approximations: extra.approximations,
  };
}

function drawdownRecord({ drawdown }: EquityHistory) {
  if (drawdown === null) return { amount: 0, percent: 0, peak_at: null, trough_at: null, precision: 'exact' };
  const { amount, percent, peak, trough, precision } = drawdown;
  return { amount: usdOf(amount), percent, peak_at: peak.time, trough_at: trough.time, precision };
}

/** Equity and floors, moment by moment. */
export function equityRecords({ points, floors }: Pick<EquityHistory, 'points' | 'floors'>) {
  return points.map((point, at) => equityPointRecord(point, floors[at]!));
}

function equityPointRecord({ time, balance, equity }: EquityPoint, floors: FloorsAt) {
  return {
    time,
    balance: usdOf(balance),
    equity: usdOf(equity),
    daily_loss_floor: maybeUsd(floors.dailyLoss),
    max_drawdown_floor: maybeUsd(floors.maximumDrawdown),
  };
}
