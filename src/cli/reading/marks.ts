import type { Quote } from '../../contract/markets.ts';
import type { Mark, Marks } from '../../desk/risk/outlook.ts';
import type { Context } from '../context/context.ts';
import { quoteOnce } from '../resolve/price.ts';
import { fetchQuote } from '../resolve/quote.ts';

/** A market's best prices as of this command; the lines of a batch read them at most once a second. */
export function recentQuote(context: Context, marketId: string): Promise<Quote> {
  return context.recent(`mark of ${marketId}`, () => quoteOnce(context, marketId));
}

/** Mids of markets; omits markets without a fresh book. `quoteOf` reads their quotes: by default, as of now. */
export async function marksOf(
  context: Context,
  marketIds: Iterable<string>,
  quoteOf: (context: Context, marketId: string) => Promise<Quote> = fetchQuote,
): Promise<Marks> {
  const marks = new Map<string, Mark>();
  const read = [...new Set(marketIds)].map(async (id) => {
    try {
      const { mid, time } = await quoteOf(context, id);
      if (Number.isFinite(mid)) marks.set(id, { price: mid!, at: time });
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  });
  await Promise.all(read);
  return marks;
}
