import type { Price } from '../engine/model.ts';
import type { BookSnapshot, MarketEvent, MarketSource, Tape, VenueMarks } from '../engine/source.ts';

/**
 * The same markets with every price so many ticks higher; those whose tick depends on the price are as they were. Who
 * reads how prices move sees no difference.
 */
export function raisedSource(source: MarketSource, ticks: number): MarketSource {
  const raises = new Map(source.definitions.map(({ marketId, tick }) => [marketId, (tick ?? 0) * ticks]));
  return {
    name: source.name,
    definitions: source.definitions,
    book(marketId, time) {
      const book = source.book(marketId, time);
      return book === null ? null : raisedBook(book, raises.get(marketId)!);
    },
    open: (from) => raisedTape(source.open(from), raises),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from, to, asOf),
    ...(source.hasMarks === undefined ? {} : { hasMarks: (marketId: string) => source.hasMarks!(marketId) }),
  };
}

function raisedTape(tape: Tape, raises: ReadonlyMap<string, Price>): Tape {
  return {
    // The interest in prints is at raised prices, so the tape returns all of them.
    watch: (marketId, on) => tape.watch(marketId, on),
    peek: (until) => tape.peek(until),
    next(until) {
      const event = tape.next(until);
      return event === null ? null : raisedEvent(event, raises.get(event.marketId)!);
    },
  };
}

function raisedEvent(event: MarketEvent, by: Price): MarketEvent {
  if (event.kind === 'gap' || event.kind === 'gap_end') return event;
  if (event.kind === 'marks') return { ...event, ...raisedMarks(event, by) };
  if (event.kind === 'print') return { ...event, price: event.price + by };
  return { ...event, bids: raisedLevels(event.bids, by), asks: raisedLevels(event.asks, by) };
}

function raisedBook({ bidsKnownTo, asksKnownTo, marks, ...book }: BookSnapshot, by: Price): BookSnapshot {
  return {
    ...book,
    bids: raisedLevels(book.bids, by),
    asks: raisedLevels(book.asks, by),
    ...(bidsKnownTo === undefined ? {} : { bidsKnownTo: bidsKnownTo + by }),
    ...(asksKnownTo === undefined ? {} : { asksKnownTo: asksKnownTo + by }),
    ...(marks === undefined ? {} : { marks: { ...marks, ...raisedMarks(marks, by) } }),
  };
}

/** Flat [price, size, ...]. */
function raisedLevels(levels: ArrayLike<number>, by: Price): number[] {
  return Array.from(levels, (value, at) => (at % 2 === 0 ? value + by : value));
}

function raisedMarks({ mark, index }: VenueMarks, by: Price): Pick<VenueMarks, 'mark' | 'index'> {
  return { mark: mark + 2 * by, index: index === null ? null : index + 2 * by };
}
