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

/** What to write so that a row shows `cells` instead of `before`. */
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
