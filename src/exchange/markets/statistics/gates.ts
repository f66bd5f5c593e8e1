import { Book } from '../../engine/book/book.ts';
import { defaultRates, rateOf } from '../../engine/defaults.ts';
import type { Lots, MarketDefinition, Ms, Price } from '../../engine/model.ts';
import type { MarketSource, PrintEvent } from '../../engine/source.ts';
import { correlation, type Figure, figure, mean, quantile } from './figures.ts';
import type { Samples } from './samples.ts';
import { Bots, Delayed, Maker, merged, RestingResults, Tally, tallyOf } from './strategies.ts';

const secondMs = 1000;
const minuteSeconds = 60;
/** A maker's order: this many USD, but no more than the median touch. */
const makerUsd = 20_000;
/** Times from a print to its markouts. */
const markoutsMs = [1000, 30_000] as const;
/** A cell of resting orders, and a set of parameters, needs this many results to count. */
const fewestFills = 30;
const fewestTrips = 2000;
/** Lengths of the moves whose autocorrelation is measured, in seconds. */
const returnLengths = [10, 20];

/** A market's measured profit for trading strategies: its figures, and the results of resting orders and bots by name. */
export type Gates = ReturnType<Player['gates']>;

/**
 * Plays a market over (from, to] and measures its gates; bots also look at the market `leader`. `samples` of the market
 * tell how large a touch is.
 */
export function measureGates(
  source: MarketSource,
  definition: MarketDefinition,
  { from, to, samples, leader }: { from: Ms; to: Ms; samples: Samples; leader: string | null },
): Gates {
  const player = new Player(source, definition, from, makerLots(samples), leader);
  const tape = source.open(from);
  tape.watch(definition.marketId, true);
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    player.pass(event.time);
    if (event.kind === 'print') player.takePrint(event);
    else if (event.kind === 'book' || event.kind === 'delta') player.takeBook(event);
  }
  player.pass(to);
  return player.gates();
}

/** Figures of all markets of one class: memory of moves, earnings of resting orders and bots. */
export function pooledFigures(name: string, gates: readonly Gates[]): Figure[] {
  const memories = gates[0]!.figures.filter((one) => one.name.startsWith('autocorrelation of'));
  const resting = pool(gates.map((one) => one.resting));
  const trips = pool(gates.map((one) => one.trips));
  const all = merged(resting.values());
  const bot = bestOf(trips, fewestTrips);
  return [
    ...memories.map((memory) => {
      const values = gates.map(({ figures }) => figures.find((one) => one.name === memory.name)!.value);
      return figure(`${memory.name}, mean of ${name}`, '', mean(values));
    }),
    figure(`resting orders in ${name}, mean + 3 standard errors`, 'bps', all.mean + 3 * all.error),
    figure(`best cell of resting orders in ${name}`, 'errors above 0', bestOf(resting, fewestFills).above),
    figure(`best bot in ${name}`, 'errors above 0', bot.above),
  ];
}

function pool(results: readonly ReadonlyMap<string, Tally>[]): Map<string, Tally> {
  const pools = new Map<string, Tally>();
  for (const tallies of results) for (const [name, tally] of tallies) tallyOf(pools, name).merge(tally);
  return pools;
}

/** The tally that is the most standard errors above 0. */
function bestOf(tallies: ReadonlyMap<string, Tally>, fewest: number): { name: string; above: number } {
  let best = { name: '', above: Number.NaN };
  for (const [name, tally] of tallies) {
    const above = tally.above(fewest);
    if (!(above <= best.above) && !Number.isNaN(above)) best = { name, above };
  }
  return best;
}

function makerLots({ definition, touchUsd, mids }: Samples): Lots {
  const usd = Math.min(makerUsd, quantile(touchUsd, 0.5));
  return Math.max(1, Math.round((usd / quantile(mids, 0.5)) * 10 ** definition.sizeDecimals));
}

