import Table from 'cli-table3';
import { renderFields } from './fields.ts';
import { type Cell, type Column, columnGap, columnsThatFit, textOf } from './result.ts';
import type { Palette } from './themes.ts';

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(columnGap),
};

/** Past column widths, by header. Redrawn tables never shrink their columns. */
export type Widths = Map<string, number>;

/**
 * A borderless table that is easy to read and copy. On a narrow terminal, the columns with the highest `keep` that fit
 * are kept; if even the mandatory columns don't fit, each row becomes a card of labels and values.
 */
export function renderTable(
  columns: readonly Column<unknown>[],
  rows: readonly unknown[],
  width: number,
  palette: Palette,
  had: Widths = new Map(),
): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)));
  const widths = columns.map((column, at) =>
    Math.max(column.header.length, had.get(column.header) ?? 0, ...cells.map((row) => textOf(row[at]!).length)),
  );
  for (const [at, { header }] of columns.entries()) had.set(header, widths[at]!);
  const filled = columns.map(
    ({ always }, at) => always === true || rows.length === 0 || cells.some((row) => textOf(row[at]!) !== ''),
  );
  const shown = columnsThatFit(columns, widths, filled, width);
  if (shown === undefined) return renderCards(columns, cells, palette, width);
  const table = new Table({
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: shown.map((at) => columns[at]!.align ?? 'left'),
    head: shown.map((at) => palette({ text: headerOf(columns[at]!, widths[at]!), tone: 'faint' })),
  });
  for (const row of cells) table.push(shown.map((at) => palette(row[at]!)));
  const lines = table.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Leaves a cell empty if its view throws on unexpected data; JSON shows the row as it is. */
function cellOf(column: Column<unknown>, row: unknown): Cell {
  try {
    return column.cell(row) ?? '';
  } catch {
    return '';
  }
}

/** Pads the header to the column's width. */
function headerOf({ header, align }: Column<unknown>, width: number): string {
  return align === 'right' ? header.padStart(width) : header.padEnd(width);
}

function renderCards(
  columns: readonly Column<unknown>[],
  cells: readonly (readonly Cell[])[],
  palette: Palette,
  width: number,
): string {
  const cards = cells.map((row) => {
    const pairs = columns.map((column, at) => [column.header, row[at]!] as const);
    const filled = pairs.filter(([, cell]) => textOf(cell) !== '');
    return renderFields(filled, palette, width);
  });
  return cards.join('\n\n');
}
