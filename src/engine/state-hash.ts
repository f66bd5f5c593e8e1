import type { OpenState } from './commands.ts';

/** A hash of a state: the same for equal states, whatever the order of their records. 106 bits, in hex. */
export function hashOf(state: OpenState): string {
  const text = JSON.stringify(state, canonical);
  return mix(text, 0x9e3779b9) + mix(text, 0x85ebca6b);
}

/** Objects by sorted keys, money as text. */
function canonical(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries);
}

/** 53 bits from two interleaved 32-bit mixes. */
function mix(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return ((low & 0x1fffff) * 2 ** 32 + (high >>> 0)).toString(16).padStart(14, '0');
}
