import type { Book } from '../../engine/book/book.ts';
import type { Lots, Ms, Price } from '../../engine/model.ts';
import type { PrintEvent } from '../../engine/source.ts';

/** Distances from the touch, in basis points, and how long a filled order's position is held. */
const distances = [0, 2, 5, 10, 20, 30, 40, 60, 100];
const holdsMs = [1000, 5000, 30_000, 300_000];
/** An order that does not chase is placed again after this time. */
const restMs = 60_000;

/** A small order resting at a distance from the best price of its side. */
interface Resting {
  sign: 1 | -1;
  distance: number;
  /** Whether it follows every book. */
  chases: boolean;
  price: Price;
  queue: Lots;
  placedAt: Ms;
}

/**
 * The profit of small resting orders: bought and sold at every distance from the touch, closed at market some time
 * later, in basis points after fees. Cells are named by kind, distance and time held.
 */
export class RestingResults {
  readonly cells = new Map<string, Tally>();
  private readonly orders: Resting[] = [];
  /** Filled orders that wait to be closed, in order of time, for each time held. */
  private readonly held = holdsMs.map((hold) => ({
    hold,
    waiting: new Delayed<{ at: Ms; sign: number; price: Price; tally: Tally }>(),
  }));
  private readonly fees: number;

  /** `feeBps`: of one fill. */
  constructor(feeBps: number) {
    this.fees = 2 * feeBps;
    for (const sign of [1, -1] as const)
      for (const distance of distances)
        for (const chases of [true, false])
          this.orders.push({ sign, distance, chases, price: Number.NaN, queue: 0, placedAt: 0 });
  }

  /** Closes the positions that are due before an event at `time`. */
  pass(time: Ms, book: Book): void {
    for (const { waiting } of this.held)
      waiting.takeBefore(time, ({ at, sign, price, tally }) => {
        const exit = sign > 0 ? book.bids.best : book.asks.best;
        if (exit > 0) tally.add(sign * (exit / price - 1) * 1e4 - this.fees, at);
      });
  }

  /** After a book: it fills the orders that it has reached, and the others may move. */
  takeBook(time: Ms, book: Book): void {
    for (const order of this.orders) {
      const { sign } = order;
      const [own, opposite] = sign > 0 ? [book.bids, book.asks] : [book.asks, book.bids];
      if (sign * opposite.best <= sign * order.price) this.fill(order, time);
      const isDue = order.chases || Number.isNaN(order.price) || time - order.placedAt >= restMs;
      if (!isDue) continue;
      const away = Math.round((own.best * order.distance) / 1e4);
      const price = own.best - sign * away;
      if (price === order.price) continue;
      order.price = price;
      order.placedAt = time;
      order.queue = own.sizeAt(price);
    }
  }

  takePrint({ price, side, size, time }: PrintEvent, book: Book): void {
    const sign = side === 'buy' ? -1 : 1;
    for (const order of this.orders) {
      if (order.sign !== sign || !(sign * price <= sign * order.price)) continue;
      const own = sign > 0 ? book.bids : book.asks;
      order.queue = price === order.price ? Math.min(order.queue, own.sizeAt(price)) - size : -1;
      if (order.queue < 0) this.fill(order, time);
    }
  }

  private fill(order: Resting, time: Ms): void {
    const { sign, price, distance, chases } = order;
    for (const { hold, waiting } of this.held) {
      const name = `${chases ? 'chase' : 'limit'} ${distance} bp, ${hold / 1000} s`;
      waiting.add({ at: time + hold, sign, price, tally: tallyOf(this.cells, name) });
    }
    order.price = Number.NaN;
  }
}

/** A maker that keeps an order of one size at each best price; it joins the queue at its back, or at its front. */
export class Maker {
  filled = 0;
  private readonly size: Lots;
  private readonly isFirst: boolean;
  private readonly orders = [
    { sign: 1, price: Number.NaN, left: 0, queue: 0 },
    { sign: -1, price: Number.NaN, left: 0, queue: 0 },
  ];

  constructor(size: Lots, isFirst: boolean) {
    this.size = size;
    this.isFirst = isFirst;
  }

