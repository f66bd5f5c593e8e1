import { counted, dateTime, maybe, quantity, stretch, usd } from '../../../base/text/format.ts';
import { netOfTrip } from '../../../desk/risk/profit.ts';
import { escaped, figureList, htmlPage, pageTable, section, tableSection } from '../../console/output/html-page.ts';
import type { Column } from '../../console/output/result.ts';
import { chartStyle, type Fan, fallChart, fanChart, type Heatmap, heatmapTable, niceStep } from './study-charts.ts';
import { bySharpe, parametersText, type Study, type studyRecord, variantRecord } from './study-record.ts';
import { criterionText, figurePairs, variantColumns } from './study-view.ts';

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
