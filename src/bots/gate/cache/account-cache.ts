import { realTiming, type Timing } from '../../../base/sockets/timing.ts';
import type { OpenAccount } from '../../../desk/account/account-state.ts';
import { copiersOf, groupsOf } from '../../../desk/mandate/at-stake.ts';
import { type Exposed, type GateWrite, minuteMs } from '../../../desk/mandate/mandate.ts';
import { allMarkets } from '../../../desk/resolve/market.ts';
import type { Mark, Marks } from '../../../desk/risk/path-account.ts';
import type { Session } from '../../../desk/session/session.ts';
import type { CopyTradingConfiguration } from '../../../wire/contract/accounts.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import type { AccountFrame } from '../../../wire/contract/streams.ts';
import type { OpenedStream, StreamEvents } from '../../../wire/contract/wire.ts';
import { botOf, LastMinute } from './bot.ts';
import { BothStreams } from './both-streams.ts';
import { CachedAccount } from './cached-account.ts';
import { booked, DayLoss } from './day-loss.ts';
import type { PendingWrite } from './handling.ts';
import { type CacheOptions, Readings } from './readings.ts';

/** The interval between checks for due reads, ms. */
const tickMs = 500;
/** If this much time passed since the last check, this process or its machine stood still, ms. */
const standstillMs = 5_000;
/**
 * How long `open` waits; after that, writes that need unknown values are refused. A market without marks may be closed.
 */
const patienceMs = { streams: 10_000, marks: 3_000 } as const;

/**
 * Exposure of a credential's accounts: the sum of the streams, the answers to the gate's own writes and a few reads. It
 * is never optimistic: with the writes that are pending, it covers whatever the service has.
 */
export class AccountCache implements AsyncDisposable {
  readonly #options: CacheOptions;
  readonly #session: Session;
  readonly #timing: Timing;
  readonly #cached: CachedAccount;
  readonly #streams: BothStreams;
  readonly #losses = new DayLoss();
  readonly #readings: Readings;
  /** All markets of the service, by id. */
  readonly markets: ReadonlyMap<string, Market>;
  readonly #marks = new Map<string, Mark>();
  readonly #listeners = new Set<(frame: AccountFrame) => void>();
  /** When each bot sent its orders, on the cache's clock; the oldest first. */
  readonly #sentAt = new LastMinute();
  /**
   * The ids of the orders that the service listed at the start: they are counted, also if their answers are awaited.
   */
  readonly #listed = new Set<string>();
  /** Who waits for frames looks again after each of them. */
  readonly #waiting = new Set<() => void>();
  readonly #became = Promise.withResolvers<void>();
  readonly #priced = Promise.withResolvers<void>();
  /** Last known exchange time, and when it was reported. */
  #told = { time: 0, at: 0 };
  /** The last reading of both clocks: the monotonic one stands still while a machine sleeps. */
  #looked = { steady: 0, wall: 0 };
  /** The marks known before a standstill that have not come again. */
  readonly #awaited = new Set<string>();
  #restartedAt = 0;
  #endTicks = () => {};
  #forgetRuns = () => {};