  takeBook(book: Book): void {
    for (const order of this.orders) {
      const [own, opposite] = order.sign > 0 ? [book.bids, book.asks] : [book.asks, book.bids];
      if (order.sign * opposite.best <= order.sign * order.price) {
        let shown = 0;
        for (let i = opposite.count - 1; i >= 0 && order.sign * opposite.prices[i]! <= order.sign * order.price; i -= 1)
          shown += opposite.sizes[i]!;
        this.fill(order, Math.min(order.left, shown));
      }
      if (order.price === own.best && order.left > 0) order.queue = Math.min(order.queue, own.sizeAt(own.best));
      else {
        order.price = own.best;
        order.left = this.size;
        order.queue = this.isFirst ? 0 : own.sizeAt(own.best);
      }
    }
  }

  takePrint({ price, side, size }: PrintEvent, book: Book): void {
    const order = this.orders[side === 'buy' ? 1 : 0]!;
    if (!(order.sign * price <= order.sign * order.price)) return;
    const before = price === order.price ? order.queue : 0;
    order.queue = Math.max(0, before - size);
    if (size <= before) return;
    this.fill(order, Math.min(order.left, size - before));
    if (order.left > 0) return;
    order.left = this.size;
    const own = order.sign > 0 ? book.bids : book.asks;
    order.queue = this.isFirst ? 0 : own.sizeAt(order.price);
  }

  private fill(order: { left: Lots }, lots: Lots): void {
    this.filled += lots;
    order.left -= lots;
  }
}

/** Memory in seconds, and how fast the usual move of a second is learned. */
const memory = 301;
const learning = 0.002;
const lookbacks = [1, 2, 5, 10, 30, 60, 300];
const strengths = [1, 2, 4];
const holds = [1, 5, 30, 300];

/**
 * Bots that trade at market on a signal, once a second: with or against the last move, a breakout or the imbalance of
 * the touch, or after another market's move. Each set of parameters has its tally of trips, in basis points after
 * spread and fees.
 */
export class Bots {
  readonly trips = new Map<string, Tally>();
  private readonly fees: number;
  private readonly mids = new Float64Array(memory);
  private readonly leaderMids = new Float64Array(memory);
  private usual = 0;
  private leaderUsual = 0;
  private seconds = 0;
  private readonly open: { sign: number; price: Price; tally: Tally }[][] = Array.from({ length: memory }, () => []);

  /** `feeBps`: of one fill. */
  constructor(feeBps: number) {
    this.fees = 2 * feeBps;
  }

  /** Every second: closes what is due, and opens what the signals say. `leader`: the mid of another market, or NaN. */
  look(time: Ms, book: Book, leader: number): void {
    const { seconds, mids, leaderMids } = this;
    const [bid, ask] = [book.bids.best, book.asks.best];
    if (!(bid > 0) || !(ask > 0)) return;
    const place = seconds % memory;
    mids[place] = bid + ask;
    leaderMids[place] = leader;
    for (const { sign, price, tally } of this.open[place]!) {
      tally.add(sign * ((sign > 0 ? bid : ask) / price - 1) * 1e4 - this.fees, time);
    }
    this.open[place] = [];
    this.seconds += 1;
    if (seconds < memory) {
      if (seconds > 0) this.learn(0.02);
      return;
    }
    this.learn(learning);
    this.followMoves(bid, ask);
    this.followBook(book, bid, ask);
    this.followLeader(bid, ask);
  }

  private followMoves(bid: Price, ask: Price): void {
    for (const back of lookbacks) {
      const move = this.move(this.mids, back) / (this.usual * Math.sqrt(back));
      for (const strength of strengths)
        if (Math.abs(move) > strength) this.bothWays(`move of ${back} s over ${strength}`, Math.sign(move), bid, ask);
    }
    for (const back of [60, 300]) {
      const sign = this.breakout(back);
      if (sign !== 0) this.bothWays(`breakout of ${back} s`, sign, bid, ask);
    }
  }

  private followBook(book: Book, bid: Price, ask: Price): void {
    const [bids, asks] = [book.bids.sizeAt(bid), book.asks.sizeAt(ask)];
    const tilt = (bids - asks) / (bids + asks);
    for (const least of [0.3, 0.6, 0.8])
      if (Math.abs(tilt) > least) this.bothWays(`imbalance over ${least}`, Math.sign(tilt), bid, ask);
  }

  private followLeader(bid: Price, ask: Price): void {
    for (const back of [1, 5]) {
      const lead = this.move(this.leaderMids, back) / (this.leaderUsual * Math.sqrt(back));
      const lag = lead - this.move(this.mids, back) / (this.usual * Math.sqrt(back));
      for (const strength of strengths)
        if (Math.abs(lag) > strength) this.bothWays(`leader of ${back} s over ${strength}`, Math.sign(lag), bid, ask);
    }
  }

