import type { RawTerminal } from './raw-terminal.ts';
import { cellsOf, Pace, rowChanges } from './row-changes.ts';

/** Draws when something changed, but never more often than this allows; changes in between share one frame. */
export class Frames {
  readonly #draw: () => void;
  readonly #minMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  /** When the next frame is due, once it was requested. */
  #dueAt = 0;
  #isOver = false;

  constructor(draw: () => void, minMs: number | (() => number)) {
    this.#draw = draw;
    this.#minMs = typeof minMs === 'number' ? () => minMs : minMs;
  }

  /** Something changed. If the frames have become faster since one was requested, it comes sooner. */
  request(): void {
    if (this.#isOver) return;
    // The monotonic clock: the wall clock may be set back by hours.
    const dueAt = this.#drawnAt + this.#minMs();
    if (this.#timer !== undefined && dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    const waitMs = Math.max(0, dueAt - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#drawnAt = performance.now();
      this.#draw();
    }, waitMs);
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}

const csi = '\u001b[';
/** No cursor, no wrapping, pasted text is marked. */
const modes = `${csi}?25l${csi}?7l${csi}?2004h`;
/** The alternate screen. */
const enter = `${csi}?1049h${modes}`;
/** Reports of the mouse (SGR), moved with a button held, too, and of the focus. */
const reportsOn = `${csi}?1000h${csi}?1002h${csi}?1006h${csi}?1004h`;
const reportsOff = `${csi}?1004l${csi}?1006l${csi}?1002l${csi}?1000l`;
const leave = `${csi}?2026l${reportsOff}${csi}0m${csi}?2004l${csi}?7h${csi}?25h${csi}?1049l`;
/** The terminal shows what is between these at once, so nothing flickers. */
const begin = `${csi}?2026h`;
const end = `${csi}?2026l`;

/** A slow line carries this much; whole frames come out of a reserve. */
const bytesPerSecond = 10_000;
const reserveBytes = 20_000;

/** A whole terminal to draw on. Its previous contents return when it is closed or the process exits. */
export class FullScreen {
  readonly #terminal: RawTerminal;
  /** The lines that the terminal shows, and their cells as far as they are known. */
  #shown: readonly string[] = [];
  #cells: (readonly string[] | undefined)[] = [];
  #size = { columns: 0, rows: 0 };
  #forgetExit = () => {};
  #isOpen = false;
  #isReporting = false;
  readonly #pace = new Pace(bytesPerSecond, reserveBytes);

  constructor(terminal: RawTerminal) {
    this.#terminal = terminal;
  }

  /** If it is already open, everything is drawn again, because others drew on it while the process was stopped. */
  open(): void {
    this.#shown = [];
    this.#cells = [];
    this.#size = { columns: 0, rows: 0 };
    this.#terminal.write(`${this.#isOpen ? modes : enter}${this.#isReporting ? reportsOn : ''}`);
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#forgetExit = this.#terminal.onExit(() => this.#terminal.write(leave));
  }

  /**
   * Shows these lines from the top; each must be as wide as the terminal. Only what changed is written, unless the size
   * did.
   */
  show(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    const { columns, rows } = this.#terminal;
    const isResized = columns !== this.#size.columns || rows !== this.#size.rows;
    const known = isResized ? [] : this.#shown;
    const changed = lines.flatMap((line, at) => (line === known[at] ? [] : [this.#change(line, at, !isResized)]));
    this.#shown = lines;
    this.#size = { columns, rows };
    if (changed.length === 0 && !isResized) return;
    const text = `${begin}${isResized ? `${csi}2J` : ''}${changed.join('')}${end}`;
    this.#terminal.write(text);
    this.#pace.wrote(Buffer.byteLength(text), performance.now());
  }

  /** How long after the last frame the next one may be drawn, ms. */
  get waitMs(): number {
    return this.#pace.waitMs;
  }

  /** The user has pressed a key: the next frame need not wait. */
  hurry(): void {
    this.#pace.forgive();
  }

  /** What to write for a line that changed: its changed cells, or all of it if what is there is not known. */
  #change(line: string, at: number, isKnown: boolean): string {
    const before = isKnown ? this.#cells[at] : undefined;
    const cells = cellsOf(line);
    this.#cells[at] = cells;
    const isAlike = before !== undefined && cells?.length === before.length;
    return isAlike ? rowChanges(at + 1, before, cells) : `${csi}${at + 1};1H${line}`;
  }

  /** Whether the terminal reports its mouse and its focus; while it does, it does not select text. */
  report(isReporting: boolean): void {
    if (isReporting === this.#isReporting) return;
    this.#isReporting = isReporting;
    if (this.#isOpen) this.#terminal.write(isReporting ? reportsOn : reportsOff);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#forgetExit();
    this.#terminal.write(leave);
  }
}
