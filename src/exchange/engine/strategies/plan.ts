import type { Lots, Ms } from '../model.ts';

/** The plan of a TWAP or VWAP, fixed at its start: the cumulative lots after each slice, and each slice's time. */
interface SlicePlan {
  plannedCumulative: Lots[];
  sliceTimes: Ms[];
}

/** The largest tolerance of a slice, which replaces the account's ceiling (simulation 7.1). */
export const sliceToleranceBps = 300;
/** A slice that makes up for missed ones trades at most this many times its planned size. */
const catchUpFactor = 3;
/** Randomizing changes a slice's size and time by at most this fraction of the planned slice and of the interval. */
const randomShare = 0.2;
/** Weights are converted to integers on this scale, so that sums are exact. */
const weightScale = 2 ** 31;

/** Number of slices of a duration: at least two (simulation 7.1). */
export function sliceCount(durationMs: Ms, intervalMs: Ms): number {
  return Math.max(2, Math.floor(durationMs / intervalMs));
}

/**
 * The plan of a TWAP (`weights` null: equal slices) or VWAP (one positive weight per slice). `random` draws in [0, 1)
 * for a purpose and a slice; it is null unless the order randomizes. The total is the same either way.
 */
export function planSlices(order: {
  totalSize: Lots;
  /** Every slice is a whole number of these; default 1. */
  lot?: Lots;
  startedAt: Ms;
  durationMs: Ms;
  intervalMs: Ms;
  weights: readonly number[] | null;
  random: ((purpose: 'size' | 'moment', slice: number) => number) | null;
}): SlicePlan {
  const count = sliceCount(order.durationMs, order.intervalMs);
  let weights = integerWeights(order.weights, count);
  const sliceTimes = weights.map((_, slice) => order.startedAt + slice * order.intervalMs);
  if (order.random !== null) {
    const { random } = order;
    weights = randomizedWeights(weights, (pair) => random('size', pair));
    for (let slice = 0; slice < count; slice += 1) {
      const shift = Math.round((2 * random('moment', slice) - 1) * randomShare * order.intervalMs);
      sliceTimes[slice] = Math.max(order.startedAt, sliceTimes[slice]! + shift);
    }
  }
  return { plannedCumulative: cumulativeShares(order.totalSize, weights, order.lot), sliceTimes };
}

/**
 * Lots that slice `slice` may trade: up to the plan, including what earlier slices missed, but at most three planned
 * slices.
 */
export function sliceSize(plannedCumulative: readonly Lots[], slice: number, filled: Lots): Lots {
  const planned = plannedCumulative[slice]! - (slice === 0 ? 0 : plannedCumulative[slice - 1]!);
  return Math.max(0, Math.min(plannedCumulative[slice]! - filled, catchUpFactor * planned));
}

/**
 * total x running weight / all weight per weight, floored to whole `lot`s: the parts sum to the total exactly. Weights
 * are integers.
 */
export function cumulativeShares(total: Lots, weights: readonly number[], lot = 1): Lots[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  let running = 0n;
  return weights.map((weight) => {
    running += BigInt(weight);
    if (running === all) return total;
    return Number((BigInt(total) * running) / (all * BigInt(lot))) * lot;
  });
}

function integerWeights(weights: readonly number[] | null, count: number): number[] {
  const largest = weights === null ? 0 : Math.max(...weights);
  if (weights === null || !(largest > 0 && Number.isFinite(largest))) return new Array<number>(count).fill(weightScale);
  // A power of two keeps simple ratios simple: weights of 3 and 1 stay exactly 3 to 1.
  const scale = weightScale / 2 ** Math.ceil(Math.log2(largest));
  return weights.map((weight) => Math.max(1, Math.round(weight * scale)));
}

/**
 * Moves weight between the two slices of each pair, by up to a fifth of the lighter one: no slice changes by more than
 * a fifth of itself, and the sum is unchanged.
 */
function randomizedWeights(weights: readonly number[], random: (pair: number) => number): number[] {
  const moved = [...weights];
  for (let slice = 0; slice + 1 < moved.length; slice += 2) {
    const lighter = Math.min(moved[slice]!, moved[slice + 1]!);
    const shift = Math.trunc((2 * random(slice) - 1) * randomShare * lighter);
    moved[slice]! += shift;
    moved[slice + 1]! -= shift;
  }
  return moved;
}
