import { type Cell, type Tone, textOf } from './result.ts';

/** Renders a cell as safe text, in color if colors are on. */
export type Palette = (cell: Cell) => string;

/** Without colors. */
export const plainPalette: Palette = textOf;

/** Whether a palette has colors. */
export function hasColors(palette: Palette): boolean {
  return palette({ text: ' ', tone: 'strong' }) !== ' ';
}

/** With colors. */
export async function colorPalette(): Promise<Palette> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const { green: good, red: bad, yellow: warn, bold: strong, dim: faint, inverse: alarm } = chalk;
  return paletteOf({ good, bad, warn, strong, faint, alarm });
}

function paletteOf(tones: Record<Tone, (text: string) => string>): Palette {
  return (cell) => {
    const text = textOf(cell);
    return typeof cell === 'object' && cell !== null ? tones[cell.tone](text) : text;
  };
}
