import { netOf } from '../../../base/margin/notional.ts';
import { dateTime, signedUsd, stretch, usd } from '../../../base/text/format.ts';
import type { History } from '../../../desk/history/read-history.ts';
import type { Money } from '../../../desk/history/records.ts';
import type { EquityHistory, Results } from '../../../desk/history/results.ts';
import type { Ending } from '../../../desk/reading/endings.ts';
import { timeLabels } from '../../console/charts/time-axis.ts';
import {
  type Block,
  blank,
  type Cell,
  type Column,
  fields,
  line,
  profitCell,
  tableOf,
} from '../../console/output/result.ts';
import { endingCell, endingText } from '../../console/views/ending-view.ts';
import { dayRecord, type SumRecord, usdOf } from './pnl-record.ts';

/** The parameters of `perp pnl`'s text output. */
export interface PnlLayout {
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
): Block[] {
  const days = results.days.slice(-layout.days).reverse().map(dayRecord);
  return [
    line({ text: history.account.name, tone: 'strong' }, `  ${dateTime(results.from)} to ${dateTime(results.to)}`),
    ...(ending === undefined
      ? []
      : [line(endingCell(ending, endingText(ending))), line({ text: `Next: ${ending.next}.`, tone: 'strong' })]),
    fields(...summary(history, results, equity, largestRunAgainst)),
    ...(equity === null ? [] : chartBlocks(equity, layout)),
    ...(days.length === 0 ? [] : [blank, tableOf(days, dayColumns)]),
  ];
}

/** The figures as text, for a page. */
export function figureTexts(history: History, results: Results, equity: EquityHistory): (readonly [string, Cell])[] {
  return summary(history, results, equity, undefined).filter(
    (pair): pair is readonly [string, Cell] => pair?.[1] !== undefined,
  );
}

function summary(
  history: History,
  { total, figures, inMarketMs, from, to }: Results,
  equity: EquityHistory | null,
  largestRunAgainst: Money | null | undefined,
): (readonly [string, Cell | undefined] | undefined)[] {
  const { trips, won, lost, winRate, expectancy, averageR, tripsWithRisk } = figures;
  const parts = [
    `realized ${signed(total.realizedPnl)}`,
    `fees ${signed(-total.fees)}`,
    `carry ${signed(-total.funding)}`,
    ...(total.bankruptcy === 0n ? [] : [`losses forgiven ${signed(total.bankruptcy)}`]),
  ];
  const r = averageR === null ? '' : `; ${averageR.toFixed(2)} R over ${tripsWithRisk}`;
  return [
    ['net', { text: `${signed(netOf(total))} USD: ${parts.join(', ')}`, tone: netOf(total) < 0n ? 'bad' : 'good' }],
    history.unexplained === 0n
      ? undefined
      : ['unexplained', { text: `${signed(history.unexplained)} USD of the balance`, tone: 'warn' }],
    ['round trips', trips === 0 ? '0' : `${trips}: ${won} won (${percent(winRate!)}), ${lost} lost`],
    expectancy === null ? undefined : ['expectancy', `${signed(expectancy)} USD a trip${r}`],
    winLoss(figures),
    ['drawdown', equity === null ? undefined : drawdownText(equity)],
    largestRunAgainst === undefined
      ? undefined
      : ['max adverse', largestRunAgainst === null ? 'none' : `${signed(largestRunAgainst)} USD`],
    to === from ? undefined : ['in market', marketTime(inMarketMs, to - from, figures.averageHeldMs)],
  ];
}

