import type { Context } from '../context/context.ts';
import { fetchQuote } from '../resolve/quote.ts';
import type { Marks } from '../views/position-view.ts';

/** Mids of markets; a market without a fresh book is left out. */
export async function marksOf(context: Context, marketIds: Iterable<string>): Promise<Marks> {
  const marks = new Map<string, number>();
  const read = [...new Set(marketIds)].map(async (id) => {
    try {
      const { mid } = await fetchQuote(context, id);
      if (mid !== null) marks.set(id, mid);
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  });
  await Promise.all(read);
  return marks;
}
