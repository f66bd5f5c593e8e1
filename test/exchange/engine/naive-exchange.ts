import type { Command } from '../../../src/exchange/engine/commands.ts';
import type { Lots, Price, Side } from '../../../src/exchange/engine/model.ts';
import type { MarketEvent } from '../../../src/exchange/engine/source.ts';

/** A resting order of the naive exchange. */
interface NaiveOrder {
  number: number;
  place: number;
  accountId: string;
  side: Side;
  price: Price;
  left: Lots;
  queue: Lots | null;
  reduceOnly: boolean;
}

/**
 * A second implementation of the matching rules of simulation 3, for one market, written for readability instead of
 * speed: maps, lists and full scans, no indexes, no money. The fast engine is compared with it.
 */
export class NaiveExchange {
  readonly bids = new Map<Price, Lots>();
  readonly asks = new Map<Price, Lots>();
  /** The worst prices to which the sides are known without a gap. */
  private readonly knownTo = { buy: Infinity, sell: -Infinity };
  orders: NaiveOrder[] = [];
  /** Signed lots held by account. */
  readonly held = new Map<string, Lots>();
  readonly fills: string[] = [];
  private readonly taken = new Map<string, Lots>();
  private numbers = 0;

  /** Everything that can be compared, as text. */
  summary(): string[] {
    const resting = this.orders.map(
      (order) => `${order.number}: ${order.side} ${order.left} at ${order.price}, ${order.queue} ahead`,
    );
    const held = [...this.held]
      .filter(([, lots]) => lots !== 0)
      .map(([accountId, lots]) => `${accountId} holds ${lots}`);
    const taken = [...this.taken].filter(([, lots]) => lots > 0).map(([level, lots]) => `${level} took ${lots}`);
    return [...resting.sort(), ...held.sort(), ...taken.sort(), ...this.fills];
  }

  event(event: MarketEvent): void {
    if (event.kind === 'print') {
      this.print(event.side, event.price, event.size);
      return;
    }
    if (!('bids' in event)) return;
    for (const [levels, flat] of [
      [this.bids, event.bids],
      [this.asks, event.asks],
    ] as const) {
      if (event.kind === 'book') levels.clear();
      for (let at = 0; at < flat.length; at += 2) {
        if (flat[at + 1] === 0) levels.delete(flat[at]!);
        else levels.set(flat[at]!, flat[at + 1]!);
      }
    }
    this.learn(event.kind);
    for (const [key, lots] of this.taken) {
      const [, bookSide, price] = key.split(' ');
      const shown = (bookSide === 'bid' ? this.bids : this.asks).get(Number(price)) ?? 0;
      this.taken.set(key, Math.min(lots, shown));
    }
    for (const order of this.orders) this.look(order);
    for (const side of ['buy', 'sell'] as const) this.fillFromBook(side);
  }

  /** Places, amends or cancels; orders are numbered as they are accepted or refused. There are no rules about money. */
  command(command: Command): void {
    if (command.kind === 'cancel_order') {
      this.orders = this.orders.filter(({ number }) => String(number) !== command.orderId);
    } else if (command.kind === 'amend_order') {
      this.amend(Number(command.orderId), command.price, command.size);
    } else if (command.kind === 'place_order') {
      this.place(command);
    }
  }

  private place(command: Extract<Command, { kind: 'place_order' }>): void {
    const { side, accountId, reduceOnly, limitPrice, timeInForce } = command;
    this.numbers += 1;
    if (!Number.isInteger(command.size)) return;
    const order: NaiveOrder = {
      number: this.numbers,
      place: 0,
      accountId,
      side,
      price: limitPrice ?? (side === 'buy' ? Infinity : 0),
      left: command.size,
      queue: null,
      reduceOnly,
    };
    if (this.fillable(order) === 0) return;
    const rests = command.mode === 'limit' && timeInForce !== 'ioc' && timeInForce !== 'fok';
    const levels = this.reachable(order);
    if (rests && levels.length > 0 && !command.marketableLimitAcknowledged) return;
    const offered = levels.reduce((sum, [price]) => sum + this.offered(order, price), 0);
    if ((command.mode === 'market' || timeInForce === 'fok') && offered < this.fillable(order)) return;
    this.take(order);
    if (rests && order.left > 0 && this.fillable(order) > 0) {
      this.look(order);
      this.line(order);
    }
  }

  private amend(number: number, price: Price, size: Lots | null): void {
    const order = this.orders.find((candidate) => candidate.number === number);
    if (order === undefined || this.reachable({ ...order, price }).length > 0) return;
    const keepsPlace = price === order.price && (size ?? order.left) <= order.left;
    order.price = price;
    order.left = size ?? order.left;
    if (keepsPlace) return;
    order.queue = null;
    this.look(order);
    this.orders = this.orders.filter((other) => other !== order);
    this.line(order);
  }

