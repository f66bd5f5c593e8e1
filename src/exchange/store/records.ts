import type { SQLOutputValue } from 'node:sqlite';
import type { OpenState } from '../engine/commands.ts';
import type {
  Account,
  BulkOperation,
  CopyGroup,
  Environment,
  Explanation,
  Money,
  Ms,
  Order,
  Position,
  Posting,
  ScaledOrder,
  Side,
  TwapOrder,
} from '../engine/model.ts';
import { sequenceOf } from '../engine/world/world.ts';
import { type Page, PageQuery, type PageRequest, pageOf, Query } from './query.ts';
import type { StateDatabase } from './state-database.ts';
import type { Table } from './table.ts';
import {
  accounts,
  consumption,
  copyGroups,
  explanations,
  head,
  isOpen,
  ledger,
  operations,
  orders,
  positions,
  scaledOrders,
  twaps,
} from './tables.ts';

/** The fields of a filled record that a history needs. */
export type BriefFill = Pick<
  Order,
  ('sequence' | 'partialOfOrderId' | 'id' | 'marketId' | 'side' | 'size' | 'realizedPnl') | 'attachedStopLossPrice'
> & { notional: Money; fee: Money; settledAt: Ms; settleSequence: number };

const columns = [
  ...['sequence', 'partial_of_order_id', 'id', 'market_id', 'side', 'size', 'notional', 'fee', 'realized_pnl'],
  ...['settled_at', 'settle_sequence', 'attached_stop_loss_price'],
];

const sql = `SELECT ${columns.join(', ')} FROM orders
  WHERE account_id = ?1 AND settle_sequence IS NOT NULL AND settle_sequence < ?2
  ORDER BY settle_sequence DESC LIMIT ?3`;

/**
 * A page of an account's fills, newest first. Reads only these columns, which takes a sixth of the time of whole rows.
 * The checksum of a row covers all of its columns, so it is not compared here: anyone who adds these fills up compares
 * the sum with the ledger.
 */
function pageOfFills(database: StateDatabase, accountId: string, { limit, after }: PageRequest): Page<BriefFill> {
  const found = database.prepare(sql).rows(accountId, after?.sequence ?? Number.MAX_SAFE_INTEGER, limit + 1);
  return pageOf(found.map(fillOf), limit, settledKey);
}

function fillOf(row: SQLOutputValue[]): BriefFill {
  return {
    sequence: Number(row[0]),
    partialOfOrderId: row[1] as string | null,
    id: row[2] as string,
    marketId: row[3] as string,
    side: row[4] as Side,
    size: Number(row[5]),
    notional: row[6] as bigint,
    fee: row[7] as bigint,
    realizedPnl: row[8] as bigint | null,
    settledAt: Number(row[9]),
    settleSequence: Number(row[10]),
    attachedStopLossPrice: row[11] as number | null,
  };
}

/** An owner's records in one environment, of all accounts or of one. */
interface OwnerFilter {
  owner: string;
  environment: Environment;
  accountId: string | null;
}

/** Evaluated once per page: another owner's account has no rows for this owner. */
const ownAccount = 'SELECT 1 FROM accounts WHERE id = ?4 AND owner = ?5 AND environment = ?6';

