import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** 345 s of BTCUSDT as recorded; the fixtures' README says what was removed. */
export const recordingFile = fileURLToPath(new URL('../fixtures/binance-usdm-btcusdt-345s.jsonl.gz', import.meta.url));

type Side = 'buy' | 'sell';
/** Tenths of a dollar, thousandths of a bitcoin: [price, lots]. */
export type Level = readonly [number, number];

interface Line {
  time: number;
  delta?: true;
  bids?: [string, string][];
  asks?: [string, string][];
  trade?: { price: string; size: string; side: Side };
}

const tape: Line[] = gunzipSync(readFileSync(recordingFile))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

export const firstTime = tape[0]!.time;
export const lastTime = tape.at(-1)!.time;

const integer = (text: string, decimals: number) => {
  const [whole, part = ''] = text.split('.');
  return Number(whole + part.padEnd(decimals, '0').slice(0, decimals));
};
const ticks = (price: string) => integer(price, 1);
const lotsOf = (size: string) => integer(size, 3);

/** USD x 1e8 of [price, lots] pairs: a tick times a lot is 1e-4 USD. */
export const money = (levels: readonly Level[]) =>
  levels.reduce((sum, [price, lots]) => sum + BigInt(price) * BigInt(lots) * 10_000n, 0n);
const divided = (amount: bigint, by: bigint) => (2n * amount + by) / (2n * by);
/** 3 bps of a notional, rounded half up to 1e-8 USD. */
export const feeOf = (notional: bigint) => divided(notional * 3n, 10_000n);
export const usd = (amount: bigint) => Number(amount) / 1e8;
export const sizeOf = (levels: readonly Level[]) => levels.reduce((sum, [, lots]) => sum + lots, 0);

/** A resting order of the account, filled according to simulation 3. */
export class Resting {
  left: number;
  price: number;
  queue: number | null = null;
  readonly fills: { time: number; price: number; lots: number }[] = [];
  readonly side: Side;

  constructor(side: Side, price: number, lots: number) {
    this.side = side;
    this.price = price;
    this.left = lots;
  }
}

/**
 * One account and the market it sees, by plain counting: the book in two maps, what the account took in two more, and
 * its resting orders in a list that is searched for every line. Uses nothing of the engine.
 */
export class ByHand {
  readonly bids = new Map<number, number>();
  readonly asks = new Map<number, number>();
  readonly orders: Resting[] = [];
  time = firstTime;
  private at = 0;
  /** The worst prices to which every level is known. */
  private readonly knownTo = { buy: Number.POSITIVE_INFINITY, sell: 0 };
  private readonly taken = { buy: new Map<number, number>(), sell: new Map<number, number>() };

  get bestBid(): number {
    return Math.max(...this.bids.keys());
  }

  get bestAsk(): number {
    return Math.min(...this.asks.keys());
  }

  /** Twice the mark, in ticks. */
  get twiceMark(): number {
    return this.bestBid + this.bestAsk;
  }

  /** Plays every line up to and including a time; calls `each` after each book. */
  to(time: number, each: () => void = () => {}): this {
    this.until(() => (tape[this.at]?.time ?? Number.POSITIVE_INFINITY) > time, each);
    this.time = Math.max(this.time, time);
    return this;
  }

  /** Plays lines until a condition holds after a book; returns its time. */
  toFirst(condition: () => boolean): number {
    let isMet = false;
    this.until(
      () => isMet,
      () => {
        isMet = condition();
      },
    );
    return this.time;
  }

  /** Takes at most this many lots at prices no worse than a limit; skips what the account has already taken. */
  take(side: Side, lots: number, limit?: number): Level[] {
    const got: Level[] = [];
    let left = lots;
    for (const [price, offered] of this.offered(side, limit)) {
      if (left === 0) break;
      const now = Math.min(left, offered);
      got.push([price, now]);
      this.taken[side].set(price, (this.taken[side].get(price) ?? 0) + now);
      left -= now;
    }
    return got;
  }

