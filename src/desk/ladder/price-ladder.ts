import { exact } from '../../base/terms/decimal.ts';
import { assert } from '../../base/terms/invariants.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { BookEvent, TradeEvent } from '../../wire/contract/streams.ts';
import { type Cover, exitPriceOf } from '../account/means.ts';
import type { End } from '../risk/breach.ts';

/** A row stands for at most this share of the price. */
const widestRow = 0.01;

/** The number of ticks per row: 1, 2, 5, 10 and so on, up to 1% of the price. */
function groupingsOf(tick: number, mid: number): number[] {
  const groupings = [1];
  for (let at = 1; ; at++) {
    const next = [1, 2, 5][at % 3]! * 10 ** Math.floor(at / 3);
    if (!(next * tick <= widestRow * mid)) return groupings;
    groupings.push(next);
  }
}

/** A price that is relevant to the account, by its name: `entry`, `stop`. */
interface PriceLine {
  readonly name: string;
  readonly price: number;
}

/** The contents of a market's ladder. */
export interface LadderMarket {
  readonly marketId: string;
  /** The run of the simulation; undefined until it is known, and on a host. */
  readonly run?: string | undefined;
  /** The tick, USD. */
  readonly tick: number;
  readonly book: BookEvent | undefined;
  /** The account's working orders in the market. */
  readonly orders: readonly Order[];
  /** The queue ahead of an order, base asset, by order id; only the simulation reports it. */
  readonly ahead: ReadonlyMap<string, number>;
  readonly lines: readonly PriceLine[];
  /** The latest trades, newest last. */
  readonly prints: readonly TradeEvent[];
}

/**
 * A row: a price, and the orders and sizes at it. Bids are at the price or up to a row above it, asks up to a row below
 * it.
 */
export type LadderRow = Readonly<ReturnType<typeof rowsOf>[number]>;

/** The ladder as drawn: the user's view, from the highest price to the lowest. */
export interface LadderFrame {
  readonly marketId: string;
  readonly rows: readonly LadderRow[];
  /** From one row to the next, USD. */
  readonly step: number;
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  /** The price of the cursor, if its row is on the screen. */
  readonly cursor: number | undefined;
  /** The time since which its rows have had these prices, ms. */
  readonly since: number;
}

/** A press of the mouse on a row that had another price this short before could have meant that price, ms. */
export const steadyMs = 500;

/**
 * A market's price ladder: which prices are on the screen, and the cursor, which is held by its price. No matter how
 * the book moves, an act at the cursor or at a row has the price last drawn there, or there is none.
 */
export class PriceLadder {
  grouping = 1;
  /** The groupings as of the last drawing. */
  #groupings: readonly number[] = [1];
  /** Rows are just coarse enough to show the position's lines and the own orders. */
  isAuto = false;
  isCentered = true;
  /** The price of the middle row. */
  #middle: number | undefined;
  /** The tick as of the last drawing. */
  #tick = 0;
  /** The price at which the cursor is, on the screen or not; undefined until it was used. */
  cursor: number | undefined;
  /** The last drawn rows; undefined before that, and without a book. */
  drawn: LadderFrame | undefined;
  /** The run of the simulation that was drawn last. */
  #run: string | undefined;
  /** The id of the order that was picked up to be moved. */
  moving: string | undefined;
  /** It is moved by the mouse, whose button is held. */
  isDragged = false;

