import type { MarketDefinition } from '../../engine/model.ts';
import { invalid, refusal } from '../failure.ts';
import { knownMarket, ownAccountId } from '../lookup.ts';
import { found, type Handler } from '../operations.ts';
import { presentMarket, presentQuote } from '../present/market.ts';
import { observedByOwner } from '../presenters.ts';
import { refuseUncountable } from '../requested.ts';
import type { Simulation, Turn } from '../simulation.ts';

/** GET /v1/markets (API 4.3). */
export const listMarkets: Handler<'listMarkets'> = ({ simulation }, turn) => {
  const { halt } = turn.exchange;
  return found(listedMarkets(simulation, turn).map((market) => presentMarket(market, halt)));
};

/** The listed markets. One that is no longer in the catalog is listed while anything is open in it. */
export function listedMarkets({ markets }: Simulation, turn: Turn): MarketDefinition[] {
  return [...markets.values()].filter(({ isRetired, marketId }) => !isRetired || turn.store.holdsIn(marketId));
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