  /** What the account may take, best level first. */
  offered(side: Side, limit = side === 'buy' ? Number.POSITIVE_INFINITY : 0): Level[] {
    const book = side === 'buy' ? this.asks : this.bids;
    return [...book]
      .sort(([one], [other]) => (side === 'buy' ? one - other : other - one))
      .filter(([price]) => (side === 'buy' ? price <= limit : price >= limit))
      .map(([price, shown]) => [price, shown - (this.taken[side].get(price) ?? 0)] as const)
      .filter(([, lots]) => lots > 0);
  }

  /** Places an order behind the size displayed at its price. */
  rest(side: Side, price: number, lots: number): Resting {
    const order = new Resting(side, price, lots);
    this.orders.push(order);
    this.look(order);
    return order;
  }

  /** At another price, an order loses its place in the queue. */
  move(order: Resting, price: number): void {
    if (price === order.price || order.left === 0) return;
    order.price = price;
    order.queue = null;
    this.look(order);
  }

  private until(isOver: () => boolean, each: () => void): void {
    while (this.at < tape.length && !isOver()) {
      const line = tape[this.at++]!;
      this.time = line.time;
      if (line.trade !== undefined) this.print(ticks(line.trade.price), lotsOf(line.trade.size), line.trade.side);
      if (line.bids === undefined) continue;
      this.update(this.bids, this.taken.sell, line.bids);
      this.update(this.asks, this.taken.buy, line.asks!);
      this.learn(line);
      for (const order of this.orders) this.look(order);
      this.fillFromBook();
      each();
    }
  }

  private update(book: Map<number, number>, taken: Map<number, number>, levels: [string, string][]): void {
    for (const [price, size] of levels) {
      const lots = lotsOf(size);
      if (lots === 0) book.delete(ticks(price));
      else book.set(ticks(price), lots);
      taken.set(ticks(price), Math.min(taken.get(ticks(price)) ?? 0, lots));
    }
  }

  /** A full book is known to its last level; no order can rest where the other side's best price has been. */
  private learn({ delta, bids, asks }: Line): void {
    if (delta !== true) this.knownTo.buy = Math.min(...bids!.map(([price]) => ticks(price)));
    if (delta !== true) this.knownTo.sell = Math.max(...asks!.map(([price]) => ticks(price)));
    this.knownTo.buy = Math.min(this.knownTo.buy, this.bestAsk);
    this.knownTo.sell = Math.max(this.knownTo.sell, this.bestBid);
  }

  /** The queue is the displayed size when the level is first known, and later never more than the displayed size. */
  private look(order: Resting): void {
    const book = order.side === 'buy' ? this.bids : this.asks;
    const isInRange = order.side === 'buy' ? order.price >= this.knownTo.buy : order.price <= this.knownTo.sell;
    if (!isInRange && !book.has(order.price)) return;
    order.queue = Math.min(order.queue ?? Number.POSITIVE_INFINITY, book.get(order.price) ?? 0);
  }

  private print(price: number, size: number, aggressor: Side): void {
    let given = 0;
    for (const order of this.working(aggressor === 'buy' ? 'sell' : 'buy')) {
      const better = order.side === 'buy' ? order.price - price : price - order.price;
      if (better < 0) continue;
      const queue = better > 0 ? 0 : (order.queue ?? Number.POSITIVE_INFINITY);
      if (better === 0 && order.queue !== null) order.queue = Math.max(0, order.queue - size);
      if (better > 0) order.queue = 0;
      const lots = Math.min(order.left, Math.max(0, size - queue - given));
      given += lots;
      this.fill(order, lots);
    }
  }

  private fillFromBook(): void {
    for (const side of ['buy', 'sell'] as const)
      for (const order of this.byPrice(side)) {
        const lots = sizeOf(this.take(side, order.left, order.price));
        this.fill(order, lots);
      }
  }

  /** In their original order. */
  private working(side: Side): Resting[] {
    return this.orders.filter((order) => order.side === side && order.left > 0);
  }

  private byPrice(side: Side): Resting[] {
    const worse = side === 'buy' ? -1 : 1;
    return this.working(side).sort((one, other) => worse * (one.price - other.price));
  }

  private fill(order: Resting, lots: number): void {
    if (lots === 0) return;
    order.left -= lots;
    order.fills.push({ time: this.time, price: order.price, lots });
  }
}
