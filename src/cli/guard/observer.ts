import type { Market } from '../../contract/markets.ts';
import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { tradingDayStart } from '../../terms/day.ts';
import type { Context } from '../context/context.ts';
import { marksOf } from '../reading/marks.ts';
import { gridOf } from '../resolve/grid.ts';
import { allMarkets, resolveMarket } from '../resolve/market.ts';
import type { Rules } from './rules.ts';
import type { GuardView } from './view.ts';

/** A page of the latest fills or closed positions. */
const page = 100;
/** A guard that missed more fills than this reports only the latest ones. */
const maxFills = 1_000;

/** Reads what the rules need to know about one account, and nothing more. */
export class Observer {
  readonly #context: Context;
  readonly #account: string;
  readonly #needs: { closed: boolean; fills: boolean; exits: boolean };
  readonly #priceWords: readonly string[];
  readonly #marketIds = new Map<string, string>();
  readonly #ticks = new Map<string, number>();
  #closed: readonly Position[] = [];

  constructor(context: Context, account: string, { rules }: Rules) {
    const has = (...kinds: string[]) => rules.some(({ kind }) => kinds.includes(kind));
    this.#context = context;
    this.#account = account;
    this.#needs = { closed: has('max-trades', 'max-losses'), fills: has('fills'), exits: has('trail') };
    this.#priceWords = rules.flatMap((rule) => ('market' in rule && rule.market !== undefined ? [rule.market] : []));
  }

  /** Finds the markets in the rules; throws a Failure if one does not exist. */
  async begin(): Promise<void> {
    for (const text of this.#priceWords)
      this.#marketIds.set(text, (await resolveMarket(this.#context, text)).market_id);
  }

  /** The markets whose marks are needed now. */
  async marketsOf({ positions }: Pick<GuardView, 'positions'>): Promise<Market[]> {
    const ids = new Set([...this.#marketIds.values(), ...positions.map(({ market_id }) => market_id)]);
    return (await allMarkets(this.#context)).filter(({ market_id }) => ids.has(market_id));
  }

  /**
   * Reads the account. `streamed` are marks from a stream; markets without one are quoted. `knownFill` is the last reported
   * fill.
   */
  async look(
    streamed: ReadonlyMap<string, number>,
    knownFill: string | undefined,
  ): Promise<Omit<GuardView, 'silences' | 'blindMs'>> {
    const account_id = this.#account;
    const [{ data: account }, { data: positions }] = await Promise.all([
      this.#context.call('getAccount', { path: { account_id } }),
      this.#context.call('listOpenPositions', { query: { account_id } }),
    ]);
    const time = account.risk?.observed_at ?? this.#context.outside.now();
    const markets = await this.marketsOf({ positions });
    for (const market of this.#needs.exits ? markets : []) {
      const { tick } = await gridOf(this.#context, market);
      if (tick !== undefined) this.#ticks.set(market.market_id, tick);
    }
    const [exits, closed, fills, marks] = await Promise.all([
      this.#exits(positions),
      this.#closedToday(time),
      this.#needs.fills ? this.#fills(knownFill) : [],
      this.#marks(markets, streamed),
    ]);
    return { time, account, positions, exits, closed, fills, marks, markets: this.#marketIds, ticks: this.#ticks };
  }

  async #exits(positions: readonly Position[]): Promise<Order[]> {
    if (!this.#needs.exits || positions.length === 0) return [];
    const query = { account_id: this.#account, status: 'working' as const };
    const { data } = await this.#context.call('listOrders', { query });
    return data.filter(({ target_position_id: target }) => target !== undefined);
  }

  /** Newest first. Reads pages back to a known position, or to the start of the day. */
  async #closedToday(time: number): Promise<readonly Position[]> {
    if (!this.#needs.closed) return [];
    const day = tradingDayStart(time);
    const isToday = ({ closed_at: at = 0 }: Position) => at >= day;
    const known = new Set(this.#closed.map(({ id }) => id));
    const query = { account_id: this.#account, status: 'closed' as const, limit: page };
    const fresh: Position[] = [];
    for await (const position of this.#context.pages('listOpenPositions', { query })) {
      if (!isToday(position) || known.has(position.id)) break;
      fresh.push(position);
    }
    this.#closed = [...fresh, ...this.#closed.filter(isToday)];
    return this.#closed;
  }

  /** Oldest first: the fills after the known one, or the latest page without one. */
  async #fills(known: string | undefined): Promise<Order[]> {
    const query = { account_id: this.#account, limit: page };
    const fills: Order[] = [];
    for await (const fill of this.#context.pages('listFills', { query })) {
      if (fill.id === known || fills.length === (known === undefined ? page : maxFills)) break;
      fills.push(fill);
    }
    return fills.reverse();
  }

  async #marks(markets: readonly Market[], streamed: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const unstreamed = markets.map(({ market_id }) => market_id).filter((id) => !streamed.has(id));
    const quoted = await marksOf(this.#context, unstreamed);
    return new Map([...streamed, ...[...quoted].map(([id, { price }]) => [id, price] as const)]);
  }
}
