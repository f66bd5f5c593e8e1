import { textHash } from './text-hash.ts';

/**
 * The engine's only randomness: a draw in [0, 1) that is a pure function of the state's seed, its purpose and its owner
 * (simulation 1), so the same inputs always give the same state.
 */
export function draw(seed: number, purpose: string, id: string): number {
  return textHash(`${seed}/${purpose}/${id}`) / 2 ** 53;
}

/** A random whole number from `min` to `max`, both included. */
export function drawBetween(seed: number, purpose: string, id: string, min: number, max: number): number {
  return min + Math.floor(draw(seed, purpose, id) * (max - min + 1));
}
