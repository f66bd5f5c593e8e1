import { plain } from '../../../base/text/plain-text.ts';
import { type Cell, type Column, textOf } from './result.ts';

/** A table of a page; without rows it is left out. */
export interface PageTable {
  readonly title: string;
  readonly columns: readonly Column<unknown>[];
  readonly rows: readonly unknown[];
}

/** A table of rows, each column of which makes a cell of a row. */
export function pageTable<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): PageTable {
  return { title, columns: columns as readonly Column<unknown>[], rows };
}

/** Labels and values in a grid. */
export function figureList(figures: readonly (readonly [label: string, value: Cell])[]): string {
  return `<dl>${figures.map(figure).join('')}</dl>`;
}

function figure([label, value]: readonly [string, Cell]): string {
  return `<div><dt>${escaped(label)}</dt><dd${toneOf(value)}>${escaped(textOf(value))}</dd></div>`;
}

/** A table under its title. */
export function tableSection({ title, columns, rows }: PageTable): string {
  if (rows.length === 0) return '';
  const classOf = ({ align }: Column<unknown>) => (align === 'right' ? ' class="number"' : '');
  const head = columns.map((column) => `<th${classOf(column)}>${escaped(column.header.toLowerCase())}</th>`).join('');
  const body = rows.map((row) => {
    const cells = columns.map((column) => {
      const cell = column.cell(row);
      return `<td${classOf(column)}><span${toneOf(cell)}>${escaped(textOf(cell))}</span></td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<section><h2>${escaped(title)}</h2><div class="table"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div></section>`;
}

function toneOf(cell: Cell): string {
  return typeof cell === 'object' && (cell.tone === 'good' || cell.tone === 'bad') ? ` data-tone="${cell.tone}"` : '';
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that means nothing in HTML, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return plain(text).replace(/[&<>"']/g, (character) => entities[character]!);
}

/** A page up to its main part: its title and style, and the content policy that says what it may load. */
export function pageHead(title: string, policy: string, style = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${pageStyle}${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>`;
}

/** How pages look: dark where the browser asks for it, and fit to be printed. */
const pageStyle = `
:root { --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --ground: #fff; --good: #0550ae; --bad: #a63a00; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --faint: #9198a1; --line: #30363d; --ground: #0d1117; --good: #79c0ff; --bad: #ffa657; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 16px; margin: 28px 0 8px; }
.faint, footer { color: var(--faint); font-weight: normal; }
footer { font-size: 13px; margin-top: 32px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 12px; margin: 20px 0 0; }
dl div { border-top: 1px solid var(--line); padding-top: 6px; }
dt { color: var(--faint); font-size: 13px; }
dd { margin: 0; font-size: 17px; font-variant-numeric: tabular-nums; }
.chart { width: 100%; }
.tall { height: 300px; }
.low { height: 130px; }
.paper { display: none; }
.table { overflow-x: auto; }
.table table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
.table th, .table td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
.table th { color: var(--faint); font-weight: 500; }
.table td:last-child { white-space: normal; overflow-wrap: anywhere; min-width: 100px; }
.table .number { text-align: right; }
[data-tone=good] { color: var(--good); }
[data-tone=bad] { color: var(--bad); }
@media print {
  @page { margin: 14mm; }
  main { max-width: none; padding: 0; }
  section { break-inside: avoid; }
  h2 { break-after: avoid; }
  .chart { height: auto; break-inside: avoid; }
  .chart:has(.paper) > :not(.paper) { display: none; }
  .paper { display: block; width: 100%; }
  section:has(table) { break-inside: auto; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  .table { overflow: visible; }
}
`;
