import { compareUnits, significantFiguresOf, toNumber, toUnits } from '../../../base/terms/decimal.ts';
import type { HalfPrice, MarketDefinition, Price } from '../model.ts';

/** Significant figures of a price under hyperliquid's rule. */
const figures = 5;

/** Whether a limit price is on its market's grid (simulation 1): a multiple of the tick, else hyperliquid's rule. */
export function isOnGrid(definition: MarketDefinition, price: Price): boolean {
  if (!Number.isSafeInteger(price)) return false;
  if (definition.tick !== null) return price % definition.tick === 0;
  const { priceDecimals, sizeDecimals } = definition;
  const unit = 10 ** priceDecimals;
  if (price % unit === 0) return true;
  if (price % finestUnit(priceDecimals, sizeDecimals) !== 0) return false;
  return significantFiguresOf(toNumber(price, priceDecimals)) <= figures;
}

/** The grid as it is sent: a tick, else hyperliquid's figures and decimals. */
export function gridOf({ tick, priceDecimals, sizeDecimals }: MarketDefinition): Record<string, number> {
  if (tick !== null) return { tick: toNumber(tick, priceDecimals) };
  return { significant_figures: figures, price_decimals: 6 - sizeDecimals };
}

/** The tick, or the finest tick that hyperliquid's rule allows at any price. */
export function finestTick({ tick, priceDecimals, sizeDecimals }: MarketDefinition): Price {
  return tick ?? finestUnit(priceDecimals, sizeDecimals);
}

/** The nearest price on the grid at or below (or at or above) a price. */
export function snapToGrid(definition: MarketDefinition, price: Price, toward: 'down' | 'up'): Price {
  const tick = definition.tick ?? tickAt(definition, price);
  return toward === 'down' ? Math.floor(price / tick) * tick : Math.ceil(price / tick) * tick;
}

/** Distance between neighboring grid prices around a price under hyperliquid's rule. */
function tickAt({ priceDecimals, sizeDecimals }: MarketDefinition, price: Price): Price {
  const digits = Math.max(1, Math.floor(price)).toString().length;
  const byFigures = 10 ** Math.max(0, digits - figures);
  return Math.max(finestUnit(priceDecimals, sizeDecimals), Math.min(byFigures, 10 ** priceDecimals));
}

/** Price units of hyperliquid's last allowed decimal: 6 - size decimals of them. */
function finestUnit(priceDecimals: number, sizeDecimals: number): Price {
  return 10 ** Math.max(0, priceDecimals - (6 - sizeDecimals));
}

/** Compares a mark with a price as a caller gave it (a JSON number), exactly: negative, zero or positive. */
export function compareMark(definition: MarketDefinition, mark: HalfPrice, price: number): number {
  return compareUnits(mark * 5, definition.priceDecimals + 1, price);
}

/** The lowest mark at or above a price; for a price beyond all exact marks, one that is never reached. */
export function firstMarkAtOrAbove(definition: MarketDefinition, price: number): HalfPrice {
  const { units } = toUnits(price, definition.priceDecimals + 1);
  if (units > Number.MAX_SAFE_INTEGER) return Math.min(Math.ceil(units / 5), Number.MAX_SAFE_INTEGER);
  let mark = Math.ceil(units / 5);
  while (compareMark(definition, mark, price) < 0) mark += 1;
  while (compareMark(definition, mark - 1, price) >= 0) mark -= 1;
  return mark;
}

/** The highest mark at or below a price. */
export function lastMarkAtOrBelow(definition: MarketDefinition, price: number): HalfPrice {
  const above = firstMarkAtOrAbove(definition, price);
  if (above * 5 > Number.MAX_SAFE_INTEGER) return above - 1;
  return compareMark(definition, above, price) === 0 ? above : above - 1;
}
