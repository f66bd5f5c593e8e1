import { stripVTControlCharacters } from 'node:util';
import type { Io } from './io.ts';

/** Lines at the bottom of a terminal that are redrawn in place. */
export class Screen {
  readonly #io: Io;
  #shown = '';
  #height = 0;

  constructor(io: Io) {
    this.#io = io;
  }

  /**
   * Shows `text`, which ends with a newline, and a last line. Each line overwrites the old one, so nothing flickers.
   * Lines that don't fit are cut off and counted, because lines scrolled off the top can't be redrawn.
   */
  show(text: string, last: string): void {
    const { columns, rows = Number.POSITIVE_INFINITY } = this.#io;
    const all = text.split('\n').slice(0, -1);
    const room = rows - rowsOf(last, columns) - 1;
    const lines = fitting(all, room, columns);
    const left = all.length - lines.length;
    const next = [...lines, left === 0 ? last : `${last} ${left} more lines don't fit.`];
    const drawn = next.map((line) => `${line}\u001b[K\n`).join('');
    if (drawn === this.#shown) return;
    this.#io.out(`${this.#up(this.#height)}${drawn}\u001b[J`);
    this.#shown = drawn;
    this.#height = next.reduce((sum, line) => sum + rowsOf(line, columns), 0);
  }

  /** Keeps what was shown, without the last line. */
  end(): void {
    if (this.#height > 0) this.#io.out(`${this.#up(1)}\u001b[J`);
  }

  #up(rows: number): string {
    return rows === 0 ? '' : `\u001b[${rows}A\r`;
  }
}

function fitting(lines: readonly string[], room: number, columns: number): string[] {
  let left = room;
  const over = lines.findIndex((line) => {
    left -= rowsOf(line, columns);
    return left < 0;
  });
  return lines.slice(0, over === -1 ? undefined : over);
}

/** How many rows of the terminal a line takes. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns));
}
