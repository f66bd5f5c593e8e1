import type { Ms } from '../engine/model.ts';
import type { MarketSource } from '../engine/source.ts';
import {
  type Bar,
  type BarInterval,
  type BarSource,
  barOf,
  barStart,
  firstFrom,
  joined,
  type MarketData,
  PieceSize,
  type PrintSum,
  PrintSums,
  startsOf,
} from './bars.ts';

const minuteMs = 60_000;
/** How far back to play a source whose data has no start. */
const endlessHistoryMs = 24 * 60 * minuteMs;

/** A market's minutes with prints, all before `to`. */
type KnownMinutes = (marketId: string) => { readonly to: Ms; readonly minutes: PrintSum[] };

/**
 * The part of a market that has been played: its minutes with prints, in order, from `from` (inclusive) to `to`
 * (exclusive).
 */
interface Played {
  from: Ms;
  to: Ms;
  minutes: PrintSum[];
}

/** A source's own history, or one made by playing it; see PlayedBars for `firstTime`. */
export function barsOf(source: MarketSource | MarketData, firstTime: Ms | null): BarSource {
  return 'bars' in source ? source : new PlayedBars(source, firstTime);
}

/**
 * Bars of a source that can't compute them itself: each print is played once and added to its minute. `firstTime` is
 * the start of the source's data; null if it has none, and bars then reach back one day from the first request. `known`
 * is a market's minutes up to a time (exclusive), which need not be played.
 */
export class PlayedBars implements BarSource {
  readonly #source: MarketSource;
  #firstTime: Ms | null;
  readonly #known: KnownMinutes | undefined;
  readonly #markets = new Map<string, Played>();

  constructor(source: MarketSource, firstTime: Ms | null, known?: KnownMinutes) {
    this.#source = source;
    this.#firstTime = firstTime;
    this.#known = known;
  }

  /** See MarketData. */
  bars(marketId: string, interval: BarInterval, from: Ms, count: number, until: Ms): Bar[] {
    const starts = startsOf(interval, from, count);
    const end = Math.min(starts[count]!, until + 1);
    this.#firstTime ??= until - endlessHistoryMs;
    this.#ensure(marketId, starts[0]!, end);
    // Looked for only if the first bar has no prints.
    let last: number | null | undefined;
    const sums = interval === '1s' ? this.#seconds(marketId, starts[0]!, end) : this.#minutes(marketId, end);
    const bars: Bar[] = [];
    let at = firstFrom(sums, starts[0]!);
    for (let index = 0; index < count; index += 1) {
      const [openTime, endTime] = [starts[index]!, starts[index + 1]!];
      let sum: PrintSum | null = null;
      for (; at < sums.length && sums[at]!.time < endTime; at += 1)
        sum = sum === null ? { ...sums[at]! } : joined(sum, sums[at]!);
      if (sum !== null) last = sum.close;
      else if (last === undefined) last = atOnce(this.#priceBefore(marketId, Math.min(starts[0]!, end)));
      bars.push(barOf(openTime, endTime, sum, last!));
    }
    return bars;
  }

  /** See MarketData: plays what has not been played yet. */
  *prepareBars(marketId: string, interval: BarInterval, from: Ms, count: number, until: Ms): Generator<void, void> {
    const starts = startsOf(interval, from, count);
    const end = Math.min(starts[count]!, until + 1);
    this.#firstTime ??= until - endlessHistoryMs;
    yield* this.#ensuring(marketId, starts[0]!, end);
    yield* this.#priceBefore(marketId, Math.min(starts[0]!, end));
  }

  #ensure(marketId: string, from: Ms, to: Ms): void {
    atOnce(this.#ensuring(marketId, from, to));
  }

  /** Plays [from, to) unless it has been played already; other requests may play parts of it in between. */
  *#ensuring(marketId: string, from: Ms, to: Ms): Generator<void, void> {
    const begin = minuteOf(Math.max(from, this.#firstTime!));
    let played = this.#markets.get(marketId);
    if (played === undefined) {
      played = this.#playedBefore(marketId) ?? { from: begin, to: begin, minutes: [] };
      this.#markets.set(marketId, played);
    }
    const size = new PieceSize(minuteMs);
    while (to > played.to) {
      const end = Math.min(to, played.to + size.start());
      const more = this.#play(marketId, played.to, end, minuteMs);
      const last = played.minutes.at(-1);
      if (last !== undefined && more[0]?.time === last.time) joined(last, more.shift()!);
      for (const minute of more) played.minutes.push(minute);
      played.to = end;
      size.end();
      yield;
    }
    while (begin < played.from) {
      const start = Math.max(begin, minuteOf(played.from - Math.max(minuteMs, size.start())));
      played.minutes = [...this.#play(marketId, start, played.from, minuteMs), ...played.minutes];
      played.from = start;
      size.end();
      yield;
    }
  }

  #playedBefore(marketId: string): Played | undefined {
    const known = this.#known?.(marketId);
    return known && { from: minuteOf(this.#firstTime!), ...known };
  }

  /** The minutes before `end`; the last one ends at `end`. */
  #minutes(marketId: string, end: Ms): PrintSum[] {
    const { minutes, from, to } = this.#markets.get(marketId)!;
    if (end >= to) return minutes;
    if (end <= from) return [];
    const lastStart = barStart('1m', end - 1);
    const whole = minutes.slice(0, firstFrom(minutes, lastStart));
    return [...whole, ...this.#play(marketId, lastStart, end, minuteMs)];
  }

  #seconds(marketId: string, from: Ms, to: Ms): PrintSum[] {
    return this.#play(marketId, Math.max(from, this.#markets.get(marketId)!.from), to, 1000);
  }

  /** The last price before a time, which may be in the middle of a minute. Plays as far back as needed. */
  *#priceBefore(marketId: string, time: Ms): Generator<void, number | null> {
    const played = this.#markets.get(marketId)!;
    const start = Math.max(played.from, barStart('1m', time));
    const inMinute = this.#play(marketId, start, time, minuteMs).at(-1);
    if (inMinute !== undefined) return inMinute.close;
    for (let stepMs = minuteMs; ; stepMs *= 2) {
      const before = played.minutes[firstFrom(played.minutes, start) - 1];
      if (before !== undefined) return before.close;
      if (played.from <= this.#firstTime!) return null;
      yield* this.#ensuring(marketId, played.from - stepMs, played.to);
    }
  }

  #play(marketId: string, from: Ms, to: Ms, length: Ms): PrintSum[] {
    if (to <= from) return [];
    const sums = new PrintSums(length);
    const tape = this.#source.open(from - 1);
    tape.watch(marketId, true);
    for (let event = tape.next(to - 1); event !== null; event = tape.next(to - 1))
      if (event.kind === 'print') sums.add(event.time, event.price, event.size);
    return sums.sums;
  }
}

function atOnce<T>(pieces: Generator<void, T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

function minuteOf(time: Ms): Ms {
  return Math.floor(time / minuteMs) * minuteMs;
}
