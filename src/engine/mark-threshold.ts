import { compareUnits, toUnits } from './decimal.ts';
import type { HalfPrice, MarketDefinition } from './model.ts';

/** Compares a mark with a price as a caller gave it (a JSON number), exactly: negative, zero or positive. */
export function compareMark(definition: MarketDefinition, mark: HalfPrice, price: number): number {
  return compareUnits(mark * 5, definition.priceDecimals + 1, price);
}

/** The lowest mark at or above a price. */
export function firstMarkAtOrAbove(definition: MarketDefinition, price: number): HalfPrice {
  let mark = Math.ceil(toUnits(price, definition.priceDecimals + 1).units / 5);
  while (compareMark(definition, mark, price) < 0) mark += 1;
  while (compareMark(definition, mark - 1, price) >= 0) mark -= 1;
  return mark;
}

/** The highest mark at or below a price. */
export function lastMarkAtOrBelow(definition: MarketDefinition, price: number): HalfPrice {
  const above = firstMarkAtOrAbove(definition, price);
  return compareMark(definition, above, price) === 0 ? above : above - 1;
}
