import type { Quote } from '../../contract/markets.ts';
import type { QueryOf } from '../../contract/operations.ts';
import type { Session } from '../session/session.ts';

/**
 * Reads a quote; with side and size it includes the fill. The simulation also takes the account (simulation 3) and
 * excludes what that account has already consumed from the book.
 */
export async function fetchQuote(
  session: Session,
  marketId: string,
  wanted: { side?: 'buy' | 'sell' | undefined; size?: number | undefined; account?: string | undefined } = {},
): Promise<Quote> {
  const { side, size, account } = wanted;
  const query: QueryOf<'getMarketQuote'> & { account_id?: string | undefined } = { side, size };
  if (session.settings.environment === 'sim' && size !== undefined) query.account_id = account;
  const { data } = await session.call('getMarketQuote', { path: { market_id: marketId }, query });
  if (side !== undefined && size !== undefined) remember(session, marketId, { side, size }, data);
  return data;
}

/** The latest quotes of a size, by market, side and size. */
const latest = new WeakMap<Session, Map<string, Quote>>();

function remember(session: Session, marketId: string, of: Sized, quote: Quote): void {
  const known = latest.get(session) ?? new Map<string, Quote>();
  latest.set(session, known.set(nameOf(marketId, of), quote));
}

interface Sized {
  side: 'buy' | 'sell';
  size: number;
}

/** The latest quote of a size that this command has read; undefined if there is none. */
export function lastQuote(session: Session, { market_id, ...of }: Sized & { market_id: string }): Quote | undefined {
  return latest.get(session)?.get(nameOf(market_id, of));
}

function nameOf(marketId: string, { side, size }: Sized): string {
  return `${marketId} ${side} ${size}`;
}

/**
 * The price at which a limit order trades with the current book. An order that crosses gets the book's prices, which
 * are better than its limit. An order that rests trades at its limit; so does, as the worse case, one that crosses only
 * partly.
 */
export function limitFill(side: 'buy' | 'sell', limit: number, quote: Quote): number {
  const { estimated_fill_price: whole, worst_price: worst } = quote;
  const isWithin = (price: number) => (side === 'buy' ? price <= limit : price >= limit);
  if (whole !== undefined && worst !== undefined) return isWithin(worst) ? whole : limit;
  // Deeper than the visible book: its best price is a better estimate than a limit far beyond it.
  const best = side === 'buy' ? quote.ask : quote.bid;
  return best !== null && isWithin(best) ? best : limit;
}
