import { chargeClose, initialMargin } from '../../../base/margin/holding.ts';
import { basisPointsOf, notionalAtMark, shareOf } from '../../../base/margin/notional.ts';
import { divideRounded } from '../../../base/terms/decimal.ts';
import { orderKinds } from '../../../base/terms/order-types.ts';
import { rateOf } from '../defaults.ts';
import type { Money, Position } from '../model.ts';
import { book } from '../positions/positions.ts';
import type { VenueMarks } from '../source.ts';
import { bringUpToDate, lastMark } from '../world/current-book.ts';
import { type Fill, marketOf, type Portfolio, portfolioOf, touchPosition, type World } from '../world/world.ts';
import { crossCash } from './margin.ts';

const hoursPerDay = 24n;
/** Daily rates are exact to a ten-thousandth of a basis point. */
const ratesPerOne = 100_000_000n;

/**
 * Now, on a full UTC hour, every open position pays mark notional x daily rate / 24, long and short alike, once per
 * hour (simulation 5.6).
 */
export function payCarry(world: World): void {
  const hour = world.now;
  for (const position of [...world.positions.values()]) {
    if (position.carriedUntil >= hour) continue;
    position.carriedUntil = hour;
    const amount = carryOf(world, position);
    position.funding += amount;
    touchPosition(world, position);
    const portfolio = portfolioOf(world, position.accountId);
    book(world, portfolio.account, 'funding', -amount, { positionId: position.id });
    coverNegativeBalance(world, portfolio);
  }
}

const hourMs = 3_600_000;

type Funding = Pick<VenueMarks, 'fundingRate' | 'fundingHours' | 'nextFundingAt'>;

/**
 * The funding reported for a market without venue figures: on synthetic ones the carry charged there, long and short
 * alike.
 */
export function fundingOf({ source, now, rates }: Pick<World, 'source' | 'now' | 'rates'>, marketId: string): Funding {
  const category = source.definitions.find((market) => market.marketId === marketId)?.category;
  if (source.name !== 'synthetic' || category === undefined)
    return { fundingRate: null, fundingHours: null, nextFundingAt: null };
  const fundingRate = rateOf(rates.carryBpsPerDay, category) / (10_000 * Number(hoursPerDay));
  return { fundingRate, fundingHours: 1, nextFundingAt: (Math.floor(now / hourMs) + 1) * hourMs };
}

/** One hour's carry of a notional at a daily rate, rounded half away from zero. */
export function hourlyCarry(notional: Money, bpsPerDay: number): Money {
  return divideRounded(notional * BigInt(Math.round(bpsPerDay * 10_000)), ratesPerOne * hoursPerDay);
}

function carryOf(world: World, position: Position): Money {
  const market = marketOf(world, position.marketId);
  bringUpToDate(world, market);
  const mark = lastMark(portfolioOf(world, position.accountId), market);
  // Without a two-sided book there is no midpoint: the entry price is the last one known.
  const notional = mark === null ? position.cost : notionalAtMark(market.definition, mark, position.size);
  return hourlyCarry(notional, rateOf(world.rates.carryBpsPerDay, market.definition.category));
}

/**
 * After a fill that closed something (simulation 5.4): the liquidation fee of a forced fill, and a `bankruptcy` entry
 * for an isolated position's loss beyond its margin and extra margin, or cross positions' loss beyond the balance, no
 * matter how they were closed: a stop that fills after a gap must not cost more than the liquidation it prevented.
 */
export function bookLoss(world: World, fill: Fill): void {
  const { order, portfolio } = fill;
  const before = fill.before!;
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
