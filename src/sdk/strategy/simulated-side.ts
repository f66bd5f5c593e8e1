import type { Market } from '../../contract/markets.ts';
import { PerpError } from '../client/errors.ts';
import type { Order as WireOrder } from '../client/operations.generated.ts';
import type { Client } from '../client/types.ts';
import type { OpenedSimulation } from '../sim/types.ts';
import type { Asked, News, Refused } from './actor.ts';
import { sendAsked } from './requests.ts';
import type { OrderIds, Side } from './side.ts';
import type { AccountState, Book, Fill, Order, Position, Quote } from './strategy.ts';
import { accountOf, fillOf, holdingOf, isPart, nothingOpen, orderIdOf, orderOf, quoteOf } from './wire.ts';

/** Records that a page has. */
const perPage = 100;

/**
 * A simulation with a manual clock, in this process or served: time moves from look to look, and everything that the
 * strategy may read is read while it stands still.
 */
export class SimulatedSide implements Side {
  readonly markets: readonly Market[];
  readonly #simulation: OpenedSimulation;
  readonly #client: Client;
  readonly #accountId: string;
  /** The markets that the strategy reads. */
  readonly #read: readonly Market[];
  readonly #quotes = new Map<string, Quote>();
  readonly #books = new Map<string, Book>();
  readonly #holdings = new Map<string, Omit<Position, 'pnl'>>();
  readonly #clientIds = new Map<string, string | null>();
  readonly #working = new Map<string, WireOrder>();
  #account!: AccountState;
  #lastOrder = '';
  #lastFill = '';
  #orders: readonly Order[] = [];
  now = 0;

  private constructor(
    simulation: OpenedSimulation,
    accountId: string,
    markets: readonly Market[],
    read: readonly Market[],
  ) {
    this.#simulation = simulation;
    this.#client = simulation.client;
    this.#accountId = accountId;
    this.markets = markets;
    this.#read = read;
  }

  /** Reads everything at the present time of the simulation; `named` finds the markets of the strategy. */
  static async open(
    simulation: OpenedSimulation,
    accountId: string | undefined,
    named: (markets: readonly Market[]) => readonly Market[],
  ): Promise<SimulatedSide> {
    const { clock, time } = await simulation.status();
    if (clock !== 'manual')
      throw new PerpError({
        code: 'usage',
        message: 'A strategy runs in a simulation whose clock is manual.',
        hint: 'Open it with clock: manual, or give its client instead.',
      });
    const markets = (await simulation.client.listMarkets()) as readonly Market[];
    const account = accountId ?? (await onlyAccount(simulation.client));
    const side = new SimulatedSide(simulation, account, markets, named(markets));
    side.now = time;
    const [newest] = await side.#client.listOrders({ account_id: account, limit: 1 });
    const [lastFill] = await side.#client.listFills({ account_id: account, limit: 1 });
    side.#lastOrder = newest?.id ?? '';
    side.#lastFill = lastFill?.id ?? '';
    for (const order of (await side.#client.listOrders({ account_id: account, status: 'working' })).reverse())
      side.#note(order);
    side.#orders = [...side.#working.values()].map((order) => orderOf(order as never));
    await side.#readState();
    return side;
  }

  get orders(): readonly Order[] {
    return this.#orders;
  }

  get isActive(): boolean {
    return this.#account.status === 'active';
  }

  quote({ market_id }: Market): Quote {
    return this.#quotes.get(market_id)!;
  }

  book({ market_id }: Market): Book {
    return this.#books.get(market_id)!;
  }

  holding({ market_id }: Market): Omit<Position, 'pnl'> {
    return this.#holdings.get(market_id) ?? nothingOpen(market_id);
  }

  account(): AccountState {
    return this.#account;
  }

  async advance(to: number): Promise<News> {
    this.now = await this.#simulation.advance(new Date(to));
    return await this.#look([]);
  }

  async carryOut(asked: readonly Asked[], ids: OrderIds): Promise<News> {
    return await this.#look(await sendAsked(this.#client, this.#accountId, asked, ids));
  }

  async close(): Promise<void> {}

  async #look(refused: readonly Refused[]): Promise<News> {
    const orders = await this.#changedOrders();
    const fills = await this.#newFills();
    await this.#readState();
    return { fills, orders, refused };
  }

  async #readState(): Promise<void> {
    const [account, positions] = await Promise.all([
      this.#client.getAccount({ account_id: this.#accountId }),
      this.#client.listOpenPositions({ account_id: this.#accountId }),
      ...this.#read.map((market) => this.#readMarket(market)),
    ]);
    this.#account = accountOf(account);
    this.#holdings.clear();
    for (const position of positions) this.#holdings.set(position.market_id, holdingOf(position));
  }

  async #readMarket({ market_id }: Market): Promise<void> {
    const [quote, book] = await Promise.all([
      this.#client.getMarketQuote({ market_id }).catch((error: unknown) => {
        // No fresh book.
        if (error instanceof PerpError && error.code === 'unavailable') return null;
        throw error;
      }),
      this.#simulation.book(market_id),
    ]);
    this.#quotes.set(market_id, quoteOf(market_id, quote));
    this.#books.set(market_id, { market: market_id, bids: book.bids, asks: book.asks, time: book.time });
  }

  /** New orders, and those that worked at the last look and have changed, oldest first. */
  async #changedOrders(): Promise<Order[]> {
    const changed = new Map<string, WireOrder>();
    const scope = { account_id: this.#accountId };
    let newest = this.#lastOrder;
    for await (const order of this.#client.each('listOrders', { ...scope, limit: perPage })) {
      if (order.id <= this.#lastOrder) break;
      if (order.id > newest) newest = order.id;
      if (!isPart(order)) changed.set(order.id, order);
    }
    this.#lastOrder = newest;
    if (this.#working.size > 0) {
      const working = await this.#client.listOrders({ ...scope, status: 'working' });
      for (const order of working) changed.set(order.id, order);
      for (const id of this.#working.keys())
        if (!changed.has(id)) changed.set(id, await this.#client.getOrder({ order_id: id }));
    }
    const all = [...changed.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const order of all) this.#note(order);
    return all.map((order) => orderOf(order as never));
  }

  async #newFills(): Promise<Fill[]> {
    const fills: WireOrder[] = [];
    for await (const fill of this.#client.each('listFills', { account_id: this.#accountId, limit: perPage })) {
      if (fill.id === this.#lastFill) break;
      fills.push(fill);
    }
    if (fills[0] !== undefined) this.#lastFill = fills[0].id;
    return fills.reverse().map((fill) => fillOf(fill as never, this.#clientIds.get(orderIdOf(fill as never)) ?? null));
  }

  #note(order: WireOrder): void {
    this.#clientIds.set(order.id, order.client_order_id ?? null);
    if (order.status === 'resting' || order.status === 'pending') this.#working.set(order.id, order);
    else this.#working.delete(order.id);
  }
}

/** The id of the only account that can trade; an error that names them if there are several. */
export async function onlyAccount(client: Client): Promise<string> {
  const accounts = await client.listAccounts();
  const active = accounts.filter(({ status }) => status === 'active');
  const [first] = active;
  if (first !== undefined && active.length === 1) return first.id;
  const ids = active.map(({ id }) => id).join(', ');
  const issue = active.length === 0 ? 'has no account that trades' : `must name one of ${ids}`;
  throw new PerpError({ code: 'usage', message: 'Which account?', issues: [{ field: 'account', issue }] });
}
