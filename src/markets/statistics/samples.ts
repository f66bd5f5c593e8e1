import { Book, type BookSide } from '../../engine/book/book.ts';
import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { BookEvent, BookSnapshot, MarketSource, PrintEvent } from '../../engine/source.ts';

/** Distance between two looks at the touch, and between two looks at the depth. */
export const touchStepMs = 450;
const secondMs = 1000;
const depthStepMs = 5000;
/** How long after a print its markout is taken. */
const markoutMs = 1000;

/** What was seen of a market while it was played. Prices in the quote currency, sizes in the base's. */
export interface Samples {
  definition: MarketDefinition;
  from: Ms;
  to: Ms;
  books: number;
  prints: number;
  /** At every second, from the first with a book on: the midpoint. By second after it: prints, what takers bought less what they sold, and USD. */
  mids: number[];
  counts: number[];
  flows: number[];
  notionals: number[];
  /** Every 450 ms: the midpoint, and the sizes of best bid and best ask. */
  touchMids: number[];
  bidSizes: number[];
  askSizes: number[];
  /** Of books as they came: spreads, in the quote currency. */
  spreads: number[];
  /** USD at the touch of one side, and within 10 and 25 basis points of the mid, mean of both sides. */
  touchUsd: number[];
  depth10: number[];
  depth25: number[];
  /** Aggressors' sides, 1 or -1; how far the mid was beyond the print a second later, in basis points of it, on their side. */
  signs: number[];
  markouts: number[];
}

/** Plays a market over (from, to] and notes what statistics need. `prints` false: books alone. */
export function sample(source: MarketSource, marketId: string, from: Ms, to: Ms, prints = true): Samples {
  const definition = source.definitions.find((one) => one.marketId === marketId);
  if (definition === undefined)
    throw new RangeError(`no market ${JSON.stringify(marketId)} in the ${source.name} source`);
  const sampler = new Sampler(definition, from, to);
  const tape = source.open(from);
  const nothing = { buys: Number.NEGATIVE_INFINITY, sells: Number.POSITIVE_INFINITY };
  tape.watch(marketId, true, prints ? undefined : nothing);
  sampler.start(source.book(marketId, from));
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    sampler.passTo(event.time);
    if (event.kind === 'print') {
      if (prints) sampler.takePrint(event);
    } else if (event.kind === 'book' || event.kind === 'delta') sampler.takeBook(event);
  }
  sampler.passTo(to + 1);
  return sampler.samples;
}

class Sampler {
  readonly samples: Samples;
  private readonly priceUnit: number;
  private readonly lot: number;
  private readonly book = new Book();
  private nextSecond: Ms;
  private nextTouch: Ms;
  private nextDepth: Ms;
  /** Of the second at hand. */
  private count = 0;
  private flow = 0;
  private notional = 0;
  /** Prints whose markout is yet to come: time, price and side. */
  private waiting: [Ms, number, number][] = [];
  private done = 0;

  constructor(definition: MarketDefinition, from: Ms, to: Ms) {
    this.priceUnit = 10 ** -definition.priceDecimals;
    this.lot = 10 ** -definition.sizeDecimals;
    this.nextSecond = Math.ceil((from + 1) / secondMs) * secondMs;
    this.nextTouch = Math.ceil((from + 1) / touchStepMs) * touchStepMs;
    this.nextDepth = from;
    this.samples = {
      definition,
      from,
      to,
      books: 0,
      prints: 0,
      mids: [],
      counts: [],
      flows: [],
      notionals: [],
      touchMids: [],
      bidSizes: [],
      askSizes: [],
      spreads: [],
      touchUsd: [],
      depth10: [],
      depth25: [],
      signs: [],
      markouts: [],
    };
  }

  start(book: BookSnapshot | null): void {
    if (book !== null) this.book.load(book);
  }

  /** Takes the looks that are due before `time`. */
  passTo(time: Ms): void {
    const { samples } = this;
    const mid = (this.book.mid / 2) * this.priceUnit;
    const { bids, asks } = this.book;
    while (this.nextTouch < time) {
      if (!Number.isNaN(mid)) {
        samples.touchMids.push(mid);
        samples.bidSizes.push(bids.sizeAt(bids.best));
        samples.askSizes.push(asks.sizeAt(asks.best));
      }
      this.nextTouch += touchStepMs;
    }
    while (this.nextSecond < time) {
      if (samples.mids.length > 0) {
        samples.counts.push(this.count);
        samples.flows.push(this.flow);
        samples.notionals.push(this.notional);
      }
      this.count = this.flow = this.notional = 0;
      if (!Number.isNaN(mid)) samples.mids.push(mid);
      this.nextSecond += secondMs;
    }
    while (this.done < this.waiting.length && this.waiting[this.done]![0] + markoutMs < time) {
      const [, price, side] = this.waiting[this.done]!;
      samples.markouts.push(side * (mid / price - 1) * 1e4);
      this.done += 1;
    }
    if (this.done > 4096) {
      this.waiting = this.waiting.slice(this.done);
      this.done = 0;
    }
  }

  takeBook(event: BookEvent): void {
    const { samples, book } = this;
    if (event.kind === 'book') book.replace(event.time, event.sequence, event);
    else book.update(event.time, event.sequence, event);
    samples.books += 1;
    const { bids, asks } = book;
    if (bids.count === 0 || asks.count === 0) return;
    samples.spreads.push((asks.best - bids.best) * this.priceUnit);
    if (event.time < this.nextDepth) return;
    this.nextDepth = event.time + depthStepMs;
    const mean = (bps: number) =>
      ((worthWithin(bids, book.mid / 2, bps) + worthWithin(asks, book.mid / 2, bps)) * this.priceUnit * this.lot) / 2;
    samples.touchUsd.push(mean(0));
    samples.depth10.push(mean(10));
    samples.depth25.push(mean(25));
  }

  takePrint(event: PrintEvent): void {
    const side = event.side === 'buy' ? 1 : -1;
    const price = event.price * this.priceUnit;
    const size = event.size * this.lot;
    this.samples.prints += 1;
    this.samples.signs.push(side);
    this.count += 1;
    this.flow += side * size;
    this.notional += price * size;
    this.waiting.push([event.time, price, side]);
  }
}

/** Price x size over the levels of a side within so many basis points of the mid; of its best one, whatever its distance. */
function worthWithin({ prices, sizes, count }: BookSide, mid: number, basisPoints: number): number {
  let worth = 0;
  for (let i = count - 1; i >= 0; i -= 1) {
    if (i < count - 1 && Math.abs(prices[i]! / mid - 1) * 1e4 > basisPoints) break;
    worth += prices[i]! * sizes[i]!;
  }
  return worth;
}
