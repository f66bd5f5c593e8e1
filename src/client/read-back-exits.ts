import type { Order } from '../contract/orders.ts';
import type { ExitOperation, ExitOrderBatchRequest, Position } from '../contract/positions.ts';
import { exitGroupOf } from '../terms/order-types.ts';
import type { Effect, Question } from './finding.ts';

/**
 * The effect of each operation of an exit batch, as the position's exits show it now. The request's `expected_orders`
 * is the state before it, so nothing else needs to be known.
 */
export async function batchEffects(
  question: Question,
  position: Position,
  batch: ExitOrderBatchRequest,
): Promise<Effect[]> {
  const { client, signal } = question;
  const query = { account_id: position.account_id, status: 'working' } as const;
  const { data: working } = await client.call('listOrders', { query, signal });
  const expected = new Map(batch.expected_orders.map((order) => [order.order_id, order]));
  const isNew = (order: Order) => !expected.has(order.id) && isExitOf(order, position);
  const placed = working.filter(isNew);
  const effects: Effect[] = [];
  for (const operation of batch.operations) {
    effects.push(
      operation.kind === 'place'
        ? placement(operation, placed)
        : await changed(
            operation,
            (await client.call('getOrder', { path: { order_id: operation.order_id }, signal })).data,
            expected,
          ),
    );
  }
  return effects;
}

type Placement = Extract<ExitOperation, { kind: 'place' }>;
type Change = Exclude<ExitOperation, { kind: 'place' }>;

/** Removes the order that shows the placement from the rest: two equal placements need two orders. */
function placement(operation: Placement, placed: Order[]): Effect {
  const at = placed.findIndex(
    (order) =>
      exitGroupOf(order.type) === operation.group &&
      exitPrice(order) === operation.price &&
      order.size === operation.size,
  );
  if (at < 0) return 'absent';
  placed.splice(at, 1);
  return 'seen';
}

function changed(
  operation: Change,
  now: Order,
  expected: ReadonlyMap<string, { price: number; size: number }>,
): Effect {
  if (operation.kind === 'cancel') return now.status === 'canceled' ? 'seen' : 'absent';
  const before = expected.get(operation.order_id);
  const isThere = exitPrice(now) === operation.price && (operation.size === undefined || now.size === operation.size);
  if (!isThere) return 'absent';
  const wasThere =
    before?.price === operation.price && (operation.size === undefined || before.size === operation.size);
  return wasThere ? 'as_before' : 'seen';
}

/** The price as a batch gives it: the trigger, or without one the limit (simulation 4.3). */
function exitPrice(order: Order): number | undefined {
  return order.trigger_price ?? order.limit_price;
}

function isExitOf(order: Order, position: Position): boolean {
  if (order.target_position_id !== undefined) return order.target_position_id === position.id;
  return order.reduce_only && order.market_id === position.market_id;
}
