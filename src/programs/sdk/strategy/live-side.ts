import { setTimeout as delay } from 'node:timers/promises';
import {
  apply,
  begin,
  byId,
  forward,
  type AccountState as KnownAccount,
  merge,
  type OpenAccount,
  openIn,
} from '../../../desk/account/account-state.ts';
import { equityAt } from '../../../desk/risk/profit.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type {
  AccountEvent,
  Channel,
  Client,
  MarketEvents,
  MarketStats,
  StreamState,
  Subscription,
} from '../client/client-types.ts';
import { ownError, PerpError } from '../client/errors.ts';
import type { Order as WireOrder } from '../client/operations.generated.ts';
import { ClientSide, type Place, placeOf } from './client-side.ts';
import type { AccountState, Book, Order, Position, Quote, Strategy } from './define-strategy.ts';
import type { AccountNews, Refused } from './side.ts';
import { accountOf, bookOf, candleOf, copyOfBook, holdingOf, isPart, marksOf, nothingOpen, orderOf } from './wire.ts';

/** A book that has not been sent for this long is not known to be current: its prices are null. */
const staleMs = 10_000;
/** How long the first look waits for a book of every market. */
const firstBookMs = 3_000;
/** The interval between reads of account values that no stream carries. */
const accountEveryMs = 5_000;
const longestDelayMs = 86_400_000;

/**
 * A host with a running clock: markets and the account come from the streams, and time is awaited. The strategy reads
 * values as current as the last frames; they say so where they are unknown.
 */
export class LiveSide extends ClientSide {
  readonly #strategy: Strategy;
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  /** Aborts when a stream has ended by itself. */
  readonly #broken = new AbortController();
  /** Ends every wait. */
  readonly #waking: AbortSignal;
  readonly #books = new Map<string, { readonly book: Book; readonly at: number }>();
  /** Markets whose past candles have come. */
  readonly #formed = new Set<string>();
  /** The known state of the credential's accounts. */
  #states = begin();
  readonly #clock = forward(() => performance.now());
  readonly #changed = new Map<string, WireOrder>();
  readonly #fills: WireOrder[] = [];
  readonly #seenFills = new Set<string>();
  /** Orders that worked before a snapshot but aren't in it: their end has to be read. */
  readonly #vanished = new Set<string>();
  #failure: { readonly error: unknown } | undefined;
  #askedAt = 0;
  #isBehind = true;
  now = Date.now();

  private constructor(place: Place, strategy: Strategy, signal: AbortSignal | undefined) {
    super(place, strategy);
    this.#strategy = strategy;
    this.#signal = signal === undefined ? this.#over.signal : AbortSignal.any([signal, this.#over.signal]);
    this.#waking = AbortSignal.any([this.#signal, this.#broken.signal]);
  }

