import fc from 'fast-check';
import { Book } from '../../../src/exchange/engine/book/book.ts';
import type { BookEvent, MarketSource, PrintEvent, Tape } from '../../../src/exchange/engine/source.ts';

/** One market of each kind, and one for each form of grid. */
export const someMarkets: readonly string[] = [
  'binance|BTCUSDT',
  'binance|ETHUSDT',
  'binance|SOLUSDT',
  'binance|XRPUSDT',
  'binance|DOGEUSDT',
  'binance|HYPEUSDT',
  'binance|1000BONKUSDT',
  'binance|MSTRUSDT',
  'hyperliquid|xyz:GOLD',
  'hyperliquid|xyz:SP500',
  'hyperliquid|xyz:EUR',
];

/** Seeds and times for properties of synthetic markets. */
export const anySeed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
export const anyMoment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });

/** Copies of the watched markets' events in (from, to]. */
export function play(
  source: MarketSource,
  watched: readonly string[],
  from: number,
  to: number,
): (BookEvent | PrintEvent)[] {
  const tape = source.open(from);
  for (const marketId of watched) tape.watch(marketId, true);
  return drain(tape, to);
}

/** Like {@link play}, with the whole book in place of each change of it. */
export function playWhole(
  source: MarketSource,
  watched: readonly string[],
  from: number,
  to: number,
): (BookEvent | PrintEvent)[] {
  const books = new Map(watched.map((marketId) => [marketId, new Book()]));
  return play(source, watched, from, to).map((event) => {
    if (event.kind === 'print') return event;
    const book = books.get(event.marketId)!;
    if (event.kind === 'book') book.replace(event.time, event.sequence, event);
    else book.update(event.time, event.sequence, event);
    const { bids, asks } = book.snapshot();
    return { ...event, kind: 'book', bids, bidCount: bids.length / 2, asks, askCount: asks.length / 2 };
  });
}

/** The books and prints left on the tape up to `to`, copied because the tape reuses its event objects. */
export function drain(tape: Tape, to: number): (BookEvent | PrintEvent)[] {
  const events: (BookEvent | PrintEvent)[] = [];
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    if (event.kind === 'print') events.push({ ...event });
    else if ('bids' in event) events.push({ ...event, ...sides(event) });
  }
  return events;
}

/** Both sides of a book event, cut to the valid levels. */
export function sides(event: BookEvent): { bids: number[]; asks: number[] } {
  return {
    bids: Array.from({ length: 2 * event.bidCount }, (_, i) => event.bids[i]!),
    asks: Array.from({ length: 2 * event.askCount }, (_, i) => event.asks[i]!),
  };
}

/** The books among events. */
export function booksOf(events: (BookEvent | PrintEvent)[]): BookEvent[] {
  return events.filter((event): event is BookEvent => event.kind !== 'print');
}

/** A flat side as pairs. */
export function pairs(side: readonly number[]): [price: number, size: number][] {
  return Array.from({ length: side.length / 2 }, (_, i) => [side[2 * i]!, side[2 * i + 1]!]);
}
