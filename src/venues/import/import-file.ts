import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { product } from '../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { type Level, type ShownEvent, Tally, type VenueEvent, type VenueFormat } from '../tape/venue-events.ts';
import { checkPlace, type Destination, type TapeWritingOptions, writeRecording } from '../tape/write-recording.ts';
import { ArchiveFile } from './archive.ts';
import { Displayed } from './displayed.ts';
import { detect, placed } from './formats.ts';
import { contractSizeOf, type MarketOptions, marketIdOf, marketOf } from './market-facts.ts';
import { checkScale, SheetOf } from './sheet.ts';
import { Tidy } from './tidy.ts';
import { inTimeOrder } from './time-order.ts';

/** How a file is imported; a dry run reads, checks and counts everything. */
export interface ImportOptions extends MarketOptions, Omit<TapeWritingOptions, 'signal'> {
  /** Called with the completed share of the work, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** The result of importing a venue's file. */
export type ImportReport = Awaited<ReturnType<typeof importFile>>;

/**
 * Converts a venue's file into a recording. The file (gzip if its name ends in .gz) appears complete or not at all; a
 * null `out` only checks. The format is detected. Events are sorted by exchange time; books follow the venue's sequence
 * rules. Throws a RecordingError that names the file and line, or the option that is wrong (simulation 10.11).
 */
export async function importFile(file: string, out: Destination | null, options: ImportOptions = {}) {
  if (out !== null) await checkPlace([file], out, options.replaces === true);
  const { format, ...about } = await detect(file);
  const sizeBytes = Math.max(1, (await stat(file)).size);
  // The file is read twice.
  const tell = (pass: 0 | 1) => (bytes: number) => options.onProgress?.(pass / 2 + bytes / sizeBytes / 2);
  const marketId = placed(file, () => marketIdOf(about, options));
  const { size: contractSize, unit } = placed(file, () => contractSizeOf(about, marketId, options));
  const job: Job = { file, format, coin: about.coin, contractSize };
  const survey = await surveyOf(job, tell(0));
  const tally = new Tally();
  const market = placed(file, () => marketOf(marketId, survey.finest, options, tally));
  const sheet = survey.sheet.end(market.size_decimals);
  if (options.anyScale !== true) placed(file, () => checkScale(market, sheet));
  if (survey.books === 0) tally.note(withoutBooks);
  const counts = { book: 0, delta: 0, print: 0, marks: 0 };
  const tidy = new Tidy(tally, survey.books === 0);
  const lines = async function* () {
    yield `${JSON.stringify({ time: survey.first, market })}\n`;
    for await (const event of eventsOf(job, tally, tidy, tell(1))) {
      counts[event.kind] += 1;
      yield `${lineOf(event, market.market_id)}\n`;
    }
  };
  if (options.dryRun === true || out === null) for await (const _ of lines());
  else await writeRecording(out, lines(), options);
  return {
    ...{ format: format.name, market },
    /** The unit of its sizes, in words. */
    unit,
    ...{ firstTime: survey.first, lastTime: survey.last },
    /** Events written. */
    ...{ books: counts.book, deltas: counts.delta, prints: counts.print, marks: counts.marks },
    /** The omitted rows, with counts. */
    dropped: Object.fromEntries(tally.dropped),
    /** The values whose form differs from the file, with counts. */
    noted: Object.fromEntries(tally.noticed),
    /** Events that got the time of their neighbors, and the largest correction, ms. */
    moved: tally.moved,
    sheet,
    /** Assumptions and problems, as sentences. */
    notes: tally.notes,
  };
}

const withoutBooks =
  'There are no books in the file: it serves charts, candles and bars, and nothing fills on it. To trade on it, merge it with books of the same time: perp sim merge.';

/** A file and how to read it. */
interface Job {
  readonly file: string;
  readonly format: VenueFormat;
  readonly coin: string | null;
  /** Base units of one unit of size. */
  readonly contractSize: string;
}

/** The contents of a file, ready to be written. */
async function* eventsOf(
  { file, format, coin, contractSize }: Job,
  tally: Tally,
  tidy: Tidy,
  onRead: (bytes: number) => void,
): AsyncGenerator<ShownEvent> {
  const source = new ArchiveFile(file, onRead);
  const displayed = new Displayed(tally);
  const known = new KnownPrints();
  // Events wait to be sorted, so the current event is not from the line read last.
  let line: number | null = null;
  try {
    const events = inTimeOrder(format.read(source, coin, tally), () => source.lineNumber, tally);
    for await (const numbered of events) {
      line = numbered.line;
      if (known.has(numbered.event)) {
        tally.add('trades received twice');
        continue;
      }
      const event = contractSize === '1' ? numbered.event : inBaseUnits(numbered.event, contractSize);
      for (const shown of displayed.take(event)) {
        const tidied = tidy.take(shown);
        if (tidied !== null) yield tidied;
      }
      line = null;
    }
    tidy.end();
  } catch (error) {
    if (error instanceof LineProblem) throw new RecordingError(file, line ?? source.lineNumber, error.message);
    throw error;
  }
}

/** At least this many prints are remembered: a capture repeats the last ones at each subscription. */
const fewestKnown = 10_000;

class KnownPrints {
  #newer = new Map<string | number, VenueEvent>();
  #older = this.#newer;

