import { quantity } from '../../../base/text/format.ts';
import type { Cell, Tone } from '../output/result.ts';
import { fitted, type Row, toned, widthOf } from './cells.ts';
import type { CandleGlyphs, Glyphs } from './glyphs.ts';
import { timeLabels } from './time-axis.ts';

/** One bar: prices in the quote currency, opening time in Unix ms. */
export interface Candle {
  readonly openTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base asset. */
  readonly volume?: number;
}

/** A price drawn as a line: an order, an entry, a liquidation price. */
export interface Level {
  readonly price: number;
  /** A short label: `buy`, `stop`, `entry`. */
  readonly label: string;
  readonly tone?: Tone | undefined;
}

/** An own fill. */
export interface FillMark {
  readonly time: number;
  readonly price: number;
  readonly side: 'buy' | 'sell';
}

/** The contents of a chart besides its candles. */
export interface Chart {
  /** Oldest first. */
  readonly candles: readonly Candle[];
  /** Most important first: of two on one row, only the first gets its label. */
  readonly levels: readonly Level[];
  readonly fills: readonly FillMark[];
  /** Decimals of a price. */
  readonly decimals: number;
}

/** Levels further away than this share of the candles' range do not stretch the scale and are not drawn. */
const levelReach = 0.5;
/** Rows between two prices on the axis. */
const axisRows = 4;
/** A chart lower than this has no time axis. */
const lowest = 5;

/** Draws candles, oldest on the left, prices on the right and times below: exactly `height` rows. */
export function candleChart(chart: Chart, size: { width: number; height: number }, glyphs: Glyphs): Row[] {
  const { width, height } = size;
  const hasTimes = height >= lowest;
  const rows = hasTimes ? height - 1 : height;
  if (rows < 1 || width < 1) return [];
  const axisWidth = axisWidthOf(chart, rows);
  const plotWidth = width - axisWidth >= 8 ? width - axisWidth : width;
  const step = chart.candles.length * 2 <= plotWidth ? 2 : 1;
  const candles = chart.candles.slice(-Math.floor(plotWidth / step));
  if (candles.length === 0) return Array.from({ length: height }, () => []);
  const scale = new Scale(candles, chart, rows);
  const grid = new Grid(plotWidth, rows);
  const columnOf = (index: number) => plotWidth - (candles.length - index) * step;
  for (const [index, candle] of candles.entries()) drawCandle(grid, columnOf(index), candle, scale, glyphs);
  drawLevels(grid, chart, scale, glyphs);
  drawFills(grid, chart, candles, columnOf, scale, glyphs);
  const axis = plotWidth < width ? axisOf(chart, scale, rows) : [];
  const drawn = Array.from({ length: rows }, (_, at): Row => [...grid.row(at), ...(axis[at] ?? [])]);
  return hasTimes ? [...drawn, [toned(timeLabels(candles, columnOf, plotWidth), 'faint')]] : drawn;
}

/** The volume of each candle as a bar below it: exactly `height` rows, aligned with the chart of the same width. */
export function volumeBars(
  chart: Chart,
  { width, rows }: { width: number; rows: number },
  height: number,
  glyphs: Glyphs,
): Row[] {
  const axisWidth = axisWidthOf(chart, rows - 1);
  const plotWidth = width - axisWidth >= 8 ? width - axisWidth : width;
  const step = chart.candles.length * 2 <= plotWidth ? 2 : 1;
  const candles = chart.candles.slice(-Math.floor(plotWidth / step));
  const most = Math.max(...candles.map(({ volume = 0 }) => volume));
  const grid = new Grid(plotWidth, height);
  const { heights } = glyphs;
  if (!(most > 0)) return Array.from({ length: height }, () => []);
  for (const [index, { volume = 0, open, close }] of candles.entries()) {
    let left = Math.round((volume / most) * height * heights.length);
    const column = plotWidth - (candles.length - index) * step;
    const tone: Tone = close >= open ? 'good' : 'bad';
    for (let row = height - 1; row >= 0 && left > 0; row--, left -= heights.length)
      grid.set(column, row, { text: heights[Math.min(left, heights.length) - 1]!, tone });
  }
  const label = toned(` volume ${quantity(Number(most.toPrecision(3)))}`, 'faint');
  return Array.from({ length: height }, (_, at) => (at === 0 ? fitted([...grid.row(at), label], width) : grid.row(at)));
}

/** The highest and the lowest price of candles and of the levels near them. */
function extentOf(candles: readonly Candle[], { levels, decimals }: Chart): { top: number; bottom: number } {
  const top = Math.max(...candles.map(({ high }) => high));
  const bottom = Math.min(...candles.map(({ low }) => low));
  const reach = Math.max((top - bottom) * levelReach, 10 ** -decimals);
  const near = levels.map(({ price }) => price).filter((price) => price < top + reach && price > bottom - reach);
  return { top: Math.max(top, ...near), bottom: Math.min(bottom, ...near) };
}

/** Converts prices to rows; each row has an upper and a lower half. */
class Scale {
  readonly #top: number;
  readonly #span: number;
  readonly #halves: number;

  constructor(candles: readonly Candle[], chart: Chart, rows: number) {
    const { top, bottom } = extentOf(candles, chart);
    const missing = Math.max(0, rows * 10 ** -chart.decimals - (top - bottom));
    this.#top = top + missing / 2;
    this.#span = top - bottom + missing;
    this.#halves = rows * 2;
  }

