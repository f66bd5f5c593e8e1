import { Book } from '../../../src/exchange/engine/book/book.ts';
import type { HalfPrice, Lots, MarketDefinition, Ms, Price, Side } from '../../../src/exchange/engine/model.ts';
import type { BookSnapshot, MarketEvent, MarketSource, TakenLevel, Tape } from '../../../src/exchange/engine/source.ts';

/** [price, size] in units of the market. */
export type Level = readonly [price: Price, size: Lots];

/**
 * One line of a script: a full book, changed levels, a print (possibly made earlier), the venue's own prices, or the
 * start or end of a gap.
 */
export type ScriptedEvent =
  | { time: Ms; market?: string; bids: Level[]; asks: Level[]; delta?: boolean }
  | { time: Ms; market?: string; print: Level; aggressor: Side; tradedAt?: Ms }
  | { time: Ms; market?: string; mark: Price; index?: Price }
  | { time: Ms; market?: string; gap: string }
  | { time: Ms; market?: string; gapPrints: number; history: 'whole' | 'part' | 'none' };

/** A market with two price decimals and no size decimals by default. */
export function definition(changes: Partial<MarketDefinition> = {}): MarketDefinition {
  return {
    marketId: 'binance|TEST',
    provider: 'binance',
    symbol: 'TEST',
    coin: 'TEST',
    category: 'crypto',
    sizeDecimals: 0,
    priceDecimals: 0,
    tick: 1,
    maxLeverage: 50,
    ...changes,
  };
}

/**
 * A market source that plays a script in the order of its lines. Lines without a market belong to the first definition.
 */
export class ScriptedSource implements MarketSource {
  readonly name: string = 'scripted';
  readonly definitions: readonly MarketDefinition[];
  readonly events: MarketEvent[];

  constructor(script: readonly ScriptedEvent[], definitions: readonly MarketDefinition[] = [definition()]) {
    this.definitions = definitions;
    this.events = script.map((line, index) => eventOf(line, index + 1, definitions[0]!.marketId));
  }

  book(marketId: string, time: Ms): BookSnapshot | null {
    let book: Book | null = null;
    for (const event of this.events) {
      if (event.time > time) break;
      if (event.marketId !== marketId || event.kind === 'print' || event.kind === 'gap_end') continue;
      book ??= new Book();
      if (event.kind === 'gap') book.lose({ since: event.time, reason: event.reason });
      else if (event.kind === 'marks') book.takeMarks(event);
      else if (event.kind === 'book') book.replace(event.time, event.sequence, event);
      else book.update(event.time, event.sequence, event);
    }
    return book === null ? null : book.snapshot();
  }

  open(from: Ms): Tape {
    const { events } = this;
    const watched = new Set<string>();
    let next = 0;
    while (next < events.length && events[next]!.time <= from) next += 1;
    const find = (until: Ms): boolean => {
      while (next < events.length && events[next]!.time <= until && !watched.has(events[next]!.marketId)) next += 1;
      return next < events.length && events[next]!.time <= until;
    };
    return {
      watch: (marketId, on) => void (on ? watched.add(marketId) : watched.delete(marketId)),
      peek: (until) => (find(until) ? events[next]!.time : null),
      next: (until) => (find(until) ? events[next++]! : null),
    };
  }

  volume(): number {
    return 1;
  }
}

/** The same script from a source that can predict, so that the exchange may skip events. */
export class SkippableSource extends ScriptedSource {
  override readonly name = 'skippable';
  readonly reach: number;
  /** How often the exchange asked for a prediction. */
  asked = 0;
  private readonly midsByMarket = new Map<string, { time: Ms; mid: HalfPrice }[]>();

  constructor(script: readonly ScriptedEvent[], definitions: readonly MarketDefinition[], reach: number) {
    super(script, definitions);
    this.reach = reach;
    const books = this.events.filter((event) => 'bids' in event).map(({ marketId, time }) => `${marketId} ${time}`);
    if (new Set(books).size === books.length)
      this.firstShrink = (marketId, from, to, taken) => this.shrink(marketId, from, to, taken);
  }

  firstTouch(marketId: string, from: Ms, to: Ms, low: HalfPrice, high: HalfPrice): Ms | null {
    this.asked += 1;
    return (
      this.mids(marketId).find(({ time, mid }) => time > from && time <= to && !(mid >= low && mid <= high))?.time ??
      null
    );
  }

  /** Only without several books in one millisecond. */
  readonly firstShrink?: NonNullable<MarketSource['firstShrink']>;

  private shrink(marketId: string, from: Ms, to: Ms, taken: readonly TakenLevel[]): Ms | null {
    this.asked += 1;
    const book = new Book();
    for (const event of this.events) {
      if (event.marketId !== marketId || event.time > to || !('bids' in event)) continue;
      if (event.kind === 'book') book.replace(event.time, event.sequence, event);
      else book.update(event.time, event.sequence, event);
      const shrinks = taken.some(
        ({ bookSide, price, lots }) => (bookSide === 'bid' ? book.bids : book.asks).sizeAt(price) < lots,
      );
      if (event.time > from && shrinks) return event.time;
    }
    return null;
  }

  /** Mids of a market after each of its book events, including several in one millisecond. */
  private mids(marketId: string): { time: Ms; mid: HalfPrice }[] {
    const known = this.midsByMarket.get(marketId);
    if (known !== undefined) return known;
    const book = new Book();
    const mids: { time: Ms; mid: HalfPrice }[] = [];
    for (const event of this.events) {
      if (event.marketId !== marketId || !('bids' in event)) continue;
      if (event.kind === 'book') book.replace(event.time, event.sequence, event);
      else book.update(event.time, event.sequence, event);
      mids.push({ time: event.time, mid: book.mid });
    }
    this.midsByMarket.set(marketId, mids);
    return mids;
  }
}

function eventOf(line: ScriptedEvent, sequence: number, firstMarketId: string): MarketEvent {
  const marketId = line.market ?? firstMarketId;
  const { time } = line;
  if ('mark' in line) {
    const [mark, index] = [2 * line.mark, line.index === undefined ? null : 2 * line.index];
    return { kind: 'marks', marketId, time, mark, index, fundingRate: null, fundingHours: null, nextFundingAt: null };
  }
  if ('gap' in line) return { kind: 'gap', marketId, time, reason: line.gap };
  if ('gapPrints' in line) return { kind: 'gap_end', marketId, time, prints: line.gapPrints, history: line.history };
  if ('print' in line) {
    const [price, size] = line.print;
    return { kind: 'print', marketId, time, price, size, side: line.aggressor, tradedAt: line.tradedAt ?? time };
  }
  return {
    kind: line.delta ? 'delta' : 'book',
    marketId,
    time: line.time,
    sequence,
    bids: line.bids.flat(),
    bidCount: line.bids.length,
    asks: line.asks.flat(),
    askCount: line.asks.length,
  };
}
