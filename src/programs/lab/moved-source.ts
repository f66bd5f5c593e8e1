import type { Lots, Ms, Price } from '../../exchange/engine/model.ts';
import type { BookSnapshot, MarketEvent, MarketSource, Tape, VenueMarks } from '../../exchange/engine/source.ts';

/** How one market is moved: prices up by so much, sizes by some lots for each price, times by so many ms. */
export interface MarketMove {
  readonly by: Price;
  readonly lotsAt: (price: Price) => Lots;
  readonly laterMs: Ms;
}

/** The same markets, some ms later. */
export function laterSource(source: MarketSource, laterMs: Ms): MarketSource {
  const move: MarketMove = { by: 0, lotsAt: () => 0, laterMs };
  return {
    name: source.name,
    definitions: source.definitions,
    book(marketId, time) {
      const book = source.book(marketId, time - laterMs);
      return book === null ? null : movedBook(book, move);
    },
    open: (from) => laterTape(source.open(from - laterMs), move),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from - laterMs, to - laterMs, asOf - laterMs),
    ...(source.hasMarks === undefined ? {} : { hasMarks: (marketId: string) => source.hasMarks!(marketId) }),
  };
}

function laterTape(tape: Tape, move: MarketMove): Tape {
  const { laterMs } = move;
  return {
    watch: (marketId, on, prints) => tape.watch(marketId, on, prints),
    peek(until) {
      const time = tape.peek(until - laterMs);
      return time === null ? null : time + laterMs;
    },
    next(until) {
      const event = tape.next(until - laterMs);
      return event === null ? null : movedEvent(event, move);
    },
  };
}

/** An event as it is on a moved market. */
export function movedEvent(event: MarketEvent, move: MarketMove): MarketEvent {
  const { by, lotsAt, laterMs } = move;
  const time = event.time + laterMs;
  if (event.kind === 'gap')
    return { ...event, time, ...(event.since !== undefined && { since: event.since + laterMs }) };
  if (event.kind === 'gap_end') return { ...event, time };
  if (event.kind === 'marks') return { ...event, ...movedMarks(event, move) };
  if (event.kind === 'print') {
    const { tradedAt } = event;
    const [price, size] = [event.price + by, event.size + lotsAt(event.price)];
    return { ...event, time, price, size, ...(tradedAt !== undefined && { tradedAt: tradedAt + laterMs }) };
  }
  return { ...event, time, bids: raisedLevels(event.bids, move), asks: raisedLevels(event.asks, move) };
}

/** A book as it is on a moved market. */
export function movedBook(
  { bidsKnownTo, asksKnownTo, marks, gap, ...book }: BookSnapshot,
  move: MarketMove,
): BookSnapshot {
  const { by, laterMs } = move;
  return {
    ...book,
    time: book.time + laterMs,
    bids: raisedLevels(book.bids, move),
    asks: raisedLevels(book.asks, move),
    ...(bidsKnownTo === undefined ? {} : { bidsKnownTo: bidsKnownTo + by }),
    ...(asksKnownTo === undefined ? {} : { asksKnownTo: asksKnownTo + by }),
    ...(gap === undefined ? {} : { gap: { ...gap, since: gap.since + laterMs } }),
    ...(marks === undefined ? {} : { marks: { ...marks, ...movedMarks(marks, move) } }),
  };
}

/** Flat [price, size, ...]; a size of 0 removes its level. */
function raisedLevels(levels: ArrayLike<number>, { by, lotsAt }: MarketMove): number[] {
  return Array.from(levels, (value, at) => {
    if (at % 2 === 0) return value + by;
    return value === 0 ? 0 : value + lotsAt(levels[at - 1]!);
  });
}

function movedMarks({ time, mark, index, nextFundingAt }: VenueMarks, { by, laterMs }: MarketMove) {
  return {
    time: time + laterMs,
    mark: mark + 2 * by,
    index: index === null ? null : index + 2 * by,
    nextFundingAt: nextFundingAt === null ? null : nextFundingAt + laterMs,
  };
}