  private constructor(options: CacheOptions, markets: readonly Market[]) {
    this.#options = options;
    this.#session = options.session;
    this.#timing = options.session.machine.stage?.timers ?? realTiming;
    this.#cached = new CachedAccount(options.now);
    this.#streams = new BothStreams(options.session, this.#timing, {
      frame: (frame) => this.#took(frame),
      mark: (id, price) => this.#tookMark(id, price),
      time: (time) => this.#passed(time),
      live: () => this.#became.resolve(),
      lost: () => this.#cached.lost(),
      note: (text) => options.note(text),
    });
    this.markets = new Map(markets.map((market) => [market.market_id, market]));
    this.#readings = new Readings(options, this.#cached, this.#losses, this.markets);
  }

  /** Resolves when everything is known, or after a while without. Throws a session's errors without a service. */
  static async open(options: CacheOptions): Promise<AccountCache> {
    const cache = new AccountCache(options, await allMarkets(options.session));
    await cache.#begin();
    return cache;
  }

  /** An account's exposure from a bot's view. While the account stream is not current, most of it is undefined. */
  exposed(bot: string, account: string): Exposed {
    return { ...this.#stake(account), sentAt: this.#sentBy(bot) };
  }

  /**
   * A write is about to be sent: from now on it counts, until the frames show its effect. `orders`: the number of
   * orders it counts as against the rate of its bot. `clientOrderId`: the service's future id of its order.
   */
  sending(bot: string, write: GateWrite, orders: number, clientOrderId?: string) {
    const now = this.#options.now();
    const sent = this.#sentBy(bot);
    const isCounted = clientOrderId !== undefined && this.#listed.delete(clientOrderId);
    for (let count = 0; count < orders && !isCounted; count += 1) sent.push(now);
    const pending: PendingWrite = {
      bot,
      write: this.#cached.named(bot, write),
      clientOrderId,
      answer: undefined,
      answeredAt: undefined,
      awaitsReading: false,
    };
    this.#cached.send(pending);
    return {
      /** The service has done it, and answered with this (`data`). */
      answered: (data: unknown): void => {
        pending.answer = data;
        pending.answeredAt = this.#options.now();
        this.#readings.answered(pending);
        this.#cached.review();
        this.#wake();
      },
      /** It was certainly not done, and can't be anymore. */
      notDone: (): void => {
        this.#cached.drop(pending);
        this.#wake();
      },
    };
  }

  /** Resolves when frames show an account's pending writes and it is current, or after this long, ms. */
  async caughtUp(account: string, forMs: number): Promise<void> {
    const waited = new Set(this.#cached.pendingOf(account));
    const isKnown = () => this.isCurrent(account) && this.#awaited.size === 0;
    if (waited.size === 0 && isKnown()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      for (const pending of waited)
        if (!this.#cached.pending.has(pending) || this.#cached.placed(pending) !== undefined) waited.delete(pending);
      if (waited.size === 0 && isKnown()) resolve();
    };
    this.#waiting.add(look);
    look();
    await this.#inTime(promise, forMs);
    this.#waiting.delete(look);
  }

  /** A bot's writes whose outcome is unknown or not shown yet. */
  open(bot: string): number {
    return [...this.#cached.pending].filter((one) => one.bot === bot).length;
  }

  /** Counts orders that the bot sent before this cache was opened, and that the service's own orders don't show. */
  countSent(bot: string, at: readonly number[]): void {
    const sent = this.#sentBy(bot);
    sent.push(...at);
    sent.sort((one, other) => one - other);
  }

  /** A working order, by the service's id or by its client order id at the service; undefined if there is none. */
  orderOf(id: string): Order | undefined {
    return this.#cached.orderHeardOf(id);
  }

  /** An open position; undefined if there is none. */
  positionOf(id: string): Position | undefined {
    return this.#cached.position(id);
  }

  /** Whether an account's known state is current: both streams deliver, and the other values were read. */
  isCurrent(account: string): boolean {
    const areLive = this.#streams.isAccountLive && this.#streams.areMarksLive;
    const areRead = this.#readings.copies !== undefined && this.#cached.twaps.of(account) !== undefined;
    return areLive && areRead && this.#cached.accounts.has(account);
  }

  /** Marks by market id; none while the market stream is not current. */
  get marks(): Marks {
    this.#noticeStandstill();
    return this.#streams.areMarksLive ? this.#marks : new Map();
  }

  /** Opens the market stream of the service; it has no credential. */
  market(target: string, events: StreamEvents): OpenedStream {
    return this.#streams.market(target, events);
  }

  /** The last known exchange time, Unix ms. */
  get time(): number {
    return this.#cached.time;
  }

  /** Everything open in an account, according to frames; undefined while they aren't current. */
  stateOf(account: string) {
    const state = this.#liveState(account);
    return state && { ...state, positions: [...state.positions.values()], orders: [...state.orders.values()] };
  }

  #liveState(account: string): OpenAccount | undefined {
    return this.#streams.isAccountLive ? this.#cached.accounts.get(account) : undefined;
  }

  /** Every frame of the account stream, after it was applied; returns a function that ends it. */
  listen(listener: (frame: AccountFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forgetRuns();
    this.#endTicks();
    this.#streams.close();
    this.#readings.close();
  }

  /** The service has begun another run: known values and answers belong to the earlier one. */
  #startAnew(): void {
    this.#cached.startAnew();
    this.#losses.startAnew();
    this.#readings.startAnew();
    this.#marks.clear();
    this.#awaited.clear();
    this.#listed.clear();
    this.#told = { time: 0, at: 0 };
    this.#streams.restart();
    void this.#read();
  }

  /** Reads the values that no stream carries first, so that the frames are never older. */
  async #begin(): Promise<void> {
    await this.#readings.read(this.#options.wanted());
    let { run } = this.#session.memory;
    this.#forgetRuns = this.#session.memory.onRun((next) => {
      const isAnother = run !== undefined;
      run = next;
      if (isAnother) this.#startAnew();
    });
    if (this.#options.wanted().markets.length === 0) this.#priced.resolve();
    await this.#streams.open();
    this.#follow();
    this.#looked = this.#clocks();
    this.#tickLater();
    await Promise.all([
      this.#inTime(this.#became.promise, patienceMs.streams),
      this.#inTime(this.#priced.promise, patienceMs.marks),
    ]);
    await this.#countOrders();
  }

  #took(frame: AccountFrame): void {
    this.#cached.take(frame);
    if ('time' in frame) this.#passed(frame.time);
    if (frame.type === 'snapshot' || frame.type === 'account') this.#losses.observe(frame.account, frame.time);
    if (frame.type === 'fill') this.#losses.filled(frame.account_id, frame.fill);
    if (frame.type === 'order')
      this.#readings.sawOrder(frame.order, frame.event === 'placed' || frame.event === 'filled');
    if (frame.type === 'snapshot' || this.#isNewMarket(frame)) this.#follow();
    for (const listener of this.#listeners) listener(frame);
    this.#wake();
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }

  #tookMark(id: string, price: number): void {
    const { tick_size: tick, category } = this.markets.get(id) ?? {};
    const gapBps = this.#readings.gaps.get(id);
    if (price > 0) this.#marks.set(id, { price, at: this.#time(), tick, category, gapBps });
    if (this.#awaited.delete(id)) this.#wake();
    if (this.#options.wanted().markets.every((market) => this.#marks.has(market))) this.#priced.resolve();
  }

  async #inTime(promise: Promise<void>, forMs: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const stopWaiting = this.#timing.after(forMs, late.resolve);
    await Promise.race([promise, late.promise]);
    stopWaiting();
  }

  #passed(time: number): void {
    if (time >= this.#told.time) this.#told = { time, at: this.#options.now() };
  }

  /** Exchange time now. In a simulation, it doesn't advance on its own. */
  #time(): number {
    const { time, at } = this.#told;
    return this.#streams.isSimulation ? time : time + (this.#options.now() - at);
  }

  #tickLater(): void {
    this.#endTicks = this.#timing.after(tickMs, () => {
      this.#tick();
      this.#tickLater();
    });
  }

  #clocks() {
    return { steady: this.#options.now(), wall: this.#session.machine.now() };
  }

  /** Data received before a standstill may be long outdated: it has to be reported again. */
  #noticeStandstill(): void {
    const { steady, wall } = this.#looked;
    this.#looked = this.#clocks();
    if (Math.max(this.#looked.steady - steady, this.#looked.wall - wall) < standstillMs) return;
    for (const id of this.#marks.keys()) this.#awaited.add(id);
    this.#marks.clear();
    this.#restartedAt = this.#looked.steady;
    this.#streams.restart();
    this.#readings.forget();
    void this.#read();
  }

  #tick(): void {
    this.#noticeStandstill();
    if (this.#options.now() - this.#restartedAt > patienceMs.marks) this.#awaited.clear();
    void this.#read();
    this.#follow();
  }

  async #read(): Promise<void> {
    const accounts = this.#accounts();
    const over = accounts.filter((account) => this.#losses.isOver(account, this.#time()));
    await this.#readings.tick(accounts, over, this.#options.wanted().gaps);
    this.#wake();
  }

  /** The accounts of all mandates, and those that copy one of them. */
  #accounts(): string[] {
    const { accounts } = this.#options.wanted();
    return [...new Set([...accounts, ...accounts.flatMap((lead) => copiersOf(this.#readings.copies, lead))])];
  }

  #isNewMarket(frame: AccountFrame): boolean {
    if (frame.type === 'position') return !this.#streams.follows(frame.position.market_id);
    if (frame.type !== 'order') return false;
    const { market_id: market, trigger_market_id: other = market } = frame.order;
    return !this.#streams.follows(market) || !this.#streams.follows(other);
  }

  /** Follows the marks of all markets that mandates allow and accounts use. */
  #follow(): void {
    const ids = new Set([...this.#options.wanted().markets, ...this.#cached.markets()]);
    this.#streams.follow([...ids].flatMap((id) => this.markets.get(id) ?? []));
  }

  #stake(account: string, isFollower = false): Omit<Exposed, 'sentAt'> & { sentAt: number[] } {
    this.#noticeStandstill();
    this.#cached.review();
    const state = this.#liveState(account);
    const { marks } = this;
    const copies = this.#readings.copies && groupsOf(this.#readings.copies, account);
    return {
      account: state?.account,
      positions: state && [...state.positions.values()],
      working: state && this.#cached.working(account),
      twaps: this.#cached.twaps.of(account),
      copies,
      followers: isFollower ? new Map() : this.#followers(account, copies),
      policy: this.#readings.policies.get(account),
      marks,
      markets: this.markets,
      lostUsd: state && this.#lost(account, this.#losses.lost(state, marks, this.#time())),
      sentAt: [],
      pending: this.#cached
        .pendingOf(account)
        .filter((pending) => this.#cached.placed(pending) === undefined)
        .map(({ write }) => write),
    };
  }

  #followers(account: string, copies: readonly CopyTradingConfiguration[] | undefined): Map<string, Exposed> {
    return new Map(copiersOf(copies, account).map((id) => [id, this.#stake(id, true)]));
  }

  /** Includes the answers' effects that frames don't show yet. */
  #lost(account: string, lost: number | undefined): number | undefined {
    if (lost === undefined) return undefined;
    return this.#cached.pendingOf(account).reduce((sum, { answer }) => {
      const loss = -booked((answer ?? {}) as Order);
      return Number.isFinite(loss) && loss > 0 ? sum + loss : sum;
    }, lost);
  }

  #sentBy(bot: string): number[] {
    return this.#sentAt.of(bot, this.#options.now());
  }

  /** Counts the orders that bots have sent in the last minute, as the service lists them. */
  async #countOrders(): Promise<void> {
    for (const account_id of this.#options.wanted().accounts) {
      for await (const order of this.#session.pages('listOrders', { query: { account_id, limit: 100 } })) {
        const age = this.#time() - order.requested_at;
        if (age > minuteMs) break;
        const bot = botOf(order.client_order_id ?? '');
        if (bot === undefined) continue;
        this.#listed.add(order.client_order_id!);
        this.countSent(bot, [this.#options.now() - Math.max(0, age)]);
      }
    }
  }
}

/** A write that counts as pending. */
export type SentWrite = ReturnType<AccountCache['sending']>;