class Player {
  private readonly book = new Book();
  private readonly replay = new Replay();
  private readonly resting: RestingResults;
  private readonly bots: Bots;
  private readonly makers: readonly [back: Maker, front: Maker];
  private readonly mids: number[] = [];
  private readonly markouts = markoutsMs.map((later) => ({
    later,
    waiting: new Delayed<{ at: Ms; time: Ms; sign: number; mid: number }>(),
    tally: new Tally(),
  }));
  private readonly source: MarketSource;
  private readonly leader: string | null;
  private readonly firstSecond: Ms;
  private nextSecond: Ms;

  constructor(source: MarketSource, definition: MarketDefinition, from: Ms, lots: Lots, leader: string | null) {
    this.source = source;
    this.leader = leader;
    this.firstSecond = this.nextSecond = Math.ceil((from + 1) / secondMs) * secondMs;
    const feeBps = rateOf(defaultRates.feeBps, definition.category);
    this.resting = new RestingResults(feeBps);
    this.bots = new Bots(feeBps);
    const start = source.book(definition.marketId, from);
    if (start !== null) this.book.load(start);
    this.makers = [new Maker(lots, false), new Maker(lots, true)];
  }

  pass(time: Ms): void {
    const { book } = this;
    for (; this.nextSecond < time; this.nextSecond += secondMs) {
      this.mids.push(book.mid);
      const leader = this.leader === null ? null : this.source.book(this.leader, this.nextSecond);
      this.bots.look(this.nextSecond, book, leader === null ? Number.NaN : leader.bids[0]! + leader.asks[0]!);
    }
    this.resting.pass(time, book);
    for (const { waiting, tally } of this.markouts)
      waiting.takeBefore(time, (one) => {
        const markout = one.sign * (book.mid / one.mid - 1) * 1e4;
        if (!Number.isNaN(markout)) tally.add(markout, one.time);
      });
  }

  takePrint(print: PrintEvent): void {
    const { book, replay, resting, makers } = this;
    replay.takePrint(print, book);
    resting.takePrint(print, book);
    for (const maker of makers) maker.takePrint(print, book);
    const { time, side } = print;
    const sign = side === 'buy' ? 1 : -1;
    for (const { later, waiting } of this.markouts) waiting.add({ at: time + later, time, sign, mid: book.mid });
  }

  takeBook(event: Parameters<Book['replace']>[2] & { kind: 'book' | 'delta'; time: Ms; sequence: number }): void {
    const { book } = this;
    if (event.kind === 'book') book.replace(event.time, event.sequence, event);
    else book.update(event.time, event.sequence, event);
    this.replay.takeBook(event.time, book);
    this.resting.takeBook(event.time, book);
    for (const maker of this.makers) maker.takeBook(book);
  }

  gates() {
    const { replay, resting, bots, makers, markouts } = this;
    const all = merged(resting.cells.values());
    const cell = bestOf(resting.cells, fewestFills);
    const bot = bestOf(bots.trips, fewestTrips);
    const share = (part: number, whole: number) => (100 * part) / whole;
    const figures = [
      figure('volume printed outside the neighboring books', '%', share(replay.beyond, replay.lots)),
      figure('wick of a minute beyond its best prices, largest', 'bps', replay.wick),
      figure('prints through the displayed touch', '%', share(replay.through, replay.prints)),
      figure('volume that the book did not display', '%', share(replay.missing, replay.lots)),
      figure('maker at the back of both touches, share of volume', 'x', makers[0].filled / replay.lots),
      figure('maker at their front, share of volume', 'x', makers[1].filled / replay.lots),
      ...markouts.map(({ later, tally }) =>
        figure(`markout from the mid before, ${later / 1000} s`, 'bps', tally.mean),
      ),
      figure('markout after 30 s, relative to 1 s', 'x', markouts[1]!.tally.mean / markouts[0]!.tally.mean),
      ...returnLengths.flatMap((length) => this.autocorrelations(length)),
      figure('resting orders, mean result', 'bps', all.mean),
      figure('resting orders, mean + 3 standard errors', 'bps', all.mean + 3 * all.error),
      figure('best cell of resting orders', 'errors above 0', cell.above),
      figure('best bot', 'errors above 0', bot.above),
    ];
    return { figures, resting: resting.cells, trips: bots.trips };
  }

