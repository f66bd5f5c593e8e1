import type { Context } from '../context/context.ts';
import { fetchQuote } from '../resolve/quote.ts';
import type { Mark, Marks } from '../risk/outlook.ts';

/** Mids of markets; omits markets without a fresh book. */
export async function marksOf(context: Context, marketIds: Iterable<string>): Promise<Marks> {
  const marks = new Map<string, Mark>();
  const read = [...new Set(marketIds)].map(async (id) => {
    try {
      const { mid, time } = await fetchQuote(context, id);
      if (Number.isFinite(mid)) marks.set(id, { price: mid!, at: time });
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  });
  await Promise.all(read);
  return marks;
}
