import type { HalfPrice, Lots, MarketDefinition, Ms, Price } from '../engine/model.ts';
import type { BookGap, BookSnapshot, MarketEvent, MarketSource, Tape, VenueMarks } from '../engine/source.ts';
import { type Bar, type BarInterval, barOf, type MarketData, startsOf, sumOfBar, total } from './bars.ts';

/**
 * A market under another name, at other prices, in another year. A price is multiplied by `priceFactor`, and a size by
 * `sizeFactor`, in whole units; both keep the product, so that every amount of money is that of the market itself.
 */
export type Disguise = ReturnType<typeof disguiseOf>;

/** The market's name in disguise. */
const disguisedSymbol = 'MKT';

/** The last price steps of a disguise: a price factor, and the size factor that undoes it up to a power of ten. */
const factors = [
  [2, 5],
  [4, 25],
  [5, 2],
  [8, 125],
  [25, 4],
  [125, 8],
] as const;

/** The number of ways to disguise a price. */
export const disguises: number = factors.length;

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** A Monday in winter. The display starts in its week, with the real weekday and time of day. */
const shownWeek = Date.UTC(2001, 0, 1);
/** Markets differ in their largest leverage, which would reveal them. */
const mostLeverage = 10;

/**
 * The disguise of a market that has this price at this time: it is displayed between 100 and 1,000. `way` is a whole
 * number below {@link disguises}.
 */
export function disguiseOf(real: MarketDefinition, { price, time, way }: { price: Price; time: Ms; way: number }) {
  const [factor, undone] = factors[way]!;
  const digits = Math.floor(Math.log10(price * factor)) - 2;
  const tens = 10 ** Math.max(0, -digits);
  const priceDecimals = Math.max(0, digits);
  const priceFactor = factor * tens;
  // The power of ten by which displayed price times displayed size would be too large.
  const excess = Math.round(Math.log10(factor * undone * tens));
  const sizeDecimals = real.sizeDecimals + real.priceDecimals - priceDecimals + excess;
  const sizeFactor = undone * 10 ** Math.max(0, -sizeDecimals);
  const shown: MarketDefinition = {
    marketId: `binance|${disguisedSymbol}`,
    provider: 'binance',
    symbol: disguisedSymbol,
    coin: disguisedSymbol,
    category: real.category,
    sizeDecimals: Math.max(0, sizeDecimals),
    ...(real.lotDecimals !== undefined && {
      lotDecimals: Math.max(0, sizeDecimals - real.sizeDecimals + real.lotDecimals),
    }),
    priceDecimals,
    tick: (real.tick ?? 1) * priceFactor,
    maxLeverage: Math.min(mostLeverage, real.maxLeverage),
  };
  // The shift from the displayed time to the market's own time: whole weeks.
  const laterMs = Math.floor((time - shownWeek) / weekMs) * weekMs;
  return { real, shown, priceFactor, sizeFactor, laterMs };
}

/** The market in its disguise, as the only one. */
export function disguised(source: MarketSource | MarketData, disguise: Disguise): MarketSource | MarketData {
  const { real, shown, priceFactor, laterMs } = disguise;
  const id = real.marketId;
  const as = new Shown(disguise);
  const at = (time: Ms) => time + laterMs;
  const hidden: MarketSource = {
    name: source.name,
    definitions: [shown],
    book: (_, time) => as.snapshot(source.book(id, at(time))),
    open: (from) => disguisedTape(source.open(at(from)), disguise),
    volume: (_, from, to, asOf) => source.volume(id, at(from), at(to), at(asOf)),
    hasMarks: () => source.hasMarks?.(id) === true,
    ...(source.firstTouch && {
      firstTouch: (_, from, to, low, high) =>
        as.maybe(source.firstTouch!(id, at(from), at(to), low / priceFactor, high / priceFactor)),
    }),
    ...(source.firstReach && {
      firstReach: (_, from, to, low, high) =>
        as.maybe(source.firstReach!(id, at(from), at(to), low / priceFactor, high / priceFactor)),
    }),
  };
  if (!('bars' in source)) return hidden;
  return {
    ...hidden,
    bars: (_, interval, from, count, until) => {
      if (!ofCalendar.has(interval))
        return source.bars(id, interval, at(from), count, at(until)).map((bar) => as.bar(bar));
      const starts = startsOf(interval, from, count);
      return starts.slice(0, count).map((start, index) => {
        const days = Math.round((starts[index + 1]! - start) / dayMs);
        return as.bar(joined(source.bars(id, '1d', at(start), days, at(until))));
      });
    },
    ...(source.prepareBars && {
      prepareBars: (_, interval, from, count, until) =>
        source.prepareBars!(id, ofCalendar.has(interval) ? '1d' : interval, at(from), count, at(until)),
    }),
  };
}

