import type { Lots, Ms, Price } from '../../exchange/engine/model.ts';
import type { BookSnapshot, MarketEvent, MarketSource, Tape, VenueMarks } from '../../exchange/engine/source.ts';

/** The shift of one market: prices by a fixed amount, sizes by some lots for each price, times by this function. */
export interface MarketMove {
  readonly by: Price;
  readonly lotsAt: (price: Price) => Lots;
  readonly at: (time: Ms) => Ms;
}

/** The arrival of markets: some ms later, and stretched from a time on. */
export interface Later {
  readonly byMs: Ms;
  readonly from: Ms;
  /** With few binary digits, so that times are exact. */
  readonly stretch: number;
}

/** The shifted time of an event. */
export function laterAt({ byMs, from, stretch }: Later, time: Ms): Ms {
  return from + byMs + Math.ceil((time - from) * stretch);
}

/** The same markets later, and more slowly. */
export function laterSource(source: MarketSource, later: Later): MarketSource {
  const move: MarketMove = { by: 0, lotsAt: () => 0, at: (time) => laterAt(later, time) };
  const { byMs, from, stretch } = later;
  /** The last time whose shifted time isn't after another. */
  const back = (time: Ms) => from + Math.floor((time - byMs - from) / stretch);
  return {
    name: source.name,
    definitions: source.definitions,
    book(marketId, time) {
      const book = source.book(marketId, back(time));
      return book === null ? null : movedBook(book, move);
    },
    open: (time) => laterTape(source.open(back(time)), move, back),
    volume: (marketId, begin, to, asOf) => source.volume(marketId, back(begin), back(to), back(asOf)),
    ...(source.hasMarks === undefined ? {} : { hasMarks: (marketId: string) => source.hasMarks!(marketId) }),
  };
}

function laterTape(tape: Tape, move: MarketMove, back: (time: Ms) => Ms): Tape {
  return {
    watch: (marketId, on, prints) => tape.watch(marketId, on, prints),
    peek(until) {
      const time = tape.peek(back(until));
      return time === null ? null : move.at(time);
    },
    next(until) {
      const event = tape.next(back(until));
      return event === null ? null : movedEvent(event, move);
    },
  };
}

/** An event as it is on a moved market. */
export function movedEvent(event: MarketEvent, move: MarketMove): MarketEvent {
  const { by, lotsAt, at } = move;
  const time = at(event.time);
  if (event.kind === 'gap') return { ...event, time, ...(event.since !== undefined && { since: at(event.since) }) };
  if (event.kind === 'gap_end') return { ...event, time };
  if (event.kind === 'marks') return { ...event, ...movedMarks(event, move) };
  if (event.kind === 'print') {
    const { tradedAt } = event;
    const [price, size] = [event.price + by, event.size + lotsAt(event.price)];
    return { ...event, time, price, size, ...(tradedAt !== undefined && { tradedAt: at(tradedAt) }) };
  }
  return { ...event, time, bids: raisedLevels(event.bids, move), asks: raisedLevels(event.asks, move) };
}

/** A book as it is on a moved market. */
export function movedBook(
  { bidsKnownTo, asksKnownTo, marks, gap, ...book }: BookSnapshot,
  move: MarketMove,
): BookSnapshot {
  const { by, at } = move;
  return {
    ...book,
    time: at(book.time),
    bids: raisedLevels(book.bids, move),
    asks: raisedLevels(book.asks, move),
    ...(bidsKnownTo === undefined ? {} : { bidsKnownTo: bidsKnownTo + by }),
    ...(asksKnownTo === undefined ? {} : { asksKnownTo: asksKnownTo + by }),
    ...(gap === undefined ? {} : { gap: { ...gap, since: at(gap.since) } }),
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

function movedMarks({ time, mark, index, nextFundingAt }: VenueMarks, { by, at }: MarketMove) {
  return {
    time: at(time),
    mark: mark + 2 * by,
    index: index === null ? null : index + 2 * by,
    nextFundingAt: nextFundingAt === null ? null : at(nextFundingAt),
  };
}
