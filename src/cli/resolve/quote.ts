import type { Quote } from '../../contract/markets.ts';
import type { QueryOf } from '../../contract/operations.ts';
import type { Context } from '../context/context.ts';

/**
 * Reads a quote; with side and size it includes the fill. The simulation also takes the account (simulation 3) and
 * excludes what that account has already consumed from the book.
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
