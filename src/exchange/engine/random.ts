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

/** A 53-bit hash of a text, from two interleaved 32-bit mixes. */
export function textHash(text: string, seed = 0): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (low & 0x1fffff) * 2 ** 32 + (high >>> 0);
}
