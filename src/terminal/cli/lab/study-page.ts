import { counted, dateTime, maybe, quantity, stretch, usd } from '../../../base/text/format.ts';
import { netOfTrip } from '../../../desk/risk/profit.ts';
import { escaped, figureList, htmlPage, pageTable, section, tableSection } from '../../console/output/html-page.ts';
import type { Column } from '../../console/output/result.ts';
import {
  bySharpe,
  criterionText,
  figurePairs,
  parametersText,
  type Study,
  type studyRecord,
  variantColumns,
  variantRecord,
} from './study-view.ts';

type StudyRecord = Awaited<ReturnType<typeof studyRecord>>;
type VariantResult = Study['results']['results'][number];
type Trial = Study['results']['variants'][number]['trials'][number];

/** A trade, and the name of the tape or synthetic market on which it was made. */
type Trade = Trial['result']['trips'][number] & { readonly on: string };

const mostRows = 200;
const mostTrips = 500;
/**
 * The maximum number of values of a parameter in the heatmap: more numbers are grouped into ranges, and with more texts
 * it is left out.
 */
const mostValues = 12;
const mostSteps = 24;

/** The report of a trials file: one page without scripts, which may load nothing. All text is escaped. */
export function studyPage(study: Study, record: StudyRecord, file: string): string {
  const { best, variants, table } = study.results;
  const names = [...new Set(study.results.results.map(({ strategy }) => strategy))].join(', ');
  const title = `${names === '' ? 'No strategy' : names}: trials`;
  const rows = [...study.results.results].sort(bySharpe);
  const trials = variants.flatMap((variant) => variant.trials);
  const range = trials.length === 0 ? file : `${file}: ${rangeOf(trials)}`;
  const map = heatmapOf(rows);
  const own = variants.find((_, index) => study.results.results[index] === best);
  const at = own === undefined ? -1 : table.variants.indexOf(own);
  const shown = rows.slice(0, mostRows);
  const costly = shown.filter(({ volume }) => volume > 0);
  const parts = [
    faint(range),
    verdictSection(record),
    figureList(figurePairs(record.verdict)),
    criteriaSection(record),
    map === null ? '' : section('Sharpe ratio by parameters', heatmapTable(map.heatmap) + faint(map.remark)),
    at < 0 ? '' : curveSection(study, at),
    tableSection(
      pageTable(
        rows.length > mostRows ? `The best ${mostRows} of ${rows.length} variants` : 'Variants',
        variantColumns,
        shown.map((one) => variantRecord(one, study)),
      ),
    ),
    tableSection(pageTable('Costs', costColumns, costly)),
    own === undefined ? '' : tradeSection(own.trials),
  ];
  return htmlPage({ title, policy: "default-src 'none'; style-src 'unsafe-inline'", style: chartStyle }, parts, [
    'Meaning and limits of each figure: docs/lab.md of perp. Sharpe ratios are a year of 365 days of 24 hours.',
  ]);
}

function faint(text: string): string {
  return `<p class="faint">${escaped(text)}</p>`;
}

function verdictSection({ verdict, proof }: StudyRecord): string {
  const isCheat = proof.sentence.startsWith("Don't");
  const tone = isCheat ? 'bad' : verdict.found ? 'good' : '';
  const sentences = [verdict.sentence, verdict.overfitting_sentence, proof.sentence].filter((text) => text !== null);
  const lines = (isCheat ? sentences.reverse() : sentences).map((text, at) =>
    at === 0 ? `<p><strong>${escaped(text)}</strong></p>` : `<p>${escaped(text)}</p>`,
  );
  return `<div class="verdict ${tone}">${lines.join('')}</div>`;
}

function criteriaSection({ criteria }: StudyRecord): string {
  if (criteria === null) return '';
  const lines = criteria.list.map(
    (one) =>
      `<li><span data-tone="${one.met ? 'good' : 'bad'}">${one.met ? 'met' : 'missed'}</span> ${escaped(criterionText(one))}</li>`,
  );
  const sealed = criteria.remark ?? `Sealed before the first trial, SHA-256 ${criteria.hash}.`;
  const title = criteria.met ? 'The criteria are met' : 'The criteria are not met';
  return section(title, `<ul class="criteria">${lines.join('')}</ul>${faint(sealed)}`);
}

