import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { CandleEvent, TradeEvent } from '../../wire/contract/streams.ts';
import { candleChart, volumeBars } from '../console/charts/candle-chart.ts';
import { fitted, type Row, toned } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import { candlesOf, chartHeading, decimalsOf, fillsOf, levelsOf } from '../console/charts/market-chart.ts';
import type { ScreenSize } from './panel.ts';

/** From this size on, the market has a second chart, volume and a tape of prints. */
const wide: ScreenSize = { columns: 160, rows: 45 };
/** Columns of the tape of prints. */
export const tapeWidth = 32;
const volumeHeight = 3;

/** Whether the screen has space for everything about the market. */
export function isWide({ columns, rows }: ScreenSize): boolean {
  return columns >= wide.columns && rows >= wide.rows;
}

/** What is drawn into the charts: the account's own in the chosen market. */
export interface OwnHere {
  readonly orders: readonly Order[];
  readonly position: Position | undefined;
  readonly fills: readonly Order[];
}

/** The charts of the chosen market on a wide screen: its interval and a longer one, each with its volume. */
export function wideCharts(model: LiveModel, own: OwnHere, { columns, rows }: ScreenSize, glyphs: Glyphs): Row[] {
  const interval = model.contextInterval;
  const first = interval === undefined ? rows : Math.ceil(rows * 0.6);
  const above = chartRows(model, model.candles, model.interval, own, { columns, rows: first }, glyphs);
  if (interval === undefined) return above;
  const size = { columns, rows: rows - first };
  return [...above, ...chartRows(model, model.context, interval, own, size, glyphs)];
}

/** A heading, a chart and its volume: exactly this many rows. */
function chartRows(
  model: LiveModel,
  events: readonly CandleEvent[],
  interval: string,
  { orders, position, fills }: OwnHere,
  { columns, rows }: ScreenSize,
  glyphs: Glyphs,
): Row[] {
  const shown = events.slice(-columns);
  const heading =
    shown.length === 0
      ? [toned(`${model.chosen.symbol}  ${interval}  waiting for candles`, 'faint')]
      : chartHeading(model.chosen, shown);
  const chart = {
    candles: candlesOf(shown),
    levels: levelsOf(position, orders),
    fills: fillsOf(fills),
    decimals: decimalsOf(shown),
  };
  const height = rows - 1 - volumeHeight;
  const drawn = candleChart(chart, { width: columns, height }, glyphs);
  const bars = volumeBars(chart, { width: columns, rows: height }, volumeHeight, glyphs);
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
