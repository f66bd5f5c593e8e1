import type { Quote } from '../../contract/markets.ts';

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
