import type { Lots, Ms, Price } from '../engine/model.ts';
import type { BookSnapshot, MarketEvent, MarketSource, Tape, VenueMarks } from '../engine/source.ts';

/** How a market is moved: its prices up by so many ticks, its sizes by so many lots, its times by so many ms. */
export interface Move {
  readonly ticks: number;
  readonly lots: Lots;
  readonly laterMs: Ms;
}

/** The move of one market. */
interface MarketMove {
  readonly by: Price;
  readonly lots: Lots;
  readonly laterMs: Ms;
}

/**
 * The same markets later, with every price so many ticks higher and every size some lots larger; prices whose tick depends
 * on the price are as they were. Who reads how prices move sees no difference.
 */
export function movedSource(source: MarketSource, { ticks, lots, laterMs }: Move): MarketSource {
  const moves = new Map(
    source.definitions.map(({ marketId, tick }) => [marketId, { by: (tick ?? 0) * ticks, lots, laterMs }]),
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
  const { by, lots, laterMs } = move;
  const time = event.time + laterMs;
  if (event.kind === 'gap')
    return { ...event, time, ...(event.since !== undefined && { since: event.since + laterMs }) };
  if (event.kind === 'gap_end') return { ...event, time };
  if (event.kind === 'marks') return { ...event, ...movedMarks(event, move) };
  if (event.kind === 'print') {
    const { tradedAt } = event;
    const [price, size] = [event.price + by, event.size + lots];
    return { ...event, time, price, size, ...(tradedAt !== undefined && { tradedAt: tradedAt + laterMs }) };
  }
  return { ...event, time, bids: raisedLevels(event.bids, move), asks: raisedLevels(event.asks, move) };
}

function movedBook({ bidsKnownTo, asksKnownTo, marks, gap, ...book }: BookSnapshot, move: MarketMove): BookSnapshot {
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
function raisedLevels(levels: ArrayLike<number>, { by, lots }: MarketMove): number[] {
  return Array.from(levels, (value, at) => {
    if (at % 2 === 0) return value + by;
    return value === 0 ? 0 : value + lots;
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
