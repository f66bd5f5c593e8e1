import { fundingOf } from '../../exchange/engine/accounts/carry.ts';
import { Book } from '../../exchange/engine/book/book.ts';
import { defaultPolicy, defaultRates, venueMarkStaleMs } from '../../exchange/engine/defaults.ts';
import type { HalfPrice, MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type {
  BookEvent,
  GapEvent,
  MarketEvent,
  MarketSource,
  MarksEvent,
  PrintEvent,
} from '../../exchange/engine/source.ts';
import type { BarSource } from '../../exchange/markets/bars.ts';
import type { Interval, MarketStatsEvent } from '../../wire/contract/streams.ts';
import type { Pieces } from '../../wire/hosting/turns.ts';
import type { Weather } from '../weather/weather.ts';
import { type BarsOfMarket, EventText, FormingCandle, PrintNumbers } from './candles.ts';
import { DayStats, statsPatch } from './market-stats.ts';
import type { Audience } from './subscribers.ts';

/** Maximum number of prints sent at the start of a subscription, and after a jump of the clock. */
const retainedPrints = 1000;
/** How far back to look for the first prints. */
const longestLookBackMs = 3_600_000;
/** Shortest time between statistics, ms of the exchange's clock. */
const statsEveryMs = 1000;
/** A book older than this has no mark. */
export const staleAfterMs: Ms = defaultPolicy().limits.maxBookStalenessMs;

/** Other inputs that decide what a feed sends. */
interface FeedContext {
  /** Whether marks are the venue's own. */
  showsVenueMarks?(): boolean;
  weather?: Weather | null;
}

/** Sends one market to its readers, and remembers its events; follows the events of the cursor. */
export class MarketFeed implements BarsOfMarket {
  readonly marketId: string;
  readonly text: EventText;
  readonly bars: BarSource;
  /** Readers by channel; candles by interval. */
  readonly readers = {
    ticks: new Set<Audience>(),
    books: new Set<Audience>(),
    trades: new Set<Audience>(),
    marketStats: new Set<Audience>(),
  };
  readonly candles = new Map<Interval, Set<Audience>>();
  readonly #source: MarketSource;
  readonly #surroundings: FeedContext;
  readonly #day: DayStats;
  #book = new Book();
  #bookChanged = false;
  #trades: { time: Ms; text: string }[] = [];
  #numbers = new PrintNumbers();
  /** Past trades up to here have not been read yet; null if they have. */
  #unreadUntil: Ms | null = null;
  #last: PrintEvent['price'] | null = null;
  #lastTime: Ms = 0;
  #mid: HalfPrice = Number.NaN;
  #forming = new Map<Interval, FormingCandle>();
  #publishedStats: Omit<MarketStatsEvent, 'type' | 'provider' | 'symbol' | 'time'> = {};
  #publishedStatsAt = Number.NEGATIVE_INFINITY;

  /** Knows nothing until it is loaded. */
  constructor(market: MarketDefinition, source: MarketSource, bars: BarSource, surroundings: FeedContext = {}) {
    this.#surroundings = surroundings;
    this.marketId = market.marketId;
    this.text = new EventText(market, source.pricesSince?.(market.marketId));
    this.bars = bars;
    this.#source = source;
    this.#day = new DayStats(market, source, bars);
  }

  get isRead(): boolean {
    return this.candles.size > 0 || Object.values(this.readers).some(({ size }) => size > 0);
  }

  /** Loads everything that its readers need, as of `now`: after a jump of the clock, nothing in between was sent. */
  *reload(now: Ms): Pieces {
    yield* this.load(now);
    if (this.readers.trades.size > 0) yield* this.readTrades();
    for (const interval of [...this.#forming.keys()]) {
      yield* this.prepareCandles(interval, now);
      if (this.#forming.has(interval)) this.#forming.set(interval, new FormingCandle(this, interval, now));
    }
  }

  /** Sends what was reloaded: the last prints since `from`, and the current state. */
  announce(from: Ms): void {
    this.#bookChanged = true;
    for (const { time, text } of this.#trades) if (time > from) publish(this.readers.trades, text, true);
    for (const tick of this.presentTicks()) publish(this.readers.ticks, tick, false);
    for (const candle of this.#forming.values()) candle.hasChanged = true;
  }

  /** Takes the events of a time that it missed; `from` is exclusive. */
  follow(from: Ms, to: Ms): void {
    if (to <= from) return;
    const tape = this.#source.open(from);
    tape.watch(this.marketId, true);
    for (let event = tape.next(to); event !== null; event = tape.next(to)) this.take(event);
  }

  take(event: MarketEvent): void {
    if (event.kind === 'print') this.#takePrint(event);
    else if (event.kind === 'gap') this.#loseBook(event);
    else if (event.kind === 'marks') this.#takeMarks(event);
    else if (event.kind !== 'gap_end') this.#takeBook(event);
  }

  /** Sends bars that ended by `now`, and those that changed. */
  finishCandles(now: Ms): void {
    for (const [interval, candle] of this.#forming) {
      const audiences = this.candles.get(interval) ?? nobody;
      for (const text of candle.finishUntil(now)) publish(audiences, text, true);
      if (!candle.hasChanged) continue;
      const text = candle.current();
      if (text !== null) publish(audiences, text, false);
    }
  }

  /** Sends the book if it changed since it was last sent. */
  publishBook(): void {
    if (!this.#bookChanged || this.readers.books.size === 0) return;
    this.#bookChanged = false;
    publish(this.readers.books, this.text.book(this.#book), false);
  }

  publishStats(now: Ms): void {
    if (this.readers.marketStats.size === 0 || now - this.#publishedStatsAt < statsEveryMs) return;
    const stats = this.#stats(now);
    const patch = statsPatch(this.#publishedStats, stats);
    this.#publishedStatsAt = now;
    if (patch === null) return;
    this.#publishedStats = stats;
    publish(this.readers.marketStats, this.text.stats(patch, now), false);
  }

  /** Whether statistics have readers and are due for a refresh. */
  hasOldStats(now: Ms): boolean {
    return this.readers.marketStats.size > 0 && this.#day.isOld(now);
  }

  refreshStats(now: Ms): Pieces {
    return this.#day.refresh(now);
  }

  /** Before they are presented for the first time. */
  *prepareStats(now: Ms): Pieces {
    if (!this.#day.isKnown || this.#day.isOld(now)) yield* this.#day.refresh(now);
  }

  *prepareCandles(interval: Interval, now: Ms): Pieces {
    if (this.bars.prepareBars !== undefined) yield* this.bars.prepareBars(this.marketId, interval, now, 1, now);
  }

  presentTicks(): string[] {
    const ticks: string[] = [];
    if (this.#last !== null) ticks.push(this.text.tick('last', this.text.price(this.#last), this.#lastTime));
    if (!Number.isNaN(this.#mid)) ticks.push(...this.#midTicks());
    return [...ticks, ...this.#markTicks()];
  }

  presentBook(): string[] {
    return this.#book.time === Number.NEGATIVE_INFINITY ? [] : [this.text.book(this.#book)];
  }

  /** All statistics, as last sent to all readers: patches continue from there. */
  presentStats(now: Ms): string[] {
    if (this.readers.marketStats.size === 0) {
      this.#publishedStats = this.#stats(now);
      this.#publishedStatsAt = now;
    }
    return [this.text.stats(this.#publishedStats, this.#publishedStatsAt)];
  }

  #stats(now: Ms): ReturnType<DayStats['at']> {
    const funding = this.#book.marks ?? fundingOf({ source: this.#source, now, rates: defaultRates }, this.marketId);
    const stats = this.#day.at(this.#mark(now), funding);
    const { weather } = this.#surroundings;
    if (weather == null || weather.profile.moving_stats === 0) return stats;
    const { fundingRate, fundingHours, openInterestUsd } = weather.stats(this.marketId, now);
    return { ...stats, fundingRate, fundingIntervalHours: fundingHours, openInterestUsd };
  }

  /** The last prints, which `readTrades` has read. */
  presentTrades(): string[] {
    return this.#trades.slice(-retainedPrints).map(({ text }) => text);
  }

  /** The forming bar; it is followed from now on. */
  forming(interval: Interval, now: Ms): FormingCandle {
    let candle = this.#forming.get(interval);
    if (candle === undefined) {
      candle = new FormingCandle(this, interval, now);
      this.#forming.set(interval, candle);
    }
    return candle;
  }

  /** Forgets candles without readers. */
  forgetCandles(interval: Interval): void {
    if ((this.candles.get(interval)?.size ?? 0) > 0) return;
    this.candles.delete(interval);
    this.#forming.delete(interval);
  }

  /** Loads the book and the last price as of `now`. */
  *load(now: Ms): Pieces {
    const snapshot = this.#source.book(this.marketId, now);
    yield;
    const [last] = yield* recentPrints(this.#source, this.marketId, now, 1);
    this.#book = new Book();
    if (snapshot !== null) this.#book.load(snapshot);
    this.#mid = this.#book.mid;
    this.#trades = [];
    this.#numbers = new PrintNumbers();
    this.#unreadUntil = now;
    if (last !== undefined) this.#priceOf(last);
  }

  /** Past trades take much longer to find than the last one, and only readers of trades need them. */
  *readTrades(): Pieces {
    const until = this.#unreadUntil;
    if (until === null) return;
    const prints = yield* recentPrints(this.#source, this.marketId, until, retainedPrints);
    // Another reader may have been faster, or the feed was reloaded.
    if (this.#unreadUntil !== until) return;
    this.#unreadUntil = null;
    const numbers = new PrintNumbers();
    const past = prints.map((print) => ({ time: print.time, text: this.text.trade(print, numbers.next(print.time)) }));
    this.#trades = [...past, ...this.#trades];
  }

  #takePrint(print: PrintEvent): void {
    for (const [interval, candle] of this.#forming) {
      for (const text of candle.finishUntil(print.time)) publish(this.candles.get(interval) ?? nobody, text, true);
      candle.add(print);
    }
    const isMoved = print.price !== this.#last;
    publish(this.readers.trades, this.#keep(print), true);
    this.#day.add(print);
    if (isMoved && this.readers.ticks.size > 0)
      publish(this.readers.ticks, this.text.tick('last', this.text.price(print.price), print.time), false);
  }

  #keep(print: PrintEvent): string {
    const text = this.text.trade(print, this.#numbers.next(print.time));
    this.#trades.push({ time: print.time, text });
    if (this.#trades.length >= 2 * retainedPrints) this.#trades = this.#trades.slice(-retainedPrints);
    this.#priceOf(print);
    return text;
  }

  #priceOf({ price, time }: PrintEvent): void {
    this.#last = price;
    this.#lastTime = time;
  }

  #takeBook(event: BookEvent): void {
    const book = this.#book;
    if (event.kind === 'book') book.replace(event.time, event.sequence, event);
    else book.update(event.time, event.sequence, event);
    this.#bookChanged = true;
    if (book.mid === this.#mid || (Number.isNaN(book.mid) && Number.isNaN(this.#mid))) return;
    this.#mid = book.mid;
    if (this.readers.ticks.size > 0 && !Number.isNaN(this.#mid))
      for (const tick of this.#midTicks()) publish(this.readers.ticks, tick, false);
  }

  /** The book is unknown until the next full one: until then it has no levels and no mid. */
  #loseBook({ time, reason }: GapEvent): void {
    this.#book.lose({ since: time, reason });
    this.#bookChanged = true;
    this.#mid = Number.NaN;
  }

  /** The mark of a simulated market is its midpoint, unless an account is measured by the venue's (simulation 2.1). */
  #midTicks(): string[] {
    const price = this.text.mid(this.#mid);
    const { time } = this.#book;
    const mid = this.text.tick('mid', price, time);
    return this.#surroundings.showsVenueMarks?.() ? [mid] : [mid, this.text.tick('mark', price, time)];
  }

  #markTicks(): string[] {
    const { marks } = this.#book;
    if (marks === null || !this.#surroundings.showsVenueMarks?.()) return [];
    return [this.text.tick('mark', this.text.mid(marks.mark), marks.time)];
  }

  #takeMarks(event: MarksEvent): void {
    const before = this.#book.marks?.mark;
    this.#book.takeMarks(event);
    if (this.readers.ticks.size > 0 && this.#book.marks?.mark !== before)
      for (const tick of this.#markTicks()) publish(this.readers.ticks, tick, false);
  }

  #mark(now: Ms): HalfPrice | null {
    if (!this.#book.isFresh(now, staleAfterMs)) return null;
    if (!this.#surroundings.showsVenueMarks?.()) return this.#book.mid;
    const { marks } = this.#book;
    return marks === null || now - marks.time > venueMarkStaleMs ? null : marks.mark;
  }
}

function publish(audiences: ReadonlySet<Audience>, text: string, isLasting: boolean): void {
  for (const audience of audiences) audience.add(text, isLasting);
}

const nobody: ReadonlySet<Audience> = new Set();

/** How many events are played before others get a turn. */
const playedAtOnce = 400;

/**
 * The last prints at or before `until`: at most `count`, fewer if the longest look back has fewer.
 */
function* recentPrints(source: MarketSource, marketId: string, until: Ms, count: number): Pieces<PrintEvent[]> {
  for (let lookBackMs = 10_000; ; lookBackMs *= 6) {
    const tape = source.open(until - lookBackMs);
    tape.watch(marketId, true);
    const prints: PrintEvent[] = [];
    let played = 0;
    for (let event = tape.next(until); event !== null; event = tape.next(until)) {
      if (event.kind === 'print') prints.push({ ...event });
      played += 1;
      if (played % playedAtOnce === 0) yield;
    }
    if (prints.length < count && lookBackMs < longestLookBackMs) continue;
    return prints.slice(-count);
  }
}
