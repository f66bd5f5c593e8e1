import { DecimalText } from '../../exchange/markets/recorded/decimal-text.ts';
import { type Line, type MarketLine, parseLine } from '../../exchange/markets/recorded/line.ts';
import { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { type Level, Tally, type VenueEvent } from '../tape/venue-events.ts';
import { checkPlace, type Destination, type WritingOptions, writeRecording } from '../tape/write-recording.ts';
import { Displayed } from './displayed.ts';
import { placed } from './formats.ts';
import { lineOf } from './import-file.ts';
import type { MarketFacts } from './market-facts.ts';

/** The result of a merge. */
export type MergeReport = Awaited<ReturnType<typeof mergeRecordings>>;

/** A market of the merged recording. */
interface MergedMarket {
  market: MarketFacts;
  /** The files with data of this market. */
  files: string[];
  books: number;
  deltas: number;
  prints: number;
}

/** One file's data of one market. */
interface Part {
  file: string;
  line: MarketLine;
  /** Time of its first and last book event; null if it has none. */
  books: { first: number; last: number } | null;
  hasPrints: boolean;
}

/** A market of the result while it is being written. */
interface Merging {
  report: MergedMarket;
  /** If books and prints come from different files: the displayed book between two updates. */
  displayed: Displayed | null;
}

/**
 * Merges recordings by time. Lines of the same millisecond are in the order received, where both give it; otherwise
 * books come before prints, and lines of one kind in the order of the files. Files may contain different markets,
 * different times of one market, or its books and its prints; prints are then subtracted from the displayed book until
 * its next update. Throws a RecordingError that names the file and line, or what two files disagree on.
 */
export async function mergeRecordings(
  files: readonly string[],
  out: Destination,
  options: { dryRun?: boolean } & WritingOptions = {},
) {
  await checkPlace(files, out, options.replaces === true);
  const parts: Part[] = [];
  let [firstTime, lastTime] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const file of files) {
    for await (const { line } of linesOf(file)) {
      firstTime = Math.min(firstTime, line.time);
      lastTime = Math.max(lastTime, line.time);
      survey(file, line, parts);
    }
  }
  if (parts.length === 0) throw new RecordingError(files[0]!, null, 'the recording is empty: no line names a market');
  const markets = mergedMarkets(parts);
  const lines = linesOfAll(files, firstTime, markets);
  if (options.dryRun === true) for await (const _ of lines);
  else await writeRecording(out, lines, options);
  return { firstTime, lastTime, markets: [...markets.values()].map(({ report }) => report) };
}

interface FileLine {
  text: string;
  line: Line;
}

/** The lines of a recording; throws a RecordingError for an invalid line or one out of order. */
async function* linesOf(file: string): AsyncGenerator<FileLine> {
  const source = new LineFile(file);
  let time = 0;
  for await (const text of source.lines()) {
    const line = placed(file, () => parseLine(text), source.lineNumber);
    if (line.time < time) {
      throw new RecordingError(file, source.lineNumber, `time goes backwards: ${line.time} after ${time}`);
    }
    time = line.time;
    yield { text, line };
  }
}

function survey(file: string, line: Line, parts: Part[]): void {
  if (line.kind === 'market') {
    parts.push({ file, line, books: null, hasPrints: false });
    return;
  }
  if (line.kind === 'tape') return;
  const part = parts.findLast((one) => one.file === file && one.line.marketId === line.marketId);
  if (part === undefined) throw new RecordingError(file, null, `there is no market line for ${line.marketId}`);
  if (line.kind === 'trade') part.hasPrints = true;
  else if (line.kind === 'book' || line.kind === 'delta') {
    if (part.books === null && line.kind === 'delta') {
      throw new RecordingError(file, null, `a delta for ${line.marketId} comes before any full book`);
    }
    part.books ??= { first: line.time, last: line.time };
    part.books.last = line.time;
  }
}

function mergedMarkets(parts: readonly Part[]): Map<string, Merging> {
  const markets = new Map<string, Merging>();
  for (const { line } of parts) {
    if (markets.has(line.marketId)) continue;
    const marketParts = parts.filter((part) => part.line.marketId === line.marketId);
    checkTogether(marketParts);
    const joins =
      marketParts.some(({ books }) => books === null) &&
      marketParts.some(({ hasPrints, books }) => books && !hasPrints);
    markets.set(line.marketId, {
      report: {
        market: factsOf(marketParts),
        files: marketParts.map(({ file }) => file),
        books: 0,
        deltas: 0,
        prints: 0,
      },
      displayed: joins ? new Displayed(new Tally()) : null,
    });
  }
  return markets;
}

