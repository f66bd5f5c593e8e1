import type { Interval, MarketStatsEvent } from '../../contract/streams.ts';
import type { Book, BookSide } from '../../engine/book/book.ts';
import type { HalfPrice, MarketDefinition, Ms } from '../../engine/model.ts';
import type { PrintEvent } from '../../engine/source.ts';
import type { Bar } from '../../markets/bars.ts';

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

  constructor(market: MarketDefinition) {
    this.#market = market;
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
    return `{"type":"candle",${this.#of},"interval":"${interval}","openTime":${bar.openTime},"closeTime":${bar.endTime - 1},${prices},${amounts},"trades":${bar.count},"isFinal":${isFinal}}`;
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
