import { plain } from '../../../base/text/plain-text.ts';
import { type Cell, type Column, type Field, textOf } from './result.ts';

/** A table of a page; without rows it is left out. */
export interface PageTable {
  readonly title: string;
  readonly columns: readonly Column<unknown>[];
  readonly rows: readonly unknown[];
  /** The link of each row's first cell, and its own name; undefined for none. */
  readonly linkOf?: (row: never) => { readonly id: string; readonly to: string; readonly data: string } | undefined;
  /** The number of rows printed on paper; default: all. */
  readonly onPaper?: number;
}

/** A table of rows; each column makes one cell of a row. */
export function pageTable<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): PageTable {
  return { title, columns: columns as readonly Column<unknown>[], rows };
}

/** A part of a page under its title. */
export function section(title: string, content: string, extra = ''): string {
  return `<section${extra}><h2>${escaped(title)}</h2>${content}</section>`;
}

/** Labels and values in a grid; those without a value are left out. */
export function figureList(figures: readonly (Field | undefined)[]): string {
  return `<dl>${figures.map((one) => (one === undefined ? '' : figure(one))).join('')}</dl>`;
}

function figure([label, value]: Field): string {
  if (value === null || value === undefined) return '';
  return `<div><dt>${escaped(label)}</dt><dd${toneOf(value)}>${escaped(textOf(value))}</dd></div>`;
}

/** A table under its title. On a narrow screen, each row is a list of names and values. */
export function tableSection({ title, columns, rows, linkOf, onPaper = rows.length }: PageTable): string {
  if (rows.length === 0) return '';
  const classOf = ({ align }: Column<unknown>) => (align === 'right' ? ' class="number"' : '');
  const head = columns.map((column) => `<th${classOf(column)}>${escaped(column.header.toLowerCase())}</th>`).join('');
  const body = rows.map((row, at) => {
    const link = linkOf?.(row as never);
    const cells = columns.map((column, place) => {
      const cell = column.cell(row) ?? '';
      const text = escaped(textOf(cell));
      const tone = toneOf(cell);
      const toned = tone === '' ? text : `<span${tone}>${text}</span>`;
      const shown =
        link === undefined || place > 0 ? toned : `<a href="#${link.to}" data-show="${link.data}">${toned}</a>`;
      return `<td${classOf(column)}>${shown}</td>`;
    });
    const id = link === undefined ? '' : ` id="${link.id}"`;
    return `<tr${id}${at < onPaper ? '' : ' class="screen"'}>${cells.join('')}</tr>`;
  });
  const name = `table-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  const labels = columns.map(
    ({ header }, at) =>
      `#${name} td:nth-child(${at + 1})::before{content:"${header.toLowerCase().replaceAll(/[^a-z0-9 /%]/g, '')}"}`,
  );
  const rest =
    onPaper < rows.length
      ? `<p class="paper-only faint">${rows.length - onPaper} more rows are on the page itself.</p>`
      : '';
  const style = `<style>@media screen and (max-width:640px){${labels.join('')}}</style>`;
  return section(
    title,
    `${style}<div class="table" role="region" tabindex="0" aria-label="${name.replaceAll('-', ' ')}"><table id="${name}"><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>${rest}`,
  );
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

/** Text without special meaning in HTML, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return plain(text).replace(/[&<>"']/g, (character) => entities[character]!);
}

/** A page: its title and style, the content policy for what it may load, its parts, and the scripts after them. */
export function htmlPage(
  { title, policy, style }: { title: string; policy: string; style: string },
  parts: readonly string[],
  footer: readonly string[],
  scripts = '',
): string {
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
<h1>${escaped(title)}</h1>
${parts.filter(Boolean).join('\n')}
<footer>
${footer.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
</footer>
</main>${scripts}
</body>
</html>
`;
}

/** The style of pages: dark if the browser asks for it, and printable. */
const pageStyle = `
:root { --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --background: #fff; --good: #0550ae; --bad: #a63a00; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --faint: #9198a1; --line: #30363d; --background: #0d1117; --good: #79c0ff; --bad: #ffa657; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 16px; margin: 28px 0 8px; }
.faint, footer { color: var(--faint); font-weight: normal; }
footer { font-size: 13px; margin-top: 32px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 480px), 1fr)); gap: 0 32px; margin: 12px 0 0; }
dl div { border-top: 1px solid var(--line); padding: 4px 0; display: flex; justify-content: space-between; gap: 12px; }
dt { color: var(--faint); font-size: 13px; flex: none; max-width: 45%; }
dd { margin: 0; font-size: 14px; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.chart { width: 100%; }
.tall { height: 300px; }
.low { height: 130px; }
.paper { display: none; }
.table { overflow-x: auto; }
.table table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
.table th, .table td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
@media screen and (max-width: 640px) {
  .table thead { display: none; }
  .table table, .table tbody, .table td { display: block; }
  .table tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 2px 8px; border-bottom: 1px solid var(--line); padding: 5px 0; }
  .table td, .table td:last-child { border: 0; padding: 0; min-width: 0; white-space: normal; overflow-wrap: anywhere; }
  .table td:empty { display: none; }
  .table td::before { color: var(--faint); display: block; font-size: 11px; }
}
.paper-only { display: none; }
a { color: inherit; }
.table th { color: var(--faint); font-weight: 500; }
.table td:last-child { white-space: normal; overflow-wrap: anywhere; min-width: 100px; }
.table .number { text-align: right; }
[data-tone=good] { color: var(--good); }
[data-tone=bad] { color: var(--bad); }
@media print {
  @page { margin: 12mm; }
  body { font-size: 12px; line-height: 1.35; }
  h2 { margin: 12px 0 4px; }
  .screen { display: none; }
  .paper-only { display: block; }
  main { max-width: none; padding: 0; }
  section { break-inside: avoid; }
  h2 { break-after: avoid; }
  .chart { height: auto; break-inside: avoid; }
  .chart:has(.paper) > :not(.paper) { display: none; }
  .paper { display: block; width: 100%; max-height: 55mm; object-fit: contain; }
  section:has(table) { break-inside: auto; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  .table { overflow: visible; }
}
`;
