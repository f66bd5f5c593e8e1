import {
  CreateScaledOrderRequest,
  CreateTwapOrderRequest,
  defaultSliceIntervalSeconds,
  type ScaledOrder as WireScaledOrder,
  type TwapOrder as WireTwapOrder,
} from '../../wire/contract/strategies.ts';
import { scaledPresenter, twapPresenter } from '../present/presenters.ts';
import { requested } from '../present/wire-form.ts';
import { knownMarket, own, ownAccountId, ownOpen } from './lookup.ts';
import { done, found, type Handler, made, once } from './operations.ts';
import { page } from './pages.ts';
import { refuseUncountable } from './requested.ts';

/** GET /v1/twap-orders. */
export const listActiveTwapOrders: Handler<'listActiveTwapOrders'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.query.account_id);
  const { status } = call.query;
  const present = twapPresenter(call);
  return page(call, [accountId, status], (request) => turn.store.twaps({ accountId, status, ...request }), present);
};

/** POST /v1/twap-orders (API 4.6, simulation 7). */
export const createTwapOrder: Handler<'createTwapOrder'> = (call, turn) => {
  const present = twapPresenter(call);
  return once<{ data: WireTwapOrder }>(call, turn, {
    replay: (id) => found(present(turn.store.twap(id)!)),
    act: () => {
      const { body, principal } = call;
      ownAccountId(turn, principal, body.account_id);
      refuseUncountable(body, knownMarket(call, body.market_id));
      const twap = done(
        turn.execute({
          kind: 'place_twap',
          ...requested(CreateTwapOrderRequest, body),
          sliceIntervalSeconds: body.slice_interval_seconds ?? defaultSliceIntervalSeconds,
        }),
      ).twap!;
      return { resourceKind: 'twap', resourceId: twap.id, answer: made(present(twap)) };
    },
  });
};

/** GET /v1/twap-orders/{twap_order_id}. */
export const getTwapOrder: Handler<'getTwapOrder'> = (call, turn) =>
  found(twapPresenter(call)(own('twap', turn, call.principal, call.path.twap_order_id)));

/** DELETE /v1/twap-orders/{twap_order_id}. */
export const cancelTwapOrder: Handler<'cancelTwapOrder'> = (call, turn) => {
  const { id } = ownOpen('twap', turn, call.principal, call.path.twap_order_id);
  return found(twapPresenter(call)(done(turn.execute({ kind: 'cancel_twap', twapOrderId: id })).twap!));
};

/** GET /v1/scaled-orders (API 4.6). */
export const listScaledOrders: Handler<'listScaledOrders'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.query.account_id);
  const present = scaledPresenter(call);
  return page(call, [accountId], (request) => turn.store.scaledOrders({ accountId, ...request }), present);
};

/** POST /v1/scaled-orders (simulation 7.3). */
export const createScaledOrder: Handler<'createScaledOrder'> = (call, turn) => {
  const present = scaledPresenter(call);
  return once<{ data: WireScaledOrder }>(call, turn, {
    replay: (id) => found(present(turn.store.scaled(id)!)),
    act: () => {
      const { body, principal } = call;
      ownAccountId(turn, principal, body.account_id);
      refuseUncountable(body, knownMarket(call, body.market_id));
      const scaled = done(
        turn.execute({
          kind: 'place_scaled',
          ...requested(CreateScaledOrderRequest, body),
          marketableLimitAcknowledged: body.marketable_limit_acknowledged ?? false,
        }),
      ).scaled!;
      return { resourceKind: 'scaled', resourceId: scaled.id, answer: made(present(scaled)) };
    },
  });
};

/** GET /v1/scaled-orders/{scaled_order_id}. */
export const getScaledOrder: Handler<'getScaledOrder'> = (call, turn) =>
  found(scaledPresenter(call)(own('scaled', turn, call.principal, call.path.scaled_order_id)));

/** DELETE /v1/scaled-orders/{scaled_order_id}. */
export const cancelScaledOrder: Handler<'cancelScaledOrder'> = (call, turn) => {
  const { id } = ownOpen('scaled', turn, call.principal, call.path.scaled_order_id);
  return found(scaledPresenter(call)(done(turn.execute({ kind: 'cancel_scaled', scaledOrderId: id })).scaled!));
};
