import { ln } from './draws.ts';

/** How a market's moves are spread over a minute. */
export interface Rhythm {
  slotsPerMinute: number;
  /** Moves a second in an ordinary minute. */
  moves: number;
  /**
   * Of every 256 cuts of a minute, those that leave one half without any move, by level: four of spans, then of slots;
   * for calm minutes first, with fewer moves, then for busier ones (see `paceOf`).
   */
  lulls: readonly (readonly number[])[];
}

/** Moves relative to an ordinary minute's, and the variance, relative to an ordinary minute's, up to which it is so. */
const paces = [
  { moves: 1 / 16, variance: 1 / 32 },
  { moves: 1 / 8, variance: 1 / 10 },
  { moves: 1 / 4, variance: 1 / 5 },
  { moves: 1 / 2, variance: 1 / 2 },
  { moves: 1, variance: 2 },
  { moves: 2, variance: Number.POSITIVE_INFINITY },
] as const;

/** Which of the lulls a minute with this variance, relative to an ordinary minute's, has. */
export function paceOf(variance: number): number {
  let pace = 0;
  while (variance > paces[pace]!.variance) pace += 1;
  return pace;
}

/** A minute is cut into spans of five seconds, and these into slots. */
export const spansPerMinute = 12;
const spanLevels = 4;
/** Over how many levels of cuts lulls become certain. */
const lullWidth = 4;

/** The rhythm with this many moves a second on average; the more the price moves, the more often. */
export function rhythmOf(slotsPerMinute: number, movesPerSecond: number): Rhythm {
  const lulls = paces.map(({ moves }) => lullsOf(slotsPerMinute, Math.max(1, 60 * movesPerSecond * moves)));
  return { slotsPerMinute, moves: movesPerSecond, lulls };
}

/** The later the cuts, the more of them are lulls: moves come in clusters, but not all at once. */
function lullsOf(slotsPerMinute: number, movesPerMinute: number): number[] {
  const levels = spanLevels + Math.ceil(ln(slotsPerMinute / spansPerMinute) / Math.LN2);
  const lullsFrom = (start: number) =>
    Array.from({ length: levels }, (_, level) => Math.max(0, Math.min(1, 0.5 + (level - start) / lullWidth)));
  let [low, high] = [-lullWidth, 2 * levels];
  for (let turn = 0; turn < 30; turn += 1) {
    const middle = (low + high) / 2;
    // A cut without a lull doubles the number of parts that move.
    const moves = lullsFrom(middle).reduce((product, lull) => product * (2 - lull), 1);
    if (moves < movesPerMinute) low = middle;
    else high = middle;
  }
  return lullsFrom(low).map((lull) => Math.round(256 * lull));
}
