import { stripVTControlCharacters } from 'node:util';
import { exitCodes, type Failure } from '../../../base/failure/failure.ts';
import { jsonText } from '../../../base/text/plain-text.ts';
import { accountChanges } from '../../../desk/reading/account-changes.ts';
import type { Console } from '../../console/console.ts';
import { columnsOfLists } from '../../console/console.ts';
import { renderBlocks } from '../../console/output/render.ts';
import { type Blocks, type Result, shownBlocks } from '../../console/output/result.ts';
import type { Io } from '../../console/terminal/io.ts';
import { placeLine, sayFirst } from '../../console/where.ts';

const everyMs = 1_000;

/** One reading of something that changes. */
export interface Look {
  /** Records for programs, one JSON line each. */
  records: readonly unknown[];
  blocks: Blocks;
  /** For a list: the fields of its rows, for --columns. */
  fields?: readonly string[];
}

/**
 * Reads every second until Ctrl-C, and immediately when something changes in an account, if the host reports changes.
 * On a terminal, redraws in place without flicker, and columns never move. Without a terminal, or with JSON, prints a
 * line per change.
 */
export async function watch(console: Console, read: () => Promise<Look>): Promise<Result> {
  const { io, settings } = console;
  const look = settings.listColumns === undefined ? read : withChosenColumns(console, read, settings.listColumns);
  const inPlace = io.stdoutIsTerminal && settings.output === 'table' && console.variables.TERM !== 'dumb';
  if (inPlace) return watchInPlace(console, look);
  await using changes = await accountChanges(console);
  await sayFirst(console);
  let before = '';
  while (true) {
    const { records, blocks } = await look();
    console.signal.throwIfAborted();
    const text =
      settings.output === 'table' ? await renderBlocks(blocks, io.columns, console.palette) : jsonText(records);
    if (text !== before && settings.output === 'table') io.out(text);
    else if (text !== before) for (const record of records) console.tell(record);
    before = text;
    await changes.wait(everyMs);
  }
}

/** The same with only these columns in its tables. */
function withChosenColumns(console: Console, read: () => Promise<Look>, names: readonly string[]): () => Promise<Look> {
  const { output } = console.settings;
  let isNoted = false;
  return async () => {
    const look = await read();
    const { fields } = look;
    if (output !== 'table') return look;
    if (fields === undefined) {
      if (!isNoted) console.note(columnsOfLists);
      isNoted = true;
      return look;
    }
    const { withColumns } = await import('../../console/output/chosen-columns.ts');
    const blocks = shownBlocks(look.blocks).map((block) =>
      block.kind === 'table' ? { ...block, columns: withColumns({ ...block, fields }, names, output).columns } : block,
    );
    return { ...look, blocks };
  };
}

async function watchInPlace(console: Console, look: () => Promise<Look>): Promise<Result> {
  const { io, palette } = console;
  await using changes = await accountChanges(console);
  const screen = new Screen(io);
  const widths = new Map<string, number>();
  const ending = palette({ text: 'Press Ctrl-C to stop.', tone: 'faint' });
  try {
    while (true) {
      const { blocks } = await look();
      console.signal.throwIfAborted();
      const shown = await renderBlocks(blocks, io.columns, palette, widths);
      screen.show(`${shown}${await placeLine(console)}`, ending);
      await changes.wait(everyMs);
    }
  } catch (error) {
    // The last output stays, without the hint line.
    screen.end();
    if ((console.signal.reason as Failure | undefined)?.facts.code !== 'interrupted') throw error;
    return { kind: 'text', text: '', exit: exitCodes.interrupted };
  }
}

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
    const lines = fitting(all, rows - rowsOf(last, columns) - 1, columns);
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

/** The number of terminal rows that a line takes. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns));
}
