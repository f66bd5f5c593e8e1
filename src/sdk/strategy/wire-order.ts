import type { Order as WireOrder } from '../../contract/orders.ts';
import type { Fill, Order } from './strategy.ts';

/** An order of the API as a strategy sees it. */
export function orderOf(order: WireOrder): Order {
  return {
    id: order.id,
    clientId: order.client_order_id ?? null,
    market: order.market_id,
    side: order.side,
    type: order.mode,
    size: order.initial_size ?? order.size,
    filled: order.filled_size ?? 0,
    price: order.limit_price ?? null,
    triggerPrice: order.trigger_price ?? null,
    reduceOnly: order.reduce_only,
    status: order.status,
    reason: order.reject_reason ?? null,
    message: order.reject_message ?? null,
  };
}

/** Whether a record is only a part of an order's execution. */
export function isPart({ partial_of_order_id }: WireOrder): boolean {
  return partial_of_order_id !== undefined && partial_of_order_id !== null;
}

/** A fill of the API as a strategy sees it; `clientId` is that of the order that was executed. */
export function fillOf(fill: WireOrder, clientId: string | null): Fill {
  return {
    id: fill.id,
    orderId: orderIdOf(fill),
    clientId,
    market: fill.market_id,
    side: fill.side,
    size: fill.size,
    price: fill.fill_price ?? 0,
    notional: fill.notional ?? 0,
    fee: fill.fee ?? 0,
    pnl: fill.realized_pnl ?? null,
    role: fill.liquidity_role ?? 'taker',
    time: fill.settled_at ?? fill.requested_at,
  };
}

/** The order that a fill belongs to. */
export function orderIdOf(fill: WireOrder): string {
  return fill.partial_fill_root_order_id ?? fill.partial_of_order_id ?? fill.id;
}