  /** Of moves that follow each other: all, those inside one minute, and those that meet at a minute's end. */
  private autocorrelations(length: number): Figure[] {
    const pairs = { all: [[], []], inside: [[], []], across: [[], []] } as Record<string, [number[], number[]]>;
    const first = Math.round(this.firstSecond / secondMs);
    for (let at = length; at + length < this.mids.length; at += 1) {
      const before = this.mids[at]! / this.mids[at - length]! - 1;
      const after = this.mids[at + length]! / this.mids[at]! - 1;
      const second = (first + at) % minuteSeconds;
      const isInside = second >= length && second + length <= minuteSeconds;
      const isAcross = second <= 2 || second >= minuteSeconds - 2;
      for (const [name, isIn] of [
        ['all', true],
        ['inside', isInside],
        ['across', isAcross],
      ] as const) {
        if (!isIn) continue;
        pairs[name]![0].push(before);
        pairs[name]![1].push(after);
      }
    }
    const where = { all: '', inside: ', inside a minute', across: ', across its end' };
    return Object.entries(where).map(([name, words]) =>
      figure(`autocorrelation of ${length} s moves${words}`, '', correlation(pairs[name]![0], pairs[name]![1])),
    );
  }
}

const minuteMs = 60_000;

/** Compares the prints between two books with what the books show. */
class Replay {
  lots = 0;
  prints = 0;
  /** Lots at prices that neither neighboring book reaches; prints beyond the displayed touch. */
  beyond = 0;
  through = 0;
  /** Lots that the book before did not display, or no longer after the prints since. */
  missing = 0;
  /** How far a minute's prints go beyond the best prices of its books, at most, in basis points. */
  wick = 0;
  private bid: Price = Number.NaN;
  private ask: Price = Number.NaN;
  private since: { price: Price; size: Lots; side: 1 | -1 }[] = [];
  private readonly taken = new Map<Price, Lots>();
  private minute = Number.NaN;
  private readonly shown = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  private readonly printed = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  takePrint({ price, size, side, time }: PrintEvent, book: Book): void {
    this.pass(time);
    if (Number.isNaN(this.bid)) return;
    const sign = side === 'buy' ? 1 : -1;
    this.prints += 1;
    this.lots += size;
    if (sign > 0 ? price > this.ask : price < this.bid) this.through += 1;
    const own = sign > 0 ? book.asks : book.bids;
    const taken = this.taken.get(sign * price) ?? 0;
    this.missing += Math.max(0, taken + size - Math.max(taken, own.sizeAt(price)));
    this.taken.set(sign * price, taken + size);
    this.since.push({ price, size, side: sign });
    this.printed[0] = Math.min(this.printed[0]!, price);
    this.printed[1] = Math.max(this.printed[1]!, price);
  }

  takeBook(time: Ms, book: Book): void {
    this.pass(time);
    const [bid, ask] = [book.bids.best, book.asks.best];
    const [low, high] = [Math.min(bid, this.bid), Math.max(ask, this.ask)];
    for (const { price, size } of this.since) if (price < low || price > high) this.beyond += size;
    this.since = [];
    this.taken.clear();
    this.bid = bid;
    this.ask = ask;
    this.show();
  }

  private show(): void {
    if (this.bid < this.shown[0]!) this.shown[0] = this.bid;
    if (this.ask > this.shown[1]!) this.shown[1] = this.ask;
  }

  private pass(time: Ms): void {
    const minute = Math.floor(time / minuteMs);
    if (minute === this.minute) return;
    this.minute = minute;
    const beyond = Math.max(this.printed[1]! / this.shown[1]!, this.shown[0]! / this.printed[0]!) - 1;
    if (Number.isFinite(beyond)) this.wick = Math.max(this.wick, beyond * 1e4);
    this.shown[0] = this.printed[0] = Number.POSITIVE_INFINITY;
    this.shown[1] = this.printed[1] = Number.NEGATIVE_INFINITY;
    this.show();
  }
}
