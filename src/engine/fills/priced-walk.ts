import { basisPointsOf, notionalAtMark } from '../../margin/notional.ts';
import { type Walk, walkBook } from '../book/walk.ts';
import type { Lots, Money, Price, Side } from '../model.ts';
import type { ObservedBehavior } from '../observed.ts';
import type { Market } from '../world/market.ts';
import { slippageCapBps } from './slippage-caps.ts';

/** Who takes how much, and from where. */
interface Taking {
  readonly side: Side;
  /** null: a stranger who has taken nothing. */
  readonly accountId: string | null;
  readonly lots: Lots;
  /** The worst price to walk to; null: any. */
  readonly limit: Price | null;
  /** Whether the order has no limit price. */
  readonly isAtMarket: boolean;
}

/** A walk over the side of the book that is taken from, priced as the account's policy says (simulation 6.3). */
export function pricedWalk(market: Market, observed: ObservedBehavior, taking: Taking): Walk {
  const { side, accountId, lots, limit, isAtMarket } = taking;
  if (isAtMarket && isQuotedAtMark(market, observed)) return walkAtMark(market, observed, side, lots);
  const walk = walkBook(market.definition, market.opposite(side), market.consumedBy(side), accountId, lots, limit);
  return observed.slippageCaps && walk.filled > 0 ? capped(market, observed, side, walk) : walk;
}

/** Whether the market trades at its mark plus or minus a spread, whatever its book shows. */
export function isQuotedAtMark({ definition }: Market, { fxAtMark }: ObservedBehavior): boolean {
  return fxAtMark && definition.category === 'fx';
}

/** Fills all of it at the mark plus or minus its tier's spread; no level is touched. */
function walkAtMark(market: Market, observed: ObservedBehavior, side: Side, lots: Lots): Walk {
  const { reference, bps } = capOf(market, observed, lots);
  const sign = side === 'buy' ? 1 : -1;
  const price = (market.book.mid / 2) * (1 + (sign * bps) / 10_000);
  const worstPrice = side === 'buy' ? Math.ceil(price) : Math.floor(price);
  return { filled: lots, notional: worseBy(reference, side, bps), worstPrice, levels: 0, boundBps: bps };
}

function capped(market: Market, observed: ObservedBehavior, side: Side, walk: Walk): Walk {
  const { reference, bps } = capOf(market, observed, walk.filled);
  const bound = worseBy(reference, side, bps);
  const isWorse = side === 'buy' ? walk.notional > bound : walk.notional < bound;
  return isWorse ? { ...walk, notional: bound, boundBps: bps } : walk;
}

function capOf(market: Market, observed: ObservedBehavior, lots: Lots): { reference: Money; bps: number } {
  const { definition, book } = market;
  const reference = notionalAtMark(definition, book.mid, lots);
  return { reference, bps: slippageCapBps(definition, reference, observed.openInterestUsd[market.id]) };
}

function worseBy(reference: Money, side: Side, bps: number): Money {
  const spread = basisPointsOf(reference, bps);
  return side === 'buy' ? reference + spread : reference - spread;
}
