import { netOf } from '../../../base/margin/notional.ts';
import { dateTime, maybe, signedUsd, stretch, usd } from '../../../base/text/format.ts';
import type { History } from '../../../desk/history/read-history.ts';
import type { Money } from '../../../desk/history/records.ts';
import type { EquityHistory, Results } from '../../../desk/history/results.ts';
import type { Ending } from '../../../desk/reading/endings.ts';
import { titleOf } from '../../../desk/resolve/account.ts';
import { barRow, lineChart } from '../../console/charts/line-chart.ts';
import {
  type Blocks,
  below,
  blank,
  type Cell,
  type Column,
  type Field,
  fields,
  line,
  profitCell,
  tableOf,
  textOf,
} from '../../console/output/result.ts';
import { endingBlocks } from '../../console/views/ending-view.ts';
import { dayRecord, type SumRecord, usdOf } from './pnl-record.ts';

/** The parameters of `perp pnl`'s text output. */
interface PnlLayout {
  readonly width: number;
  readonly isUnicode: boolean;
  /** Number of days to list. */
  readonly days: number;
}

const chartRows = 5;

/** The text of `perp pnl`; it fits a terminal of 80 columns and 24 rows. */
export function pnlBlocks(
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
export const sumColumns: readonly Column<SumRecord>[] = [
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
