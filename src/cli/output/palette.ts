import { type Cell, type Tone, textOf } from './result.ts';

/** Renders a cell as safe text, in color if colors are on. */
export type Palette = (cell: Cell) => string;

/** Without colors. */
export const plainPalette: Palette = textOf;

/** With colors; chalk is loaded only here. */
export async function colorPalette(): Promise<Palette> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const tones: Record<Tone, (text: string) => string> = {
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
    strong: chalk.bold,
    faint: chalk.dim,
  };
  return (cell) => {
    const text = textOf(cell);
    return typeof cell === 'object' && cell !== null ? tones[cell.tone](text) : text;
  };
}
