import { compareUnits, significantFiguresOf, toNumber, toUnits } from '../../../base/terms/decimal.ts';
import type { HalfPrice, Lots, MarketDefinition, Price } from '../model.ts';

/** Significant figures of a price under hyperliquid's rule. */
const figures = 5;

/** Whether a limit price is on its market's grid (simulation 1): a multiple of the tick, else hyperliquid's rule. */
export function isOnGrid(definition: MarketDefinition, price: Price): boolean {
  if (!Number.isSafeInteger(price)) return false;
  if (definition.tick !== null) return price % definition.tick === 0;
  const { priceDecimals } = definition;
  const unit = 10 ** priceDecimals;
  if (price % unit === 0) return true;
  if (price % finestUnit(definition) !== 0) return false;
  return significantFiguresOf(toNumber(price, priceDecimals)) <= figures;
}

/** The grid as it is sent: a tick, else hyperliquid's figures and decimals. */
export function gridOf(definition: MarketDefinition): Record<string, number> {
  const { tick, priceDecimals } = definition;
  if (tick !== null) return { tick: toNumber(tick, priceDecimals) };
  return { significant_figures: figures, price_decimals: 6 - lotDecimalsOf(definition) };
}

/** The tick, or the finest tick that hyperliquid's rule allows at any price. */
export function finestTick(definition: MarketDefinition): Price {
  return definition.tick ?? finestUnit(definition);
}

/** The nearest price on the grid at or below (or at or above) a price. */
export function snapToGrid(definition: MarketDefinition, price: Price, toward: 'down' | 'up'): Price {
  const tick = definition.tick ?? tickAt(definition, price);
  return toward === 'down' ? Math.floor(price / tick) * tick : Math.ceil(price / tick) * tick;
}

/** Distance between neighboring grid prices around a price under hyperliquid's rule. */
function tickAt(definition: MarketDefinition, price: Price): Price {
  const digits = Math.max(1, Math.floor(price)).toString().length;
  const byFigures = 10 ** Math.max(0, digits - figures);
  return Math.max(finestUnit(definition), Math.min(byFigures, 10 ** definition.priceDecimals));
}

/** Price units of hyperliquid's last allowed decimal: 6 less those of an order's size. */
function finestUnit(definition: MarketDefinition): Price {
  return 10 ** Math.max(0, definition.priceDecimals - (6 - lotDecimalsOf(definition)));
}

/** Decimals of an order's size. */
export function lotDecimalsOf({ lotDecimals, sizeDecimals }: MarketDefinition): number {
  return lotDecimals ?? sizeDecimals;
}

/** The step of an order's size, in the market's unit of sizes. */
export function lotOf(definition: MarketDefinition): Lots {
  return 10 ** (definition.sizeDecimals - lotDecimalsOf(definition));
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
