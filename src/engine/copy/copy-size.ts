import type { Lots, Money } from '../model.ts';

/** How large a follower trades beside its lead: an exact fraction (simulation 7). */
export interface CopyRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Follower's starting balance / lead's starting balance x multiplier. */
export function copyRatio(followerStart: Money, leadStart: Money, multiplierBps: number): CopyRatio {
  return { numerator: followerStart * BigInt(multiplierBps), denominator: leadStart * 10_000n };
}

/**
 * What to add to a follower: what the lead has added since its position opened x ratio, floored to the lot, less what
 * was copied of it already. Adding in many small pieces or at once therefore comes to the same.
 */
export function copiedEntrySize(leadAdded: Lots, ratio: CopyRatio, copied: Lots): Lots {
  const due = (BigInt(leadAdded) * ratio.numerator) / ratio.denominator;
  return Math.max(0, Number(due) - copied);
}

/** What to take off a follower when its lead goes from `leadBefore` to `leadAfter` lots: the same share; all of it at zero. */
export function copiedReductionSize(leadBefore: Lots, leadAfter: Lots, followerSize: Lots): Lots {
  if (leadAfter <= 0) return followerSize;
  if (leadAfter >= leadBefore) return 0;
  return Number((BigInt(followerSize) * BigInt(leadBefore - leadAfter)) / BigInt(leadBefore));
}
