import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from '../context/context.ts';
import { usageFailure } from '../failure/failure.ts';
import { writePrivateFile } from '../files/private-files.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import { neededMarks } from '../history/equity.ts';
import { identify } from '../history/identify.ts';
import { tripColumns, tripRecord } from '../history/journal-view.ts';
import { journaled } from '../history/journaled.ts';
import { dayRecord, equityRecords, sumRecord } from '../history/pnl-record.ts';
import { dayColumns, figureTexts, sumColumns } from '../history/pnl-view.ts';
import { rangeOf } from '../history/range.ts';
import { readHistory } from '../history/read-history.ts';
import { readMarks } from '../history/read-marks.ts';
import { chartLibrary, readReportMarkets } from '../history/read-report.ts';
import { reportPage } from '../history/report-page.ts';
import { curveMoments, equityHistory, resultsOf, sumsByTag } from '../history/results.ts';
import type { Sum } from '../history/sums.ts';
import { type Column, line, type Result, recordOf } from '../output/result.ts';
import { accountId } from '../resolve/account.ts';
import { dateTime } from '../text/format.ts';

const mostTrips = 500;
const usualFile = 'perp-report.html';

export const command = defineCommand({
  summary: 'Write a report: one HTML page with equity, floors, candles, fills and tables',
  description:
    'The page needs no network and loads nothing: charts and data are in the file. It follows the light or dark setting of the browser and can be printed. Its figures are those of perp pnl and perp journal.',
  options: {
    out: { short: 'o', value: 'FILE', kind: 'file', summary: `the file (default ${usualFile})` },
    from: { value: 'TIME', kind: 'time', summary: 'first moment, or a duration before now, such as 7d' },
    to: { value: 'TIME', kind: 'time', summary: 'last moment, or a duration before now (default now)' },
    open: { summary: 'open it in the browser' },
    force: { summary: 'replace the file if it is there' },
  },
  examples: [
    ['perp report -o november.html --from 30d', 'a month'],
    ['perp report --open --force', 'everything, in the browser'],
  ],
  changesMore: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const file = resolve(input.out ?? usualFile);
  if (existsSync(file) && !input.force)
    throw usageFailure(`${file} is there already.`, 'Use --force to replace it, or another -o FILE.');
  const html = await context.during('Reading fills', () => pageOf(context, input));
  if (!context.settings.dryRun) {
    writeReport(file, html);
    if (input.open) await open(context, file);
  }
  const said = context.settings.dryRun ? 'Dry run: would write ' : 'Wrote ';
  return recordOf({ file, bytes: Buffer.byteLength(html) }, () => [line(said, { text: file, tone: 'strong' }, '.')]);
}

async function pageOf(context: Context, input: InputOf<typeof command>): Promise<string> {
  const account = await accountId(context);
  const history = await readHistory(context, account);
  const journal = await journaled(context, history);
  const range = rangeOf(history, input);
  const results = resultsOf(history, range, journal.riskOf);
  const moments = curveMoments(history, range);
  const { markAt, approximations } = await readMarks(context, neededMarks(history.trips, moments));
  const equity = equityHistory(history, moments, markAt);
  const { markets, missing } = await readReportMarkets(context, history.trips, results);
  const trips = results.ended.slice(-mostTrips).reverse();
  const ids = await identify(context, account, history.trips, trips);
  const tags = sumsByTag(results, (trip) => journal.entryOf(trip)?.tags ?? []);
  return reportPage({
    title: `${history.account.name}: what came of it`,
    range: `${dateTime(range.from)} to ${dateTime(range.to)}, account ${account}`,
    figures: figureTexts(history, results, equity),
    equity: equityRecords(equity),
    markets,
    tables: [
      table('Days', dayColumns, results.days.toReversed().map(dayRecord)),
      table('Markets', groupColumns('MARKET'), results.markets.map(groupRow('account'))),
      table('Sides', groupColumns('SIDE'), results.sides.map(groupRow('account'))),
      ...(tags.some(({ key }) => key !== null)
        ? [table('Tags', groupColumns('TAG'), tags.map(groupRow('untagged')))]
        : []),
      table(
        results.ended.length > mostTrips ? `The last ${mostTrips} round trips` : 'Round trips',
        tripColumns,
        trips.map((trip) => tripRecord(trip, ids.get(trip), journal.entryOf(trip), journal.riskOf(trip))),
      ),
    ],
    remarks: [...history.approximations, ...approximations, ...missing],
    library: chartLibrary(),
  });
}

function table<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) {
  return { title, columns: columns as readonly Column<unknown>[], rows };
}

type GroupRow = ReturnType<typeof sumRecord> & { group: string };

function groupColumns(header: string): Column<GroupRow>[] {
  return [{ header, cell: ({ group }) => group }, ...sumColumns];
}

/** A row of a table of sums; `rest` names what belongs to no group. */
function groupRow(rest: string): (sum: Sum<string | null>) => GroupRow {
  return (sum) => ({ group: sum.key ?? rest, ...sumRecord(sum) });
}

/** The page says what its owner trades, so only the owner may read it. */
function writeReport(file: string, html: string): void {
  try {
    writePrivateFile(file, html);
  } catch (error) {
    throw usageFailure(`${file} can't be written: ${(error as Error).message}.`, 'Choose another -o FILE.');
  }
}

async function open(context: Context, file: string): Promise<void> {
  const { hasBrowser, openBrowser } = await import('../login/browser.ts');
  const isOpen = hasBrowser(context.variables) && (await openBrowser(pathToFileURL(file).href, context.variables));
  if (!isOpen) context.note('No browser could be started here.');
}
