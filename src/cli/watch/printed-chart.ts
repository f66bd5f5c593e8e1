import type { Market } from '../../contract/markets.ts';
import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { CandleEvent } from '../../contract/streams.ts';
import type { Console } from '../console/console.ts';
import { has256Colors, hasColors, plainPalette, themeFor, themePalette } from '../output/themes.ts';
import { candleChart } from './candle-chart.ts';
import { fitted } from './cells.ts';
import { glyphsFor } from './glyphs.ts';
import { candlesOf, chartHeading, decimalsOf, fillsOf, levelsOf } from './market-chart.ts';

/**
 * The contents of a chart: at least one candle, oldest first, and an account's fills, orders and position in the
 * market.
 */
export interface Shown {
  candles: readonly CandleEvent[];
  position: Position | null;
  orders: readonly Order[];
  fills: readonly Order[];
}

/** A heading and a chart as lines of text. */
export async function printedChart(
  console: Console,
  market: Market,
  { candles, position, orders, fills }: Shown,
  size: { width: number; height: number },
): Promise<string> {
  const isColored = hasColors(console.palette);
  const theme = themeFor(console.settings.theme, undefined, console.variables);
  const palette = isColored ? themePalette(theme, has256Colors(console.variables)) : plainPalette;
  const chart = {
    candles: candlesOf(candles),
    levels: levelsOf(position ?? undefined, orders),
    fills: fillsOf(fills),
    decimals: decimalsOf(candles),
  };
  const heading = fitted(chartHeading(market, candles, true), size.width);
  const rows = [heading, ...candleChart(chart, size, glyphsFor(console.variables, isColored))];
  return rows.map((row) => `${row.map(palette).join('').trimEnd()}\n`).join('');
}
