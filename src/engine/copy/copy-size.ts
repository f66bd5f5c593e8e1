import type { Lots, Money } from '../model.ts';

/** The ratio of a follower's size to its lead's: an exact fraction (simulation 7.4). */
export interface CopyRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Follower's starting balance / lead's starting balance x multiplier. */
export function copyRatio(followerStart: Money, leadStart: Money, multiplierBps: number): CopyRatio {
  return { numerator: followerStart * BigInt(multiplierBps), denominator: leadStart * 10_000n };
}

/**
 * Lots to add to a follower: the lots that its lead has added since the position opened x ratio, floored to the lot,
 * minus those already copied. Adding in many small pieces or all at once has the same result.
 */
export function copiedEntrySize(leadAdded: Lots, ratio: CopyRatio, copied: Lots): Lots {
  const due = (BigInt(leadAdded) * ratio.numerator) / ratio.denominator;
  return Math.max(0, Number(due) - copied);
}

/**
 * How much to reduce a follower when its lead goes from `leadBefore` to `leadAfter` lots: by the same fraction; at
 * zero, all.
 */
export function copiedReductionSize(leadBefore: Lots, leadAfter: Lots, followerSize: Lots): Lots {
  if (leadAfter <= 0) return followerSize;
  if (leadAfter >= leadBefore) return 0;
  return Number((BigInt(followerSize) * BigInt(leadBefore - leadAfter)) / BigInt(leadBefore));
}
