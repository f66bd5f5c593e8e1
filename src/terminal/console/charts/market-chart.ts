import type { Variables } from '../../../base/files/folders.ts';
import { orderKindOf } from '../../../base/terms/order-types.ts';
import { quantity, shellSafe } from '../../../base/text/format.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import type { CandleEvent } from '../../../wire/contract/streams.ts';
import type { Tone } from '../output/result.ts';
import { has256Colors, hasColors, type Palette, plainPalette, themeFor, themePalette } from '../output/themes.ts';
import type { Settings } from '../settings/settings.ts';
import { type Candle, candleChart, type FillMark, type Level } from './candle-chart.ts';
import { fitted, type Row, toned } from './cells.ts';
import { cutMark, glyphsFor } from './glyphs.ts';

/** Candles of the stream in the form that a chart needs. */
export function candlesOf(events: readonly CandleEvent[]): Candle[] {
  return events.map(({ openTime, open, high, low, close, volume }) => ({
    openTime,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: Number(volume),
  }));
}

/** Decimals of the prices: those of the newest candle, which has all of the market's decimals. */
export function decimalsOf(events: readonly CandleEvent[]): number {
  return events.at(-1)?.close.split('.')[1]?.length ?? 0;
}

/** The lines of a chart: the position's entry and liquidation price, then the orders. */
export function levelsOf(position: Position | undefined, orders: readonly Order[]): Level[] {
  const levels: Level[] = [];
  if (position !== undefined) {
    levels.push({ price: position.entry_price, label: 'entry', tone: sideTone(position.side) });
    if (position.liquidation_price !== undefined)
      levels.push({ price: position.liquidation_price, label: 'liq', tone: 'warn' });
  }
  for (const order of orders) {
    const price = order.trigger_price ?? order.limit_price;
    if (price !== undefined) levels.push({ price, label: roleOf(order, position), tone: sideTone(order.side) });
  }
  return levels;
}

/** The purpose of a working order as a label: `stop` and `target` exit a position, others are `buy` or `sell`. */
function roleOf(order: Order, position?: Position | undefined): string {
  const exits = order.target_position_id !== undefined || order.reduce_only;
  const { fires } = orderKindOf(order.mode) ?? {};
  if (exits && order.trigger_price !== undefined && fires && fires !== 'directed')
    return fires === 'against' ? 'stop' : 'target';
  if (exits && position !== undefined && order.limit_price !== undefined) {
    const isBetter = order.limit_price > position.entry_price === (position.side === 'long');
    return isBetter ? 'target' : order.side;
  }
  return order.side;
}

/** Own fills as marks. */
export function fillsOf(fills: readonly Order[]): FillMark[] {
  return fills.flatMap(({ settled_at: time, fill_price: price, side }) =>
    time === undefined || price === undefined ? [] : [{ time, price, side }],
  );
}

/** The line above a chart: market, interval, last price, change and range of the candles shown. */
export function chartHeading(market: Market, candles: readonly CandleEvent[], hasId = false): Row {
  const [first, last] = [candles[0], candles.at(-1)];
  if (first === undefined || last === undefined) return [toned(market.symbol, 'strong')];
  const id = hasId ? `${shellSafe(market.market_id)}  ` : '';
  const change = (Number(last.close) / Number(first.open) - 1) * 100;
  const high = Math.max(...candles.map((candle) => Number(candle.high)));
  const low = Math.min(...candles.map((candle) => Number(candle.low)));
  return [
    toned(market.symbol, 'strong'),
    ` ${id}${last.interval}  `,
    toned(last.close, 'strong'),
    '  ',
    toned(`${change > 0 ? '+' : ''}${change.toFixed(2)}%`, change < 0 ? 'bad' : 'good'),
    `  high ${quantity(high)}  low ${quantity(low)}`,
  ];
}

function sideTone(side: string): Tone {
  return side === 'buy' || side === 'long' ? 'good' : 'bad';
}

/**
 * The contents of a chart: at least one candle, oldest first, and an account's fills, orders and position in the
 * market.
 */
interface Shown {
  candles: readonly CandleEvent[];
  position: Position | null;
  orders: readonly Order[];
  fills: readonly Order[];
}

/** The settings that decide how a chart is colored. */
interface Place {
  readonly palette: Palette;
  readonly settings: Pick<Settings, 'theme'>;
  readonly variables: Variables;
}

/** A heading and a chart as lines of text. */
export async function printedChart(
  { palette: given, settings, variables }: Place,
  market: Market,
  { candles, position, orders, fills }: Shown,
  size: { width: number; height: number },
): Promise<string> {
  const isColored = hasColors(given);
  const theme = themeFor(settings.theme, undefined, variables);
  const palette = isColored ? themePalette(theme, has256Colors(variables)) : plainPalette;
  const chart = {
    candles: candlesOf(candles),
    levels: levelsOf(position ?? undefined, orders),
    fills: fillsOf(fills),
    decimals: decimalsOf(candles),
  };
  const heading = fitted(chartHeading(market, candles, true), size.width);
  const glyphs = glyphsFor(variables, isColored);
  const rows = [heading, ...candleChart(chart, size, glyphs)];
  return rows.map((row) => `${row.map(palette).join('').trimEnd().replaceAll(cutMark, glyphs.cut)}\n`).join('');
}
