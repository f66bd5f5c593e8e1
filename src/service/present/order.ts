import type { Order as WireOrder } from '../../contract/orders.ts';
import type { MarketDefinition, Order } from '../../engine/model.ts';
import { averagePrice, decimal, usd } from './numbers.ts';

/** An order record as it travels (contract: Order); what does not apply is absent. */
export function presentOrder(order: Order, market: MarketDefinition): WireOrder {
  const { sizeDecimals, priceDecimals } = market;
  return {
    id: order.id,
    client_order_id: order.clientOrderId ?? undefined,
    account_id: order.accountId,
    market_id: order.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    type: order.type,
    mode: order.mode,
    side: order.side,
    size: decimal(order.size, sizeDecimals),
    initial_size: decimal(order.initialSize, sizeDecimals),
    filled_size: decimal(order.filledSize, sizeDecimals),
    expected_price: order.expectedPrice,
    fill_price: fillPrice(order, sizeDecimals),
    trigger_price: order.triggerPrice ?? undefined,
    limit_price: order.limitPrice === null ? undefined : decimal(order.limitPrice, priceDecimals),
    notional: order.notional === null ? undefined : usd(order.notional),
    fee: order.fee === null ? undefined : usd(order.fee),
    realized_pnl: order.realizedPnl === null ? undefined : usd(order.realizedPnl),
    leverage: order.leverage,
    margin_mode: order.marginMode,
    reduce_only: order.reduceOnly,
    time_in_force: order.timeInForce ?? undefined,
    gtd_expires_at: order.gtdExpiresAt ?? undefined,
    attached_take_profit_price: order.attachedTakeProfitPrice ?? undefined,
    attached_stop_loss_price: order.attachedStopLossPrice ?? undefined,
    chase_offset: order.chaseOffset ?? undefined,
    chase_cap_price: order.chaseCapPrice ?? undefined,
    trigger_market_id: order.triggerMarketId ?? undefined,
    trigger_direction: order.triggerDirection ?? undefined,
    triggered_at: order.triggeredAt ?? undefined,
    stop_triggered_at: order.stopTriggeredAt ?? undefined,
    cancel_requested_at: order.cancelRequestedAt ?? undefined,
    oco_sibling_order_id: order.ocoSiblingOrderId ?? undefined,
    target_position_id: order.reduceOnly ? (order.targetPositionId ?? undefined) : undefined,
    liquidity_role: order.liquidityRole ?? undefined,
    partial_of_order_id: order.partialOfOrderId ?? undefined,
    partial_fill_root_order_id: order.partialFillRootOrderId ?? undefined,
    twap_order_id: order.twapOrderId ?? undefined,
    scaled_order_id: order.scaledOrderId ?? undefined,
    status: order.status,
    reject_reason: order.rejectReason ?? undefined,
    reject_rule_id: order.rejectRuleId ?? undefined,
    requested_at: order.requestedAt,
    settled_at: order.settledAt ?? undefined,
    canceled_at: order.canceledAt ?? undefined,
  };
}

/** Average of what this record itself filled. */
function fillPrice({ status, notional, size }: Order, sizeDecimals: number): number | undefined {
  return status === 'filled' && notional !== null && size > 0 ? averagePrice(notional, size, sizeDecimals) : undefined;
}