  /** Draws this many rows, at a time (ms, of any clock that doesn't go back). */
  draw(market: LadderMarket, height: number, now: number): LadderFrame | undefined {
    const { book, tick, marketId, run = this.#run } = market;
    const isOther = this.drawn !== undefined && this.drawn.marketId !== marketId;
    if (isOther || (this.#run !== undefined && this.#run !== run)) this.#forget();
    this.#run = run;
    const mid = midOf(book);
    if (mid === undefined || !(tick > 0) || height < 1) {
      this.drawn = undefined;
      return undefined;
    }
    this.#tick = tick;
    this.#groupings = groupingsOf(tick, mid);
    if (this.isAuto) this.grouping = this.#fitting(market, mid, height);
    this.grouping = Math.min(this.grouping, this.#groupings.at(-1)!);
    const step = exact(tick * this.grouping);
    const middle = this.#middleFor(mid, step, height);
    this.#middle = exact(middle * step);
    const top = middle + Math.floor(height / 2);
    const prices = Array.from({ length: height }, (_, at) => exact((top - at) * step)).filter((price) => price > 0);
    const before = this.drawn;
    const isSame =
      before !== undefined &&
      before.step === step &&
      before.rows.length === prices.length &&
      before.rows[0]!.price === prices[0];
    this.drawn = {
      marketId,
      rows: rowsOf(prices, step, market),
      step,
      bestBid: bestOf(book!.bids),
      bestAsk: bestOf(book!.asks),
      cursor: prices.find((price) => price === this.cursor),
      since: isSame ? before.since : now,
    };
    return this.drawn;
  }

  /**
   * Moves the cursor up by this many rows; if it leaves the screen, the ladder follows it and is no longer centered.
   */
  moveCursor(rows: number): void {
    const { drawn } = this;
    if (drawn === undefined) return;
    // The rows may have been regrouped since they were drawn.
    const step = exact(this.#tick * this.grouping);
    const from = this.cursor ?? drawn.bestBid ?? this.#middle!;
    const next = exact((Math.round(from / step) + (this.cursor === undefined ? 0 : rows)) * step);
    if (!(next > 0)) return;
    this.cursor = next;
    const [highest, lowest] = [drawn.rows[0]!.price, drawn.rows.at(-1)!.price];
    if (next <= highest && next >= lowest) return;
    this.isCentered = false;
    this.#middle = next;
  }

  /** Scrolls the rows up by this many; the ladder is then free. */
  scroll(rows: number): void {
    if (this.drawn === undefined || this.#middle === undefined) return;
    const next = exact((Math.round(this.#middle / this.drawn.step) + rows) * this.drawn.step);
    if (!(next > 0)) return;
    this.isCentered = false;
    this.#middle = next;
  }

  /** Rows as coarse as everything of the account needs, or as they are. */
  toggleAuto(): void {
    this.isAuto = !this.isAuto;
    if (this.isAuto) this.center();
  }

  /** The finest grouping that shows as many of the lines and orders as any grouping can. */
  #fitting({ tick, lines, orders }: LadderMarket, mid: number, height: number): number {
    // How far the market moves before the ladder is centered again.
    const rows = Math.max(1, Math.floor(height / 4) - 1);
    const prices = [...lines.map(({ price }) => price), ...orders.flatMap((order) => ownPriceOf(order) ?? [])];
    const reach = (grouping: number) => rows * grouping * tick;
    const widest = (Math.floor(height / 2) - 1) * this.#groupings.at(-1)! * tick;
    const far = Math.max(0, ...prices.map((price) => Math.abs(price - mid)).filter((away) => away <= widest));
    return this.#groupings.find((grouping) => reach(grouping) >= far) ?? this.#groupings.at(-1)!;
  }

  /** Centers the ladder and forgets the cursor. */
  center(): void {
    this.isCentered = true;
    this.#middle = undefined;
    this.cursor = undefined;
  }

  /** Centered, or free to stay where it is. */
  toggleCentered(): void {
    if (this.isCentered) this.isCentered = false;
    else this.center();
  }

  /** The next coarser or finer grouping; the cursor moves to the nearest row. */
  regroup(way: 1 | -1): void {
    const next = this.#groupings[this.#groupings.indexOf(this.grouping) + way];
    if (next === undefined) return;
    this.isAuto = false;
    this.grouping = next;
    const step = exact(this.#tick * next);
    if (this.cursor !== undefined && step > 0)
      this.cursor = Math.max(step, exact(Math.round(this.cursor / step) * step));
  }

  /**
   * The price of an act at the cursor: the one that the screen shows there. Undefined if the cursor has moved since the
   * screen was drawn, or is not on it.
   */
  priceAtCursor(): number | undefined {
    const shown = this.drawn?.cursor;
    if (shown === undefined || shown !== this.cursor) return undefined;
    assert(
      this.drawn?.rows.some(({ price }) => price === shown),
      'shown-price',
      shown,
    );
    return shown;
  }

  /** The price of a row; undefined if it doesn't exist, or has had this price for less than {@link steadyMs}. */
  priceAtRow(row: number, now: number): number | undefined {
    const { drawn } = this;
    return drawn === undefined || now - drawn.since < steadyMs ? undefined : drawn.rows[row]?.price;
  }

  /** Own orders at a price, as drawn. */
  ownAt(price: number): readonly Order[] {
    return this.drawn?.rows.find((row) => row.price === price)?.own ?? [];
  }

  /** The order that was picked up stays where it is. */
  leave(): void {
    this.moving = undefined;
    this.isDragged = false;
  }

  #forget(): void {
    this.drawn = undefined;
    this.leave();
    this.center();
  }

  /** The middle row, in steps. Centered, it stays until the market leaves the middle half of the screen. */
  #middleFor(mid: number, step: number, height: number): number {
    const market = Math.round(mid / step);
    if (this.#middle === undefined) return market;
    const middle = Math.round(this.#middle / step);
    if (!this.isCentered) return middle;
    return Math.abs(market - middle) > height / 4 ? market : middle;
  }
}

/** The row of a price, in steps: a bid at or below it, an ask at or above it. */
function stepsOf(price: number, step: number, side: 'buy' | 'sell'): number {
  const steps = price / step;
  const nearest = Math.round(steps);
  // A price on the grid except for binary noise.
  if (Math.abs(steps - nearest) < 1e-6) return nearest;
  return side === 'buy' ? Math.floor(steps) : Math.ceil(steps);
}

function rowsOf(prices: readonly number[], step: number, market: LadderMarket) {
  const at = new Map(prices.map((price, index) => [Math.round(price / step), index]));
  const rows = prices.map((price) => ({
    price,
    /** Displayed sizes, base asset. */
    bid: 0,
    ask: 0,
    /** Sizes of the latest trades, by the aggressor's side. */
    bought: 0,
    sold: 0,
    own: [] as Order[],
    lines: [] as string[],
  }));
  const rowAt = (price: number, side: 'buy' | 'sell') => rows[at.get(stepsOf(price, step, side)) ?? -1];
  const { book, prints, orders, lines } = market;
  for (const { px, sz } of book?.bids ?? []) {
    const row = rowAt(Number(px), 'buy');
    if (row !== undefined) row.bid += Number(sz);
  }
  for (const { px, sz } of book?.asks ?? []) {
    const row = rowAt(Number(px), 'sell');
    if (row !== undefined) row.ask += Number(sz);
  }
  for (const { price, size, side } of prints) {
    // A buyer took an ask.
    const row = rowAt(Number(price), side === 'buy' ? 'sell' : 'buy');
    if (row !== undefined) row[side === 'buy' ? 'bought' : 'sold'] += Number(size);
  }
  for (const order of orders) {
    const price = ownPriceOf(order);
    if (price === undefined) continue;
    // An order that waits for its trigger is at its line; others are at their level of the book.
    const row = isWaiting(order) ? rows[at.get(Math.round(price / step)) ?? -1] : rowAt(price, order.side);
    row?.own.push(order);
  }
  for (const { name, price } of lines) {
    rows[at.get(Math.round(price / step)) ?? -1]?.lines.push(name);
  }
  return rows;
}

/** Whether an order waits for its trigger. */
export function isWaiting({ trigger_price: trigger, triggered_at: at }: Order): boolean {
  return trigger !== undefined && at === undefined;
}

/** Where an order is on the ladder of its market: at its trigger until that has fired, else at its limit. */
function ownPriceOf(order: Order): number | undefined {
  if (!isWaiting(order)) return order.limit_price;
  return (order.trigger_market_id ?? order.market_id) === order.market_id ? order.trigger_price : undefined;
}

function bestOf(levels: readonly { px: string }[]): number | undefined {
  return levels[0] === undefined ? undefined : Number(levels[0].px);
}

function midOf(book: BookEvent | undefined): number | undefined {
  const [bid, ask] = [bestOf(book?.bids ?? []), bestOf(book?.asks ?? [])];
  const mid = bid === undefined || ask === undefined ? (bid ?? ask) : (bid + ask) / 2;
  return Number.isFinite(mid) ? mid : undefined;
}

/** The data of a position's lines. */
interface LinedPosition {
  readonly position: Position;
  readonly cover: Cover;
  readonly end: End | undefined;
}

/** The prices that matter to a position, by name. `feeBps`: the commission of a fill; without it, no break-even. */
export function linesOf({ position, cover, end }: LinedPosition, feeBps: number | undefined): PriceLine[] {
  const even = breakEvenOf(position, feeBps);
  const line = (name: string, price: number | undefined): PriceLine[] =>
    price === undefined || !Number.isFinite(price) ? [] : [{ name, price }];
  return [
    ...line('entry', position.entry_price),
    ...line('even', even),
    ...cover.stops.flatMap((stop) => line('stop', exitPriceOf(stop))),
    ...cover.targets.flatMap((target) => line('target', exitPriceOf(target))),
    ...line('liq', position.liquidation_price),
    ...(end?.by === 'floor' ? line('breach', end.price) : []),
  ];
}

/**
 * The price at which closing the open position would pay for its fees, in and out, and its carry so far. Undefined if
 * the commission or the carry is unknown.
 */
export function breakEvenOf(
  { side, size, entry_price: entry, funding }: Position,
  feeBps: number | undefined,
): number | undefined {
  if (feeBps === undefined || funding === undefined || !(size > 0)) return undefined;
  const sign = side === 'long' ? 1 : -1;
  const rate = (sign * feeBps) / 1e4;
  const price = (entry * (1 + rate) + (sign * funding) / size) / (1 - rate);
  return price > 0 && Number.isFinite(price) ? price : undefined;
}
