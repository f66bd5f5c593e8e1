import { quantity } from '../../base/text/format.ts';
import type { Quote } from '../../wire/contract/markets.ts';
import { fetchQuote, limitFill, quoteShown } from '../resolve/quote.ts';
import type { Session } from '../session/session.ts';

/** An order that meets the book as soon as it is sent. */
export interface Taker {
  market_id: string;
  account_id: string;
  side: 'buy' | 'sell';
  size: number;
  limit_price?: number | undefined;
}

/** The distance a fill may have moved since it was shown, bps. */
const mostBps = 5;

/**
 * The text before asking again, because the book has moved since the preview and the order would now fill elsewhere;
 * undefined if it wouldn't, or if no fill was shown.
 */
export async function driftOf(session: Session, taker: Taker): Promise<string | undefined> {
  const shown = await quoteShown(session, taker)?.catch(() => undefined);
  const before = shown === undefined ? undefined : fillOf(taker, shown);
  if (before === undefined) return undefined;
  const { market_id, account_id: account, side, size } = taker;
  try {
    const now = fillOf(taker, await fetchQuote(session, market_id, { side, size, account }));
    if (now === undefined) return 'The book has moved since the preview and no longer fills the whole order.';
    const bps = ((now - before) / before) * 1e4;
    if (Math.abs(bps) <= mostBps) return undefined;
    const moved = `${bps > 0 ? '+' : ''}${bps.toFixed(1)} bps`;
    return `The price has moved since the preview: the order would now fill at ${quantity(now)} instead of ${quantity(before)} (${moved}).`;
  } catch (error) {
    if (session.signal.aborted) throw error;
    // The order itself says what is wrong, if it fails for the same reason.
    session.note("The price can't be compared with the preview.");
    return undefined;
  }
}

function fillOf({ side, limit_price: limit }: Taker, quote: Quote) {
  if (limit !== undefined) return limitFill(side, limit, quote);
  return quote.fillable === false ? undefined : quote.estimated_fill_price;
}
