import { stat } from 'node:fs/promises';
import { catalogMarket, leverageWhenUnknown, splitMarketId, symbolOf } from '../../exchange/markets/catalog.ts';
import { checkMarketId, parseMarketLine } from '../../exchange/markets/recorded/line.ts';
import { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import {
  type Subject,
  Tally,
  type VenueBook,
  type VenueEvent,
  type VenueFormat,
  type VenuePrint,
} from '../tape/venue-events.ts';
import { checkPlace, type Destination, writeRecording } from '../tape/write-recording.ts';
import { Displayed } from './displayed.ts';
import { detect } from './formats.ts';
import { type Precision, Tidy } from './tidy.ts';

/**
 * Facts that are missing from the file, or that override it; by default they come from the default catalog, or else
 * from the data.
 */
export interface ImportOptions {
  marketId?: string;
  sizeDecimals?: number;
  /** A decimal, such as 0.1. */
  tick?: string;
  maxLeverage?: number;
  category?: string;
  /** Reads, checks and counts everything, and writes nothing. */
  dryRun?: boolean;
  /** Replaces an existing file. */
  replaces?: boolean;
  /** Where an unfinished file is kept, if that is on the same disk as the result; default: beside it. */
  draftFolder?: string;
  /** Called with the share of the work that is done, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** The result of importing a venue's file. */
export interface ImportReport {
  /** Its format. */
  format: string;
  market: MarketFacts;
  firstTime: number;
  lastTime: number;
  /** Events written. */
  books: number;
  deltas: number;
  prints: number;
  /** Omissions and changes, with how often each occurred. */
  dropped: Record<string, number>;
  /** Assumptions and problems, as sentences. */
  notes: string[];
}

/** The recording's market line. */
export interface MarketFacts {
  market_id: string;
  symbol: string;
  coin: string;
  size_decimals: number;
  /** Absent for provider hyperliquid, which has its own rule. */
  tick?: string;
  max_leverage: number;
  category: string;
}

/**
 * Converts a venue's file into a recording. The file (gzip if its name ends in .gz) appears complete or not at all. The
 * format is detected. Events are sorted by exchange time; books follow the venue's sequence rules. Throws a
 * RecordingError that names the file and line, or the option that is wrong (simulation 10.11).
 */
export async function importFile(file: string, out: Destination, options: ImportOptions = {}): Promise<ImportReport> {
  await checkPlace([file], out, options.replaces === true);
  const { format, provider, coin } = await detect(file);
  const sizeBytes = Math.max(1, (await stat(file)).size);
  // The file is read twice.
  const tell = (pass: 0 | 1) => (bytes: number) => options.onProgress?.(pass / 2 + bytes / sizeBytes / 2);
  const survey = await surveyOf(file, format, coin, tell(0));
  const tally = new Tally();
  const market = placed(file, () => marketOf({ provider, coin }, survey.finest, options, tally));
  const { first, last } = survey;
  const report: ImportReport = {
    format: format.name,
    market,
    firstTime: first,
    lastTime: last,
    books: 0,
    deltas: 0,
    prints: 0,
    dropped: {},
    notes: tally.notes,
  };
  const tidy = new Tidy(tally, format.printsOnly === true);
  const lines = async function* () {
    yield `${JSON.stringify({ time: first, market })}\n`;
    for await (const event of eventsOf(file, format, coin, tally, tidy, tell(1))) {
      if (event.kind === 'print') report.prints += 1;
      else if (event.kind === 'delta') report.deltas += 1;
      else report.books += 1;
      yield `${lineOf(event, market.market_id)}\n`;
    }
  };
  if (options.dryRun === true) for await (const _ of lines());
  else await writeRecording(out, lines(), options);
  report.dropped = Object.fromEntries(tally.counts);
  return report;
}

/** The contents of a file, ready to be written. */
async function* eventsOf(
  file: string,
  format: VenueFormat,
  coin: string,
  tally: Tally,
  tidy: Tidy,
  onRead: (bytes: number) => void,
): AsyncGenerator<VenueBook | VenuePrint> {
  const source = new LineFile(file, onRead);
  const displayed = new Displayed(tally);
  // Events wait to be sorted, so the current event is not from the line read last.
  let line: number | null = null;
  try {
    for await (const numbered of inTimeOrder(withLines(format.read(source, coin, tally), source), tally)) {
      line = numbered.line;
      for (const shown of displayed.take(numbered.event)) {
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

async function* withLines(events: AsyncIterable<VenueEvent>, source: LineFile): AsyncGenerator<NumberedEvent> {
  for await (const event of events) {
    checkUnit(event.time);
    yield { event, line: source.lineNumber };
  }
}

/**
 * What a time since 2001 becomes, in Unix ms, if it is in seconds or milliseconds where its format has a finer unit: from
 * 17 minutes to 31 years after 1970, before any venue.
 */
const wrongUnit = { from: 1e6, to: 1e12 } as const;

/** Refuses a time in a wrong unit, because a year of seconds would pass as half a day of 1970. */
function checkUnit(time: number): void {
  if (time >= wrongUnit.from && time < wrongUnit.to)
    throw new LineProblem(`its time, ${new Date(time).toISOString()}, is before any venue: the unit is wrong`);
}

/** Reads a file once, for its first and last time and the precision of its numbers. */
async function surveyOf(file: string, format: VenueFormat, coin: string, onRead: (bytes: number) => void) {
  const tally = new Tally();
  const tidy = new Tidy(tally, format.printsOnly === true);
  let first: number | null = null;
  let last = 0;
  for await (const { time } of eventsOf(file, format, coin, tally, tidy, onRead)) {
    first ??= time;
    last = time;
  }
  if (first === null) throw new RecordingError(file, null, 'there is no book in the file');
  return { first, last, finest: tidy.finest };
}

function marketOf(about: Subject, finest: Precision, options: ImportOptions, tally: Tally): MarketFacts {
  const marketId = options.marketId ?? (about.provider === null ? null : `${about.provider}|${about.coin}`);
  if (marketId === null)
    throw new LineProblem('unknown venue. Name the market with --market-id, such as binance:BTCUSDT');
  const { provider, coin } = splitMarketId(marketId) ?? { provider: '', coin: '' };
  checkMarketId(marketId, coin);
  const known = catalogMarket(marketId);
  const catalogTick = known?.tick == null ? 0 : known.priceDecimals;
  const tick = options.tick ?? decimalUnit(Math.max(catalogTick, finest.price));
  if (known === undefined && options.maxLeverage === undefined) {
    tally.note(`${marketId} is not in the default catalog: maximum leverage ${leverageWhenUnknown} is assumed.`);
  }
  const market = {
    market_id: marketId,
    symbol: known?.symbol ?? symbolOf(coin),
    coin,
    size_decimals: sizeDecimalsOf(known?.sizeDecimals, finest.size, options, tally),
    ...(provider === 'hyperliquid' && options.tick === undefined ? {} : { tick }),
    max_leverage: options.maxLeverage ?? known?.maxLeverage ?? leverageWhenUnknown,
    category: options.category ?? known?.category ?? 'crypto',
  };
  // Options that make the market invalid fail here, before anything is written.
  parseMarketLine(JSON.stringify({ time: 0, market }));
  return market;
}

/** Sizes stay exact: too few decimals in an option are an error; those of the catalog are increased. */
function sizeDecimalsOf(known: number | undefined, seen: number, options: ImportOptions, tally: Tally): number {
  const { sizeDecimals } = options;
  if (sizeDecimals !== undefined) {
    if (sizeDecimals < seen)
      throw new LineProblem(`sizes in the file have ${seen} decimals, more than ${sizeDecimals}`);
    return sizeDecimals;
  }
  if (known !== undefined && known < seen) {
    tally.note(`Sizes in the file have ${seen} decimals, but the default catalog says ${known}: using the file's.`);
  }
  return Math.max(known ?? 0, seen);
}

/** 4 gives 0.0001. */
function decimalUnit(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
}

/** An event as a line of a recording, without its end. */
export function lineOf(event: VenueBook | VenuePrint, marketId: string): string {
  if (event.kind === 'print') {
    const { time, price, size, side } = event;
    return JSON.stringify({ time, market_id: marketId, trade: { price, size, side } });
  }
  const { kind, time, bids, asks } = event;
  if (kind === 'delta') return JSON.stringify({ time, market_id: marketId, delta: true, bids, asks });
  return JSON.stringify({ time, market_id: marketId, bids, asks });
}

/** Runs code that may find that an option is wrong. */
function placed<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LineProblem) throw new RecordingError(file, null, error.message);
    throw error;
  }
}

/** An event and the line of the file it came with. */
interface NumberedEvent {
  event: VenueEvent;
  line: number;
}

/** How late an event may arrive and still be sorted. */
const windowMs = 10_000;

/**
 * Sorts events by exchange time; events of the same millisecond stay in order of arrival. An event more than ten
 * seconds late gets the time that the others have reached. Counts the events that it moved.
 */
async function* inTimeOrder(events: AsyncIterable<NumberedEvent>, tally: Tally): AsyncGenerator<NumberedEvent> {
  let waiting: NumberedEvent[] = [];
  let released = 0;
  let releasedTime = Number.NEGATIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for await (const numbered of events) {
    const { event } = numbered;
    if (event.time < releasedTime) {
      tally.add('events more than ten seconds late, moved forward');
      event.time = releasedTime;
    }
    let place = waiting.length;
    while (place > released && waiting[place - 1]!.event.time > event.time) place -= 1;
    if (place < waiting.length) tally.add('events received out of time order, sorted');
    waiting.splice(place, 0, numbered);
    newest = Math.max(newest, event.time);
    while (waiting[released]!.event.time < newest - windowMs) {
      const next = waiting[released]!;
      released += 1;
      releasedTime = next.event.time;
      yield next;
    }
    if (released > 4096) {
      waiting = waiting.slice(released);
      released = 0;
    }
  }
  yield* waiting.slice(released);
}