function winLoss({ profitFactor, averageWin, averageLoss }: Results['figures']): readonly [string, Cell] | undefined {
  if (averageWin === null && averageLoss === null) return undefined;
  const averages = [
    ...(averageWin === null ? [] : [`average win ${signed(averageWin)}`]),
    ...(averageLoss === null ? [] : [`average loss ${signed(averageLoss)}`]),
  ];
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

function chartBlocks({ points }: EquityHistory, { width, isUnicode }: PnlLayout): Block[] {
  const samples = points.map(({ time, equity }) => ({ time, value: usdOf(equity) }));
  const columns = Number.isFinite(width) ? width : 100;
  const rows = lineChart(samples, { width: columns, height: chartRows, isUnicode, label: usd });
  if (rows.length === 0) return [];
  let peak = Number.NEGATIVE_INFINITY;
  const falls = samples.map(({ time, value }) => {
    peak = Math.max(peak, value);
    return { time, value: peak - value };
  });
  const axis = Math.max(...[rows[0]![0]!].map((cell) => (typeof cell === 'string' ? cell : cell.text).length));
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

/** A value from a time on, until the next one. */
interface Sample {
  readonly time: number;
  readonly value: number;
}

/** The size and the characters of a chart. */
interface LineChart {
  readonly width: number;
  readonly height: number;
  /** Braille and block characters; otherwise ASCII. */
  readonly isUnicode: boolean;
  /** A value as its axis shows it. */
  readonly label: (value: number) => string;
}

/** The dots of a braille character, by column and row from the top. */
const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const rowsPerCell = 4;
/** Empty, then from an eighth of a character to a full one. */
const blocks = [' ', ...Array.from({ length: 8 }, (_, eighths) => String.fromCodePoint(0x2581 + eighths))];

/** A curve with its axis on the left and times below: `height` rows plus one of labels, each `width` wide. */
export function lineChart(samples: readonly Sample[], { width, height, isUnicode, label }: LineChart): Cell[][] {
  const values = samples.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const labels = [label(high), label(low)];
  const axis = Math.max(...labels.map((text) => text.length)) + 1;
  const columns = width - axis;
  if (columns < 8 || samples.length < 2) return [];
  const [across, down] = isUnicode ? [2 * columns, rowsPerCell * height] : [columns, height];
  const heights = held(samples, across).map((value) =>
    high === low ? down >> 1 : Math.round(((high - value) / (high - low)) * (down - 1)),
  );
  const grid = isUnicode ? braille(heights, columns, height) : stars(heights, columns, height);
  const rows = grid.map((text, at): Cell[] => {
    const name = at === 0 ? labels[0]! : at === height - 1 && high !== low ? labels[1]! : '';
    return [{ text: `${name.padStart(axis - 1)} `, tone: 'faint' }, text];
  });
  const step = (samples.at(-1)!.time - samples[0]!.time) / columns;
  const times = Array.from({ length: columns }, (_, at) => ({ openTime: samples[0]!.time + at * step }));
  const below = timeLabels(times, (at) => at, columns);
  return [...rows, [{ text: `${' '.repeat(axis)}${below}`.trimEnd(), tone: 'faint' }]];
}

/** One row that shows a curve from 0 up by how full each character is. */
export function barRow(samples: readonly Sample[], columns: number, isUnicode: boolean): string {
  const marks = isUnicode ? blocks : ' .:-=+*#@';
  const values = held(samples, columns);
  const most = Math.max(...values);
  return values.map((value) => marks[most > 0 ? Math.ceil((value / most) * (marks.length - 1)) : 0]).join('');
}

/** The values at equal distances in time. */
function held(samples: readonly Sample[], count: number): number[] {
  const [first, last] = [samples[0]!.time, samples.at(-1)!.time];
  let at = 0;
  return Array.from({ length: count }, (_, column) => {
    const time = first + ((last - first) * column) / (count - 1);
    while (at + 1 < samples.length && samples[at + 1]!.time <= time) at += 1;
    return samples[at]!.value;
  });
}

function braille(heights: readonly number[], columns: number, height: number): string[] {
  const cells = new Uint8Array(columns * height);
  for (const [x, y] of heights.entries()) {
    const before = heights[x - 1] ?? y;
    for (let dot = Math.min(y, before); dot <= Math.max(y, before); dot++) {
      const cell = Math.floor(dot / rowsPerCell) * columns + (x >> 1);
      cells[cell]! |= dots[(x & 1) as 0 | 1][(dot % rowsPerCell) as 0]!;
    }
  }
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const bits = cells[row * columns + column]!;
      return bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits);
    }).join(''),
  );
}

function stars(heights: readonly number[], columns: number, height: number): string[] {
  const rows = Array.from({ length: height }, () => Array.from({ length: columns }, () => ' '));
  for (const [x, y] of heights.entries()) rows[y]![x] = '*';
  return rows.map((row) => row.join(''));
}
