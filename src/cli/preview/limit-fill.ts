import type { Quote } from '../../contract/markets.ts';

/**
 * What a limit order trades at as the book is: what crosses takes the book's prices, which are better than the limit; what
 * rests trades at its limit, and so, as the worse of the two, is counted what crosses only in part.
 */
export function limitFill(side: 'buy' | 'sell', limit: number, quote: Quote): number {
  const { estimated_fill_price: whole, worst_price: worst } = quote;
  const isWithin = (price: number) => (side === 'buy' ? price <= limit : price >= limit);
  if (whole !== undefined && worst !== undefined) return isWithin(worst) ? whole : limit;
  // Deeper than the book is known: its best price says more than a limit far beyond it.
  const best = side === 'buy' ? quote.ask : quote.bid;
  return best !== null && isWithin(best) ? best : limit;
}
