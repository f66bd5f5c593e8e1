import { chargeClose, initialMargin } from '../../margin/holding.ts';
import { basisPointsOf, shareOf } from '../../margin/notional.ts';
import { orderKinds } from '../../terms/order-types.ts';
import type { Money, Position } from '../model.ts';
import { book } from '../positions/ledger.ts';
import { type Fill, type Portfolio, touchPosition, type World } from '../world/world.ts';
import { crossCash } from './equity.ts';

/**
 * After a fill that closed something (simulation 5.4): the liquidation fee of a forced fill, and a `bankruptcy` entry
 * for what an isolated position lost beyond its margin and extra margin, or cross positions beyond the balance, however
 * they were closed: a stop that fills after a gap must not cost more than the liquidation it prevented.
 */
export function bookLoss(world: World, fill: Fill): void {
  const { order, portfolio, before } = fill;
  if (before === null || fill.closedLots === 0) return;
  const cause = { orderId: fill.record.id, positionId: before.id };
  const fee = orderKinds[order.type].forces === 'pool' ? liquidationFee(portfolio, fill.notional) : 0n;
  before.fees += fee;
  touchPosition(world, before);
  book(world, portfolio.account, 'liquidation_fee', -fee, cause);
  const shortfall =
    before.marginMode === 'isolated' ? beyondIsolatedMargin(world, fill, before, fee) : belowCrossZero(portfolio);
  // Losses of cross positions may have used up the balance that backed the isolated margin.
  const owed = -portfolio.account.balance;
  book(world, portfolio.account, 'bankruptcy', shortfall > owed ? shortfall : owed, cause);
}

/** Books a `bankruptcy` entry that raises a negative balance to zero, whatever the reason. */
export function coverNegativeBalance(world: World, portfolio: Portfolio): void {
  if (portfolio.account.balance < 0n) book(world, portfolio.account, 'bankruptcy', -portfolio.account.balance);
}

function liquidationFee(portfolio: Portfolio, notional: Money): Money {
  return basisPointsOf(notional, portfolio.account.policy.limits.liquidationFeeBps);
}

/** Charges the loss of closing lots of an isolated position to its margin; returns the part that it does not cover. */
function beyondIsolatedMargin(world: World, fill: Fill, position: Position, liquidationFee: Money): Money {
  const realized = fill.realizedPnl ?? 0n;
  // For a flip, only the closed part.
  const closedNotional = shareOf(fill.notional, fill.closedLots, fill.lots);
  const closedFee = shareOf(fill.record.fee ?? 0n, fill.closedLots, fill.lots);
  const closedCost = position.direction === 'long' ? closedNotional - realized : closedNotional + realized;
  const marginBefore = shareOf(position.cost + closedCost, 1, position.leverage);
  const result = realized - closedFee - liquidationFee;
  const { isolatedMarginExtra } = position;
  const { extra, shortfall } = chargeClose(marginBefore, isolatedMarginExtra, result, initialMargin(position));
  if (position.status === 'open' && extra !== isolatedMarginExtra) {
    position.isolatedMarginExtra = extra;
    touchPosition(world, position);
  }
  return shortfall;
}

/** How far the last cross position to close has left the cross pool below zero. */
function belowCrossZero(portfolio: Portfolio): Money {
  for (const { marginMode } of portfolio.positions.values()) if (marginMode === 'cross') return 0n;
  const cash = crossCash(portfolio);
  return cash < 0n ? -cash : 0n;
}
