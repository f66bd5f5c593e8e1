/** Orders that the benchmarks place. */
import type { PlaceOrder } from '../src/engine/commands.ts';
import type { Side } from '../src/engine/model.ts';

/** A limit order good till canceled on BTC, leverage 1, cross. */
export function limitOrder(accountId: string, side: Side, size: number, price: number): PlaceOrder {
  return {
    kind: 'place_order',
    accountId,
    marketId: 'binance|BTCUSDT',
    clientOrderId: null,
    mode: 'limit',
    side,
    size,
    expectedPrice: null,
    leverage: 1,
    marginMode: 'cross',
    reduceOnly: false,
    slippageToleranceBps: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    triggerPrice: null,
    limitPrice: price,
    timeInForce: null,
    gtdExpiresAt: null,
    chaseOffset: null,
    chaseCapPrice: null,
    marketableLimitAcknowledged: false,
    replaceOverlappingExits: false,
    triggerMarketId: null,
    triggerDirection: null,
    targetPositionId: null,
  };
}

/** A reduce-free stop that sells at the market when the mark falls to `trigger`. */
export function stopOrder(accountId: string, side: Side, size: number, trigger: number): PlaceOrder {
  return { ...limitOrder(accountId, side, size, 0), mode: 'stop_market', limitPrice: null, triggerPrice: trigger };
}
