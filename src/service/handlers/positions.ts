import { closeFields } from '../../base/terms/order-fields.ts';
import { defaultExecution } from '../../base/terms/order-types.ts';
import type { ExitOperation } from '../../exchange/engine/commands.ts';
import type { ValidationIssue } from '../../wire/contract/errors.ts';
import type { OrderEnvelope } from '../../wire/contract/orders.ts';
import type { ExitOperation as WireExitOperation } from '../../wire/contract/positions.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { orderPresenter, positionPresenter } from '../present/presenters.ts';
import type { Turn } from '../simulation/simulation.ts';
import { knownMarket, own, ownAccountId, ownOpen } from './lookup.ts';
import { type Call, done, found, type Handler, once } from './operations.ts';
import { page } from './pages.ts';
import { commandFields, refuseTakenClientOrderId, refuseUncountable } from './requested.ts';

/** GET /v1/positions (API 4.4): all open ones, or a page of closed ones. */
export const listOpenPositions: Handler<'listOpenPositions'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.query.account_id);
  const present = positionPresenter(call, turn);
  if (call.query.status === 'open') {
    const open = turn.store.openPositions(accountId).map(present);
    const closedAt = (id: string) => turn.store.position(id)?.closedAt ?? 0;
    const listed = call.simulation.weather?.lingering(accountId, open, closedAt, turn.exchange.time);
    return found([...(listed ?? open)]);
  }
  return page(call, [accountId, 'closed'], (request) => turn.store.closedPositions({ accountId, ...request }), present);
};

/** GET /v1/positions/{position_id} (API 4.4). */
export const getPosition: Handler<'getPosition'> = (call, turn) =>
  found(positionPresenter(call, turn)(own('position', turn, call.principal, call.path.position_id)));

/** POST /v1/positions/{position_id}/close (API 4.4). */
export const closePosition: Handler<'closePosition'> = (call, turn) => {
  const { id: positionId, marketId } = own('position', turn, call.principal, call.path.position_id);
  const present = orderPresenter(call);
  return once<OrderEnvelope>(call, turn, {
    replay: (id, queued) => ({
      status: 200,
      body: { data: present(turn.store.order(id)!), queued: queued === true },
    }),
    act: () => {
      const { body, principal } = call;
      refuseUncountable(body, knownMarket(call, marketId), knownMarket(call, body.trigger_market_id ?? marketId));
      ownOpen('position', turn, principal, positionId);
      refuseTakenClientOrderId(turn, principal, body.client_order_id);
      const { mode: _, ...asked } = commandFields(closeFields, body);
      const { order, queued = false } = done(
        turn.execute({ kind: 'close_position', positionId, type: body.type, ...asked, size: body.size ?? null }),
      );
      return {
        resourceKind: 'order',
        resourceId: order!.id,
        answer: { status: 201, body: { data: present(order!), queued } },
        kept: queued,
      };
    },
  });
};

/** PUT /v1/positions/{position_id}/exit-orders (API 4.4, simulation 4.3). */
export const replacePositionExitOrders: Handler<'replacePositionExitOrders'> = (call, turn) => {
  const { principal, body } = call;
  const { id: positionId, marketId } = own('position', turn, principal, call.path.position_id);
  refuseUncountable(body, knownMarket(call, marketId));
  for (const operation of body.operations)
    if (operation.kind !== 'place') own('order', turn, principal, operation.order_id);
  ownOpen('position', turn, principal, positionId);
  const outcome = turn.execute({
    kind: 'replace_exits',
    positionId,
    expectedPositionSize: body.expected_position_size,
    expectedOrders: body.expected_orders.map(({ order_id, execution_type, price, size }) => ({
      orderId: order_id,
      executionType: execution_type ?? null,
      price,
      size,
    })),
    operations: body.operations.map(exitOperation),
  });
  if (!outcome.ok && outcome.code === 'stale_snapshot')
    throw new Failure('stale_snapshot', outcome.message, {
      details: currentSnapshot(call, turn).filter(({ field }) => (outcome.details!.stale as string[]).includes(field)),
    });
  return found(positionPresenter(call, turn)(done(outcome).position!));
};

/** The values that a stale batch must expect instead, as JSON ready to send. */
function currentSnapshot(call: Call<'replacePositionExitOrders'>, turn: Turn): ValidationIssue[] {
  const position = own('position', turn, call.principal, call.path.position_id);
  const { owner, environment } = call.principal;
  const exits = turn.store
    .workingOrders({ owner, environment, accountId: position.accountId })
    .filter(({ exitGroup, targetPositionId }) => exitGroup !== null && targetPositionId === position.id)
    .reverse()
    .map(orderPresenter(call))
    .map(({ id, trigger_price, limit_price, size }) => ({
      order_id: id,
      execution_type: limit_price === undefined ? 'market' : 'limit',
      price: trigger_price ?? limit_price,
      size,
    }));
  const { size } = positionPresenter(call, turn)(position);
  return [
    { field: 'expected_position_size', issue: `must be ${size}` },
    { field: 'expected_orders', issue: `must be ${JSON.stringify(exits)}` },
  ];
}

function exitOperation(operation: WireExitOperation): ExitOperation {
  if (operation.kind === 'cancel') return { kind: 'cancel', orderId: operation.order_id };
  const { price } = operation;
  if (operation.kind === 'modify')
    return { kind: 'modify', orderId: operation.order_id, price, size: operation.size ?? null };
  return {
    kind: 'place',
    group: operation.group,
    executionType: operation.execution_type ?? defaultExecution,
    price,
    size: operation.size,
    ocoPairWithOperationIndex: operation.oco_pair_with_operation_index ?? null,
  };
}

/** PUT /v1/positions/{position_id}/isolated-margin (API 4.4, simulation 5.5). */
export const setPositionIsolatedMargin: Handler<'setPositionIsolatedMargin'> = (call, turn) => {
  const { id: positionId } = ownOpen('position', turn, call.principal, call.path.position_id);
  const { extra_margin: extraMargin } = call.body;
  const { position } = done(turn.execute({ kind: 'set_isolated_margin', positionId, extraMargin }));
  return found(positionPresenter(call, turn)(position!));
};
