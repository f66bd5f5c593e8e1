import { type AccountState, AccountStates } from '../../client/streams/account-state.ts';
import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { AccountFrame } from '../../contract/streams.ts';
import { isShown, type PendingWrite } from './shown.ts';
import { TwapRests } from './twap-rests.ts';

/** An order that traded, and whose position does not show it yet. */
interface Untold {
  readonly account: string;
  readonly market: string;
  /** As it was before; undefined: it was not working before. */
  readonly before: Order | undefined;
}

/** Ids of orders that the frames have shown; far more than can be waited for. */
const rememberedOrders = 10_000;
/**
 * A frame that arrives so long after an answer was sent after it: whatever the answer said is shown by then, even if
 * nothing else tells, ms. The service sends something every 15 s.
 */
const surelyShownMs = 15_000;

/**
 * What the frames of the account stream add up to, and the writes that they do not show yet. An order that trades goes on
 * counting as working until its position shows the trade, so nothing is ever missing in between.
 */
export class Picture {
  readonly #states = new AccountStates();
  readonly #now: () => number;
  readonly #pending = new Set<PendingWrite>();
  /** By order id. */
  readonly #untold = new Map<string, Untold>();
  /** Ids and client order ids that frames have shown, to the id; the oldest first. */
  readonly #shown = new Map<string, string>();
  readonly twaps = new TwapRests();
  /** The exchange's time as last told, Unix ms. */
  time = 0;
  /** When the last frame arrived. */
  #heardAt = Number.NEGATIVE_INFINITY;
  /** When the last connection was lost: what the next one begins with is newer. */
  #lostAt = Number.NEGATIVE_INFINITY;
  /** The exchange's time of the snapshots that the connection began with, Unix ms. */
  snapshotTime = Number.NEGATIVE_INFINITY;

  /** `now`: the clock of the mirror, ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** By id. */
  get accounts(): ReadonlyMap<string, AccountState> {
    return this.#states.accounts;
  }

  get pending(): ReadonlySet<PendingWrite> {
    return this.#pending;
  }

  /** The working orders of an account; one that has traded is as before until its position shows it. */
  working(account: string): Order[] {
    const working = new Map(this.#states.accounts.get(account)?.orders);
    for (const [id, { account: its, before }] of this.#untold)
      if (its === account && before !== undefined) working.set(id, before);
    return [...working.values()];
  }

  /** Whether the stream has begun. */
  get hasBegun(): boolean {
    return this.#heardAt > Number.NEGATIVE_INFINITY;
  }

  /** The connection was lost, or an attempt at one. */
  lost(): void {
    this.#lostAt = this.#now();
  }

  take(frame: AccountFrame): void {
    this.#heardAt = this.#now();
    if (frame.type === 'order') this.#tookOrder(frame.order, frame.account_id);
    if (frame.type === 'fill') this.#tookFill(frame.fill);
    this.#states.apply(frame);
    if ('time' in frame && frame.time > this.time) this.time = frame.time;
    if (frame.type === 'snapshot') {
      this.snapshotTime = frame.time;
      for (const order of frame.orders) this.#remember(order);
    }
    if (frame.type === 'snapshot_end') this.#startedOver();
    if (frame.type === 'heartbeat') this.#untold.clear();
    else if (frame.type === 'position') this.#tell(frame.account_id, frame.position.market_id);
    else if (frame.type === 'account' || frame.type === 'snapshot') this.#tell(frame.account_id, undefined);
    this.review();
  }

  send(pending: PendingWrite): void {
    this.#pending.add(pending);
  }

  /** It was not done, or is not looked at any more. */
  drop(pending: PendingWrite): void {
    this.#pending.delete(pending);
  }

  /** Drops the writes that are shown by now. */
  review(): void {
    for (const pending of this.#pending) if (this.#isShown(pending)) this.#pending.delete(pending);
  }

  /** A working order by its id or client order id. */
  order(id: string): Order | undefined {
    for (const { orders } of this.accounts.values()) {
      const found = orders.get(id) ?? [...orders.values()].find(({ client_order_id }) => client_order_id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** An open position. */
  position(id: string): Position | undefined {
    for (const { positions } of this.accounts.values()) if (positions.has(id)) return positions.get(id);
    return undefined;
  }

  /** Whether frames have shown an order, and its position what it traded. */
  hasShown(id: string): boolean {
    const known = this.#shown.get(id);
    return known !== undefined && !this.#untold.has(known);
  }

  /** Snapshots show whatever was answered before their connection was opened. */
  #startedOver(): void {
    this.#untold.clear();
    for (const pending of this.#pending)
      if (!pending.awaitsReading && (pending.answeredAt ?? Number.POSITIVE_INFINITY) < this.#lostAt)
        this.#pending.delete(pending);
  }

  #isShown(pending: PendingWrite): boolean {
    const { answeredAt, awaitsReading } = pending;
    if (awaitsReading) return false;
    if (answeredAt !== undefined && this.#heardAt - answeredAt > surelyShownMs) return true;
    return isShown(pending, this);
  }

  #tookOrder(order: Order, account: string): void {
    const before = this.#states.accounts.get(account)?.orders.get(order.id);
    this.#remember(order);
    const hasTraded = order.status === 'filled' || (order.filled_size ?? 0) > (before?.filled_size ?? 0);
    if (!hasTraded || this.#untold.has(order.id)) return;
    this.#untold.set(order.id, { account, market: order.market_id, before });
  }

  #tookFill(fill: Order): void {
    this.#remember(fill);
    if (fill.twap_order_id !== undefined) this.twaps.filled(fill.twap_order_id, fill.size);
  }

  /** Positions of an account, or of one of its markets, are shown as they are now. */
  #tell(account: string, market: string | undefined): void {
    for (const [id, untold] of this.#untold)
      if (untold.account === account && (market === undefined || untold.market === market)) this.#untold.delete(id);
  }

  #remember({ id, client_order_id: own }: Order): void {
    for (const name of own === undefined ? [id] : [id, own]) {
      this.#shown.delete(name);
      this.#shown.set(name, id);
    }
    for (const oldest of this.#shown.keys()) {
      if (this.#shown.size <= rememberedOrders) break;
      this.#shown.delete(oldest);
    }
  }
}
