import type { Quote, QuoteEstimate } from '../../exchange/engine/exchange.ts';
import type { MarketDefinition, Side } from '../../exchange/engine/model.ts';
import type { SimulatedQuote, Quote as WireQuote } from '../../wire/contract/markets.ts';
import { invalid } from '../../wire/hosting/failure.ts';
import { presentMarket, presentMarks } from '../present/market.ts';
import { observedByOwner } from '../present/presenters.ts';
import { averagePrice, decimal, usd } from '../present/wire-form.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { knownMarket, ownAccountId } from './lookup.ts';
import { found, type Handler, refusal } from './operations.ts';
import { refuseUncountable } from './requested.ts';

/** GET /v1/markets (API 4.3). */
export const listMarkets: Handler<'listMarkets'> = ({ simulation }, turn) => {
  const { halt } = turn.exchange;
  return found(listedMarkets(simulation, turn).map((market) => presentMarket(market, halt)));
};

/** The listed markets. One that is no longer in the catalog is listed while anything is open in it. */
export function listedMarkets(simulation: Simulation, turn: Turn): MarketDefinition[] {
  return [...simulation.markets.values()]
    .filter(({ isRetired, marketId }) => !isRetired || turn.store.holdsIn(marketId))
    .map(({ marketId }) => simulation.market(marketId));
}

/** GET /v1/markets/{market_id} (API 4.3). */
export const getMarket: Handler<'getMarket'> = (call, turn) =>
  found(presentMarket(knownMarket(call, call.path.market_id), turn.exchange.halt));

/**
 * GET /v1/markets/{market_id}/quote (API 4.3). The simulation also takes an `account_id`: then the quote holds for that
 * account, and skips what it already took from the levels (simulation 3.2).
 */
export const getMarketQuote: Handler<'getMarketQuote'> = (call, turn) => {
  const { principal, query, search } = call;
  const market = knownMarket(call, call.path.market_id);
  const [accountId, ...more] = search.getAll('account_id');
  if (more.length > 0) throw invalid([{ field: 'account_id', issue: 'is given more than once' }]);
  if (accountId !== undefined) ownAccountId(turn, principal, accountId);
  refuseUncountable(query, market);
  const { side = null, size = null } = query;
  const observed = accountId === undefined ? observedByOwner(principal, turn) : undefined;
  const quote = turn.exchange.quote(market.marketId, {
    side,
    size,
    accountId: accountId ?? null,
    ...(observed !== undefined && { observed }),
  });
  if (!quote.ok) throw refusal(quote);
  return found(presentQuote(market, quote));
};

/** A quote in wire form (contract: Quote): best prices, and an estimate if side and size were given. */
export function presentQuote(market: MarketDefinition, quote: Quote): SimulatedQuote {
  const { priceDecimals } = market;
  // Half of an odd number of units needs one more decimal to be exact.
  const half = (value: number | null) => (value === null ? null : decimal(value * 5, priceDecimals + 1));
  return {
    status: 'ok',
    market_id: market.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    bid: quote.bid === null ? null : decimal(quote.bid, priceDecimals),
    ask: quote.ask === null ? null : decimal(quote.ask, priceDecimals),
    mid: half(quote.mid),
    time: quote.time,
    ...(quote.estimate !== null && presentEstimate(market, quote, quote.estimate)),
    reference_price: half(quote.mark),
    reference_kind: quote.isVenueMark ? 'venue_mark' : 'book_mid',
    reference_time: quote.markTime,
    depth: 'standard',
    ...(quote.venue !== null && { venue: presentMarks(market, quote.venue)! }),
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
