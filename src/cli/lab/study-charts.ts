import { escaped } from '../../console/output/html-page.ts';

/** A cell of the heatmap: the mean Sharpe ratio of its variants, null without one. */
export interface HeatCell {
  readonly value: number | null;
  readonly count: number;
}

/** A heatmap of two parameters, or of one: then there is one row. */
export interface Heatmap {
  readonly across: string;
  readonly columns: readonly string[];
  readonly down: string;
  readonly rows: readonly string[];
  readonly cells: readonly (readonly HeatCell[])[];
}

const width = 1000;

/** Draws a heatmap as SVG: the better, the stronger in one color; the worse, in the other. */
export function heatmapSvg({ across, columns, down, rows, cells }: Heatmap): string {
  const left = 16 + 8 * Math.max(down.length + 2, ...rows.map(({ length }) => Math.min(length, 16)));
  const cell = Math.min(90, (width - left) / columns.length);
  const high = Math.min(34, Math.max(18, cell * 0.6));
  const height = 44 + rows.length * high;
  const largest = Math.max(1e-9, ...cells.flat().map(({ value }) => Math.abs(value ?? 0)));
  const squares = cells.flatMap((row, at) =>
    row.map(({ value, count }, column) => {
      const [x, y] = [left + column * cell, 22 + at * high];
      const tone = value === null ? 'none' : value >= 0 ? 'good' : 'bad';
      const strength = value === null ? 0 : 0.08 + (0.8 * Math.abs(value)) / largest;
      const text = value === null ? '' : value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
      const title = `${across} ${columns[column]}, ${down} ${rows[at]}: ${value === null ? 'no Sharpe ratio' : `Sharpe ${text}`}, ${count} variant${count === 1 ? '' : 's'}`;
      const label =
        cell >= 34 ? `<text x="${x + cell / 2}" y="${y + high / 2 + 4}" text-anchor="middle">${text}</text>` : '';
      return `<g><title>${escaped(title)}</title><rect class="${tone}" x="${x}" y="${y}" width="${cell - 2}" height="${high - 2}" fill-opacity="${strength.toFixed(3)}"/>${label}</g>`;
    }),
  );
  const every = Math.ceil(40 / cell);
  const tops = columns.map((name, at) =>
    at % every > 0
      ? ''
      : `<text class="faint" x="${left + (at + 0.5) * cell}" y="14" text-anchor="middle">${escaped(shortened(name))}</text>`,
  );
  const sides = rows.map(
    (name, at) =>
      `<text class="faint" x="${left - 8}" y="${22 + at * high + high / 2 + 4}" text-anchor="end">${escaped(shortened(name))}</text>`,
  );
  const names = `<text class="faint" x="${left}" y="${height - 6}">${escaped(across)} &rarr;</text><text class="faint" x="${left - 8}" y="14" text-anchor="end">${rows.length > 1 ? `${escaped(down)} &darr;` : ''}</text>`;
  return svg(
    height,
    `${tops.join('')}${sides.join('')}${squares.join('')}${names}`,
    `Sharpe ratio by ${across} and ${down}`,
  );
}

function shortened(text: string): string {
  return text.length > 16 ? `${text.slice(0, 14)}..` : text;
}

/** Lines over the same periods: a band in which most are, the middle one, and one that stands out. */
export interface Fan {
  readonly bands: readonly { readonly low: readonly number[]; readonly high: readonly number[] }[];
  readonly middle: readonly number[];
  readonly best: readonly number[];
}

/** Draws a fan of values as SVG, in percent, with its own scale. */
export function fanSvg({ bands, middle, best }: Fan, title: string): string {
  const all = [...best, ...middle, ...bands.flatMap(({ low, high }) => [...low, ...high]), 0];
  const place = scale(all, best.length, 260);
  const area = bands.map(({ low, high }) => {
    const back = low.map((value, at) => place.point(at, value)).reverse();
    return `<polygon class="band" points="${[...high.map((value, at) => place.point(at, value)), ...back].join(' ')}"/>`;
  });
  const lineOf = (values: readonly number[], name: string) =>
    `<polyline class="${name}" points="${values.map((value, at) => place.point(at, value)).join(' ')}"/>`;
  return svg(280, `${place.axes}${area.join('')}${lineOf(middle, 'middle')}${lineOf(best, 'best')}`, title);
}

/** Draws a fall below the highest value so far as SVG, in percent. */
export function fallSvg(values: readonly number[], title: string): string {
  const place = scale([...values, 0], values.length, 120);
  const points = values.map((value, at) => place.point(at, value));
  const edge = `${place.point(values.length - 1, 0)} ${place.point(0, 0)}`;
  return svg(140, `${place.axes}<polygon class="fall" points="${points.join(' ')} ${edge}"/>`, title);
}

function scale(values: readonly number[], count: number, height: number) {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const span = highest - lowest || 1;
  const [left, right] = [70, width - 6];
  const y = (value: number) => 10 + ((highest - value) / span) * (height - 10);
  const step = niceStep(span / 4);
  const lines: string[] = [];
  for (let value = Math.ceil(lowest / step) * step; value <= highest + step * 1e-9; value += step) {
    const at = y(value).toFixed(1);
    const percent = Math.abs(value) < step / 2 ? 0 : value * 100;
    const text = `${percent.toFixed(Math.max(0, Math.ceil(-Math.log10(step * 100))))}%`;
    lines.push(
      `<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/><text class="faint" x="${left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${text}</text>`,
    );
  }
  const point = (at: number, value: number) =>
    `${(left + ((right - left) * at) / Math.max(1, count - 1)).toFixed(1)},${y(value).toFixed(1)}`;
  return { point, axes: lines.join('') };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough) ?? rough;
}

function svg(height: number, body: string, title: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">${body}</svg>`;
}

/** Styles of the charts, in the colors of the page. */
export const chartStyle = `
svg { width: 100%; height: auto; display: block; font-size: 12px; fill: var(--text); font-variant-numeric: tabular-nums; }
svg .faint { fill: var(--faint); }
svg .grid { stroke: var(--line); }
svg rect.good { fill: var(--good); }
svg rect.bad { fill: var(--bad); }
svg rect.none { fill: none; stroke: var(--line); }
svg .band { fill: var(--faint); fill-opacity: 0.18; }
svg .middle { fill: none; stroke: var(--faint); stroke-width: 1.5; stroke-dasharray: 4 3; }
svg .best { fill: none; stroke: var(--good); stroke-width: 2; }
svg .fall { fill: var(--bad); fill-opacity: 0.35; stroke: var(--bad); }
.verdict { border-left: 4px solid var(--faint); padding: 2px 12px; margin: 16px 0; }
.verdict.good { border-color: var(--good); }
.verdict.bad { border-color: var(--bad); }
.verdict p { margin: 6px 0; }
ul.criteria { list-style: none; padding: 0; }
`;
