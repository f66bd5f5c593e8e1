import { requestFields } from '../../base/terms/order-fields.ts';
import type { Order as WireOrder } from '../../wire/contract/orders.ts';
import { invalid } from '../../wire/hosting/failure.ts';
import { observedByOwner, orderPresenter } from '../present/presenters.ts';
import type { Weather } from '../weather/weather.ts';
import { knownMarket, own, ownAccountId, ownOpen } from './lookup.ts';
import { type Answer, done, found, type Handler, made, once } from './operations.ts';
import { page, wholePage } from './pages.ts';
import { commandFields, refuseTakenClientOrderId, refuseUncountable } from './requested.ts';

/** GET /v1/orders (API 4.5): one by its client order id, the working set, or a page. */
export const listOrders: Handler<'listOrders'> = (call, turn) => {
  const { principal, query } = call;
  const { account_id: accountId = null, client_order_id: clientOrderId, status } = query;
  const isUnfiltered = accountId === null && clientOrderId === undefined;
  if (isUnfiltered && observedByOwner(principal, turn).orderListNeedsFilter)
    throw invalid([{ field: 'account_id', issue: 'is required without client_order_id' }]);
  if (accountId !== null) ownAccountId(turn, principal, accountId);
  const present = orderPresenter(call);
  if (clientOrderId !== undefined) {
    const order = turn.store.orderByClientId(principal.owner, principal.environment, clientOrderId);
    const isListed = order !== null && (accountId === null || order.accountId === accountId);
    return wholePage(isListed ? [order] : [], present);
  }
  const filter = { owner: principal.owner, environment: principal.environment, accountId };
  if (status === 'working') return wholePage(turn.store.workingOrders(filter), present);
  return page(call, [accountId], (request) => turn.store.orders({ ...filter, ...request }), present);
};

/** POST /v1/orders (API 4.5, simulation 3 and 4). */
export const createOrder: Handler<'createOrder'> = (call, turn) => {
  const present = orderPresenter(call);
  return once<{ data: WireOrder }>(call, turn, {
    replay: (id) => found(present(turn.store.order(id)!)),
    act: () => {
      const { body, principal } = call;
      ownAccountId(turn, principal, body.account_id);
      if (body.target_position_id !== undefined) own('position', turn, principal, body.target_position_id);
      const market = knownMarket(call, body.market_id);
      refuseUncountable(body, market, knownMarket(call, body.trigger_market_id ?? body.market_id));
      refuseTakenClientOrderId(turn, principal, body.client_order_id);
      const { weather } = call.simulation;
      const isCapped = weather?.isOver('rejections', market.marketId, turn.exchange.time) === true;
      const command = { kind: 'place_order', ...commandFields(requestFields, body), mode: body.type } as const;
      const order = done(turn.execute(isCapped ? { ...command, isCapped } : command)).order!;
      const answer = made(present(order));
      return { resourceKind: 'order', resourceId: order.id, answer: isCapped ? accepted(answer, weather) : answer };
    },
  });
};

/** To its sender, an order that ends rejected was accepted first (simulation 6.4). */
function accepted(answer: Answer<{ data: WireOrder }>, weather: Weather): Answer<{ data: WireOrder }> {
  const { status, settled_at: _settled, reject_reason: _reason, reject_message: _message, ...order } = answer.body.data;
  if (status !== 'rejected') return answer;
  weather.survival.thrown.rejections += 1;
  const { reject_rule_id: _rule, ...shown } = order as typeof order & { reject_rule_id?: unknown };
  return made({ ...shown, status: 'pending' });
}

/** GET /v1/orders/{order_id} (API 4.5). */
export const getOrder: Handler<'getOrder'> = (call, turn) =>
  found(orderPresenter(call)(own('order', turn, call.principal, call.path.order_id)));

/** PATCH /v1/orders/{order_id} (API 4.5). */
export const modifyOrder: Handler<'modifyOrder'> = (call, turn) => {
  const { id, marketId, triggerMarketId } = own('order', turn, call.principal, call.path.order_id);
  // For an armed order, the price is the trigger price.
  refuseUncountable(call.body, knownMarket(call, marketId));
  if (triggerMarketId !== null) refuseUncountable({ price: call.body.price }, knownMarket(call, triggerMarketId));
  ownOpen('order', turn, call.principal, id);
  const { price, size = null } = call.body;
  const { order, queued = false } = done(turn.execute({ kind: 'amend_order', orderId: id, price, size }));
  return { status: 200, body: { data: orderPresenter(call)(order!), queued } };
};

/** DELETE /v1/orders/{order_id} (API 4.5). */
export const cancelOrder: Handler<'cancelOrder'> = ({ principal, path }, turn) => {
  const { id } = ownOpen('order', turn, principal, path.order_id);
  const { queued } = done(turn.execute({ kind: 'cancel_order', orderId: id }));
  return found(queued ? { id, canceled: true, queued } : { id, canceled: true });
};

/**
 * PUT /v1/orders/{order_id}/attached-exits (API 4.5): a price sets a leg, null removes it, an omitted one is unchanged.
 */
export const updateAttachedExits: Handler<'updateAttachedExits'> = (call, turn) => {
  const { id, marketId } = own('order', turn, call.principal, call.path.order_id);
  refuseUncountable(call.body, knownMarket(call, marketId));
  ownOpen('order', turn, call.principal, id);
  const { take_profit_price: takeProfitPrice, stop_loss_price: stopLossPrice } = call.body;
  const { order, queued = false } = done(
    turn.execute({ kind: 'update_attached_exits', orderId: id, takeProfitPrice, stopLossPrice }),
  );
  return { status: 200, body: { data: orderPresenter(call)(order!), queued } };
};

/** GET /v1/fills (API 4.6). */
export const listFills: Handler<'listFills'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.query.account_id);
  return page(call, [accountId], (request) => turn.store.fills({ accountId, ...request }), orderPresenter(call));
};
