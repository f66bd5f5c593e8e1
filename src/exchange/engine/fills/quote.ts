import { basisPointsOf } from '../../../base/margin/notional.ts';
import { toUnits } from '../../../base/terms/decimal.ts';
import type { Walk } from '../book/walk.ts';
import { defaultPolicy, rateOf } from '../defaults.ts';
import type { Side } from '../model.ts';
import { followsVenue, nothingObserved, type ObservedBehavior, observedOf } from '../observed.ts';
import { bookProblem, bringUpToDate, freshVenuePrice } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { findMarket, marketOf, type Portfolio, type World } from '../world/world.ts';
import { isQuotedAtMark, pricedWalk } from './priced-walk.ts';

/** For a quote without an account. */
const usualPolicy = defaultPolicy();

/** Options of a quote besides its market. With an account, it excludes what that account has consumed. */
export interface QuoteRequest {
  side: Side | null;
  /** Base asset, a JSON number. */
  size: number | null;
  accountId: string | null;
  /** The observed behavior that applies without an account: the owner's. */
  observed?: ObservedBehavior;
}

/** Best prices of a fresh book, and the estimate if a side and a size were given. */
export type Quote = Extract<QuoteResult, { ok: true }>;
/** The fill that an order of the quoted side and size would get (simulation 3: a quote is a promise). */
export type QuoteEstimate = NonNullable<Quote['estimate']>;
/** A quote, or why there is none. */
export type QuoteResult = ReturnType<typeof quoteOf>;

/** The book that a quote without an account shows; null if it is too old, or in a gap. */
export function quotedBook(world: World, marketId: string): Market['book'] | null {
  const market = marketOf(world, marketId);
  bringUpToDate(world, market);
  return market.book.isRecent(world.now, usualPolicy.limits.maxBookStalenessMs) ? market.book : null;
}

/** Best bid, best ask and midpoint of a fresh book and, with side and size, the fill that an order would get. */
export function quoteOf(world: World, marketId: string, request: QuoteRequest) {
  const market = findMarket(world, marketId);
  if (market === undefined) return noQuote('not_found', `There is no market ${JSON.stringify(marketId)}.`);
  const portfolio = request.accountId === null ? null : world.portfolios.get(request.accountId);
  if (portfolio === undefined) return noQuote('not_found', `There is no account ${JSON.stringify(request.accountId)}.`);
  bringUpToDate(world, market);
  const { book } = market;
  const { maxBookStalenessMs } = (portfolio?.account.policy ?? usualPolicy).limits;
  if (!book.isRecent(world.now, maxBookStalenessMs))
    return noQuote('unavailable', bookProblem(market, false, 'quote from'));
  const feeBps = portfolio?.account.policy.feeExempt ? 0 : rateOf(world.rates.feeBps, market.definition.category);
  const { side, size } = request;
  const observed = portfolio === null ? (request.observed ?? nothingObserved) : observedOf(portfolio.account.policy);
  const isAtMark = isQuotedAtMark(market, observed);
  const isOfVenue = followsVenue({ observed });
  return {
    ok: true as const,
    marketId,
    // Of the venue.
    time: book.time,
    sequence: book.sequence,
    bid: isAtMark ? null : numberOrNull(book.bids.best),
    ask: isAtMark ? null : numberOrNull(book.asks.best),
    // Twice the midpoint.
    mid: numberOrNull(book.mid),
    feeBps,
    // The mark that the account is measured by: the midpoint, or the venue's own, if it is fresh; and when that came.
    mark: isOfVenue ? freshVenuePrice(world, market, 'mark') : numberOrNull(book.mid),
    markTime: isOfVenue ? (book.marks?.time ?? book.time) : book.time,
    isVenueMark: isOfVenue || isAtMark,
    // The venue's own prices, if known.
    venue: book.marks,
    // Whether `worst_price` shows the estimated fill price.
    worstIsEstimate: isAtMark || observed.worstPriceIsEstimate,
    estimate: side === null || size === null ? null : estimateOf(market, portfolio, observed, { side, size }, feeBps),
  };
}

/** The walk over the book if the size is fillable, else the reason. */
function estimateOf(
  market: Market,
  portfolio: Portfolio | null,
  observed: ObservedBehavior,
  { side, size }: { side: Side; size: number },
  feeBps: number,
) {
  const lots = toUnits(size, market.definition.sizeDecimals);
  const isBeyondAll = lots.units > Number.MAX_SAFE_INTEGER;
  const accountId = portfolio?.account.id ?? null;
  const taking = { side, accountId, lots: lots.units, limit: null, isAtMarket: true };
  let unfillableReason: 'empty_book' | 'insufficient_depth' | 'size_precision_mismatch' | null = null;
  let walk: Walk | null = null;
  if (!lots.exact && !isBeyondAll) unfillableReason = 'size_precision_mismatch';
  // Without a mid no order executes, even if one side has depth.
  else if (Number.isNaN(market.book.mid)) unfillableReason = 'empty_book';
  else {
    walk = pricedWalk(market, observed, taking);
    if (walk.filled !== lots.units) [walk, unfillableReason] = [null, 'insufficient_depth'];
  }
  return {
    side,
    // As requested, in base asset.
    size,
    fillable: walk !== null,
    unfillableReason,
    filledLots: walk?.filled ?? null,
    notional: walk?.notional ?? null,
    fee: walk && basisPointsOf(walk.notional, feeBps),
    worstPrice: walk?.worstPrice ?? null,
    levels: walk?.levels ?? null,
  };
}

function noQuote(code: 'not_found' | 'unavailable', message: string) {
  return { ok: false as const, code, message };
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