const bySequence = (a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence;

const settledKey = ({ settledAt, settleSequence }: Pick<Order, 'settledAt' | 'settleSequence'>) => ({
  time: settledAt!,
  sequence: settleSequence!,
});
const requestedKey = ({ requestedAt, sequence }: Order) => ({ time: requestedAt, sequence });
const startedKey = ({ startedAt, sequence }: TwapOrder | ScaledOrder) => ({ time: startedAt, sequence });

/**
 * Every read of the exchange's records. Lists come newest first (simulation 1); none reads more than one row beyond
 * what it returns.
 */
export class StoredRecords {
  protected readonly database: StateDatabase;
  readonly #queries: ReturnType<typeof queriesOf>;

  constructor(database: StateDatabase) {
    this.database = database;
    this.#queries = queriesOf(database);
  }

  account(id: string): Account | null {
    return this.#queries.account.one(id);
  }

  accounts(owner: string, environment: Environment): Account[] {
    return this.#queries.accounts.all(owner, environment);
  }

  order(id: string): Order | null {
    return numbered(id, this.#queries.order);
  }

  /** An owner's order by its client order id, which is unique in each environment (simulation 8.3). */
  orderByClientId(owner: string, environment: Environment, clientOrderId: string): Order | null {
    return this.#queries.orderByClientId.one(owner, environment, clientOrderId);
  }

  orders({ owner, environment, accountId, ...page }: OwnerFilter & PageRequest): Page<Order> {
    return accountId === null
      ? this.#queries.ordersOfOwner.page(page, owner, environment)
      : this.#queries.ordersOfAccount.page(page, accountId, owner, environment);
  }

  /** All pending and resting orders. */
  workingOrders({ owner, environment, accountId }: OwnerFilter): Order[] {
    return this.#queries.workingOrders.all(owner, environment, accountId);
  }

  /** Filled records by settlement, newest first. */
  fills({ accountId, ...page }: { accountId: string } & PageRequest): Page<Order> {
    return this.#queries.fills.page(page, accountId);
  }

  /** Filled records with only the fields that a history needs, for pages of thousands. */
  briefFills({ accountId, ...page }: { accountId: string } & PageRequest): Page<BriefFill> {
    return pageOfFills(this.database, accountId, page);
  }

  /** The number of an account's orders and fills. */
  tally(accountId: string): { orders: number; rejected: number; fills: number } {
    const sql = `SELECT count(*) FILTER (WHERE partial_of_order_id IS NULL), count(*) FILTER (WHERE status = 'rejected'),
      count(settle_sequence) FROM orders WHERE account_id = ?`;
    const [orders, rejected, fills] = this.database.prepare(sql).row(accountId)!.map(Number);
    return { orders: orders!, rejected: rejected!, fills: fills! };
  }

  position(id: string): Position | null {
    return numbered(id, this.#queries.position);
  }

  openPositions(accountId: string): Position[] {
    return this.#queries.openPositions.all(accountId);
  }

  closedPositions({ accountId, ...page }: { accountId: string } & PageRequest): Page<Position> {
    return this.#queries.closedPositions.page(page, accountId);
  }

  twap(id: string): TwapOrder | null {
    return this.#queries.twap.one(id);
  }

  /** `active` are the running and canceling ones. */
  twaps({
    accountId,
    status,
    ...page
  }: { accountId: string; status: 'active' | 'completed' | 'canceled' } & PageRequest): Page<TwapOrder> {
    return status === 'active'
      ? this.#queries.activeTwaps.page(page, accountId)
      : this.#queries.endedTwaps.page(page, accountId, status);
  }

  scaled(id: string): ScaledOrder | null {
    return this.#queries.scaled.one(id);
  }

  scaledOrders({ accountId, ...page }: { accountId: string } & PageRequest): Page<ScaledOrder> {
    return this.#queries.scaledOrders.page(page, accountId);
  }

  copyGroups(owner: string, environment: Environment): CopyGroup[] {
    return this.#queries.copyGroups.all(owner, environment);
  }

  copyGroup(id: string): CopyGroup | null {
    return this.#queries.copyGroup.one(id);
  }

  operation(id: string): BulkOperation | null {
    return this.#queries.operation.one(id);
  }

  /** Why an order did or didn't fill, in chronological order. */
  explanations(orderId: string): Explanation[] {
    return this.#queries.explanations.all(orderId);
  }

  ledger({ accountId, ...page }: { accountId: string } & PageRequest): Page<Posting> {
    return this.#queries.ledger.page(page, accountId);
  }

  /** Postings that no fill made: deposits, carry, liquidation fees, bankruptcies. */
  payments({ accountId, ...page }: { accountId: string } & PageRequest): Page<Posting> {
    return this.#queries.payments.page(page, accountId);
  }

  /**
   * Everything that the exchange needs to continue, in order of creation, as of one moment; null in a state that was
   * never initialized. The cost depends on what is open, not on the history.
   */
  loadOpenState(): OpenState | null {
    return this.database.snapshot(() => {
      const head = this.#queries.head.one();
      if (head === null) return null;
      const { row: _, ...clock } = head;
      return {
        ...clock,
        accounts: this.#queries.everyAccount.all(),
        orders: this.#queries.everyWorkingOrder.all().sort(bySequence),
        positions: this.#queries.everyOpenPosition.all().sort(bySequence),
        consumption: this.#queries.everyConsumption.all(),
        twaps: this.#queries.everyActiveTwap.all().sort(bySequence),
        scaled: this.#queries.everyWorkingScaled.all(),
        copyGroups: this.#queries.everyCopyGroup.all().sort(bySequence),
        operations: this.#queries.everyRunningOperation.all(),
      };
    });
  }
}

/** The record of an id, found by the number in the id. */
function numbered<R extends { id: string }>(id: string, byNumber: Query<R>): R | null {
  const record = byNumber.one(sequenceOf(id));
  return record?.id === id ? record : null;
}

/** Each read with its index (the tables name them); a statement is prepared when first used. */
export function queriesOf(database: StateDatabase) {
  const query = <R extends object>(table: Table<R>, tail: string) => new Query(database, table, tail);
  const started = { time: 'started_at', sequence: 'sequence' };
  const postings = (filter: string) =>
    new PageQuery(database, ledger, { filter, time: null, sequence: 'sequence' }, ({ time, sequence }) => ({
      time,
      sequence,
    }));
  return {
    head: query(head, 'WHERE row = 1'),

    account: query(accounts, 'WHERE id = ?'),
    accounts: query(accounts, 'WHERE owner = ? AND environment = ? ORDER BY created_at DESC, id DESC'),
    everyAccount: query(accounts, 'ORDER BY rowid'),

    ...orderQueries(database),

    position: query(positions, 'WHERE row = ?'),
    openPositions: query(positions, "WHERE account_id = ? AND status = 'open' ORDER BY opened_at DESC, sequence DESC"),
    everyOpenPosition: query(positions, `WHERE ${isOpen('positions')}`),
    closedPositions: new PageQuery(
      database,
      positions,
      { filter: "account_id = ?4 AND status = 'closed'", time: 'closed_at', sequence: 'sequence' },
      ({ closedAt, sequence }) => ({ time: closedAt!, sequence }),
    ),

    twap: query(twaps, 'WHERE id = ?'),
    activeTwaps: new PageQuery(
      database,
      twaps,
      { filter: `account_id = ?4 AND ${isOpen('twap_orders')}`, ...started },
      startedKey,
    ),
    endedTwaps: new PageQuery(database, twaps, { filter: 'account_id = ?4 AND status = ?5', ...started }, startedKey),
    everyActiveTwap: query(twaps, `WHERE ${isOpen('twap_orders')}`),

    scaled: query(scaledOrders, 'WHERE id = ?'),
    scaledOrders: new PageQuery(database, scaledOrders, { filter: 'account_id = ?4', ...started }, startedKey),
    everyWorkingScaled: query(scaledOrders, `WHERE ${isOpen('scaled_orders')} ORDER BY sequence`),

    copyGroup: query(copyGroups, 'WHERE id = ?'),
    copyGroups: query(copyGroups, 'WHERE owner = ? AND environment = ? ORDER BY sequence DESC'),
    everyCopyGroup: query(copyGroups, ''),

    operation: query(operations, 'WHERE id = ?'),
    everyRunningOperation: query(operations, `WHERE ${isOpen('operations')} ORDER BY sequence`),

    everyConsumption: query(consumption, 'ORDER BY account_id, market_id, book_side, price'),
    explanations: query(explanations, 'WHERE order_id = ? ORDER BY sequence'),
    ledger: postings('account_id = ?4'),
    payments: postings("account_id = ?4 AND kind NOT IN ('fee', 'realized_pnl')"),
  };
}

function orderQueries(database: StateDatabase) {
  const query = (tail: string) => new Query(database, orders, tail);
  const requested = { time: 'requested_at', sequence: 'sequence' };
  return {
    order: query('WHERE row = ?'),
    orderByClientId: query('WHERE owner = ? AND environment = ? AND client_order_id = ?'),
    ordersOfOwner: new PageQuery(
      database,
      orders,
      { filter: 'owner = ?4 AND environment = ?5', ...requested },
      requestedKey,
    ),
    ordersOfAccount: new PageQuery(
      database,
      orders,
      { filter: `account_id = ?4 AND EXISTS (${ownAccount})`, ...requested },
      requestedKey,
    ),
    workingOrders: query(
      `WHERE owner = ?1 AND environment = ?2 AND (?3 IS NULL OR account_id = ?3) AND ${isOpen('orders')}
       ORDER BY requested_at DESC, sequence DESC`,
    ),
    everyWorkingOrder: query(`WHERE ${isOpen('orders')}`),
    fills: new PageQuery(
      database,
      orders,
      { filter: 'account_id = ?4 AND settle_sequence IS NOT NULL', time: null, sequence: 'settle_sequence' },
      settledKey,
    ),
  };
}
