import type { RawTerminal } from './raw-terminal.ts';

/** A line as cells, each a character with its style, or undefined if some character may not take one column. */
export function cellsOf(line: string): readonly string[] | undefined {
  const cells: string[] = [];
  let style = '';
  for (const [token] of line.matchAll(/\u001b\[[\d;]*m|[^\u001b]/gu)) {
    if (token.length > 2 && token.startsWith('\u001b')) style = token === reset ? '' : token;
    else if (isNarrow(token)) cells.push(style + token);
    else return undefined;
  }
  return cells;
}

const reset = '\u001b[0m';

/** Latin letters, and the signs, boxes and blocks that perp draws; other characters may take two columns, or none. */
function isNarrow(text: string): boolean {
  const code = text.codePointAt(0)!;
  return (code >= 0x20 && code < 0x300) || (code >= 0x2010 && code < 0x2600);
}

/** Equal cells between two changes that are written again, because a move of the cursor is as long. */
const closeBy = 6;

/** The output that changes a row from `before` to `cells`. */
export function rowChanges(row: number, before: readonly string[], cells: readonly string[]): string {
  let written = '';
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] === before[at]) continue;
    let end = at;
    for (let next = at; next < cells.length && next - end <= closeBy; next++)
      if (cells[next] !== before[next]) end = next;
    written += `\u001b[${row};${at + 1}H${textOf(cells.slice(at, end + 1))}`;
    at = end;
  }
  return written;
}

/** Cells as text: a style is written where it begins, and ends with the last of them. */
function textOf(cells: readonly string[]): string {
  let text = '';
  let style = '';
  for (const cell of cells) {
    const own = /^\u001b\[[\d;]*m/.exec(cell)?.[0] ?? '';
    if (own !== style) text += `${style === '' ? '' : reset}${own}`;
    style = own;
    text += cell.slice(own.length);
  }
  return style === '' ? text : text + reset;
}

/** How much a screen may write: so many bytes a second on average, with a reserve for what has to be seen at once. */
export class Pace {
  readonly #perMs: number;
  readonly #reserve: number;
  #debt = 0;
  #at = 0;

  constructor(perSecond: number, reserve: number) {
    this.#perMs = perSecond / 1_000;
    this.#reserve = reserve;
  }

  /** So much was written at this time, ms. */
  wrote(bytes: number, now: number): void {
    this.#debt = Math.max(0, this.#debt - (now - this.#at) * this.#perMs) + bytes;
    this.#at = now;
  }

  /** How long the next frame waits after the last one, ms. */
  get waitMs(): number {
    return Math.max(0, this.#debt - this.#reserve) / this.#perMs;
  }

  /** A user who presses a key sees its effect at once. */
  forgive(): void {
    this.#debt = 0;
  }
}

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

  /** The output for a changed line: its changed cells, or all of them if the current contents are unknown. */
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
