import type { OpenState } from './commands.ts';
import { textHash } from './text-hash.ts';

/** A hash of a state: the same for equal states, whatever the order of their records. 106 bits, in hex. */
export function hashOf(state: OpenState): string {
  const text = JSON.stringify(state, canonical);
  return hex(textHash(text, 0x9e3779b9)) + hex(textHash(text, 0x85ebca6b));
}

/** Objects by sorted keys, money as text. */
function canonical(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries);
}

function hex(hash: number): string {
  return hash.toString(16).padStart(14, '0');
}
