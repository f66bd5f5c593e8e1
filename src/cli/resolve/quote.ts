import type { Quote } from '../../contract/markets.ts';
import type { QueryOf } from '../../contract/operations.ts';
import type { Context } from '../context/context.ts';

/**
 * A quote; with side and size the fill it would get. The simulation also takes the account (simulation 3): what that
 * account has taken from the book already is then left out.
 */
export async function fetchQuote(
  context: Context,
  marketId: string,
  wanted: { side?: 'buy' | 'sell' | undefined; size?: number | undefined; account?: string | undefined } = {},
): Promise<Quote> {
  const { side, size, account } = wanted;
  const query: QueryOf<'getMarketQuote'> & { account_id?: string | undefined } = { side, size };
  if (context.settings.environment === 'sim' && size !== undefined) query.account_id = account;
  return (await context.call('getMarketQuote', { path: { market_id: marketId }, query })).data;
}
