import xterm from '@xterm/headless';
import { InputReader, type Key } from '../../../src/terminal/console/terminal/input-reader.ts';
import type { RawTerminal, TerminalEvents } from '../../../src/terminal/console/terminal/raw-terminal.ts';

/** A character on the screen. */
export interface Painted {
  readonly text: string;
  readonly color: number | undefined;
  readonly background: number | undefined;
  /** Shown fainter than its color, nobody knows how much. */
  readonly isDim: boolean;
}

/** A terminal emulator: shows what a user would see of a program's output. */
export class Emulator implements RawTerminal {
  readonly #terminal: xterm.Terminal;
  #events: TerminalEvents | undefined;
  #reader: InputReader | undefined;
  readonly written: string[] = [];
  readonly exits = new Set<() => void>();
  suspensions = 0;

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** The program reads the keyboard. */
  get isListened(): boolean {
    return this.#events !== undefined;
  }

  write(text: string): void {
    this.written.push(text);
    this.#terminal.write(text);
  }

  listen(events: TerminalEvents): () => void {
    this.#events = events;
    this.#reader = new InputReader(events);
    return () => {
      this.#events = undefined;
      this.#reader?.close();
    };
  }

  onExit(restore: () => void): () => void {
    this.exits.add(restore);
    return () => this.exits.delete(restore);
  }

  suspend(): void {
    this.suspensions++;
  }

  resume(): void {
    this.#events?.resumed();
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#events?.resized();
  }

  /** Presses keys: single characters, or the names of keys. */
  press(...names: string[]): void {
    for (const name of names) this.key({ name, text: name.length === 1 ? name : '', ctrl: false });
  }

  key(key: Key): void {
    this.#events?.key(key);
  }

  /** What a terminal sends in one read. */
  send(text: string): void {
    this.#reader?.take(text);
  }

  /** Every character that is not a space, with its colors as numbers of 256, or undefined for the terminal's own. */
  async cells(): Promise<readonly Painted[]> {
    await this.screen();
    const { active } = this.#terminal.buffer;
    const cells: Painted[] = [];
    for (let row = 0; row < this.rows; row++) {
      const line = active.getLine(active.viewportY + row)!;
      for (let column = 0; column < this.columns; column++) {
        const cell = line.getCell(column)!;
        const text = cell.getChars();
        if (text.trim() === '') continue;
        const [color, own] = [
          cell.isFgDefault() ? undefined : cell.getFgColor(),
          cell.isBgDefault() ? undefined : cell.getBgColor(),
        ];
        const isInverse = cell.isInverse() !== 0;
        cells.push({
          text,
          color: isInverse ? own : color,
          background: isInverse ? color : own,
          isDim: cell.isDim() !== 0,
        });
      }
    }
    return cells;
  }

  /** The lines on the screen, without trailing spaces. */
  async screen(): Promise<string[]> {
    await new Promise<void>((done) => this.#terminal.write('', done));
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.rows }, (_, at) =>
      active
        .getLine(active.viewportY + at)!
        .translateToString()
        .trimEnd(),
    );
  }

  /** Resolves when the screen matches. */
  async shows(text: RegExp, withinMs = 60_000): Promise<string> {
    const deadline = performance.now() + withinMs;
    while (true) {
      const screen = (await this.screen()).join('\n');
      if (text.test(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`never showed ${text}:\n${screen}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  /** Whether the screen from before the program is restored, with its cursor. */
  async isRestored(): Promise<boolean> {
    await this.screen();
    return this.#terminal.buffer.active.type === 'normal' && !this.#terminal.modes.bracketedPasteMode;
  }
}