  /** The half row of a price, 0 at the top; undefined if it is off the chart. */
  half(price: number): number | undefined {
    const at = Math.round(((this.#top - price) / this.#span) * (this.#halves - 1));
    return at >= 0 && at < this.#halves ? at : undefined;
  }

  row(price: number): number | undefined {
    const half = this.half(price);
    return half === undefined ? undefined : half >> 1;
  }

  /** The price in the middle of a row. */
  price(row: number): number {
    return this.#top - ((row * 2 + 0.5) / (this.#halves - 1)) * this.#span;
  }
}

/** Characters with their styles, written in any order. */
class Grid {
  readonly width: number;
  readonly #rows: (Cell | undefined)[][];

  constructor(width: number, rows: number) {
    this.width = width;
    this.#rows = Array.from({ length: rows }, () => new Array<Cell | undefined>(width).fill(undefined));
  }

  set(column: number, row: number, cell: Cell): void {
    if (column >= 0 && column < this.width) this.#rows[row]![column] = cell;
  }

  isFree(column: number, row: number): boolean {
    return this.#rows[row]![column] === undefined;
  }

  /** The row, with neighboring characters of the same style joined. */
  row(at: number): Row {
    const joined: Cell[] = [];
    let text = '';
    let tone: Tone | undefined;
    for (const cell of this.#rows[at]!) {
      const [next, its] = typeof cell === 'object' ? [cell.text, cell.tone] : [cell ?? ' ', undefined];
      if (its !== tone && text !== '') {
        joined.push(toned(text, tone));
        text = '';
      }
      tone = its;
      text += next;
    }
    if (text !== '') joined.push(toned(text, tone));
    return joined;
  }
}

function drawCandle(grid: Grid, column: number, candle: Candle, scale: Scale, glyphs: Glyphs): void {
  const { open, high, low, close } = candle;
  const isRising = close >= open;
  const shapes = isRising ? glyphs.rising : glyphs.falling;
  const tone: Tone = isRising ? 'good' : 'bad';
  const top = scale.half(high)!;
  const bottom = scale.half(low)!;
  const bodyTop = scale.half(Math.max(open, close))!;
  const bodyBottom = scale.half(Math.min(open, close))!;
  const partAt = (half: number): Part =>
    half >= bodyTop && half <= bodyBottom ? 'body' : half >= top && half <= bottom ? 'wick' : 'none';
  for (let row = top >> 1; row <= bottom >> 1; row++) {
    const glyph = glyphOf(shapes, partAt(row * 2), partAt(row * 2 + 1));
    grid.set(column, row, { text: glyph, tone });
  }
}

type Part = 'none' | 'wick' | 'body';

function glyphOf(shapes: CandleGlyphs, upper: Part, lower: Part): string {
  if (upper === 'body') return lower === 'body' ? shapes.body : lower === 'wick' ? shapes.bodyWick : shapes.bodyTop;
  if (lower === 'body') return upper === 'wick' ? shapes.wickBody : shapes.bodyBottom;
  return upper === 'none' ? shapes.wickBottom : lower === 'none' ? shapes.wickTop : shapes.wick;
}

function drawLevels(grid: Grid, { levels }: Chart, scale: Scale, glyphs: Glyphs): void {
  for (const { price, tone } of levels) {
    const row = scale.row(price);
    if (row === undefined) continue;
    for (let column = 0; column < grid.width; column++)
      if (grid.isFree(column, row)) grid.set(column, row, toned(glyphs.level, tone ?? 'faint'));
  }
}

function drawFills(
  grid: Grid,
  { fills }: Chart,
  candles: readonly Candle[],
  columnOf: (index: number) => number,
  scale: Scale,
  glyphs: Glyphs,
): void {
  for (const { time, price, side } of fills) {
    const index = candles.findLastIndex(({ openTime }) => openTime <= time);
    const row = scale.row(price);
    if (index < 0 || row === undefined) continue;
    grid.set(columnOf(index), row, { text: side === 'buy' ? glyphs.buy : glyphs.sell, tone: 'strong' });
  }
}

/** The prices on the right: levels with their labels, the last price, and others in between. */
function axisOf({ levels, candles, decimals }: Chart, scale: Scale, rows: number): Row[] {
  const axis: (Row | undefined)[] = new Array(rows).fill(undefined);
  const last = candles.at(-1)!.close;
  for (const { price, label, tone } of [...levels, { price: last, label: 'last', tone: 'strong' as const }]) {
    const row = scale.row(price);
    if (row !== undefined) axis[row] ??= [toned(` ${price.toFixed(decimals)} ${label}`, tone)];
  }
  for (let row = 0; row < rows; row += axisRows)
    axis[row] ??= [toned(` ${scale.price(row).toFixed(decimals)}`, 'faint')];
  return axis.map((row) => row ?? []);
}

/** Columns for every price that the axis can show: the scale reaches at most a unit per row beyond its extent. */
function axisWidthOf(chart: Chart, rows: number): number {
  const { levels, candles, decimals } = chart;
  if (candles.length === 0) return 0;
  const { top, bottom } = extentOf(candles, chart);
  const least = rows * 10 ** -decimals;
  const longestPrice = Math.max(...[top + least, bottom - least].map((price) => price.toFixed(decimals).length));
  return 1 + longestPrice + 1 + Math.max(...[...levels.map(({ label }) => label), 'last'].map(widthOf));
}