/** Bars that don't restart every week: other weeks have them at other times, so they are built from days. */
const ofCalendar: ReadonlySet<BarInterval> = new Set(['3d', '1M']);

/** One bar of several in a row. */
function joined(bars: readonly Bar[]): Bar {
  const last = bars.at(-1)!;
  return barOf(bars[0]!.openTime, last.endTime, total(bars.map(sumOfBar)), last.close);
}

function disguisedTape(tape: Tape, disguise: Disguise): Tape {
  const { real, priceFactor, laterMs } = disguise;
  const as = new Shown(disguise);
  return {
    watch(_, on, interest) {
      // The tape asks the interest whenever it continues.
      const own = interest && {
        get buys() {
          return interest.buys / priceFactor;
        },
        get sells() {
          return interest.sells / priceFactor;
        },
      };
      tape.watch(real.marketId, on, own);
    },
    peek: (until) => as.maybe(tape.peek(until + laterMs)),
    next: (until) => {
      const event = tape.next(until + laterMs);
      return event === null ? null : as.event(event);
    },
  };
}

/** The disguised form of the market's data. */
class Shown {
  readonly #id: string;
  readonly #priceFactor: number;
  readonly #sizeFactor: number;
  readonly #laterMs: Ms;

  constructor({ shown, priceFactor, sizeFactor, laterMs }: Disguise) {
    this.#id = shown.marketId;
    this.#priceFactor = priceFactor;
    this.#sizeFactor = sizeFactor;
    this.#laterMs = laterMs;
  }

  time(time: Ms): Ms {
    return time - this.#laterMs;
  }

  maybe(time: Ms | null): Ms | null {
    return time === null ? null : this.time(time);
  }

  snapshot(book: BookSnapshot | null): BookSnapshot | null {
    if (book === null) return null;
    const { bids, asks, bidsKnownTo, asksKnownTo, gap, marks, time } = book;
    return {
      ...book,
      time: this.time(time),
      bids: this.#levels(bids, bids.length / 2),
      asks: this.#levels(asks, asks.length / 2),
      ...(bidsKnownTo !== undefined && { bidsKnownTo: this.#price(bidsKnownTo) }),
      ...(asksKnownTo !== undefined && { asksKnownTo: this.#price(asksKnownTo) }),
      ...(gap !== undefined && { gap: this.#gap(gap) }),
      ...(marks !== undefined && { marks: this.#marks(marks) }),
    };
  }

  event(event: MarketEvent): MarketEvent {
    const own = { marketId: this.#id, time: this.time(event.time) };
    if (event.kind === 'print')
      return {
        ...event,
        ...own,
        price: this.#price(event.price),
        size: this.#size(event.size),
        ...(event.tradedAt !== undefined && { tradedAt: this.time(event.tradedAt) }),
      };
    if (event.kind === 'marks') return { ...event, ...this.#marks(event), ...own };
    if (event.kind === 'gap')
      return { ...event, ...own, ...(event.since !== undefined && { since: this.time(event.since) }) };
    if (event.kind === 'gap_end') return { ...event, ...own };
    const { bids, bidCount, asks, askCount } = event;
    return { ...event, ...own, bids: this.#levels(bids, bidCount), asks: this.#levels(asks, askCount) };
  }

  bar({ openTime, endTime, open, high, low, close, volume, quoteVolume, count }: Bar): Bar {
    const price = (units: Price | null) => (units === null ? null : this.#price(units));
    return {
      openTime: this.time(openTime),
      endTime: this.time(endTime),
      open: price(open),
      high: price(high),
      low: price(low),
      close: price(close),
      volume: this.#size(volume),
      quoteVolume: quoteVolume * BigInt(this.#priceFactor) * BigInt(this.#sizeFactor),
      count,
    };
  }

  #levels(levels: ArrayLike<number>, count: number): number[] {
    const shown = new Array<number>(2 * count);
    for (let at = 0; at < 2 * count; at += 2) {
      shown[at] = levels[at]! * this.#priceFactor;
      shown[at + 1] = levels[at + 1]! * this.#sizeFactor;
    }
    return shown;
  }

  #marks(marks: VenueMarks): VenueMarks {
    const { mark, index, nextFundingAt, time } = marks;
    const half = (value: HalfPrice) => value * this.#priceFactor;
    return {
      ...marks,
      time: this.time(time),
      mark: half(mark),
      index: index === null ? null : half(index),
      nextFundingAt: this.maybe(nextFundingAt),
    };
  }

  #gap({ since, reason }: BookGap): BookGap {
    return { since: this.time(since), reason };
  }

  #price(units: Price): Price {
    return units * this.#priceFactor;
  }

  #size(lots: Lots): Lots {
    return lots * this.#sizeFactor;
  }
}
