import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { neededMarks } from '../../desk/history/equity.ts';
import { identify } from '../../desk/history/identify.ts';
import { journaled } from '../../desk/history/journaled.ts';
import { rangeOf, readHistory } from '../../desk/history/read-history.ts';
import { readBars, readMarks } from '../../desk/history/read-marks.ts';
import { curveMoments, equityHistory, resultsOf, sumsByTag } from '../../desk/history/results.ts';
import type { Sum } from '../../desk/history/sums.ts';
import { endingOf } from '../../desk/reading/endings.ts';
import { accountId } from '../../desk/resolve/account.ts';
import type { PastTime } from '../../desk/values/times.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import { writePrivateFile } from '../../ground/files/private-files.ts';
import { dateTime } from '../../ground/text/format.ts';
import { marketName } from '../../ground/text/market-name.ts';
import type { Console } from '../console/console.ts';
import { type Column, line, type Result, recordOf } from '../output/result.ts';
import { endingText } from '../views/ending-view.ts';
import { chartLibrary } from './chart-library.ts';
import { tripColumns, tripRecord } from './journal-view.ts';
import { dayRecord, equityRecords, sumRecord } from './pnl-record.ts';
import { dayColumns, figureTexts, sumColumns } from './pnl-view.ts';
import { readReportMarkets } from './read-report.ts';
import { reportPage } from './report-page.ts';

const maxTrips = 500;
interface Input {
  out: string;
  from: PastTime | undefined;
  to: PastTime | undefined;
  open: boolean;
  force: boolean;
}

/** Runs `perp report`. */
export async function report(console: Console, input: Input): Promise<Result> {
  const file = resolve(input.out);
  if (existsSync(file) && !input.force)
    throw usageFailure(`${file} already exists.`, 'Use --force to replace it, or another -o FILE.');
  const html = await console.during('Reading fills', () => pageOf(console, input));
  if (!console.settings.dryRun) {
    writeReport(file, html);
    if (input.open) await open(console, file);
  }
  const verb = console.settings.dryRun ? 'Dry run: would write ' : 'Wrote ';
  return recordOf({ file, bytes: Buffer.byteLength(html) }, () => [line(verb, { text: file, tone: 'strong' }, '.')]);
}

async function pageOf(console: Console, input: Input): Promise<string> {
  const account = await accountId(console);
  const history = await readHistory(console, account);
  const ending = await endingOf(console, history.account);
  const journal = await journaled(console, history);
  const range = rangeOf(history, input);
  const results = resultsOf(history, range, journal.riskOf);
  const moments = curveMoments(history, range);
  const [{ markAt, approximations }, bars] = await Promise.all([
    readMarks(console, neededMarks(history.trips, moments)),
    readBars(console, history.trips, { from: moments[0]!, to: moments.at(-1)! }),
  ]);
  const equity = equityHistory(history, moments, markAt, bars);
  const { markets, missing } = await readReportMarkets(console, history.trips, results);
  const trips = results.ended.slice(-maxTrips).reverse();
  const ids = await identify(console, account, history.trips, trips);
  const tags = sumsByTag(results, (trip) => journal.entryOf(trip)?.tags ?? []);
  return reportPage({
    title: `${history.account.name}: trading results`,
    range: `${dateTime(range.from)} to ${dateTime(range.to)}, account ${account}`,
    ending: ending === undefined ? undefined : `${endingText(ending)}. Next: ${ending.next}.`,
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
        results.ended.length > maxTrips ? `The last ${maxTrips} round trips` : 'Round trips',
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
  return [{ header, cell: ({ group }) => marketName(group) }, ...sumColumns];
}

/** A row of a table of sums; `rest` names what belongs to no group. */
function groupRow(rest: string): (sum: Sum<string | null>) => GroupRow {
  return (sum) => ({ group: sum.key ?? rest, ...sumRecord(sum) });
}

/** The page reveals what its owner trades, so only the owner may read it. */
function writeReport(file: string, html: string): void {
  try {
    writePrivateFile(file, html);
  } catch (error) {
    throw usageFailure(`${file} can't be written: ${(error as Error).message}.`, 'Choose another -o FILE.');
  }
}

async function open(console: Console, file: string): Promise<void> {
  const { hasBrowser, openBrowser } = await import('../login/browser.ts');
  const isOpen = hasBrowser(console.variables) && (await openBrowser(pathToFileURL(file).href, console.variables));
  if (!isOpen) console.note('No browser could be started.');
}
