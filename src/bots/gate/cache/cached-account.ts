import { apply, begin, type OpenAccount, openIn } from '../../../desk/account/account-state.ts';
import type { GateWrite } from '../../../desk/mandate/mandate.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import type { AccountFrame } from '../../../wire/contract/streams.ts';
import { mappedId } from './bot.ts';
import { handling, type PendingWrite } from './handling.ts';
import { TwapRests } from './twap-rests.ts';

/** A trade that no position shows yet. */
interface Untold {
  readonly account: string;
  readonly market: string;
  /** The order as it was before; undefined if it wasn't working. */
  readonly before?: Order | undefined;
  /** The additional filled size of its TWAP, base asset. */
  readonly slice?: { readonly parent: string; readonly size: number };
}

/** Ids of orders that the frames have shown; far more than can be waited for. */
const rememberedOrders = 10_000;
/**
 * A frame that arrives this long after an answer was sent after it: everything in the answer is shown by then, even
 * without other evidence, ms. The service sends something every 15 s.
 */
const surelyShownMs = 15_000;

/**
 * The sum of the account stream's frames, and the writes that they don't show yet. An order that trades is still
 * counted as working until its position shows the trade, so nothing is ever missing in between.
 */
export class CachedAccount {
  #states = begin();
  readonly #now: () => number;
  readonly #pending = new Set<PendingWrite>();
  /** By the id of the order, or of a fill of a TWAP. */
  readonly #untold = new Map<string, Untold>();
  /** Ids and client order ids that frames have shown, to the id; the oldest first. */
  readonly #shown = new Map<string, string>();
  readonly twaps = new TwapRests();
  /** The accounts that others copy. */
  leads: ReadonlySet<string> = new Set();
  /** The last known exchange time, Unix ms. */
  time = 0;
  /** When the last frame arrived, and the first of its connection. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #greetedAt = Number.NEGATIVE_INFINITY;
  /** When the last connection was lost: the next one's snapshots are newer. */
  #lostAt = Number.NEGATIVE_INFINITY;
  /** The exchange's time of the snapshots that the connection began with, Unix ms, once all have come. */
  snapshotTime = Number.NEGATIVE_INFINITY;
  /** The same of the first snapshot. */
  #beganAt = Number.NEGATIVE_INFINITY;

