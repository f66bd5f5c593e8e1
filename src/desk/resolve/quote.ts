import type { Quote } from '../../wire/contract/markets.ts';
import type { QueryOf } from '../../wire/contract/operations.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { Mark, Marks, SeenDepth } from '../risk/path-account.ts';
import { noted, type Session } from '../session/session.ts';
import { allMarkets } from './market.ts';
import { expected } from './remembered.ts';

/**
 * Reads a quote; with side and size it includes the fill. The simulation also takes the account (simulation 3) and
 * excludes what that account has already consumed from the book.
 */
export async function fetchQuote(session: Session, marketId: string, asked: AskedQuote = {}): Promise<Quote> {
  return (await session.call('getMarketQuote', quoteRequest(session, marketId, asked))).data;
}

/** The fill that a quote includes; without a size, none. */
export interface AskedQuote {
  readonly side?: 'buy' | 'sell' | undefined;
  readonly size?: number | undefined;
  readonly account?: string | undefined;
}

/** The request of {@link fetchQuote}. */
export function quoteRequest({ settings }: Session, market_id: string, { side, size, account }: AskedQuote) {
  const query: QueryOf<'getMarketQuote'> & { account_id?: string | undefined } = { side, size };
  if (settings.environment === 'sim' && size !== undefined) query.account_id = account;
  return { path: { market_id }, query };
}

/** The fill of a size, read once per run, so that all figures of an order come from one quote. */
export function sizedQuote(session: Session, asked: Sized): Promise<Quote> {
  return session.memory.once(fillIn(asked), () =>
    fetchQuote(session, asked.market_id, { ...asked, account: asked.account_id }),
  );
}

/** The quote that closing a position would get. */
export function closeQuote(session: Session, position: Position): Promise<Quote> {
  const { market_id, account_id, side, size } = position;
  return sizedQuote(session, { market_id, account_id, size, side: side === 'long' ? 'sell' : 'buy' });
}

/** The commission of a quoted fill, bps; undefined if unknown. */
export function takerFeeBps({ estimated_fee: fee, fee_bps: bps }: Quote): number | undefined {
  return fee === 0 ? 0 : bps;
}

interface Sized {
  market_id: string;
  account_id: string;
  side: 'buy' | 'sell';
  size: number;
}

/** The fill of a size that this command last read; undefined if there is none. */
export function quoteShown(session: Session, asked: Sized): Promise<Quote> | undefined {
  return session.memory.known(fillIn(asked));
}

function fillIn({ market_id, side, size }: Sized): string {
  return `fill of ${side} ${size} in ${market_id}`;
}

/** A market's best prices, read once per run, so that all relative prices of a command have the same base. */
export function quoteOnce(session: Session, marketId: string): Promise<Quote> {
  return session.memory.once(`quote of ${marketId}`, () => fetchQuote(session, marketId));
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

/** A market's best prices as of this command; the lines of a batch read them at most once a second. */
export function recentQuote(session: Session, marketId: string): Promise<Quote> {
  return session.memory.recent(`mark of ${marketId}`, () => quoteOnce(session, marketId));
}

/**
 * Starts reading the best prices of a market while the list of markets is still being read, using the last list's
 * market of this name. If that turns out to be another one, the right one's are read instead.
 */
export function beginQuote(session: Session, name: string): void {
  if (session.memory.sharesReads) return;
  const wanted = name.toLowerCase();
  const named = expected(session, 'market').filter((names) => names.some((one) => one.toLowerCase() === wanted));
  if (named.length === 1) recentQuote(session, named[0]![0]).catch(() => {});
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

/** A quote's market facts: the mark, and a taker's price; undefined without a mid or a mark. */
export function markOf(quote: Quote, tick?: number | undefined): Mark | undefined {
  const { mid, time, fee_bps: feeBps, requested_side: side } = quote;
  const price = quote.reference_kind === 'venue_mark' ? quote.reference_price : mid;
  if (!Number.isFinite(mid) || !Number.isFinite(price)) return undefined;
  const seen = depthOf(quote);
  const depth = side === undefined ? { buy: seen, sell: seen } : { [side]: seen };
  return { price: price!, at: time, tick, feeBps, depth };
}

/** The price of the quoted size; without a size, the best prices. */
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
