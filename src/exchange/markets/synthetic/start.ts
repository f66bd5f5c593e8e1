import type { MarketDefinition, Ms, Price } from '../../engine/model.ts';
import { spansPerMinute } from './draws.ts';
import type { PricePath } from './path.ts';
import { type Profile, profileOf } from './profile.ts';
import type { Timetable } from './slots.ts';

/** The touch that a market showed at a time under an older version of its prices; the market continues from there. */
export interface LastTouch {
  readonly marketId: string;
  readonly time: Ms;
  readonly bid: Price;
  readonly ask: Price;
}

/** The starting level of a market's prices. */
export interface Start {
  profile: Profile;
  /** Price at path value 1, in grid ticks. */
  base: number;
  /** The slot whose best prices are fixed, in grid ticks. */
  fixed: { slot: number; bid: number; ask: number } | null;
}

/** The starting point at which the slot of `last.time` shows exactly that touch. */
export function startFrom(
  definition: MarketDefinition,
  last: LastTouch,
  { path, timetable }: { path: PricePath; timetable: Timetable },
): Start {
  const slot = Math.max(0, timetable.bookSlotAt(last.time));
  const level = levelAt(path, slot, timetable.slotsPerMinute);
  const mid = (last.bid + last.ask) / 2 / 10 ** definition.priceDecimals;
  const profile = profileOf(definition, mid * level, [last.bid, last.ask]);
  const bid = Math.round(last.bid / profile.gridTick);
  const ask = Math.round(last.ask / profile.gridTick);
  // The middle of the tick, so that rounding can't change it.
  const middle = Math.floor((bid + ask - profile.spread) / 2) + 0.5;
  return { profile, base: middle * level, fixed: { slot, bid, ask } };
}

/** The factor from path value 1 to the price at a slot's book. */
function levelAt(path: PricePath, slot: number, slotsPerMinute: number): number {
  const minute = Math.floor(slot / slotsPerMinute);
  const perSpan = slotsPerMinute / spansPerMinute;
  const place = slot - minute * slotsPerMinute;
  path.openMinute(minute);
  path.openSpan(Math.floor(place / perSpan));
  path.slots.complete();
  return 1 / path.slots.values[(place % perSpan) + 1]!;
}
