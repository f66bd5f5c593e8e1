import { columnGap, columnsThatFit } from '../output/columns.ts';
import { type Cell, type Column, textOf } from '../output/result.ts';
import { fitted, type Row, toned, widthOf } from './cells.ts';

/** A table of the live screen: a header and one row per record, as many columns as fit. */
export function deskTable<Item>(columns: readonly Column<Item>[], items: readonly Item[], width: number): Row[] {
  const cells = items.map((item) => columns.map((column) => column.cell(item)));
  const widths = columns.map(({ header }, at) => Math.max(header.length, ...cells.map((row) => cellWidth(row[at]!))));
  const filled = columns.map((_, at) => cells.length === 0 || cells.some((row) => textOf(row[at]!) !== ''));
  const shown = columnsThatFit(columns, widths, filled, width) ?? columns.map((_, at) => at).filter((at) => filled[at]);
  const row = (own: readonly Cell[]): Row =>
    shown.flatMap((at, place) => [
      ...(place === 0 ? [] : [' '.repeat(columnGap)]),
      ...aligned(own[at]!, widths[at]!, columns[at]!.align),
    ]);
  const header = row(columns.map(({ header: text }) => toned(text, 'faint')));
  return [header, ...cells.map(row)].map((one) => fitted(one, width));
}

function aligned(cell: Cell, width: number, align: 'right' | undefined): readonly Cell[] {
  const padding = ' '.repeat(Math.max(0, width - cellWidth(cell)));
  return align === 'right' ? [padding, cell] : [cell, padding];
}

function cellWidth(cell: Cell): number {
  return widthOf(textOf(cell));
}
