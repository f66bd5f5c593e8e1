import type { Quote } from '../../contract/markets.ts';
import { quoteOnce } from '../resolve/price.ts';
import { fetchQuote } from '../resolve/quote.ts';
import type { Mark, Marks } from '../risk/outlook.ts';
import type { Session } from '../session/session.ts';

/** A market's best prices as of this command; the lines of a batch read them at most once a second. */
export function recentQuote(session: Session, marketId: string): Promise<Quote> {
  return session.memory.recent(`mark of ${marketId}`, () => quoteOnce(session, marketId));
}

/** Mids of markets; omits markets without a fresh book. `quoteOf` reads their quotes: by default, as of now. */
export async function marksOf(
  session: Session,
  marketIds: Iterable<string>,
  quoteOf: (session: Session, marketId: string) => Promise<Quote> = fetchQuote,
): Promise<Marks> {
  const marks = new Map<string, Mark>();
  const read = [...new Set(marketIds)].map(async (id) => {
    try {
      const { mid, time } = await quoteOf(session, id);
      if (Number.isFinite(mid)) marks.set(id, { price: mid!, at: time });
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  });
  await Promise.all(read);
  return marks;
}
