import type { MarketDefinition, Ms, Price } from '../../engine/model.ts';
import type { PricePath } from './path.ts';
import { type Profile, profileOf } from './profile.ts';
import { bookSlotAt, slotsPerMinute, type Timing } from './slots.ts';

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
  /** Price at path value 0, in grid steps. */
  base: number;
  /** See Scale. */
  margin: number;
  /** The slot whose spread is fixed, and how many grid steps wider than one it is. */
  fixed: { slot: number; extra: number } | null;
}

/** A market's default starting point. */
export function plainStart(definition: MarketDefinition, profile: Profile): Start {
  const base = (profile.base * 10 ** definition.priceDecimals) / profile.gridStep;
  return { profile, base, margin: profile.spreads.widest >> 1, fixed: null };
}

/** The starting point at which the slot of `last.time` shows exactly that touch. */
export function startFrom(
  definition: MarketDefinition,
  last: LastTouch,
  { path, timing }: { path: PricePath; timing: Timing },
): Start {
  const slot = Math.max(0, bookSlotAt(timing, last.time));
  const minute = Math.floor(slot / slotsPerMinute);
  path.loadMinute(minute);
  const value = path.slots.values[slot - minute * slotsPerMinute + 1]!;
  const level = (2 - value) / (2 + value);
  const mid = (last.bid + last.ask) / 2 / 10 ** definition.priceDecimals;
  const profile = profileOf(definition, mid * level, [last.bid, last.ask]);
  const extra = Math.max(0, Math.round((last.ask - last.bid) / profile.gridStep) - 1);
  // The middle of the step, so that rounding can't change it.
  const bid = Math.round(last.bid / profile.gridStep) + (extra >> 1) + 0.5;
  const margin = Math.max(profile.spreads.widest, extra + 1) >> 1;
  return { profile, base: bid * level, margin, fixed: { slot, extra } };
}
