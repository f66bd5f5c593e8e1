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

/** A bar of a chart: its value decides its length, and its text shows it. */
interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** A section with one sentence that explains its contents; without contents it is left out. */
export function chartSection(title: string, says: string, content: string, extra = ''): string {
  return content === '' ? '' : section(title, `<p class="says">${escaped(says)}</p>${content}`, extra);
}

/** Bars up and down from zero, each with its name and figure; empty without any. */
export function barChart(name: string, bars: readonly Bar[]): string {
  if (bars.length === 0) return '';
  const most = Math.max(...bars.map(({ value }) => Math.abs(value))) || 1;
  const rows = bars.map(({ name: of, value, text }) => {
    const width = (Math.abs(value) / most) * 50;
    const left = value < 0 ? 50 - width : 50;
    return `<li><span>${escaped(of)}</span><i><b class="${value < 0 ? 'loss' : 'win'}" style="left:${left.toFixed(1)}%;width:${width.toFixed(1)}%"></b></i><span class="number">${escaped(text)}</span></li>`;
  });
  return `<ul class="bars" aria-label="${escaped(name)}">${rows.join('')}</ul>`;
}

/** A used share of an allowance, and the rest of it. */
export function gauge(name: string, used: number, text: string): string {
  const share = Math.min(1, Math.max(0, used)) * 100;
  return `<div class="gauge"><span>${escaped(name)}</span><i><b class="${share >= 80 ? 'loss' : 'win'}" style="left:0;width:${share.toFixed(1)}%"></b></i><span class="number">${escaped(text)}</span></div>`;
}

/** A point of a scatter: its text under the pointer, and its link. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly says: string;
  readonly isWin: boolean;
  readonly to: string | undefined;
}

const [wide, high, margin] = [640, 260, 34];

/** Points between two axes from zero; empty without any. */
export function scatter(name: string, axes: readonly [x: string, y: string], points: readonly Point[]): string {
  if (points.length === 0) return '';
  const mostX = Math.max(...points.map(({ x }) => x)) || 1;
  const mostY = Math.max(...points.map(({ y }) => y)) || 1;
  const marks = points.map(({ x, y, says, isWin, to }) => {
    const [cx, cy] = [margin + (x / mostX) * (wide - 2 * margin), high - margin - (y / mostY) * (high - 2 * margin)];
    const circle = `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="5" class="${isWin ? 'win' : 'loss'}"><title>${escaped(says)}</title></circle>`;
    return to === undefined ? circle : `<a href="#${escaped(to)}" aria-label="${escaped(says)}">${circle}</a>`;
  });
  const label = (x: number, y: number, text: string, anchor: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`;
  return `<svg viewBox="0 0 ${wide} ${high}" aria-label="${escaped(name)}" role="group"><path d="M${margin} ${margin / 2}V${high - margin}H${wide - margin / 2}"/>
${label(wide - margin, high - 10, `${axes[0]} ${mostX.toFixed(2)}`, 'end')}${label(margin, 14, `${axes[1]} ${mostY.toFixed(2)}`, 'start')}${label(margin, high - 10, '0', 'end')}
${marks.join('\n')}</svg>`;
}

/** A day of a calendar. */
interface CalendarDay {
  /** `2026-11-21`. */
  readonly date: string;
  readonly value: number;
  readonly text: string;
}

/** Weeks from Sunday to Saturday; a day without a value is empty, and so is everything without any day. */
export function calendar(name: string, days: readonly CalendarDay[]): string {
  if (days.length === 0) return '';
  const first = new Date(`${days[0]!.date}T00:00:00Z`).getUTCDay();
  const head = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].map((day) => `<li class="faint">${day}</li>`);
  const cells: string[] = Array.from({ length: first }, () => '<li aria-hidden="true"></li>');
  const byDate = new Map(days.map((day) => [day.date, day]));
  const last = Date.parse(`${days.at(-1)!.date}T00:00:00Z`);
  for (let at = Date.parse(`${days[0]!.date}T00:00:00Z`); at <= last; at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10);
    const day = byDate.get(date);
    const tone = day === undefined || day.value === 0 ? '' : ` class="${day.value < 0 ? 'lost' : 'won'}"`;
    cells.push(`<li${tone}><small>${date.slice(5)}</small> ${day === undefined ? '&ndash;' : escaped(day.text)}</li>`);
  }
  return `<ol class="calendar" aria-label="${escaped(name)}">${head.join('')}${cells.join('')}</ol>`;
}

/** How these look. */
export const chartLook = `
.says { margin: 0 0 8px; color: var(--faint); }
.bars { list-style: none; margin: 0; padding: 0; }
.bars li, .gauge { display: grid; grid-template-columns: 110px 1fr minmax(90px, auto); gap: 10px; align-items: center; font-size: 13px; }
.bars i, .gauge i { position: relative; height: 11px; background: var(--line); }
.bars b, .gauge b { position: absolute; top: 0; bottom: 0; }
b.win { background: var(--good); } b.loss { background: var(--bad); }
circle.win { fill: var(--good); } circle.loss { fill: var(--bad); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; max-height: 320px; } svg path { fill: none; stroke: var(--faint); } svg text { fill: var(--faint); font-size: 13px; }
.calendar { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 3px; font-size: 12px; font-variant-numeric: tabular-nums; }
.calendar li { padding: 3px; min-height: 1em; text-align: right; overflow-wrap: anywhere; border-left: 3px solid transparent; }
.calendar small { display: block; color: var(--faint); }
@media print { svg { max-height: 170px; } .bars { columns: 2; } .bars li { break-inside: avoid; } }
@media (max-width: 640px) { .bars li { grid-template-columns: 76px 1fr 84px; } .gauge { grid-template-columns: 76px 1fr; } .gauge .number { grid-column: 1 / -1; } .calendar { font-size: 10px; } }
.won { border-color: var(--good) !important; } .lost { border-color: var(--bad) !important; }
`;
