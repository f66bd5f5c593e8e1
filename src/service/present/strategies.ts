import type { ScaledOrder as WireScaledOrder, TwapOrder as WireTwapOrder } from '../../contract/strategies.ts';
import type { MarketDefinition, ScaledOrder, TwapOrder } from '../../engine/model.ts';
import { averagePrice, decimal } from './numbers.ts';
import { codeOf } from './order.ts';

/** A TWAP or VWAP parent in wire form (contract: TwapOrder). */
export function presentTwap(twap: TwapOrder, market: MarketDefinition): WireTwapOrder {
  const { sizeDecimals } = market;
  return {
    id: twap.id,
    account_id: twap.accountId,
    market_id: twap.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    strategy: twap.strategy,
    side: twap.side,
    total_size: decimal(twap.totalSize, sizeDecimals),
    filled_size: decimal(twap.filledSize, sizeDecimals),
    size_decimals: sizeDecimals,
    average_price: twap.filledSize > 0 ? averagePrice(twap.filledNotional, twap.filledSize, sizeDecimals) : undefined,
    leverage: twap.leverage,
    margin_mode: twap.marginMode,
    reduce_only: twap.reduceOnly,
    duration_minutes: twap.durationMinutes,
    slice_interval_seconds: twap.sliceIntervalSeconds,
    slice_count: twap.sliceCount,
    slices_attempted: twap.slicesAttempted,
    randomize: twap.randomize,
    trigger_price: twap.triggerPrice ?? undefined,
    max_price: twap.maxPrice ?? undefined,
    min_price: twap.minPrice ?? undefined,
    status: twap.status,
    current_child_order_id: twap.currentChildOrderId ?? undefined,
    activated_at: twap.activatedAt ?? undefined,
    started_at: twap.startedAt,
    end_at: twap.endAt,
    next_run_at: twap.nextRunAt ?? undefined,
    canceled_at: twap.canceledAt ?? undefined,
    completed_at: twap.completedAt ?? undefined,
    completion_reason: twap.completionReason ?? undefined,
  };
}

/** A scaled parent with its rungs, in wire form (contract: ScaledOrder). */
export function presentScaled(scaled: ScaledOrder, market: MarketDefinition): WireScaledOrder {
  const { sizeDecimals, priceDecimals } = market;
  return {
    id: scaled.id,
    account_id: scaled.accountId,
    market_id: scaled.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    side: scaled.side,
    total_size: decimal(scaled.totalSize, sizeDecimals),
    size_decimals: sizeDecimals,
    leverage: scaled.leverage,
    margin_mode: scaled.marginMode,
    reduce_only: scaled.reduceOnly,
    distribution: scaled.distribution,
    start_price: scaled.startPrice,
    end_price: scaled.endPrice,
    rung_count: scaled.rungs.length,
    placed_count: scaled.rungs.filter(({ orderId, rejectReason }) => orderId !== null && rejectReason === null).length,
    rejected_count: scaled.rungs.filter(({ rejectReason }) => rejectReason !== null).length,
    rungs: scaled.rungs.map((rung) => ({
      price: decimal(rung.price, priceDecimals),
      size: decimal(rung.size, sizeDecimals),
      liquidity_role: rung.liquidityRole ?? undefined,
      order_id: rung.orderId ?? undefined,
      reject_reason: rung.rejectReason === null ? undefined : (codeOf(rung.rejectRuleId ?? null) ?? 'rejected'),
      reject_message: rung.rejectReason ?? undefined,
    })),
    status: scaled.status,
    started_at: scaled.startedAt,
    completed_at: scaled.completedAt ?? undefined,
    canceled_at: scaled.canceledAt ?? undefined,
  };
}