  /** `now`: the clock of the cache, ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** By id. */
  get accounts(): ReadonlyMap<string, OpenAccount> {
    const open = [...this.#states.accounts].map(([id, state]) => [id, openIn(state)] as const);
    return new Map(open.filter((one): one is [string, OpenAccount] => one[1] !== undefined));
  }

  get pending(): ReadonlySet<PendingWrite> {
    return this.#pending;
  }

  /** The writes that may still change an account. */
  pendingOf(account: string): PendingWrite[] {
    return [...this.#pending].filter(
      ({ write }) => write.account === account || write.operation === 'saveCopyTradingConfigurations',
    );
  }

  /**
   * The working orders of an account, with those that answers tell before frames do. One that has traded is unchanged
   * until its position shows it.
   */
  working(account: string): Order[] {
    const working = new Map(this.accounts.get(account)?.orders);
    for (const pending of this.#pending) {
      const order = this.placed(pending);
      if (order?.account_id === account) working.set(order.id, order);
    }
    for (const [id, { account: its, before }] of this.#untold)
      if (its === account && before !== undefined) working.set(id, before);
    return [...working.values()];
  }

  /** Whether the stream has begun. */
  get hasBegun(): boolean {
    return this.#heardAt > Number.NEGATIVE_INFINITY;
  }

  /** The service has begun another run: earlier frames and answers don't belong to it. */
  startAnew(): void {
    this.#states = begin();
    this.#untold.clear();
    this.#shown.clear();
    this.twaps.startAnew();
    this.leads = new Set();
    this.time = 0;
    this.#heardAt = Number.NEGATIVE_INFINITY;
    this.#greetedAt = Number.NEGATIVE_INFINITY;
    this.snapshotTime = Number.NEGATIVE_INFINITY;
    // One without an answer may still arrive, and counts.
    for (const pending of this.#pending) if (pending.answeredAt !== undefined) this.#pending.delete(pending);
  }

  /** The connection was lost, or an attempt at one. */
  lost(): void {
    this.#lostAt = this.#now();
  }

  /** The working order that an answer reports before frames do, if nothing of it has traded. */
  placed({ write, answer }: PendingWrite): Order | undefined {
    if (write.operation !== 'createOrder' && write.operation !== 'closePosition') return undefined;
    const order = (answer ?? {}) as Partial<Order>;
    const isWorking = (order.status === 'resting' || order.status === 'pending') && !order.filled_size;
    return isWorking && !this.#shown.has(order.id!) ? (order as Order) : undefined;
  }

  take(frame: AccountFrame): void {
    this.#heardAt = this.#now();
    if (frame.type === 'order') this.#tookOrder(frame.order, frame.account_id);
    if (frame.type === 'fill') this.#tookFill(frame.fill, frame.account_id);
    this.#states = apply(this.#states, frame, this.#heardAt);
    if ('time' in frame && frame.time > this.time) this.time = frame.time;
    if (frame.type === 'hello') {
      // A restored service reuses its ids.
      if (!frame.resumed) this.#shown.clear();
      this.#greetedAt = this.#heardAt;
      this.#beganAt = Number.POSITIVE_INFINITY;
    }
    if (frame.type === 'snapshot') this.#beganAt = Math.min(this.#beganAt, frame.time);
    if (frame.type === 'snapshot') for (const order of frame.orders) this.#remember(order);
    if (frame.type === 'snapshot_end') this.#startedOver();
    if (frame.type === 'heartbeat') this.#tell();
    else if (frame.type === 'position') {
      // Of a flip, the end of one position comes before the beginning of the other; copies come after both.
      if (frame.event !== 'closed' && !this.leads.has(frame.account_id))
        this.#tell(frame.account_id, frame.position.market_id);
    } else if (frame.type === 'account' || frame.type === 'snapshot') this.#tell(frame.account_id);
    this.review();
  }

  send(pending: PendingWrite): void {
    this.#pending.add(pending);
  }

  /** It was not done, or is no longer of interest. */
  drop(pending: PendingWrite): void {
    this.#pending.delete(pending);
  }

  /** Drops writes that are shown by now. */
  review(): void {
    for (const pending of this.#pending) if (this.#isShown(pending)) this.#pending.delete(pending);
  }

  /** A working order by its id or client order id, as frames show it. */
  order(id: string): Order | undefined {
    for (const { orders } of this.accounts.values()) {
      const found = orders.get(id) ?? named(orders.values(), id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The same, also if only an answer reports it. */
  orderHeardOf(id: string): Order | undefined {
    const answered = [...this.#pending].flatMap((pending) => this.placed(pending) ?? []);
    return this.order(id) ?? answered.find((order) => order.id === id) ?? named(answered, id);
  }

  /** A write with the service's id of the order in its path. */
  named(bot: string, write: GateWrite): GateWrite {
    const id = write.path?.order_id;
    if (id === undefined) return write;
    const order = this.orderHeardOf(id) ?? this.orderHeardOf(mappedId(bot, id));
    return order === undefined ? write : { ...write, path: { ...write.path, order_id: order.id } };
  }

  /** The markets that accounts use. */
  markets(): string[] {
    return [...this.accounts].flatMap(([account, { positions, orders }]) => {
      const open = [...(this.twaps.of(account) ?? []), ...positions.values(), ...orders.values()];
      const watched = [...orders.values()].flatMap(({ trigger_market_id: other }) => other ?? []);
      return [...open.map(({ market_id }) => market_id), ...watched];
    });
  }

  /** An open position. */
  position(id: string): Position | undefined {
    for (const { positions } of this.accounts.values()) if (positions.has(id)) return positions.get(id);
    return undefined;
  }

  /** Whether frames have shown an order, and its position the trade. */
  hasShown(id: string): boolean {
    const known = this.#shown.get(id);
    return known !== undefined && !this.#untold.has(known);
  }

  /** Changes of an account are shown in order, so the first one that is not shown holds back the later ones. */
  mayBeUndone(pending: PendingWrite): boolean {
    if (pending.answeredAt === undefined) return true;
    const { account } = pending.write;
    const isChange = ({ write }: PendingWrite) => write.account === account && handling[write.operation].isChange;
    const first = [...this.#pending].find(isChange);
    return first !== pending;
  }

  /** Snapshots show the effect of everything answered before their connection was opened. */
  #startedOver(): void {
    this.#tell();
    this.snapshotTime = this.#beganAt;
    for (const pending of this.#pending)
      if (!pending.awaitsReading && (pending.answeredAt ?? Number.POSITIVE_INFINITY) < this.#lostAt)
        this.#pending.delete(pending);
  }

  /** Whether frames have shown the contents of an answer of that time; a connection first repeats missed ones. */
  hasSurelyShown(at: number): boolean {
    return this.#heardAt - Math.max(at, this.#greetedAt) > surelyShownMs;
  }

  #isShown(pending: PendingWrite): boolean {
    const { answeredAt, awaitsReading } = pending;
    if (awaitsReading) return false;
    if (answeredAt !== undefined && this.hasSurelyShown(answeredAt)) return true;
    const { shownBy } = handling[pending.write.operation];
    return typeof shownBy === 'string' ? answeredAt !== undefined : shownBy(pending, this);
  }

  #tookOrder(order: Order, account: string): void {
    const before = this.accounts.get(account)?.orders.get(order.id);
    this.#remember(order);
    const hasTraded = order.status === 'filled' || (order.filled_size ?? 0) > (before?.filled_size ?? 0);
    if (!hasTraded || this.#untold.has(order.id)) return;
    this.#untold.set(order.id, { account, market: order.market_id, before });
  }

  #tookFill(fill: Order, account: string): void {
    this.#remember(fill);
    const { id, market_id: market, twap_order_id: parent, size } = fill;
    if (parent !== undefined) this.#untold.set(`fill ${id}`, { account, market, slice: { parent, size } });
  }

  /** Positions are shown as they are now: of an account and market, or of all. */
  #tell(account?: string, market?: string): void {
    for (const [id, untold] of this.#untold) {
      if ((account ?? untold.account) !== untold.account || (market ?? untold.market) !== untold.market) continue;
      this.#untold.delete(id);
      if (untold.slice !== undefined) this.twaps.filled(untold.slice.parent, untold.slice.size);
    }
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

function named(orders: Iterable<Order>, clientOrderId: string): Order | undefined {
  for (const order of orders) if (order.client_order_id === clientOrderId) return order;
  return undefined;
}
