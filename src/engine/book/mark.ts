import { compareUnits, toUnits } from '../../terms/decimal.ts';
import type { HalfPrice, MarketDefinition } from '../model.ts';

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