  private print(aggressor: Side, price: Price, size: Lots): void {
    const given = new Map<string, Lots>();
    const side = aggressor === 'buy' ? 'sell' : 'buy';
    for (const order of this.inLine(side).sort((a, b) => a.place - b.place)) {
      const beyond = aggressor === 'buy' ? price - order.price : order.price - price;
      if (beyond < 0 || !this.orders.includes(order)) continue;
      const queue = beyond > 0 ? 0 : order.queue;
      if (queue === null) continue;
      order.queue = Math.max(0, queue - size);
      const lots = Math.min(size - queue - (given.get(order.accountId) ?? 0), this.fillable(order));
      if (lots <= 0) continue;
      given.set(order.accountId, (given.get(order.accountId) ?? 0) + lots);
      this.fill(order, lots, order.price);
    }
  }

  private fillFromBook(side: Side): void {
    for (const order of this.inLine(side)) if (this.orders.includes(order)) this.take(order);
  }

  /** Takes the reachable levels in one execution. */
  private take(order: NaiveOrder): void {
    let lots = 0;
    for (const [price] of this.reachable(order)) {
      const here = Math.min(this.offered(order, price), this.fillable(order) - lots);
      if (here <= 0) continue;
      lots += here;
      const key = this.levelKey(order, price);
      this.taken.set(key, (this.taken.get(key) ?? 0) + here);
    }
    if (lots > 0) this.fill(order, lots, order.price);
  }

  private fill(order: NaiveOrder, lots: Lots, price: Price): void {
    this.fills.push(`${order.number} ${order.side} ${lots} within ${price}`);
    order.left -= lots;
    const before = this.held.get(order.accountId) ?? 0;
    const after = before + (order.side === 'buy' ? lots : -lots);
    this.held.set(order.accountId, after);
    const isGone = before !== 0 && Math.sign(before) !== Math.sign(after);
    this.orders = this.orders.filter(
      (other) =>
        other.left > 0 &&
        !(isGone && other.accountId === order.accountId && other.reduceOnly && other.side === order.side),
    );
  }

  /** Opposite levels at or through the order's price, best first. */
  private reachable(order: Pick<NaiveOrder, 'side' | 'price'>): [Price, Lots][] {
    if (order.side === 'buy') return [...this.asks].filter(([price]) => price <= order.price).sort(([a], [b]) => a - b);
    return [...this.bids].filter(([price]) => price >= order.price).sort(([a], [b]) => b - a);
  }

  private offered(order: NaiveOrder, price: Price): Lots {
    const shown = (order.side === 'buy' ? this.asks : this.bids).get(price) ?? 0;
    return Math.max(0, shown - (this.taken.get(this.levelKey(order, price)) ?? 0));
  }

  private levelKey(order: NaiveOrder, price: Price): string {
    return `${order.accountId} ${order.side === 'buy' ? 'ask' : 'bid'} ${price}`;
  }

  /** How much it may fill: a reduction never more than the opposite position of its account. */
  private fillable(order: NaiveOrder): Lots {
    if (!order.reduceOnly) return order.left;
    const held = this.held.get(order.accountId) ?? 0;
    return Math.min(order.left, Math.max(0, order.side === 'buy' ? -held : held));
  }

  /** A full book is known to its last level; nothing can rest at prices that the other side has reached. */
  private learn(kind: 'book' | 'delta'): void {
    const { knownTo } = this;
    if (kind === 'book') {
      knownTo.buy = this.bids.size === 0 ? Infinity : Math.min(...this.bids.keys());
      knownTo.sell = this.asks.size === 0 ? -Infinity : Math.max(...this.asks.keys());
    }
    knownTo.buy = Math.min(knownTo.buy, ...this.asks.keys());
    knownTo.sell = Math.max(knownTo.sell, ...this.bids.keys());
  }

  /** Updates the size ahead, if it is known. */
  private look(order: NaiveOrder): void {
    const own = order.side === 'buy' ? this.bids : this.asks;
    const { buy, sell } = this.knownTo;
    const isInRange = order.side === 'buy' ? order.price >= buy : order.price <= sell;
    if (isInRange || own.has(order.price)) order.queue = Math.min(order.queue ?? Infinity, own.get(order.price) ?? 0);
  }

  private line(order: NaiveOrder): void {
    order.place = Math.max(0, ...this.orders.map(({ place }) => place)) + 1;
    this.orders.push(order);
  }

  /** Best price first, then first come first served. */
  private inLine(side: Side): NaiveOrder[] {
    const better = side === 'buy' ? -1 : 1;
    return this.orders
      .filter((order) => order.side === side)
      .sort((a, b) => better * (a.price - b.price) || a.place - b.place);
  }
}
