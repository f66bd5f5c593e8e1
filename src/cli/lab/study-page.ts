import { escaped, figureList, type PageTable, pageHead, tableSection } from '../../console/output/html-page.ts';
import type { Column } from '../../console/output/result.ts';
import { dateTime, quantity, stretch, usd } from '../../ground/text/format.ts';
import type { Study } from './open-study.ts';
import { chartStyle, type Fan, fallSvg, fanSvg, type Heatmap, heatmapSvg } from './study-charts.ts';
import { bySharpe, parametersText, type studyRecord, variantRecord } from './study-record.ts';
import { criterionText, figurePairs, variantColumns } from './study-view.ts';

type StudyRecord = Awaited<ReturnType<typeof studyRecord>>;
type VariantResult = Study['results']['results'][number];
type Trip = Study['results']['variants'][number]['trials'][number]['result']['trips'][number];

const mostRows = 200;
const mostTrips = 500;
const mostValues = 40;

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
  const trips = own?.trials.flatMap(({ result }) => result.trips) ?? [];
  return `${pageHead(title, "default-src 'none'; style-src 'unsafe-inline'", chartStyle)}
<p class="faint">${escaped(range)}</p>
${verdictSection(record)}
${figureList(figurePairs(record.verdict).flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])))}
${criteriaSection(record)}
${map === null ? '' : `<section><h2>Sharpe ratio by parameters</h2>${heatmapSvg(map.heatmap)}<p class="faint">${escaped(map.remark)}</p></section>`}
${at < 0 ? '' : curveSection(study, at)}
${tableSection(
  pageTable(
    rows.length > mostRows ? `The best ${mostRows} of ${rows.length} variants` : 'Variants',
    variantColumns,
    rows.slice(0, mostRows).map((one) => variantRecord(one, study)),
  ),
)}
${tableSection(
  pageTable(
    'Costs',
    costColumns,
    rows.slice(0, mostRows).filter(({ volume }) => volume > 0),
  ),
)}
${tableSection(pageTable(trips.length > mostTrips ? `The last ${mostTrips} of ${trips.length} trades of the best variant` : 'Trades of the best variant', tripColumns, trips.slice(-mostTrips).reverse()))}
<footer>
<p>What each figure means, and what it does not: docs/lab.md of perp. Sharpe ratios are a year of 365 days of 24 hours.</p>
</footer>
</main>
</body>
</html>
`;
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
  return `<section><h2>${title}</h2><ul class="criteria">${lines.join('')}</ul><p class="faint">${escaped(sealed)}</p></section>`;
}

/** The two parameters with the most values, and the Sharpe ratio by them; null if no parameter varies. */
function heatmapOf(results: readonly VariantResult[]): { heatmap: Heatmap; remark: string } | null {
  const judged = results.filter(({ sample }) => sample !== 'out');
  const names = [...new Set(judged.flatMap(({ parameters }) => Object.keys(parameters)))];
  const varying = names
    .map((name) => ({ name, values: valuesOf(judged, name) }))
    .filter(({ values }) => values.length > 1 && values.length <= mostValues)
    .sort((one, other) => other.values.length - one.values.length);
  const [across, down] = varying;
  if (across === undefined) return null;
  const rows = down?.values ?? [''];
  const cells = rows.map((row) =>
    across.values.map((column) => {
      const inside = judged.filter(
        ({ parameters }) =>
          String(parameters[across.name]) === column && (down === undefined || String(parameters[down.name]) === row),
      );
      const known = inside.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]));
      const value = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
      return { value, count: inside.length };
    }),
  );
  const others = names.filter(
    (name) => name !== across.name && name !== down?.name && valuesOf(judged, name).length > 1,
  );
  const remark =
    others.length === 0
      ? 'A good region is wide: a lone good cell among bad ones is luck.'
      : `Means over ${others.join(', ')}. A good region is wide: a lone good cell among bad ones is luck.`;
  return { heatmap: { across: across.name, columns: across.values, down: down?.name ?? '', rows, cells }, remark };
}

function valuesOf(results: readonly VariantResult[], name: string): string[] {
  const values = [...new Set(results.map(({ parameters }) => parameters[name]))].filter((value) => value !== undefined);
  const sorted = values.sort((one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1,
  );
  return sorted.map(String);
}

function curveSection({ results: { table } }: Study, best: number): string {
  const curves = table.columns.map(grown);
  const at = (share: number) =>
    Array.from({ length: table.periods + 1 }, (_, period) => {
      const sorted = curves.map((curve) => curve[period]!).sort((one, other) => one - other);
      return sorted[Math.round(share * (sorted.length - 1))]!;
    });
  const fan: Fan = {
    bands:
      curves.length < 3
        ? []
        : [
            { low: at(0.05), high: at(0.95) },
            { low: at(0.25), high: at(0.75) },
          ],
    middle: at(0.5),
    best: curves[best]!,
  };
  let top = 1;
  const falls = curves[best]!.map((gain) => {
    top = Math.max(top, 1 + gain);
    return (1 + gain) / top - 1;
  });
  const remark = `The line is the best variant, the dashed one the median of ${curves.length}; half of them are in the darker band, nine of ten in the lighter one. ${table.periods} periods of ${stretch(table.periodMs)}, of all markets in the order of their time.`;
  return `<section><h2>Equity</h2>${fanSvg(fan, 'Equity of all variants')}<p class="faint">${escaped(remark)}</p></section>
<section><h2>Drawdown of the best variant</h2>${fallSvg(falls, 'Drawdown')}</section>`;
}

/** What one unit became, as a gain: 0 at the start. */
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

const tripColumns: readonly Column<Trip>[] = [
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
  { header: 'EXIT', cell: ({ exit }) => (exit === null ? '' : quantity(exit)), align: 'right' },
  { header: 'FEES', cell: ({ fees }) => usd(fees), align: 'right' },
  {
    header: 'NET',
    cell: ({ realized, fees, carry }) => {
      const net = realized - fees + carry;
      return { text: usd(net), tone: net < 0 ? 'bad' : 'good' };
    },
    align: 'right',
  },
];

function pageTable<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): PageTable {
  return { title, columns: columns as readonly Column<unknown>[], rows };
}

function rangeOf(trials: readonly { spec: { from: number; to: number } }[]): string {
  const from = trials.reduce((least, { spec }) => Math.min(least, spec.from), Number.POSITIVE_INFINITY);
  const to = trials.reduce((most, { spec }) => Math.max(most, spec.to), 0);
  return `${trials.length} trials between ${dateTime(from)} and ${dateTime(to)}`;
}