/** The two parameters with the most values, and the Sharpe ratio by them; null if no parameter varies. */
function heatmapOf(results: readonly VariantResult[]): { heatmap: Heatmap; remark: string } | null {
  const judged = results.filter(({ sample }) => sample !== 'out');
  const varying = [...new Set(judged.flatMap(({ parameters }) => Object.keys(parameters)))].filter(
    (name) => valuesOf(judged, name).length > 1,
  );
  const [across, down] = varying
    .map((name) => ({ name, ...stepsOf(valuesOf(judged, name)) }))
    .filter(({ steps }) => steps.length > 1 && steps.length <= mostSteps)
    .sort((one, other) => other.steps.length - one.steps.length);
  if (across === undefined) return null;
  const rows = down?.steps ?? [''];
  const sums = new Map<string, { sum: number; known: number; count: number }>();
  const keyOf = (column: string, row: string) => JSON.stringify([column, row]);
  for (const { parameters, sharpe } of judged) {
    const key = keyOf(across.stepOf(parameters[across.name]), down?.stepOf(parameters[down.name]) ?? '');
    const { sum, known, count } = sums.get(key) ?? { sum: 0, known: 0, count: 0 };
    sums.set(key, { sum: sum + (sharpe ?? 0), known: known + (sharpe === null ? 0 : 1), count: count + 1 });
  }
  const cells = rows.map((row) =>
    across.steps.map((column) => {
      const { sum, known, count } = sums.get(keyOf(column, row)) ?? { sum: 0, known: 0, count: 0 };
      return { value: known === 0 ? null : sum / known, count };
    }),
  );
  const others = varying.filter((name) => name !== across.name && name !== down?.name);
  if (new Set(judged.map(({ plan }) => plan)).size > 1) others.push('plan');
  const hint = 'A good region is wide: a lone good cell among bad ones is luck.';
  const remark = others.length === 0 ? hint : `Means over ${others.join(', ')}. ${hint}`;
  return { heatmap: { across: across.name, columns: across.steps, down: down?.name ?? '', rows, cells }, remark };
}

type Value = VariantResult['parameters'][string] | undefined;

function valuesOf(results: readonly VariantResult[], name: string): Value[] {
  const values = [...new Set(results.map(({ parameters }) => parameters[name]))].filter((value) => value !== undefined);
  return values.sort((one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1,
  );
}

/** The values in order, or ranges of many numbers; and the index of a value. */
function stepsOf(values: readonly Value[]): { steps: string[]; stepOf: (value: Value) => string } {
  const numbers = values.filter((value) => typeof value === 'number');
  if (values.length <= mostValues || numbers.length < values.length)
    return { steps: values.map(String), stepOf: String };
  const areWhole = numbers.every(Number.isInteger);
  const width = Math.max(niceStep((numbers.at(-1)! - numbers[0]!) / mostValues), areWhole ? 1 : 0);
  const rangeOf = (number: number) => Math.floor(number / width + 1e-9);
  const shown = (number: number) => String(Number(number.toPrecision(12)));
  const labelOf = (range: number) => {
    const to = Math.min(areWhole ? (range + 1) * width - 1 : (range + 1) * width, numbers.at(-1)!);
    return to <= range * width ? shown(to) : `${shown(range * width)}..${shown(to)}`;
  };
  const first = rangeOf(numbers[0]!);
  const count = rangeOf(numbers.at(-1)!) - first + 1;
  return {
    steps: Array.from({ length: count }, (_, at) => labelOf(first + at)),
    stepOf: (value) => labelOf(rangeOf(Number(value))),
  };
}

function curveSection({ results: { table } }: Study, best: number): string {
  const curves = table.columns.map(grown);
  const at = (share: number) =>
    Array.from({ length: table.periods + 1 }, (_, period) => {
      const sorted = curves.map((curve) => curve[period]!).sort((one, other) => one - other);
      return sorted[Math.round(share * (sorted.length - 1))]!;
    });
  const isFan = curves.length >= 3;
  const fan: Fan = {
    bands: isFan
      ? [
          { low: at(0.05), high: at(0.95) },
          { low: at(0.25), high: at(0.75) },
        ]
      : [],
    middle: isFan ? at(0.5) : null,
    best: curves[best]!,
  };
  let top = 1;
  const falls = curves[best]!.map((gain) => {
    top = Math.max(top, 1 + gain);
    return (1 + gain) / top - 1;
  });
  const others = isFan
    ? `, the dashed one the median of ${curves.length}; half of them are in the darker band, nine of ten in the lighter one`
    : '';
  const remark = `The line is the ${curves.length === 1 ? 'only' : 'best'} variant${others}. ${counted(table.periods, 'period')} of ${stretch(table.periodMs)}, of all markets in the order of their time.`;
  return `${section('Equity', fanChart(fan) + faint(remark))}
${section('Drawdown of the best variant', fallChart(falls))}`;
}

/** The growth of one unit, as a gain: 0 at the start. */
function grown(column: Float64Array): number[] {
  const gains = [0];
  let value = 1;
  for (const gained of column) {
    value *= 1 + gained;
    gains.push(value - 1);
  }
  return gains;
}

const money = (header: string, of: (row: VariantResult) => number): Column<VariantResult> => ({
  header,
  cell: (row) => usd(of(row)),
  align: 'right',
});

const costColumns: readonly Column<VariantResult>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'PARAMETERS', cell: (variant) => parametersText(variant) },
  money('VOLUME', ({ volume }) => volume),
  money('FEES', ({ fees }) => fees),
  money('CARRY', ({ carry }) => carry),
  {
    header: 'FEES / VOLUME',
    cell: ({ fees, volume }) => `${((fees / volume) * 10_000).toFixed(2)} bps`,
    align: 'right',
  },
];

