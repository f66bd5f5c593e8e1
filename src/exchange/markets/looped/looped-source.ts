import { Book } from '../../engine/book/book.ts';
import type { Ms } from '../../engine/model.ts';
import type { BookSnapshot, MarketSource } from '../../engine/source.ts';
import type { MarketData } from '../bars.ts';
import { PlayedBars } from '../played-bars.ts';
import { Loop, type TapeTimes } from './loop.ts';
import { LoopedBars } from './looped-bars.ts';
import { LoopedTape, laterMarks, seam } from './looped-tape.ts';

export { shiftTo } from './loop.ts';

/** A tape that repeats without end, shifted in time (simulation 9.2); `shift` comes from {@link shiftTo}. */
export function loopedSource(source: MarketSource | MarketData, times: TapeTimes, shift: Ms): MarketData {
  const loop = new Loop(times, shift);
  const tapeBars = 'bars' in source ? source : new PlayedBars(source, times.firstTime);
  const bars = new LoopedBars(tapeBars, loop);
  return {
    name: source.name,
    definitions: source.definitions,
    book: (marketId, time) => bookAt(source, loop, marketId, time),
    open: (from) => new LoopedTape(source, loop, from),
    hasMarks: (marketId) => source.hasMarks?.(marketId) === true,
    volume(marketId, from, to, asOf) {
      const offset = loop.offsetOf(loop.passOf(asOf));
      return source.volume(marketId, from - offset, to - offset, asOf - offset);
    },
    bars: (marketId, interval, from, count, until) => bars.bars(marketId, interval, from, count, until),
    prepareBars: (marketId) => bars.prepareBars(marketId),
  };
}

function bookAt(source: MarketSource, loop: Loop, marketId: string, time: Ms): BookSnapshot | null {
  const pass = loop.passOf(time);
  if (time >= loop.endOf(pass)) return lost(source, loop, marketId, pass);
  const offset = loop.offsetOf(pass);
  const found = source.book(marketId, time - offset);
  if (found === null || found.time === Number.NEGATIVE_INFINITY) return lost(source, loop, marketId, pass - 1);
  return laterBook(found, offset);
}

/** After the end of a pass: as last known, in a gap. Null if the tape has no book of the market. */
function lost(source: MarketSource, loop: Loop, marketId: string, pass: number): BookSnapshot | null {
  const last = source.book(marketId, loop.lastTime);
  if (last === null || last.time === Number.NEGATIVE_INFINITY) return null;
  const { gap, ...known } = laterBook(last, loop.offsetOf(pass));
  const book = new Book();
  book.load(known);
  book.lose(gap ?? { since: loop.endOf(pass), reason: seam });
  return book.snapshot();
}

function laterBook(book: BookSnapshot, byMs: Ms): BookSnapshot {
  const { gap, marks } = book;
  return {
    ...book,
    time: book.time + byMs,
    ...(gap !== undefined && { gap: { ...gap, since: gap.since + byMs } }),
    ...(marks !== undefined && { marks: laterMarks(marks, byMs) }),
  };
}
