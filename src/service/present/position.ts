import type { Position as WirePosition } from '../../contract/positions.ts';
import type { MarketDefinition, Position } from '../../engine/model.ts';
import { averagePrice, decimal, usd } from './numbers.ts';

/**
 * A position in wire form (contract: Position). An open one shows what is open; a closed one shows what was closed,
 * since nothing is left. `liquidationPrice`: in quote currency, null if there is none.
 */
export function presentPosition(
  position: Position,
  market: MarketDefinition,
  liquidationPrice: number | null,
): WirePosition {
  const { sizeDecimals } = market;
  const isOpen = position.status === 'open';
  const size = isOpen ? position.size : position.closedSize;
  const cost = isOpen ? position.cost : position.closedCost;
  return {
    id: position.id,
    account_id: position.accountId,
    market_id: position.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    side: position.direction,
    size: decimal(size, sizeDecimals),
    entry_price: size > 0 ? averagePrice(cost, size, sizeDecimals) : 0,
    leverage: position.leverage,
    margin_mode: position.marginMode,
    liquidation_price: liquidationPrice ?? undefined,
    isolated_margin_extra: usd(position.isolatedMarginExtra),
    status: position.status,
    opened_at: position.openedAt,
    closed_at: position.closedAt ?? undefined,
    size_decimals: sizeDecimals,
    exit_price:
      position.closedSize > 0 ? averagePrice(position.closedNotional, position.closedSize, sizeDecimals) : undefined,
    realized_pnl: usd(position.realizedPnl),
    realized_margin_basis: usd(position.realizedMarginBasis),
    fees: usd(position.fees),
    funding: usd(position.funding),
  };
}
