import type { Market } from '../../../wire/contract/markets.ts';
import type { Client } from '../client/client-types.ts';
import { ownError, PerpError } from '../client/errors.ts';
import type { Order as WireOrder } from '../client/operations.generated.ts';
import { neverAccepted } from './actor.ts';
import type {
  AccountState,
  Book,
  Candle,
  Fill,
  Marks,
  Order,
  Position,
  Quote,
  Strategy,
  Trade,
} from './define-strategy.ts';
import { marketsOf } from './definition.ts';
import { Past } from './past.ts';
import type { AccountNews, Asked, OrderIds, Refused, View } from './side.ts';
import { fillOf, marksOf, orderIdOf } from './wire.ts';

/** The account in which a strategy trades, and all markets of its host. */
export interface Place {
  readonly client: Client;
  readonly account_id: string;
  readonly markets: readonly Market[];
}

/** Where a strategy trades: in this account, by default the only one that can trade. */
export async function placeOf(client: Client, account: string | undefined): Promise<Place> {
  const markets = (await client.listMarkets()) as readonly Market[];
  return { client, markets, account_id: account ?? (await onlyAccount(client)) };
}

/**
 * A service on which a strategy runs, over a client: it moves or awaits time, carries out requests, and reports events.
 */
export abstract class ClientSide implements View {
  abstract now: number;
  /** Working orders at the start. */
  abstract readonly orders: readonly Order[];
  /** Whether the account still trades. */
  abstract readonly isActive: boolean;
  readonly markets: readonly Market[];
  protected readonly client: Client;
  protected readonly account_id: string;
  /** The markets that the strategy reads. */
  protected readonly read: readonly Market[];
  protected readonly past: Past;
  protected readonly marksNow = new Map<string, Marks>();
  protected readonly clientIds = new Map<string, string | null>();

  constructor({ client, account_id, markets }: Place, strategy: Strategy) {
    this.client = client;
    this.account_id = account_id;
    this.markets = markets;
    this.read = marketsOf(strategy, markets);
    this.past = new Past(strategy);
  }

  abstract quote(market: Market): Quote;
  abstract book(market: Market): Book;
  abstract holding(market: Market): Omit<Position, 'pnl'>;
  abstract account(): AccountState;

  /** A copy: changing a snapshot changes no other one. */
  marks({ market_id }: Market): Marks {
    return { ...(this.marksNow.get(market_id) ?? marksOf(market_id, null)) };
  }

  candles({ market_id }: Market): readonly Candle[] {
    return this.past.of(market_id);
  }

  takeTrades({ market_id }: Market): readonly Trade[] {
    return this.past.takeTrades(market_id);
  }

  /** Advances to this market time; resolves with the events until then. */
  abstract advance(to: number): Promise<AccountNews>;

  /** Sends requests, in order; resolves with their outcome. */
  async carryOut(asked: readonly Asked[], ids: OrderIds): Promise<AccountNews> {
    const refused: Refused[] = [];
    for (const one of asked) {
      try {
        await this.#send(one, ids);
      } catch (error) {
        // A request that may have happened, or never will, ends the run.
        if (
          !(error instanceof PerpError) ||
          error.outcome === 'unknown' ||
          error.status === 401 ||
          error.status === 403
        )
          throw error;
        const { code, message, orderId } = error;
        if (one.kind === 'place' && orderId !== undefined) ids.accept(one.clientId, orderId);
        refused.push({ asked: one, code, message, hasRecord: orderId !== undefined });
      }
    }
    return this.news(refused);
  }

  /** The events since the last ones. */
  protected abstract news(refused: readonly Refused[]): AccountNews | Promise<AccountNews>;

  abstract close(): void;

  async #send(asked: Asked, ids: OrderIds): Promise<void> {
    const { client, account_id } = this;
    if (asked.kind === 'place') {
      const { id } = await client.createOrder({ ...asked.body, account_id });
      ids.accept(asked.clientId, id);
      return;
    }
    const order_id = ids.idOf(asked.order);
    if (order_id === undefined) throw ownError({ code: 'not_found', message: neverAccepted(asked.order) });
    if (asked.kind === 'cancel') await client.cancelOrder({ order_id });
    else await client.modifyOrder({ order_id, ...asked.change });
  }

  /** A fill as the strategy sees it, with the client order id of its order. */
  protected fillOf(fill: WireOrder): Fill {
    return fillOf(fill as never, this.clientIds.get(orderIdOf(fill as never)) ?? fill.client_order_id ?? null);
  }
}

/** The id of the only account that can trade; an error that names them if there are several. */
async function onlyAccount(client: Client): Promise<string> {
  const active = (await client.listAccounts()).filter(({ status }) => status === 'active');
  const [first] = active;
  if (first !== undefined && active.length === 1) return first.id;
  const ids = active.map(({ id }) => id).join(', ');
  const issue = active.length === 0 ? 'has no account that trades' : `must name one of ${ids}`;
  throw ownError({ code: 'usage', message: 'Which account?', issues: [{ field: 'account', issue }] });
}
