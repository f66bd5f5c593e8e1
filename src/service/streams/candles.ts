import type { Book, BookSide } from '../../exchange/engine/book/book.ts';
import type { HalfPrice, MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { PrintEvent } from '../../exchange/engine/source.ts';
import { type Bar, type BarSource, barStart, barsInPieces, nextBarStart } from '../../exchange/markets/bars.ts';
import {
  type HistoryPayload,
  type Interval,
  type MarketStatsEvent,
  maxHistoryPage,
} from '../../wire/contract/streams.ts';
import type { Pieces } from '../../wire/hosting/turns.ts';

/** Levels of a side that a `book` event shows. */
const shownLevels = 50;
/** Digits of a print's number within its millisecond. */
const ordinalDigits = 4;

/** Units of 10^-decimals as decimal text with all its decimals. */
function fixed(units: number, decimals: number): string {
  return (units / 10 ** decimals).toFixed(decimals);
}

/**
 * The events of one market as JSON text (contract: MarketStreamEvent). They are most of what the service writes, so
 * each is built once for all readers.
 */
export class EventText {
  readonly #market: MarketDefinition;
  /** The market fields of every event. */
  readonly #of: string;

  /** Candles that open earlier have other prices than the market showed then. */
  readonly #since: Ms;

  constructor(market: MarketDefinition, since: Ms | null = null) {
    this.#market = market;
    this.#since = since ?? Number.NEGATIVE_INFINITY;
    this.#of = `"provider":${JSON.stringify(market.provider)},"symbol":${JSON.stringify(market.coin)}`;
  }

  price(units: number): string {
    return fixed(units, this.#market.priceDecimals);
  }

  /** A midpoint between two price units has one more decimal. */
  mid(half: HalfPrice): string {
    const { priceDecimals } = this.#market;
    return half % 2 === 0 ? fixed(half / 2, priceDecimals) : fixed(half * 5, priceDecimals + 1);
  }

  tick(kind: 'last' | 'mid' | 'mark', price: string, time: Ms): string {
    return `{"type":"tick",${this.#of},"kind":"${kind}","price":"${price}","time":${time}}`;
  }

  /** A print's id is its time and its number within that millisecond: the same wherever playing starts. */
  trade({ side, price, size, time }: PrintEvent, ordinal: number): string {
    const id = `${time}${String(ordinal).padStart(ordinalDigits, '0')}`;
    const lots = fixed(size, this.#market.sizeDecimals);
    return `{"type":"trade",${this.#of},"tradeId":"${id}","side":"${side}","price":"${this.price(price)}","size":"${lots}","time":${time}}`;
  }

  book({ bids, asks, time }: Book): string {
    return `{"type":"book",${this.#of},"bids":${this.#levels(bids)},"asks":${this.#levels(asks)},"time":${time}}`;
  }

  #levels({ prices, sizes, count }: BookSide): string {
    const { priceDecimals, sizeDecimals } = this.#market;
    const levels: string[] = [];
    for (let index = count - 1; index >= 0 && levels.length < shownLevels; index -= 1)
      levels.push(`{"px":"${fixed(prices[index]!, priceDecimals)}","sz":"${fixed(sizes[index]!, sizeDecimals)}"}`);
    return `[${levels.join(',')}]`;
  }

  /** Null for a time before the first print. */
  candle(interval: Interval, bar: Bar, isFinal: boolean): string | null {
    const { open, high, low, close } = bar;
    if (open === null || high === null || low === null || close === null) return null;
    const { sizeDecimals } = this.#market;
    const prices = `"open":"${this.price(open)}","high":"${this.price(high)}","low":"${this.price(low)}","close":"${this.price(close)}"`;
    const amounts = `"volume":"${fixed(bar.volume, sizeDecimals)}","quoteVolume":"${this.#quote(bar.quoteVolume)}"`;
    const other = bar.openTime < this.#since ? ',"otherPrices":true' : '';
    return `{"type":"candle",${this.#of},"interval":"${interval}","openTime":${bar.openTime},"closeTime":${bar.endTime - 1},${prices},${amounts},"trades":${bar.count},"isFinal":${isFinal}${other}}`;
  }

  /** Price units times lots as quote currency, exactly. */
  #quote(worth: bigint): string {
    const decimals = this.#market.priceDecimals + this.#market.sizeDecimals;
    if (decimals === 0) return String(worth);
    const digits = String(worth).padStart(decimals + 1, '0');
    return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  }

  stats(patch: Omit<MarketStatsEvent, 'type' | 'provider' | 'symbol' | 'time'>, time: Ms): string {
    return `{"type":"marketStats",${this.#of},${JSON.stringify(patch).slice(1, -1)},"time":${time}}`;
  }

  status(status: 'up' | 'down', time: Ms): string {
    return `{"type":"status",${this.#of},"status":"${status}","time":${time}}`;
  }
}

/** Numbers prints within their millisecond, starting with its first. */
export class PrintNumbers {
  #time: Ms = Number.NEGATIVE_INFINITY;
  #ordinal = 0;

  next(time: Ms): number {
    this.#ordinal = time === this.#time ? this.#ordinal + 1 : 0;
    this.#time = time;
    return this.#ordinal;
  }
}

/** Bars of one market, as known now. */
export interface BarsOfMarket {
  readonly marketId: string;
  readonly text: EventText;
  readonly bars: BarSource;
}

/** Default number of bars in a `candles.history` answer. */
const defaultHistoryPage = 500;

/**
 * A page of candles, oldest first, including the forming one: the newest up to `endTime`, or with only a `startTime`
 * the oldest from there on. Both bound opening times, and both are inclusive. There are none before `earliest`.
 */
export function* historyPage(
  market: BarsOfMarket,
  request: HistoryPayload,
  now: Ms,
  earliest: Ms = 0,
): Pieces<string[]> {
  const { startTime, endTime } = request;
  const interval = request.interval as Interval;
  const count = Math.min(request.limit ?? defaultHistoryPage, maxHistoryPage);
  const first = startTime === undefined ? earliest : Math.max(earliest, startOnOrAfter(interval, startTime));
  const last = barStart(interval, Math.min(now, endTime ?? now));
  if (last < first) return [];
  if (startTime !== undefined && endTime === undefined) return yield* candlesFrom(market, interval, first, count, now);
  let start = last;
  let length = 1;
  for (; length < count; length += 1) {
    const before = barStart(interval, start - 1);
    if (before < first) break;
    start = before;
  }
  return yield* candlesFrom(market, interval, start, length, now);
}

/** The last `closed` closed bars, and the forming one. */
export function newestCandles(market: BarsOfMarket, interval: Interval, closed: number, now: Ms): Pieces<string[]> {
  return historyPage(market, { provider: '', symbol: '', interval, limit: Math.min(closed + 1, maxHistoryPage) }, now);
}

/** At most `count` candles, starting with the one at `from`; none from the future, none before the first print. */
export function* candlesFrom(
  { marketId, text, bars }: BarsOfMarket,
  interval: Interval,
  from: Ms,
  count: number,
  now: Ms,
): Pieces<string[]> {
  let length = 0;
  for (let start = from; length < count && start <= now; start = nextBarStart(interval, start)) length += 1;
  if (length === 0) return [];
  const found = yield* barsInPieces(bars, marketId, interval, from, length, now);
  return found.flatMap((bar) => text.candle(interval, bar, bar.endTime <= now) ?? []);
}

function startOnOrAfter(interval: Interval, time: Ms): Ms {
  const start = barStart(interval, time);
  return start < time ? nextBarStart(interval, start) : start;
}

/** The forming bar, updated with each print. */
export class FormingCandle {
  readonly interval: Interval;
  readonly #text: EventText;
  #bar: { -readonly [K in keyof Bar]: Bar[K] };
  /** Whether it has changed since `current` was last asked. */
  hasChanged = false;

  /** Continues from the current bar of `now`. */
  constructor({ marketId, text, bars }: BarsOfMarket, interval: Interval, now: Ms) {
    this.interval = interval;
    this.#text = text;
    this.#bar = { ...bars.bars(marketId, interval, now, 1, now)[0]! };
  }

  get openTime(): Ms {
    return this.#bar.openTime;
  }

  /** As it is now; null before the first print. */
  current(): string | null {
    this.hasChanged = false;
    return this.#text.candle(this.interval, this.#bar, false);
  }

  /** Finishes every bar that ends at or before `time`; returns their final values, in order. */
  finishUntil(time: Ms): string[] {
    const finished: string[] = [];
    while (this.#bar.endTime <= time) {
      const { endTime: openTime, close } = this.#bar;
      const text = this.#text.candle(this.interval, this.#bar, true);
      if (text !== null) finished.push(text);
      const endTime = nextBarStart(this.interval, openTime);
      const prices = { open: close, high: close, low: close, close };
      this.#bar = { openTime, endTime, ...prices, volume: 0, quoteVolume: 0n, count: 0 };
      this.hasChanged = true;
    }
    return finished;
  }

  /** A print within the bar. */
  add({ price, size }: PrintEvent): void {
    const bar = this.#bar;
    if (bar.count === 0) bar.open = bar.high = bar.low = price;
    bar.high = Math.max(bar.high!, price);
    bar.low = Math.min(bar.low!, price);
    bar.close = price;
    bar.volume += size;
    bar.quoteVolume += BigInt(price) * BigInt(size);
    bar.count += 1;
    this.hasChanged = true;
  }
}
