import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { BookEvent, BookLevel, CandleEvent, TradeEvent } from '../../wire/contract/streams.ts';
import { candleChart, volumeBars } from '../console/charts/candle-chart.ts';
import { fitted, type Row, toned } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import { candlesOf, chartHeading, decimalsOf, fillsOf, levelsOf } from '../console/charts/market-chart.ts';
import type { ScreenSize } from './panels.ts';

/** From this size on, the market has a second chart, volume and a tape of prints. */
const wide: ScreenSize = { columns: 160, rows: 45 };
/** Columns of the tape of prints. */
export const tapeWidth = 32;
const volumeHeight = 3;

/** Whether the screen has space for all market data. */
export function isWide({ columns, rows }: ScreenSize): boolean {
  return columns >= wide.columns && rows >= wide.rows;
}

/** The account's own items to draw into the charts of the chosen market. */
export interface OwnHere {
  readonly orders: readonly Order[];
  readonly position: Position | undefined;
  readonly fills: readonly Order[];
}

/** The charts of the chosen market on a wide screen: its interval and a longer one, each with its volume. */
export function wideCharts(model: LiveModel, own: OwnHere, { columns, rows }: ScreenSize, glyphs: Glyphs): Row[] {
  const interval = model.contextInterval;
  const first = interval === undefined ? rows : Math.ceil(rows * 0.6);
  const { chosen, candles, context } = model;
  const above = marketChart(chosen, candles, model.interval, own, { columns, rows: first }, glyphs, volumeHeight);
  if (interval === undefined) return above;
  const size = { columns, rows: rows - first };
  return [...above, ...marketChart(chosen, context, interval, own, size, glyphs, volumeHeight)];
}

/** A heading, a chart and its volume (this many rows): exactly as many rows as there are. */
export function marketChart(
  chosen: Market,
  events: readonly CandleEvent[],
  interval: string,
  { orders, position, fills }: OwnHere,
  { columns, rows }: ScreenSize,
  glyphs: Glyphs,
  volume = 0,
): Row[] {
  const shown = events.slice(-columns);
  const heading =
    shown.length === 0
      ? [toned(`${chosen.symbol} ${interval}  waiting for candles`, 'faint')]
      : chartHeading(chosen, shown);
  const chart = {
    candles: candlesOf(shown),
    levels: levelsOf(position, orders),
    fills: fillsOf(fills),
    decimals: decimalsOf(shown),
  };
  const height = rows - 1 - volume;
  const drawn = candleChart(chart, { width: columns, height }, glyphs);
  const bars = volume === 0 ? [] : volumeBars(chart, { width: columns, rows: height }, volume, glyphs);
  const all = [heading, ...drawn, ...bars];
  return Array.from({ length: rows }, (_, at) => all[at] ?? []);
}

/** The latest trades of the market, newest first: time, the aggressor's side as a sign and in color, size and price. */
export function tapeRows(prints: readonly TradeEvent[], height: number, glyphs: Glyphs): Row[] {
  if (prints.length === 0) return [[toned('No prints yet', 'faint')]];
  const latest = prints.slice(-(height - 1)).toReversed();
  const sizes = Math.max(...latest.map(({ size }) => size.length));
  const rows = latest.map(({ time, side, size, price }): Row => {
    const sign = side === 'buy' ? glyphs.buy : glyphs.sell;
    const text = `${sign} ${size.padStart(sizes)}  ${price}`;
    return fitted(
      [toned(`${new Date(time).toISOString().slice(11, 19)} `, 'faint'), toned(text, side === 'buy' ? 'good' : 'bad')],
      tapeWidth,
    );
  });
  return [[toned('PRINTS', 'faint')], ...rows];
}

const widestBar = 16;

/**
 * The best levels of a book: asks above, bids below, with the best prices adjacent, and the size of each as a bar.
 * `own` are working orders of the market; their prices are marked.
 */
export function bookRows(
  book: BookEvent | undefined,
  own: readonly Order[],
  size: { width: number; height: number },
  glyphs: Glyphs,
): Row[] {
  const { width, height } = size;
  if (book === undefined) return [[toned('Waiting for the book.', 'faint')]];
  const each = Math.max(1, Math.floor((height - 1) / 2));
  const asks = book.asks.slice(0, each);
  const bids = book.bids.slice(0, each);
  const levels = [...asks, ...bids];
  const priceWidth = Math.max(0, ...levels.map(({ px }) => px.length));
  const sizeWidth = Math.max(0, ...levels.map(({ sz }) => sz.length));
  const largest = Math.max(0, ...levels.map(({ sz }) => Number(sz)));
  const barWidth = Math.min(widestBar, width - priceWidth - sizeWidth - 4);
  const ownPrices = new Set(own.map((order) => order.limit_price));
  const row =
    (tone: 'good' | 'bad') =>
    ({ px, sz }: BookLevel): Row => [
      toned(ownPrices.has(Number(px)) ? glyphs.cursor : ' ', 'strong'),
      toned(px.padStart(priceWidth), tone),
      ` ${sz.padStart(sizeWidth)} `,
      toned(bar(Number(sz) / largest, barWidth, glyphs), tone),
    ];
  const empty: Row[] = Array.from({ length: each - asks.length }, () => []);
  return [...empty, ...asks.map(row('bad')).reverse(), spreadRow(book), ...bids.map(row('good'))].slice(0, height);
}

function spreadRow({ asks, bids }: BookEvent): Row {
  const [ask, bid] = [asks[0]?.px, bids[0]?.px];
  if (ask === undefined || bid === undefined)
    return [toned(ask === bid ? ' empty book' : ask === undefined ? ' no asks' : ' no bids', 'warn')];
  const decimals = Math.max(ask.split('.')[1]?.length ?? 0, bid.split('.')[1]?.length ?? 0);
  const spread = Number(ask) - Number(bid);
  const bps = (spread / ((Number(ask) + Number(bid)) / 2)) * 1e4;
  return [toned(` spread ${spread.toFixed(decimals)} (${bps.toFixed(2)} bps)`, 'faint')];
}

/** A bar with a resolution of an eighth of a character; any size above zero is visible. */
function bar(share: number, width: number, glyphs: Glyphs): string {
  if (!(share > 0) || width < 1) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, share) * width * 8));
  const full = Math.floor(eighths / 8);
  return glyphs.bars[7]!.repeat(full) + (eighths % 8 === 0 ? '' : glyphs.bars[(eighths % 8) - 1]!);
}
