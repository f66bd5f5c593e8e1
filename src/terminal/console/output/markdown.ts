import { type Column, textOf } from './result.ts';

/** A list as a Markdown table. No text in a cell is interpreted as markup. */
export function markdownTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ header }) => header),
    columns.map(({ align }) => (align === 'right' ? '---:' : '---')),
    ...rows.map((row) => columns.map(({ cell }) => literal(textOf(cell(row) ?? '')))),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function literal(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~&]/g, (mark) => (mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`));
}
