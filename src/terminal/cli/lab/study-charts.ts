import { escaped } from '../../console/output/html-page.ts';

/** A cell of the heatmap: the mean Sharpe ratio of its variants, null without one. */
interface HeatCell {
  readonly value: number | null;
  readonly count: number;
}

/** A heatmap of two parameters, or of one: then there is one row, and `down` is empty. */
export interface Heatmap {
  readonly across: string;
  readonly columns: readonly string[];
  readonly down: string;
  readonly rows: readonly string[];
  readonly cells: readonly (readonly HeatCell[])[];
}

/** Draws a heatmap as a table: better values are stronger in one color, worse ones in the other. */
export function heatmapTable({ across, columns, down, rows, cells }: Heatmap): string {
  const largest = Math.max(1e-9, ...cells.flat().map(({ value }) => Math.abs(value ?? 0)));
  const lines = rows.map((row, at) => {
    const squares = columns.map((column, place) => {
      const { value, count } = cells[at]![place]!;
      const text = value === null ? '' : value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
      const point = [`${across} ${column}`, ...(down === '' ? [] : [`${down} ${row}`])].join(', ');
      const sharpe = value === null ? 'no Sharpe ratio' : `Sharpe ${text}`;
      const title = `${point}: ${sharpe}, ${count} variant${count === 1 ? '' : 's'}`;
      // At more than half of a color, text on it would be hard to read.
      const strength = value === null ? '' : ` style="--share:${(6 + (44 * Math.abs(value)) / largest).toFixed(1)}%"`;
      const tone = value === null ? 'none' : value >= 0 ? 'good' : 'bad';
      return `<td class="${tone}"${strength} title="${escaped(title)}">${text}</td>`;
    });
    return `<tr><th>${escaped(shortened(row))}</th>${squares.join('')}</tr>`;
  });
  const corner = down === '' ? '' : `${escaped(shortened(down))} &darr;&ensp;`;
  const head = columns.map((column) => `<th>${escaped(shortened(column))}</th>`).join('');
  return `<div class="table heat"><table><thead><tr><th>${corner}${escaped(shortened(across))} &rarr;</th>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div>`;
}

function shortened(text: string): string {
  return text.length > 24 ? `${text.slice(0, 22)}..` : text;
}

/** Lines over the same periods: bands that contain most of them, an optional middle line, and one highlighted line. */
export interface Fan {
  readonly bands: readonly { readonly low: readonly number[]; readonly high: readonly number[] }[];
  readonly middle: readonly number[] | null;
  readonly best: readonly number[];
}

/** Draws a fan of values as a chart, in percent, with its own scale. */
export function fanChart({ bands, middle, best }: Fan): string {
  const { points, ticks } = scale([...best, ...(middle ?? []), ...bands.flatMap(({ low, high }) => [...low, ...high])]);
  const areas = bands.map(
    ({ low, high }) => `<polygon class="band" points="${[...points(high), ...[...points(low)].reverse()].join(' ')}"/>`,
  );
  const lineOf = (values: readonly number[], name: string) =>
    `<polyline class="${name}" points="${points(values).join(' ')}"/>`;
  const lines = `${middle === null ? '' : lineOf(middle, 'middle')}${lineOf(best, 'best')}`;
  return plot('tall', ticks, areas.join('') + lines, 'Equity of all variants');
}

/** Draws a fall below the highest value so far as a chart, in percent. */
export function fallChart(values: readonly number[]): string {
  const { points, ticks } = scale(values);
  const zero = points(values.map(() => 0));
  return plot(
    'low',
    ticks,
    `<polygon class="fall" points="${[...points(values), zero.at(-1), zero[0]].join(' ')}"/>`,
    'Drawdown',
  );
}

interface Tick {
  /** From the top, in percent of the height. */
  readonly at: string;
  readonly text: string;
}

const side = 1000;