  /** Follows the strategy's markets and the account; resolves when both streams have reported everything. */
  static async open(
    client: Client,
    accountId: string | undefined,
    strategy: Strategy,
    signal: AbortSignal | undefined,
  ): Promise<LiveSide> {
    const side = new LiveSide(await placeOf(client, accountId), strategy, signal);
    try {
      await Promise.all([side.#followAccount(), side.#followMarkets()]);
    } catch (error) {
      side.close();
      throw error;
    }
    return side;
  }

  get orders(): readonly Order[] {
    const working = [...this.#open.orders.values()].sort((one, other) => one.requested_at - other.requested_at);
    return working.map((order) => orderOf(order));
  }

  get isActive(): boolean {
    return this.#open.account.status === 'active';
  }

  get #state(): KnownAccount | undefined {
    return this.#states.accounts.get(this.account_id);
  }

  /** The account was read before anything else. */
  get #open(): OpenAccount {
    return openIn(this.#state)!;
  }

  quote({ market_id }: Pick<Market, 'market_id'>): Quote {
    const { bids, asks, time } = this.#currentBook(market_id);
    const [bid = null, ask = null] = [bids[0]?.[0], asks[0]?.[0]];
    return { market: market_id, bid, ask, mid: bid === null || ask === null ? null : (bid + ask) / 2, time };
  }

  /** A copy: changing a snapshot changes no other one. */
  book({ market_id }: Market): Book {
    return copyOfBook(this.#currentBook(market_id));
  }

  /** Empty while it may be outdated. */
  #currentBook(market_id: string): Book {
    const known = this.#books.get(market_id);
    if (known !== undefined && !this.#isBehind && Date.now() - known.at <= staleMs) return known.book;
    return { market: market_id, bids: [], asks: [], time: known?.book.time ?? null };
  }

  holding({ market_id }: Market): Omit<Position, 'pnl'> {
    const open = [...this.#open.positions.values()].find((position) => position.market_id === market_id);
    return open === undefined ? nothingOpen(market_id) : holdingOf(open);
  }

  /** Equity and rooms at the current midpoints; null if a needed one is unknown. */
  account(): AccountState {
    const { account, positions } = this.#open;
    const state = accountOf(account);
    const { risk, balance } = account;
    const markOf = (market_id: string) => this.quote({ market_id }).mid ?? undefined;
    const equity = equityAt(balance, positions.values(), markOf) ?? null;
    const roomAbove = (floor: number | null | undefined) =>
      equity === null || floor === null || floor === undefined ? null : Math.max(0, equity - floor);
    return {
      ...state,
      equity,
      dailyLossRoom: roomAbove(risk?.daily_loss_floor),
      drawdownRoom: roomAbove(risk?.max_drawdown_floor),
    };
  }

  async advance(to: number): Promise<AccountNews> {
    await this.#waitUntil(to);
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#askAgain();
    // A long look is not made up for: the next one is at the current time. A stopped callback isn't due yet.
    this.now = this.#signal.aborted ? Date.now() : Math.max(to, Date.now());
    return this.news([]);
  }

  close(): void {
    this.#over.abort();
  }

  /** Lets others have their turn at least once; a timer can't wait for longer than some weeks. */
  async #waitUntil(to: number): Promise<void> {
    do {
      const ms = Math.max(0, Math.min(to - Date.now(), longestDelayMs));
      await delay(ms, undefined, { signal: this.#waking }).catch(() => {});
    } while (Date.now() < to && !this.#waking.aborted);
  }

  /** Values that the streams don't carry; while the host is away, they are requested again at a later look. */
  async #askAgain(): Promise<void> {
    try {
      if (this.#state?.gap !== undefined) await this.#catchUp(this.#state.gap.after);
      for (const order_id of this.#vanished) {
        this.#takeOrder(await this.client.getOrder({ order_id }));
        this.#vanished.delete(order_id);
      }
      if (Date.now() - this.#askedAt > accountEveryMs) await this.#askAccount();
    } catch (error) {
      if (!(error instanceof PerpError) || !error.retryable) throw error;
    }
  }

  async #askAccount(): Promise<void> {
    this.#askedAt = Date.now();
    const askedAt = this.#clock();
    const account = (await this.client.getAccount({ account_id: this.account_id })) as never;
    this.#states = merge(this.#states, this.account_id, 'account', account, { askedAt });
  }

  protected news(refused: readonly Refused[]): AccountNews {
    const orders = [...this.#changed.values()].sort((one, other) => one.requested_at - other.requested_at);
    this.#changed.clear();
    const fills = this.#fills.splice(0).map((fill) => this.fillOf(fill));
    return { fills, orders: orders.map((order) => orderOf(order as never)), refused };
  }

  /** Resolves with the first snapshot. */
  async #followAccount(): Promise<void> {
    await this.#askAccount();
    const first = Promise.withResolvers<void>();
    const follow = async () => {
      for await (const event of this.client.accountStream({ signal: this.#signal })) {
        if (event.account_id !== this.account_id) continue;
        this.#take(event);
        first.resolve();
      }
    };
    this.#inBackground(follow(), first.reject);
    await first.promise;
    // Earlier fills aren't news; fills missed later come after the newest one.
    const askedAt = this.#clock();
    const newest = (await this.client.listFills({ account_id: this.account_id, limit: 1 })).items as never;
    this.#states = merge(this.#states, this.account_id, 'fills', byId(newest), { askedAt });
  }

  #take(event: AccountEvent): void {
    const before = openIn(this.#state)?.orders ?? new Map<string, WireOrder>();
    this.#states = apply(this.#states, event as never, this.#clock());
    if (event.type === 'fill') this.#takeFill(event.fill);
    else if (event.type === 'order') this.#takeOrder(event.order);
    else if (event.type === 'snapshot') {
      const orders = [...event.orders].sort((one, other) => one.requested_at - other.requested_at);
      for (const id of before.keys()) if (!orders.some((order) => order.id === id)) this.#vanished.add(id);
      for (const order of orders) this.#takeOrder(order);
    }
  }

  #takeFill(fill: WireOrder): void {
    if (this.#seenFills.has(fill.id)) return;
    this.#seenFills.add(fill.id);
    this.#fills.push(fill);
  }

  /** Fills that came while the stream was away. */
  async #catchUp(after: string | null): Promise<void> {
    const askedAt = this.#clock();
    const missed: WireOrder[] = [];
    for await (const fill of this.client.listFills({ account_id: this.account_id })) {
      // Those since the stream is back are known, and newer than the missed ones.
      if (fill.id === after) break;
      missed.push(fill);
    }
    this.#states = merge(this.#states, this.account_id, 'fills', byId(missed as never), { askedAt });
    for (const fill of missed.reverse()) this.#takeFill(fill);
  }

  #takeOrder(order: WireOrder): void {
    if (isPart(order as never)) return;
    this.clientIds.set(order.id, order.client_order_id ?? null);
    this.#changed.set(order.id, order);
  }

  /** Resolves when the streams have accepted what the strategy reads. */
  async #followMarkets(): Promise<void> {
    const { history, onTrade } = this.#strategy;
    const began = this.now;
    const following = [
      this.#follow('books', {}, (market, event) => {
        this.#books.set(market, { book: bookOf(market, event), at: Date.now() });
      }),
      this.#follow('marketStats', {}, (market, stats) => this.#takeStats(market, stats)),
    ];
    if (history !== undefined)
      following.push(
        this.#follow('candles', { intervals: [history.candles], history: history.length }, (market, event) => {
          if (event.type !== 'candle') return;
          if (event.isFinal) this.past.take(market, [candleOf(event)], event.closeTime + 1);
          else this.#formed.add(market);
        }),
      );
    if (onTrade !== undefined)
      following.push(
        this.#follow('trades', {}, (market, event) => {
          // First come those from before.
          if (event.type !== 'trade' || event.time <= began) return;
          const { side, price, size, time } = event;
          this.past.traded(market, [{ market, side, price: Number(price), size: Number(size), time }]);
        }),
      );
    await Promise.all(following);
    // A market may have no book or no trades now; then its prices are null, and it has no candles.
    const deadline = Date.now() + firstBookMs;
    const hasCome = ({ market_id }: Market) =>
      this.#books.has(market_id) &&
      this.marksNow.has(market_id) &&
      (history === undefined || this.#formed.has(market_id));
    while (!this.read.every(hasCome) && Date.now() < deadline && !this.#waking.aborted)
      await delay(20, undefined, { signal: this.#waking }).catch(() => {});
  }

  /** Takes the events of a channel of all markets that have readers; resolves when the stream has accepted that. */
  async #follow<C extends Channel>(
    channel: C,
    more: Omit<Subscription<C>, 'markets'>,
    take: (market: string, event: MarketEvents[C]) => void,
  ): Promise<void> {
    const accepted = Promise.withResolvers<void>();
    const byCoin = new Map(this.read.map((market) => [`${market.provider}|${market.coin}`, market.market_id]));
    const follow = async () => {
      const subscription = { ...more, markets: [...byCoin.keys()] } as never;
      const onState = ({ kind }: StreamState) => {
        if (channel === 'books') this.#isBehind = kind !== 'live';
        if (kind === 'live') accepted.resolve();
      };
      for await (const event of this.client.stream(channel, subscription, { signal: this.#signal, onState })) {
        const market = byCoin.get(`${event.provider}|${event.symbol}`);
        if (market !== undefined) take(market, event);
      }
    };
    this.#inBackground(follow(), accepted.reject);
    await accepted.promise;
  }

  /** Absent figures are unchanged. */
  #takeStats(market: string, { markPx, fundingRate, fundingIntervalHours, time }: MarketStats): void {
    const known = this.marksNow.get(market) ?? marksOf(market, null);
    const { mark, fundingRate: rate, fundingHours } = known;
    this.marksNow.set(market, {
      ...known,
      mark: markPx === undefined ? mark : markPx,
      fundingRate: fundingRate === undefined ? rate : fundingRate,
      fundingHours: fundingIntervalHours === undefined ? fundingHours : fundingIntervalHours,
      time,
    });
  }

  /** A stream that ends by itself ends the run. */
  #inBackground(following: Promise<void>, onError: (error: unknown) => void): void {
    const ended = (error: unknown) => {
      if (this.#signal.aborted) return;
      this.#failure ??= { error };
      this.#broken.abort();
      onError(error);
    };
    following.then(() => ended(ownError({ code: 'stream_ended', message: 'A stream has ended.' })), ended);
  }
}
