import type { Order } from '../../wire/contract/orders.ts';
import { averageOf, type Executed, isFilledInParts } from '../account/means.ts';
import { noted, type Session } from '../session/session.ts';

/** The fills of an account to search for those of one order: the API has no filter by order. */
const maxFills = 500;

/** An order as a whole: with the average price and the sums of its executions in place of those of its last part. */
export interface WholeOrder {
  /** Unknown executions are left out. */
  readonly order: Order;
  /** For JSON, beside the fields of the API; nothing for an order that has not filled. */
  readonly computed: Partial<Executed>;
}

/** Reads the executions of an order that has filled in parts; any other order is complete by itself. */
export async function wholeOrder(session: Session, order: Order): Promise<WholeOrder> {
  if ((order.filled_size ?? 0) === 0) return { order, computed: {} };
  if (!isFilledInParts(order)) return { order, computed: averageOf(order, [order]) };
  const computed = averageOf(order, await noted(session, 'The fills of the order', executionsOf(session, order), []));
  const { fill_price: _, notional: __, fee: ___, realized_pnl: ____, ...rest } = order;
  const { average_price: price, filled_notional: notional, total_fee: fee, total_realized_pnl: realized } = computed;
  if (price === null) {
    session.note(`The average price and the fees of ${order.id} are not known: not all of its fills were found.`);
    return { order: rest, computed };
  }
  const known = { fill_price: price, notional: notional ?? undefined, fee: fee ?? undefined };
  return { order: { ...rest, ...known, realized_pnl: realized ?? undefined }, computed };
}

/** Newest first, from the latest fill of the account back to the first of the order. */
async function executionsOf(session: Session, order: Order): Promise<Order[]> {
  const found: Order[] = [];
  let left = order.filled_size ?? 0;
  let seen = 0;
  for await (const fill of session.pages('listFills', { query: { account_id: order.account_id, limit: 100 } })) {
    seen += 1;
    if (seen > maxFills || (fill.settled_at ?? fill.requested_at) < order.requested_at) break;
    if (!isExecutionOf(fill, order)) continue;
    found.push(fill);
    left = Number((left - fill.size).toFixed(8));
    if (left <= 0) break;
  }
  return found;
}

/** Whether a fill is an execution of an order. */
function isExecutionOf({ id, partial_fill_root_order_id: root, status }: Order, order: Order): boolean {
  return status === 'filled' && (id === order.id || root === order.id);
}
