import type { Quote } from '../../contract/markets.ts';
import { allMarkets } from '../resolve/market.ts';
import { quoteOnce } from '../resolve/price.ts';
import { fetchQuote } from '../resolve/quote.ts';
import type { Mark, Marks, SeenDepth } from '../risk/path-account.ts';
import { noted } from '../session/noted.ts';
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
      const mark = markOf(await quoteOf(session, id));
      if (mark !== undefined) marks.set(id, mark);
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  });
  await Promise.all(read);
  return marks;
}

/** Marks with the ticks and categories of their markets, so that every figure has the same decimals. */
export async function withTicks(session: Session, reading: Promise<Marks>): Promise<Marks> {
  const [marks, markets] = await Promise.all([reading, noted(session, 'The markets', allMarkets(session), [])]);
  const known = new Map(markets.map((market) => [market.market_id, market]));
  return new Map(
    [...marks].map(([id, mark]) => [
      id,
      { ...mark, tick: known.get(id)?.tick_size, category: known.get(id)?.category },
    ]),
  );
}

/** What a quote says about its market: the mark, and what a taker gets; undefined without a mid. */
export function markOf(quote: Quote, tick?: number | undefined): Mark | undefined {
  const { mid, time, fee_bps: feeBps, requested_side: side } = quote;
  if (!Number.isFinite(mid)) return undefined;
  const seen = depthOf(quote);
  const depth = side === undefined ? { buy: seen, sell: seen } : { [side]: seen };
  return { price: mid!, at: time, tick, feeBps, depth };
}

/** What the quoted size gets; without a size, the best prices. */
function depthOf({ bid, ask, mid, ...quote }: Quote): SeenDepth | undefined {
  const { requested_size: size, estimated_notional: notional, worst_price: worst } = quote;
  if (size === undefined) {
    if (bid === null || ask === null) return undefined;
    const half = (ask - bid) / 2;
    return { size: Number.MAX_SAFE_INTEGER, average: half, worst: half };
  }
  if (quote.fillable === false || notional === undefined) return { size: 0, average: 0, worst: 0 };
  const average = Math.abs(notional / size - mid!);
  return { size, average, worst: worst === undefined ? average : Math.abs(worst - mid!) };
}
