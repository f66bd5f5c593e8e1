import stringWidth from 'string-width';
import { type Cell, type Tone, textOf } from '../output/result.ts';

/** One row of the screen: pieces of text with their styles, from left to right. */
export type Row = readonly Cell[];

/** Columns that a text takes; Chinese characters and emoji take two. */
export function widthOf(text: string): number {
  return isNarrow(text) ? text.length : stringWidth(text);
}

/** Columns that a row takes. */
export function rowWidth(row: Row): number {
  return row.reduce((sum, cell) => sum + widthOf(textOf(cell)), 0);
}

/** A row of exactly this width: truncated, or padded on the right. */
export function fitted(row: Row, width: number): Row {
  const cells: Cell[] = [];
  let left = width;
  for (const cell of row) {
    const text = textOf(cell);
    const cut = clipped(text, left);
    if (cut !== '') cells.push(typeof cell === 'string' ? cut : { text: cut, tone: cell.tone });
    left -= widthOf(cut);
    if (left <= 0 || cut !== text) break;
  }
  if (left > 0) cells.push(' '.repeat(left));
  return cells;
}

/** A row with one part at each end. If there is no room for both, the right part is omitted. */
export function apart(left: Row, right: Row, width: number): Row {
  const room = width - rowWidth(left) - rowWidth(right);
  return room < 1 ? fitted(left, width) : [...left, ' '.repeat(room), ...right];
}

/** Two blocks of rows side by side; the left one has this width. */
export function beside(left: readonly Row[], width: number, right: readonly Row[]): Row[] {
  const height = Math.max(left.length, right.length);
  return Array.from({ length: height }, (_, at) => [...fitted(left[at] ?? [], width), ...(right[at] ?? [])]);
}

/** A piece of text with a style. */
export function toned(text: string, tone: Tone | undefined): Cell {
  return tone === undefined ? text : { text, tone };
}

/** The start of a text, at most this wide. */
function clipped(text: string, width: number): string {
  if (isNarrow(text)) return text.slice(0, Math.max(0, width));
  let cut = '';
  let left = width;
  for (const { segment } of segments.segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    cut += segment;
  }
  return cut;
}

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Whether every character takes one column: ASCII, and the signs, boxes and blocks that perp draws. */
function isNarrow(text: string): boolean {
  return /^[\x20-\x7e\u2022\u203a\u2190-\u2193\u2500-\u259f\u25b2\u25bc]*$/.test(text);
}
