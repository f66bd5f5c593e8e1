import type { Position } from '../../wire/contract/positions.ts';
import { type Cover, exitPriceOf } from '../account/means.ts';
import type { End } from '../risk/breach.ts';
import type { PriceLine } from './price-ladder.ts';

/** What a position's lines are made of. */
export interface LinedPosition {
  readonly position: Position;
  readonly cover: Cover;
  readonly end: End | undefined;
}

/** The prices that matter to a position, by name. `feeBps`: the commission of a fill; without it, no break-even. */
export function linesOf({ position, cover, end }: LinedPosition, feeBps: number | undefined): PriceLine[] {
  const even = breakEvenOf(position, feeBps);
  const line = (name: string, price: number | undefined): PriceLine[] =>
    price === undefined || !Number.isFinite(price) ? [] : [{ name, price }];
  return [
    ...line('entry', position.entry_price),
    ...line('even', even),
    ...cover.stops.flatMap((stop) => line('stop', exitPriceOf(stop))),
    ...cover.targets.flatMap((target) => line('target', exitPriceOf(target))),
    ...line('liq', position.liquidation_price),
    ...(end?.by === 'floor' ? line('breach', end.price) : []),
  ];
}

/**
 * The price at which closing what is open would pay for its fees, in and out, and its carry so far. Undefined if the
 * commission or the carry is not known.
 */
export function breakEvenOf(
  { side, size, entry_price: entry, funding }: Position,
  feeBps: number | undefined,
): number | undefined {
  if (feeBps === undefined || funding === undefined || !(size > 0)) return undefined;
  const sign = side === 'long' ? 1 : -1;
  const rate = (sign * feeBps) / 1e4;
  const price = (entry * (1 + rate) + (sign * funding) / size) / (1 - rate);
  return price > 0 && Number.isFinite(price) ? price : undefined;
}
