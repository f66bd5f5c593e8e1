import type { Ms, Price } from '../engine/model.ts';
import type { BookSnapshot, MarketEvent, MarketSource, Tape, VenueMarks } from '../engine/source.ts';

/** How a market is moved: its prices up by so many ticks, its times by so many ms. */
export interface Move {
  readonly ticks: number;
  readonly laterMs: Ms;
}

/** The move of one market. */
interface MarketMove {
  readonly by: Price;
  readonly laterMs: Ms;
}

/**
 * The same markets later, with every price so many ticks higher; prices whose tick depends on the price are as they were.
 * Who reads how prices move sees no difference.
 */
export function movedSource(source: MarketSource, { ticks, laterMs }: Move): MarketSource {
  const moves = new Map(
    source.definitions.map(({ marketId, tick }) => [marketId, { by: (tick ?? 0) * ticks, laterMs }]),
  );
  return {
    name: source.name,
    definitions: source.definitions,
    book(marketId, time) {
      const book = source.book(marketId, time - laterMs);
      return book === null ? null : movedBook(book, moves.get(marketId)!);
    },
    open: (from) => movedTape(source.open(from - laterMs), laterMs, moves),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from - laterMs, to - laterMs, asOf - laterMs),
    ...(source.hasMarks === undefined ? {} : { hasMarks: (marketId: string) => source.hasMarks!(marketId) }),
  };
}

function movedTape(tape: Tape, laterMs: Ms, moves: ReadonlyMap<string, MarketMove>): Tape {
  return {
    // The interest in prints is at moved prices, so the tape returns all of them.
    watch: (marketId, on) => tape.watch(marketId, on),
    peek(until) {
      const time = tape.peek(until - laterMs);
      return time === null ? null : time + laterMs;
    },
    next(until) {
      const event = tape.next(until - laterMs);
      return event === null ? null : movedEvent(event, moves.get(event.marketId)!);
    },
  };
}

function movedEvent(event: MarketEvent, move: MarketMove): MarketEvent {
  const { by, laterMs } = move;
  const time = event.time + laterMs;
  if (event.kind === 'gap')
    return { ...event, time, ...(event.since !== undefined && { since: event.since + laterMs }) };
  if (event.kind === 'gap_end') return { ...event, time };
  if (event.kind === 'marks') return { ...event, ...movedMarks(event, move) };
  if (event.kind === 'print') {
    const { tradedAt } = event;
    return { ...event, time, price: event.price + by, ...(tradedAt !== undefined && { tradedAt: tradedAt + laterMs }) };
  }
  return { ...event, time, bids: raisedLevels(event.bids, by), asks: raisedLevels(event.asks, by) };
}

function movedBook({ bidsKnownTo, asksKnownTo, marks, gap, ...book }: BookSnapshot, move: MarketMove): BookSnapshot {
  const { by, laterMs } = move;
  return {
    ...book,
    time: book.time + laterMs,
    bids: raisedLevels(book.bids, by),
    asks: raisedLevels(book.asks, by),
    ...(bidsKnownTo === undefined ? {} : { bidsKnownTo: bidsKnownTo + by }),
    ...(asksKnownTo === undefined ? {} : { asksKnownTo: asksKnownTo + by }),
    ...(gap === undefined ? {} : { gap: { ...gap, since: gap.since + laterMs } }),
    ...(marks === undefined ? {} : { marks: { ...marks, ...movedMarks(marks, move) } }),
  };
}

/** Flat [price, size, ...]. */
function raisedLevels(levels: ArrayLike<number>, by: Price): number[] {
  return Array.from(levels, (value, at) => (at % 2 === 0 ? value + by : value));
}

function movedMarks({ time, mark, index, nextFundingAt }: VenueMarks, { by, laterMs }: MarketMove) {
  return {
    time: time + laterMs,
    mark: mark + 2 * by,
    index: index === null ? null : index + 2 * by,
    nextFundingAt: nextFundingAt === null ? null : nextFundingAt + laterMs,
  };
}
