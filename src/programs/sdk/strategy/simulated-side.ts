import type { Market } from '../../../wire/contract/markets.ts';
import { ownError, PerpError } from '../client/errors.ts';
import type { Order as WireOrder } from '../client/operations.generated.ts';
import type { OpenedSimulation } from '../sim/simulation-types.ts';
import { ClientSide, type Place, placeOf } from './client-side.ts';
import type { AccountState, Book, Fill, Order, Position, Quote, Strategy } from './define-strategy.ts';
import type { AccountNews, Refused } from './side.ts';
import { accountOf, copyOfBook, holdingOf, isPart, marksOf, nothingOpen, orderOf, quoteOf } from './wire.ts';

/** Records that a page has. */
const perPage = 100;

/**
 * A simulation with a manual clock, in this process or served: time moves from look to look, and everything the
 * strategy may read is read while it stands still.
 */
export class SimulatedSide extends ClientSide {
  readonly #simulation: OpenedSimulation;
  readonly #quotes = new Map<string, Quote>();
  readonly #books = new Map<string, Book>();
  readonly #tellsTrades: boolean;
  readonly #holdings = new Map<string, Omit<Position, 'pnl'>>();
  readonly #working = new Map<string, WireOrder>();
  #account!: AccountState;
  #lastOrder = '';
  #lastFill = '';
  orders: readonly Order[] = [];
  now = 0;

  private constructor(simulation: OpenedSimulation, place: Place, strategy: Strategy) {
    super(place, strategy);
    this.#simulation = simulation;
    this.#tellsTrades = strategy.onTrade !== undefined;
  }