/** Two files must agree on a market, and must not both have its book at the same time. */
function checkTogether(marketParts: readonly Part[]): void {
  const [first, ...others] = marketParts;
  for (const { file, line } of others) {
    for (const field of ['symbol', 'coin', 'category', 'maxLeverage'] as const) {
      if (line[field] === first!.line[field]) continue;
      const values = `${field} ${line[field]} for ${line.marketId}; ${first!.file} says ${first!.line[field]}`;
      throw new RecordingError(file, null, `says ${values}`);
    }
  }
  const books = marketParts.flatMap(({ file, line, books: span }) => (span === null ? [] : [{ file, line, ...span }]));
  books.sort((one, other) => one.first - other.first);
  for (let i = 1; i < books.length; i += 1) {
    const [before, after] = [books[i - 1]!, books[i]!];
    if (after.first > before.last) continue;
    const problem = `has the book of ${after.line.marketId} at the same time as ${before.file}: merge only one of them`;
    throw new RecordingError(after.file, null, problem);
  }
}

/** One market line for all files, with the finest lot and the finest tick. */
function factsOf(marketParts: readonly Part[]): MarketFacts & { price_decimals?: number; lot_decimals?: number } {
  const { marketId, symbol, coin, category, maxLeverage } = marketParts[0]!.line;
  const ticks = marketParts.flatMap(({ line }) => line.tick ?? []);
  const decimals = marketParts.flatMap(({ line }) => line.priceDecimals ?? []);
  const finest = ticks.reduce<string | null>(
    (one, other) => (one !== null && !isFiner(other, one) ? one : other),
    null,
  );
  const sizes = Math.max(...marketParts.map(({ line }) => line.sizeDecimals));
  const lots = Math.max(...marketParts.map(({ line }) => line.lotDecimals ?? line.sizeDecimals));
  return {
    market_id: marketId,
    symbol,
    coin,
    size_decimals: sizes,
    ...(lots < sizes && { lot_decimals: lots }),
    ...(finest === null ? {} : { tick: finest }),
    ...(decimals.length === 0 ? {} : { price_decimals: Math.max(...decimals) }),
    max_leverage: maxLeverage,
    category,
  };
}

function isFiner(one: string, other: string): boolean {
  const values = [one, other].map((text) => {
    const decimal = new DecimalText();
    decimal.read(text, 'market.tick');
    return decimal.digits / 10 ** decimal.decimals;
  });
  return values[0]! < values[1]!;
}

async function* linesOfAll(
  files: readonly string[],
  time: number,
  markets: ReadonlyMap<string, Merging>,
): AsyncGenerator<string> {
  for (const { report } of markets.values()) yield `${JSON.stringify({ time, market: report.market })}\n`;
  const sources = files.map((file) => ({ file, lines: linesOf(file), next: null as FileLine | null }));
  for (const source of sources) source.next = (await source.lines.next()).value ?? null;
  for (;;) {
    let first: (typeof sources)[number] | null = null;
    for (const source of sources) {
      if (source.next !== null && (first === null || isBefore(source.next.line, first.next!.line))) first = source;
    }
    if (first === null) return;
    const { text, line } = first.next!;
    for (const written of placed(first.file, () => linesFor(text, line, markets))) yield `${written}\n`;
    first.next = (await first.lines.next()).value ?? null;
  }
}

/** Whether the line of a later file comes before that of an earlier one. */
function isBefore(later: Line, earlier: Line): boolean {
  if (later.time !== earlier.time) return later.time < earlier.time;
  const [received, other] = [receivedOf(later), receivedOf(earlier)];
  if (received !== null && other !== null) return received < other;
  return earlier.kind === 'trade' && later.kind !== 'trade';
}

function receivedOf(line: Line): number | null {
  return 'times' in line ? line.times.receivedUs : null;
}

/** Lines of the result: the line itself, and the displayed book if a print is subtracted from another file's book. */
function linesFor(text: string, line: Line, markets: ReadonlyMap<string, Merging>): string[] {
  // A merged recording does not keep the parts of a tape.
  if (line.kind === 'market' || line.kind === 'tape') return [];
  const { report, displayed } = markets.get(line.marketId)!;
  if (line.kind === 'trade') report.prints += 1;
  if (line.kind === 'book') report.books += 1;
  const event = displayed === null ? null : eventOf(line);
  if (event?.kind === 'loss') displayed!.take(event);
  if (event === null || event.kind === 'loss') {
    if (line.kind === 'delta') report.deltas += 1;
    return [text];
  }
  return displayed!.take(event).map((shown) => {
    if (shown.kind === 'delta') report.deltas += 1;
    return shown === event ? text : lineOf(shown, line.marketId);
  });
}

/** A line as an event; null if it is not one, or if it is a late print. */
function eventOf(line: Line): VenueEvent | null {
  if (line.kind === 'trade') {
    const { time, side, tradedAt } = line;
    const [price, size] = [line.price as string, line.size as string];
    return tradedAt === time ? { kind: 'print', time, price, size, side, id: '' } : null;
  }
  if (line.kind === 'gap') return { kind: 'loss', time: line.time };
  if (line.kind !== 'book' && line.kind !== 'delta') return null;
  const { kind, time, bids, asks } = line;
  return { kind, time, bids: bids as Level[], asks: asks as Level[] };
}
