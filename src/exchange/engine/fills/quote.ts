import { basisPointsOf } from '../../../base/margin/notional.ts';
import { toUnits } from '../../../base/terms/decimal.ts';
import type { Walk } from '../book/walk.ts';
import { defaultPolicy, rateOf } from '../defaults.ts';
import type { HalfPrice, Lots, Money, Ms, Price, Side } from '../model.ts';
import { followsVenue, nothingObserved, type ObservedBehavior, observedOf } from '../observed.ts';
import type { VenueMarks } from '../source.ts';
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

/** The fill that an order of the quoted side and size would get (simulation 3: a quote is a promise). */
export interface QuoteEstimate {
  readonly side: Side;
  /** As requested, in base asset. */
  readonly size: number;
  readonly fillable: boolean;
  readonly unfillableReason: 'empty_book' | 'insufficient_depth' | 'size_precision_mismatch' | null;
  /** The walk over the book if the size is fillable, else null. */
  readonly filledLots: Lots | null;
  readonly notional: Money | null;
  readonly fee: Money | null;
  readonly worstPrice: Price | null;
  readonly levels: number | null;
}

/** Best prices of a fresh book, and the estimate if a side and a size were given. */
export interface Quote {
  readonly ok: true;
  readonly marketId: string;
  /** Venue time and sequence of the book. */
  readonly time: Ms;
  readonly sequence: number;
  readonly bid: Price | null;
  readonly ask: Price | null;
  /** Twice the midpoint. */
  readonly mid: HalfPrice | null;
  readonly feeBps: number;
  /** The mark that the account is measured by: the midpoint, or the venue's own, if it is fresh; and when that came. */
  readonly mark: HalfPrice | null;
  readonly markTime: Ms;
  readonly isVenueMark: boolean;
  /** The venue's own prices; null if none are known. */
  readonly venue: VenueMarks | null;
  /** Whether `worst_price` shows the estimated fill price. */
  readonly worstIsEstimate: boolean;
  /** null if side and size were not given. */
  readonly estimate: QuoteEstimate | null;
}

/** A quote, or why there is none. */
export type QuoteResult =
  | Quote
  | { readonly ok: false; readonly code: 'not_found' | 'unavailable'; readonly message: string };

/** The book that a quote without an account shows; null if it is too old, or in a gap. */
export function quotedBook(world: World, marketId: string): Market['book'] | null {
  const market = marketOf(world, marketId);
  bringUpToDate(world, market);
  return market.book.isRecent(world.now, usualPolicy.limits.maxBookStalenessMs) ? market.book : null;
}

/** Best bid, best ask and midpoint of a fresh book and, with side and size, the fill that an order would get. */
export function quoteOf(world: World, marketId: string, request: QuoteRequest): QuoteResult {
  const market = findMarket(world, marketId);
  if (market === undefined)
    return { ok: false, code: 'not_found', message: `There is no market ${JSON.stringify(marketId)}.` };
  const portfolio = request.accountId === null ? null : world.portfolios.get(request.accountId);
  if (portfolio === undefined) {
    return { ok: false, code: 'not_found', message: `There is no account ${JSON.stringify(request.accountId)}.` };
  }
  bringUpToDate(world, market);
  const { book } = market;
  const { maxBookStalenessMs } = (portfolio?.account.policy ?? usualPolicy).limits;
  if (!book.isRecent(world.now, maxBookStalenessMs)) {
    return { ok: false, code: 'unavailable', message: bookProblem(market, false, 'quote from') };
  }
  const feeBps = portfolio?.account.policy.feeExempt ? 0 : rateOf(world.rates.feeBps, market.definition.category);
  const { side, size } = request;
  const observed = portfolio === null ? (request.observed ?? nothingObserved) : observedOf(portfolio.account.policy);
  const isAtMark = isQuotedAtMark(market, observed);
  const isOfVenue = followsVenue({ observed });
  return {
    ok: true,
    marketId,
    time: book.time,
    sequence: book.sequence,
    bid: isAtMark ? null : numberOrNull(book.bids.best),
    ask: isAtMark ? null : numberOrNull(book.asks.best),
    mid: numberOrNull(book.mid),
    feeBps,
    mark: isOfVenue ? freshVenuePrice(world, market, 'mark') : numberOrNull(book.mid),
    markTime: isOfVenue ? (book.marks?.time ?? book.time) : book.time,
    isVenueMark: isOfVenue || isAtMark,
    venue: book.marks,
    worstIsEstimate: isAtMark || observed.worstPriceIsEstimate,
    estimate: side === null || size === null ? null : estimateOf(market, portfolio, observed, { side, size }, feeBps),
  };
}

function estimateOf(
  market: Market,
  portfolio: Portfolio | null,
  observed: ObservedBehavior,
  { side, size }: { side: Side; size: number },
  feeBps: number,
): QuoteEstimate {
  const lots = toUnits(size, market.definition.sizeDecimals);
  const isBeyondAll = lots.units > Number.MAX_SAFE_INTEGER;
  if (!lots.exact && !isBeyondAll) return unfillable(side, size, 'size_precision_mismatch');
  // Without a mid no order executes, even if one side has depth.
  if (Number.isNaN(market.book.mid)) return unfillable(side, size, 'empty_book');
  const accountId = portfolio?.account.id ?? null;
  const taking = { side, accountId, lots: lots.units, limit: null, isAtMarket: true };
  const walk = pricedWalk(market, observed, taking);
  if (walk.filled === lots.units) return fillable(side, size, walk, feeBps);
  return unfillable(side, size, 'insufficient_depth');
}

function fillable(side: Side, size: number, walk: Walk, feeBps: number): QuoteEstimate {
  return {
    side,
    size,
    fillable: true,
    unfillableReason: null,
    filledLots: walk.filled,
    notional: walk.notional,
    fee: basisPointsOf(walk.notional, feeBps),
    worstPrice: walk.worstPrice,
    levels: walk.levels,
  };
}

function unfillable(side: Side, size: number, reason: QuoteEstimate['unfillableReason']): QuoteEstimate {
  return {
    side,
    size,
    fillable: false,
    unfillableReason: reason,
    filledLots: null,
    notional: null,
    fee: null,
    worstPrice: null,
    levels: null,
  };
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