  /** Reads everything at the simulation's current time. */
  static async open(
    simulation: OpenedSimulation,
    accountId: string | undefined,
    strategy: Strategy,
  ): Promise<SimulatedSide> {
    const { clock, time } = await simulation.status();
    if (clock !== 'manual')
      throw ownError({
        code: 'usage',
        message: 'A strategy runs in a simulation whose clock is manual.',
        hint: 'Open it with clock: manual, or give its client instead.',
      });
    const { client } = simulation;
    const side = new SimulatedSide(simulation, await placeOf(client, accountId), strategy);
    side.now = time;
    const { account_id } = side;
    const [newest] = (await client.listOrders({ account_id, limit: 1 })).items;
    const [lastFill] = (await client.listFills({ account_id, limit: 1 })).items;
    side.#lastOrder = newest?.id ?? '';
    side.#lastFill = lastFill?.id ?? '';
    const { items: working } = await client.listOrders({ account_id, status: 'working' });
    for (const order of working.reverse()) side.#note(order);
    side.orders = [...side.#working.values()].map((order) => orderOf(order));
    await Promise.all([side.#readAccount(), side.#readPositions(), side.#readMarkets()]);
    await Promise.all(side.read.map((market) => side.#readPast(market, undefined)));
    return side;
  }

  /** Prefix of client order ids: the same for every first run, and different for each later run. */
  get run(): string {
    return this.#lastOrder === '' ? 'run' : `run-${this.#lastOrder}`;
  }

  get isActive(): boolean {
    return this.#account.status === 'active';
  }

  /** Copies, as on the engine: changing a snapshot changes no other one. */
  quote({ market_id }: Market): Quote {
    return { ...this.#quotes.get(market_id)! };
  }

  book({ market_id }: Market): Book {
    return copyOfBook(this.#books.get(market_id)!);
  }

  holding({ market_id }: Market): Omit<Position, 'pnl'> {
    return this.#holdings.get(market_id) ?? nothingOpen(market_id);
  }

  account(): AccountState {
    return { ...this.#account };
  }

  async advance(to: number): Promise<AccountNews> {
    const after = this.now;
    this.now = await this.#simulation.advance(new Date(to));
    await Promise.all(this.read.map((market) => this.#readPast(market, this.#tellsTrades ? after : undefined)));
    return await this.news([]);
  }

  close(): void {}

  protected async news(refused: readonly Refused[]): Promise<AccountNews> {
    const { balance } = this.#account;
    const [records] = await Promise.all([this.#newRecords(), this.#readAccount(), this.#readMarkets()]);
    const orders = await this.#changedOrders(records);
    // Every execution makes or changes a record, and funding changes the balance.
    const isCalm = records.length === 0 && orders.length === 0;
    if (isCalm && this.#account.balance === balance) return { fills: [], orders, refused };
    const [fills] = await Promise.all([this.#newFills(), this.#readPositions()]);
    return { fills, orders, refused };
  }

  async #readAccount(): Promise<void> {
    this.#account = accountOf(await this.client.getAccount({ account_id: this.account_id }));
  }

  async #readPositions(): Promise<void> {
    const { items } = await this.client.listOpenPositions({ account_id: this.account_id });
    this.#holdings.clear();
    for (const position of items) this.#holdings.set(position.market_id, holdingOf(position));
  }

  async #readMarkets(): Promise<void> {
    await Promise.all(this.read.map((market) => this.#readMarket(market)));
  }

  async #readMarket({ market_id }: Market): Promise<void> {
    const [quote, book] = await Promise.all([
      this.client.getMarketQuote({ market_id }).catch((error: unknown) => {
        // No fresh book.
        if (error instanceof PerpError && error.code === 'unavailable') return null;
        throw error;
      }),
      this.#simulation.book(market_id),
    ]);
    this.#quotes.set(market_id, quoteOf(market_id, quote));
    this.marksNow.set(market_id, marksOf(market_id, book.marks));
    this.#books.set(market_id, { market: market_id, bids: book.bids, asks: book.asks, time: book.time });
  }

  /** The candles that have closed, and the trades after a time, if the strategy wants to know. */
  async #readPast({ market_id }: Market, tradesAfter: number | undefined): Promise<void> {
    const candles = this.past.missing(market_id, this.now) ?? undefined;
    if (candles === undefined && tradesAfter === undefined) return;
    const past = await this.#simulation.past(market_id, { candles, tradesAfter });
    if (candles !== undefined) this.past.take(market_id, past.candles, this.now);
    const trades = past.trades.map((trade) => ({ market: market_id, ...trade }));
    this.past.traded(market_id, trades);
  }

  /** Records made since the last look, including partial executions. */
  async #newRecords(): Promise<WireOrder[]> {
    const records: WireOrder[] = [];
    for await (const order of this.client.listOrders({ account_id: this.account_id, limit: perPage })) {
      if (order.id <= this.#lastOrder) break;
      records.push(order);
    }
    this.#lastOrder = records[0]?.id ?? this.#lastOrder;
    return records;
  }

  /** New orders, and those that worked at the last look and have changed, oldest first. */
  async #changedOrders(records: readonly WireOrder[]): Promise<Order[]> {
    const changed = new Map(records.filter((order) => !isPart(order)).map((order) => [order.id, order]));
    if (this.#working.size > 0) {
      const { items } = await this.client.listOrders({ account_id: this.account_id, status: 'working' });
      const now = new Map(items.map((order) => [order.id, order]));
      for (const [id, before] of this.#working) {
        const order = now.get(id) ?? (await this.client.getOrder({ order_id: id }));
        if (JSON.stringify(order) !== JSON.stringify(before)) changed.set(id, order);
      }
    }
    const all = [...changed.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const order of all) this.#note(order);
    return all.map((order) => orderOf(order));
  }

  async #newFills(): Promise<Fill[]> {
    const fills: WireOrder[] = [];
    for await (const fill of this.client.listFills({ account_id: this.account_id, limit: perPage })) {
      if (fill.id === this.#lastFill) break;
      fills.push(fill);
    }
    this.#lastFill = fills[0]?.id ?? this.#lastFill;
    return fills.reverse().map((fill) => this.fillOf(fill));
  }

  #note(order: WireOrder): void {
    this.clientIds.set(order.id, order.client_order_id ?? null);
    if (order.status === 'resting' || order.status === 'pending') this.#working.set(order.id, order);
    else this.#working.delete(order.id);
  }
}