  /** Whether an event is a print that has come before; remembers it if not. */
  has(event: VenueEvent): boolean {
    if (event.kind !== 'print' || event.id === '') return false;
    const before = this.#newer.get(event.id) ?? this.#older.get(event.id);
    if (before !== undefined && isDeepStrictEqual(before, event)) return true;
    this.#newer.set(event.id, event);
    // Whole generations are forgotten: in a map that has lost many keys, the first is slow to find.
    if (this.#newer.size >= fewestKnown) [this.#older, this.#newer] = [this.#newer, new Map()];
    return false;
  }
}

/** An event with its sizes in the base asset. */
function inBaseUnits(event: VenueEvent, contractSize: string): VenueEvent {
  const level = ([price, size]: Level): Level => [price, product(size, contractSize)];
  if (event.kind === 'print') return { ...event, size: product(event.size, contractSize) };
  if (event.kind === 'touch') return { ...event, bid: level(event.bid), ask: level(event.ask) };
  if (event.kind === 'book' || event.kind === 'delta')
    return { ...event, bids: event.bids.map(level), asks: event.asks.map(level) };
  return event;
}

/** Reads a file once for its times, the precision of its numbers, and a preview. */
async function surveyOf(job: Job, onRead: (bytes: number) => void) {
  const tally = new Tally();
  const tidy = new Tidy(tally, true);
  const sheet = new SheetOf(tidy);
  let any: number | null = null;
  let first: number | null = null;
  let [last, books] = [0, 0];
  for await (const event of eventsOf(job, tally, tidy, onRead)) {
    any ??= event.time;
    if (event.kind === 'book' || event.kind === 'delta') {
      books += 1;
      first ??= event.time;
    }
    sheet.take(event);
    last = event.time;
  }
  if (any === null) {
    const why = [...tally.dropped].map(([reason, count]) => `${count} ${reason}`).join(', ');
    throw new RecordingError(job.file, null, `there is no book and no print in the file${why && `; left out: ${why}`}`);
  }
  return { first: first ?? any, last, books, finest: tidy.finest, sheet };
}

/** An event as a line of a recording, without its end. */
export function lineOf(event: ShownEvent, marketId: string): string {
  const { time } = event;
  if (event.kind === 'print') {
    const { price, size, side } = event;
    return JSON.stringify({ time, market_id: marketId, trade: { price, size, side } });
  }
  if (event.kind === 'marks') {
    const marks = {
      ...(event.mark === null ? {} : { mark: event.mark }),
      ...(event.index === null ? {} : { index: event.index }),
      ...(event.nextFundingAt === null ? {} : { next_funding_at: event.nextFundingAt }),
    };
    return JSON.stringify({ time, market_id: marketId, marks });
  }
  const { kind, bids, asks } = event;
  return JSON.stringify({ time, market_id: marketId, ...(kind === 'delta' && { delta: true }), bids, asks });
}
