import type { Market as WireMarket, Quote as WireQuote } from '../../contract/markets.ts';
import { finestTick } from '../../engine/book/price-grid.ts';
import type { OpenState } from '../../engine/commands.ts';
import { defaultPolicy } from '../../engine/defaults.ts';
import type { Quote, QuoteEstimate } from '../../engine/exchange.ts';
import type { MarketDefinition, Side } from '../../engine/model.ts';
import { averagePrice, decimal, usd } from './numbers.ts';

/** Smallest notional of an order that adds exposure in every new account's policy, USD. */
const minNotional = defaultPolicy().limits.minOrderNotionalUsd;

/** A market in wire form (contract: Market). Reduce-only during a halt, and once it is no longer in the catalog. */
export function presentMarket(market: MarketDefinition, halt: OpenState['halt']): WireMarket {
  const isHalted = halt.platform || halt.categories.includes(market.category);
  return {
    market_id: market.marketId,
    provider: market.provider as WireMarket['provider'],
    symbol: market.symbol,
    coin: market.coin,
    size_decimals: market.sizeDecimals,
    max_leverage: market.maxLeverage,
    size_step: decimal(1, market.sizeDecimals),
    min_size: decimal(1, market.sizeDecimals),
    min_notional: minNotional,
    tick_size: decimal(finestTick(market), market.priceDecimals),
    market_type: 'perpetual',
    category: market.category,
    trading_enabled: !halt.platform,
    reduce_only: isHalted || market.isRetired === true,
  };
}

/** A quote in wire form (contract: Quote): best prices, and an estimate if side and size were given. */
export function presentQuote(market: MarketDefinition, quote: Quote): WireQuote {
  const { priceDecimals } = market;
  const price = (units: number | null) => (units === null ? null : decimal(units, priceDecimals));
  // Half of an odd number of units needs one more decimal to be exact.
  const mid = quote.mid === null ? null : decimal(quote.mid * 5, priceDecimals + 1);
  return {
    status: 'ok',
    market_id: market.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    bid: price(quote.bid),
    ask: price(quote.ask),
    mid,
    time: quote.time,
    ...(quote.estimate !== null && presentEstimate(market, quote, quote.estimate)),
    reference_price: mid,
    reference_kind: quote.isAtMark ? 'venue_mark' : 'book_mid',
    reference_time: quote.time,
    depth: 'standard',
  };
}

function presentEstimate(
  market: MarketDefinition,
  { feeBps, mid, worstIsEstimate }: Quote,
  estimate: QuoteEstimate,
): Partial<WireQuote> {
  const { notional, filledLots, fee, worstPrice, levels, unfillableReason } = estimate;
  const price =
    notional === null || filledLots === null ? undefined : averagePrice(notional, filledLots, market.sizeDecimals);
  return {
    fillable: estimate.fillable,
    unfillable_reason: unfillableReason ?? undefined,
    requested_side: estimate.side,
    requested_size: estimate.size,
    estimated_fill_price: price,
    worst_price: worstPrice === null ? undefined : worstIsEstimate ? price : decimal(worstPrice, market.priceDecimals),
    estimated_notional: notional === null ? undefined : usd(notional),
    estimated_fee: fee === null ? undefined : usd(fee),
    fee_bps: feeBps,
    slippage_bps:
      price === undefined || mid === null
        ? undefined
        : slippageBps(estimate.side, price, decimal(mid * 5, market.priceDecimals + 1)),
    levels_consumed: levels ?? undefined,
  };
}

/** How much worse than the mid a fill price is, to a millionth of a basis point. */
function slippageBps(side: Side, price: number, mid: number): number {
  const worse = side === 'buy' ? price - mid : mid - price;
  return Math.round((worse / mid) * 1e10) / 1e6;
}
