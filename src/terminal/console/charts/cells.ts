import stringWidth from 'string-width';
import { type Cell, type Tone, textOf } from '../output/result.ts';
import { cutMark } from './glyphs.ts';

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

/** A row of exactly this width, padded on the right; text that doesn't fit is cut and marked. */
export function fitted(row: Row, width: number): Row {
  const isCut = rowWidth(row) > width && widthOf(row.map(textOf).join('').trimEnd()) > width;
  const cells: Cell[] = [];
  let left = isCut ? width - 1 : width;
  for (const cell of row) {
    const text = textOf(cell);
    const cut = clipped(text, left);
    if (cut !== '') cells.push(typeof cell === 'string' ? cut : { text: cut, tone: cell.tone });
    left -= widthOf(cut);
    if (left <= 0 || cut !== text) break;
  }
  if (isCut && width > 0) cells.push(cutMark);
  if (left > 0) cells.push(' '.repeat(left));
  return cells;
}

/** A text of at most this width, with a mark if it was cut. */
export function cutText(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? '' : `${clipped(text, width - 1)}${cutMark}`;
}

/** A row of this width that ends with the number of omitted ones. */
export function withMore(row: Row, hidden: number, width: number): Row {
  if (hidden < 1) return fitted(row, width);
  const mark = ` +${hidden}`;
  return fitted([...fitted(row, Math.max(0, width - mark.length)), toned(mark, 'warn')], width);
}

/** On fewer columns, a mark would replace what it marks. */
const minWidthOfMark = 20;

/** Exactly this many rows of this width; the last one gives the number of omitted ones. */
export function stacked(rows: readonly Row[], count: number, width: number): Row[] {
  const used = rows.findLastIndex((row) => row.some((cell) => textOf(cell).trim() !== '')) + 1;
  const drawn = Array.from({ length: Math.max(0, count) }, (_, at) => fitted(rows[at] ?? [], width));
  const hidden = used - count;
  return hidden > 0 && count > 0 && width >= minWidthOfMark
    ? [...drawn.slice(0, -1), withMore(drawn.at(-1)!, hidden, width)]
    : drawn;
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
  return /^[\x20-\x7e\u2022\u2026\u203a\u2190-\u2193\u2500-\u259f\u25b2\u25bc]*$/.test(text);
}