  private bothWays(name: string, sign: number, bid: Price, ask: Price): void {
    for (const hold of holds) {
      this.enter(`with ${name}, ${hold} s`, sign, hold, sign > 0 ? ask : bid);
      this.enter(`against ${name}, ${hold} s`, -sign, hold, sign > 0 ? bid : ask);
    }
  }

  private enter(name: string, sign: number, hold: number, price: Price): void {
    const tally = tallyOf(this.trips, name);
    this.open[(this.seconds - 1 + hold) % memory]!.push({ sign, price, tally });
  }

  private learn(rate: number): void {
    this.usual = Math.sqrt((1 - rate) * this.usual ** 2 + rate * this.move(this.mids, 1) ** 2);
    this.leaderUsual = Math.sqrt((1 - rate) * this.leaderUsual ** 2 + rate * this.move(this.leaderMids, 1) ** 2);
  }

  /** Relative move of the last seconds. */
  private move(mids: Float64Array, back: number): number {
    const now = this.seconds - 1;
    return mids[now % memory]! / mids[(now - back) % memory]! - 1;
  }

  /** 1 at a new high, -1 at a new low, else 0. */
  private breakout(back: number): number {
    const now = this.seconds - 1;
    const mid = this.mids[now % memory]!;
    let [isHigh, isLow] = [true, true];
    for (let i = 1; i <= back && (isHigh || isLow); i += 1) {
      const before = this.mids[(now - i) % memory]!;
      if (before >= mid) isHigh = false;
      if (before <= mid) isLow = false;
    }
    return isHigh ? 1 : isLow ? -1 : 0;
  }
}

/** Results that come close together depend on each other: they count as one block of this many milliseconds. */
const blockMs = 600_000;

/** Results of a strategy: their mean, and its standard error, as if only the sums of blocks were independent. */
export class Tally {
  count = 0;
  sum = 0;
  private squares = 0;
  private products = 0;
  private counts = 0;
  private block = Number.NaN;
  private blockCount = 0;
  private blockSum = 0;

  add(value: number, time: number): void {
    const block = Math.floor(time / blockMs);
    if (block !== this.block) {
      this.close();
      this.block = block;
    }
    this.count += 1;
    this.sum += value;
    this.blockCount += 1;
    this.blockSum += value;
  }

  /** Adds another market's results. */
  merge(other: Tally): void {
    this.close();
    other.close();
    this.count += other.count;
    this.sum += other.sum;
    this.squares += other.squares;
    this.products += other.products;
    this.counts += other.counts;
  }

  get mean(): number {
    return this.sum / this.count;
  }

  get error(): number {
    this.close();
    const { mean } = this;
    return Math.sqrt(Math.max(0, this.squares - 2 * mean * this.products + mean * mean * this.counts)) / this.count;
  }

  /** The mean's distance above 0 in standard errors; NaN with fewer than `fewest` results. */
  above(fewest: number): number {
    return this.count < fewest ? Number.NaN : this.mean / this.error;
  }

  private close(): void {
    this.squares += this.blockSum ** 2;
    this.products += this.blockSum * this.blockCount;
    this.counts += this.blockCount ** 2;
    this.block = Number.NaN;
    this.blockCount = 0;
    this.blockSum = 0;
  }
}

/** The tally of a name, which begins empty. */
export function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  let tally = tallies.get(name);
  if (tally === undefined) {
    tally = new Tally();
    tallies.set(name, tally);
  }
  return tally;
}

/** All results together. */
export function merged(tallies: Iterable<Tally>): Tally {
  const all = new Tally();
  for (const tally of tallies) all.merge(tally);
  return all;
}

/** What is due at a time; it is added in the order of these times. */
export class Delayed<T extends { readonly at: number }> {
  private waiting: T[] = [];
  private done = 0;

  add(item: T): void {
    this.waiting.push(item);
  }

  /** Takes those that are due before `time`. */
  takeBefore(time: number, take: (item: T) => void): void {
    for (; this.done < this.waiting.length && this.waiting[this.done]!.at < time; this.done += 1)
      take(this.waiting[this.done]!);
    if (this.done <= 4096) return;
    this.waiting = this.waiting.slice(this.done);
    this.done = 0;
  }
}
