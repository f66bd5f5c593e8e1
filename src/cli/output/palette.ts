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
  const { green: good, red: bad, yellow: warn, bold: strong, dim: faint } = chalk;
  return paletteOf({ good, bad, warn, strong, faint });
}

/**
 * For charts and the live screen, where only color distinguishes up from down: blue and orange, which everyone can tell
 * apart.
 */
export async function chartPalette(): Promise<Palette> {
  const { Chalk, supportsColor } = await import('chalk');
  const chalk = new Chalk({ level: supportsColor === false ? 1 : supportsColor.level });
  const { bold: strong, dim: faint, magenta: warn } = chalk;
  return paletteOf({ good: chalk.ansi256(39), bad: chalk.ansi256(208), warn, strong, faint });
}

function paletteOf(tones: Record<Tone, (text: string) => string>): Palette {
  return (cell) => {
    const text = textOf(cell);
    return typeof cell === 'object' && cell !== null ? tones[cell.tone](text) : text;
  };
}
