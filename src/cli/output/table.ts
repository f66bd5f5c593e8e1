import Table from 'cli-table3';
import { renderFields } from './fields.ts';
import type { Palette } from './palette.ts';
import { plain } from './plain-text.ts';
import type { Cell, Column } from './result.ts';

const gap = 2;

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
  middle: ' '.repeat(gap),
};

/**
 * Rows in columns, without borders, so that they read and copy well. On a narrow terminal columns go by their `keep`,
 * lowest first; if even those that always stay do not fit, every row becomes a card of labels and values.
 */
export function renderTable(
  columns: readonly Column<unknown>[],
  rows: readonly unknown[],
  width: number,
  palette: Palette,
): string {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((column, at) =>
    Math.max(column.header.length, ...cells.map((row) => textOf(row[at]!).length)),
  );
  const filled = columns.map((_, at) => rows.length === 0 || cells.some((row) => textOf(row[at]!) !== ''));
  const shown = columns.map((_, at) => at).filter((at) => filled[at]);
  const total = () => shown.reduce((sum, at) => sum + widths[at]! + gap, -gap);
  while (total() > width) {
    const droppable = shown.filter((at) => columns[at]!.keep !== undefined);
    if (droppable.length === 0) return renderCards(columns, cells, palette);
    const first = droppable.reduce((least, at) => (columns[at]!.keep! < columns[least]!.keep! ? at : least));
    shown.splice(shown.indexOf(first), 1);
  }
  const table = new Table({
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: shown.map((at) => columns[at]!.align ?? 'left'),
    head: shown.map((at) => palette({ text: columns[at]!.header, tone: 'faint' })),
  });
  for (const row of cells) table.push(shown.map((at) => palette(row[at]!)));
  return table.toString().replace(/[ ]+$/gm, '');
}

function renderCards(
  columns: readonly Column<unknown>[],
  cells: readonly (readonly Cell[])[],
  palette: Palette,
): string {
  const cards = cells.map((row) => {
    const pairs = columns.map((column, at) => [column.header, row[at]!] as const);
    return renderFields(
      pairs.filter(([, cell]) => textOf(cell) !== ''),
      palette,
    );
  });
  return cards.join('\n\n');
}

function textOf(cell: Cell): string {
  return plain(typeof cell === 'string' ? cell : cell.text);
}