/** The last trades of a variant, the latest first; with several markets, one after the other. */
function tradeSection(trials: readonly Trial[]): string {
  const trades = trials.flatMap(({ spec: { source }, result: { trips } }): Trade[] => {
    const on = source.kind === 'tape' ? source.name : `synthetic ${source.seed}`;
    return trips.map((trip) => ({ ...trip, on }));
  });
  const sources = [...new Set(trades.map(({ on }) => on))];
  if (sources.length === 0) return section('Trades', faint('The best variant did not trade.'));
  trades.sort((one, other) => sources.indexOf(one.on) - sources.indexOf(other.on) || other.openedAt - one.openedAt);
  const columns = tripColumns.filter(({ header }) => header !== 'ON' || sources.length > 1);
  const title = 'Trades of the best variant';
  const whole = trades.length > mostTrips ? `${title}: ${mostTrips} of ${trades.length}` : title;
  return tableSection(pageTable(whole, columns, trades.slice(0, mostTrips)));
}

const tripColumns: readonly Column<Trade>[] = [
  { header: 'ON', cell: ({ on }) => on },
  { header: 'OPENED', cell: ({ openedAt }) => dateTime(openedAt) },
  {
    header: 'LENGTH',
    cell: ({ openedAt, closedAt }) => (closedAt === null ? 'open' : stretch(closedAt - openedAt)),
    align: 'right',
  },
  { header: 'MARKET', cell: ({ market }) => market },
  { header: 'SIDE', cell: ({ side }) => side },
  { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
  { header: 'ENTRY', cell: ({ entry }) => quantity(entry), align: 'right' },
  { header: 'EXIT', cell: ({ exit }) => maybe(exit, quantity), align: 'right' },
  { header: 'FEES', cell: ({ fees }) => usd(fees), align: 'right' },
  {
    header: 'NET',
    cell: (trip) => ({ text: usd(netOfTrip(trip)), tone: netOfTrip(trip) < 0 ? 'bad' : 'good' }),
    align: 'right',
  },
];

function rangeOf(trials: readonly { spec: { from: number; to: number } }[]): string {
  const from = trials.reduce((least, { spec }) => Math.min(least, spec.from), Number.POSITIVE_INFINITY);
  const to = trials.reduce((most, { spec }) => Math.max(most, spec.to), 0);
  return `${counted(trials.length, 'trial')} between ${dateTime(from)} and ${dateTime(to)}`;
}

/** A cell of the heatmap: the mean Sharpe ratio of its variants, null without one. */
interface HeatCell {
  readonly value: number | null;
  readonly count: number;
}

/** A heatmap of two parameters, or of one: then there is one row, and `down` is empty. */
interface Heatmap {
  readonly across: string;
  readonly columns: readonly string[];
  readonly down: string;
  readonly rows: readonly string[];
  readonly cells: readonly (readonly HeatCell[])[];
}

/** Draws a heatmap as a table: better values are stronger in one color, worse ones in the other. */
function heatmapTable({ across, columns, down, rows, cells }: Heatmap): string {
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
interface Fan {
  readonly bands: readonly { readonly low: readonly number[]; readonly high: readonly number[] }[];
  readonly middle: readonly number[] | null;
  readonly best: readonly number[];
}

/** Draws a fan of values as a chart, in percent, with its own scale. */
function fanChart({ bands, middle, best }: Fan): string {
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
function fallChart(values: readonly number[]): string {
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
function niceStep(rough: number): number {
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
const chartStyle = `
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
