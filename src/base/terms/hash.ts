/**
 * Integer hashing is the only source of randomness, for synthetic markets and resampling. The same inputs give the same
 * 32 bits on every machine, unlike Math.random and the transcendental functions of Math.
 */

const unit = 2 ** -32;

/** A 32-bit hash of two integers under a key; larger integers are reduced modulo 2^32. */
export function hash32(key: number, first: number, second: number): number {
  let hash = key ^ Math.imul(first, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash ^= Math.imul(second, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 16), 0x165667b1);
  return hash ^ (hash >>> 15);
}

/** The next 32 bits of the stream that a hash starts. */
export function nextHash(hash: number): number {
  let next = (hash + 0x6d2b79f5) | 0;
  next = Math.imul(next ^ (next >>> 15), 0x2c1b3c6d);
  next = Math.imul(next ^ (next >>> 12), 0x297a2d39);
  return next ^ (next >>> 15);
}

/** A hash as a fraction in [0, 1). */
export function fraction(hash: number): number {
  return (hash >>> 0) * unit;
}

/** A hash as a number in [-1, 1). */
export function signedUnit(hash: number): number {
  return (hash | 0) * (unit * 2);
}

/** The key for one purpose of one subject (a market, a factor) under a seed; `seed` may be any finite number. */
export function keyOf(seed: number, subject: string, purpose: string): number {
  const whole = Math.trunc(seed);
  let key = hash32(0x51ed270b, whole % 2 ** 32, Math.floor(whole / 2 ** 32));
  for (const text of [subject, purpose]) {
    for (let i = 0; i < text.length; i += 1) key = hash32(key, text.charCodeAt(i), i);
    key = hash32(key, text.length, -1);
  }
  return key;
}
