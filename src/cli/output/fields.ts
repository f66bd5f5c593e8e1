import type { Palette } from './palette.ts';
import type { Cell } from './result.ts';

/** Labels and values, one pair a line. */
export function renderFields(pairs: readonly (readonly [string, Cell])[], palette: Palette): string {
  const widest = Math.max(0, ...pairs.map(([label]) => label.length));
  return pairs
    .map(([label, value]) => `${palette({ text: label.padEnd(widest), tone: 'faint' })}  ${palette(value)}`.trimEnd())
    .join('\n');
}