/** A scale that contains all values and zero; points are in a square that is stretched to the chart. */
function scale(values: readonly number[]) {
  const ends = values.reduce(([low, high], value) => [Math.min(low!, value), Math.max(high!, value)], [0, 0]);
  const isFlat = ends[0] === ends[1];
  const [lowest, highest] = isFlat ? [-0.001, 0.001] : [ends[0]!, ends[1]!];
  const margin = 0.03;
  const share = (value: number) => margin + ((highest - value) / (highest - lowest)) * (1 - 2 * margin);
  const step = isFlat ? 1 : niceStep((highest - lowest) / 4);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step * 100) - 1e-9));
  const ticks: Tick[] = [];
  for (let number = Math.ceil(lowest / step - 1e-9); number * step <= highest + step * 1e-9; number += 1) {
    const text = `${(number * step * 100).toFixed(decimals)}%`;
    ticks.push({ at: (share(number * step) * 100).toFixed(2), text: number === 0 ? '0%' : text });
  }
  const points = (line: readonly number[]) =>
    line.map(
      (value, at) => `${((side * at) / Math.max(1, line.length - 1)).toFixed(1)},${(side * share(value)).toFixed(1)}`,
    );
  return { points, ticks };
}

/** 1, 2 or 5 times a power of ten, at least as large as the argument. */
export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough * (1 - 1e-9)) ?? rough;
}

/** A drawing that fills the width of the page; its labels are separate text, which keeps its size. */
function plot(height: 'tall' | 'low', ticks: readonly Tick[], body: string, title: string): string {
  const lines = ticks.map(({ at }) => `<line class="grid" x1="0" x2="${side}" y1="${at}%" y2="${at}%"/>`);
  const labels = ticks.map(({ at, text }) => `<span style="top:${at}%">${text}</span>`);
  return `<div class="plot ${height}">${labels.join('')}<svg viewBox="0 0 ${side} ${side}" preserveAspectRatio="none" role="img" aria-label="${escaped(title)}">${lines.join('')}${body}</svg></div>`;
}

/** Styles of the charts, in the colors of the page. */
export const chartStyle = `
.plot { position: relative; margin-left: 60px; }
.plot svg { position: absolute; width: 100%; height: 100%; }
.plot span { position: absolute; right: calc(100% + 8px); transform: translateY(-50%); font-size: 12px; color: var(--faint); font-variant-numeric: tabular-nums; }
.plot * { vector-effect: non-scaling-stroke; }
.plot .grid { stroke: var(--line); }
.plot .band { fill: var(--faint); fill-opacity: 0.18; }
.plot .middle { fill: none; stroke: var(--faint); stroke-width: 1.5; stroke-dasharray: 4 3; }
.plot .best { fill: none; stroke: var(--good); stroke-width: 2; }
.plot .fall { fill: var(--bad); fill-opacity: 0.35; stroke: var(--bad); }
.heat table { width: auto; border-collapse: separate; border-spacing: 2px; }
.heat th, .heat td:last-child, .heat td { padding: 5px 8px; border: 0; text-align: center; min-width: 46px; white-space: nowrap; overflow-wrap: normal; }
.heat th:first-child { text-align: right; }
.heat .good { background: color-mix(in srgb, var(--good) var(--share), var(--background)); }
.heat .bad { background: color-mix(in srgb, var(--bad) var(--share), var(--background)); }
.heat .none { outline: 1px solid var(--line); outline-offset: -1px; }
.table td:last-child:not(.number) span:not(:empty) { display: inline-block; min-width: 260px; }
.verdict { border-left: 4px solid var(--faint); padding: 2px 12px; margin: 16px 0; }
.verdict.good { border-color: var(--good); }
.verdict.bad { border-color: var(--bad); }
.verdict p { margin: 6px 0; }
ul.criteria { list-style: none; padding: 0; }
@media print { .heat td { print-color-adjust: exact; } }
`;
