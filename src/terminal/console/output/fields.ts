import { wrap } from '../../../base/text/plain-text.ts';
import { type Cell, textOf } from './result.ts';
import type { Palette } from './themes.ts';

/** Labels and values, one pair per line; long values wrap under themselves. */
export function renderFields(
  pairs: readonly (readonly [string, Cell])[],
  palette: Palette,
  width = Number.POSITIVE_INFINITY,
): string {
  const widest = Math.max(0, ...pairs.map(([label]) => label.length));
  const indent = ' '.repeat(widest + 2);
  const lines = pairs.flatMap(([label, value]) => {
    const [first = '', ...rest] = brokenCell(value, width, indent).map(palette);
    return [
      `${palette({ text: label.padEnd(widest), tone: 'faint' })}  ${first}`,
      ...rest.map((more) => indent + more),
    ];
  });
  return lines.map((text) => text.trimEnd()).join('\n');
}

/** Breaks a cell into lines. */
function brokenCell(cell: Cell, width: number, indent: string): Cell[] {
  const text = textOf(cell);
  if (indent.length + text.length <= width) return [cell];
  const lines = wrap(text, width, indent).split('\n');
  const isToned = typeof cell === 'object' && cell !== null;
  return lines.map((line) => (isToned ? { ...cell, text: line.slice(indent.length) } : line.slice(indent.length)));
}
