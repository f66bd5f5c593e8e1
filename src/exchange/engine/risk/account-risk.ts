import { unrealizedPnl } from '../../../base/margin/holding.ts';
import { isLiquidatable, liquidationSurplus } from '../../../base/margin/liquidation-price.ts';
import { basisPointsOf, notionalAtMark, powerOfTen } from '../../../base/margin/notional.ts';
import { moneyDecimals, moneyToNumber } from '../../../base/terms/decimal.ts';
import { type ForcedType, orderKinds } from '../../../base/terms/order-types.ts';
import {
  breachedFloor,
  type FloorRuleId,
  floorsOf,
  hasPassed,
  highestFloor,
  profitTarget,
} from '../accounts/floors.ts';
import { equityOf, freshMarks, marginPool, poolMembers } from '../accounts/margin.ts';
import { bookTaking, clippedLots, walkFor } from '../fills/take.ts';
import { type MarkBand, neverQuiet, venueKey } from '../indexes/band-watch.ts';
import type { Account, Explanation, HalfPrice, Money, Order, Position } from '../model.ts';
import { followsVenue } from '../observed.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { admit, cancel, isForced, isForcedOut, isWorking } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { endScaled } from '../strategies/scaled.ts';
import { endTwap } from '../strategies/twap.ts';
import { bringPositionsUpToDate, followPrices, isFresh, lastMark } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { explain, marketOf, type Portfolio, portfolioOf, type Seat, touchAccount, type World } from '../world/world.ts';

/**
 * Checks every account that changed or whose marks left their bands: isolated liquidation, floors, cross liquidation,
 * passing (simulation 2.4), and continues forced orders. Checks that need marks of markets other than the event's wait
 * until all events of its millisecond have been applied, so the order of markets, and whether they are played or
 * skipped, makes no difference.
 */
export function enforceRisk(world: World, market: Market | null): void {
  const { riskWatch } = world;
  if (market !== null) followPrices(world, riskWatch, market);
  else {
    for (const accountId of world.lateRisks) riskWatch.changed.add(accountId);
    world.lateRisks.clear();
  }
  while (riskWatch.changed.size > 0) {
    for (const accountId of riskWatch.takeChanged()) {
      const portfolio = portfolioOf(world, accountId);
      if (market !== null && !holdsOnly(portfolio, market)) {
        liquidateIsolated(world, portfolio, market);
        world.lateRisks.add(accountId);
        world.revision += 1;
      } else {
        enforceOn(world, portfolio);
      }
    }
  }
}

/** Recomputes for every account which marks it waits for, without acting on them. */
export function restoreRiskBands(world: World): void {
  for (const portfolio of world.portfolios.values()) {
    if (portfolio.positions.size === 0) continue;
    bringPositionsUpToDate(world, portfolio);
    world.riskWatch.setBands(portfolio.account.id, watchedBands(portfolio, quietBandsOf(world, portfolio)));
  }
}

/** While every risk is distant, which is almost always, there is nothing to enforce. */
function enforceOn(world: World, portfolio: Portfolio): void {
  if (portfolio.positions.size > 0) bringPositionsUpToDate(world, portfolio);
  let bands = quietBandsOf(world, portfolio);
  if (bands === null) {
    enforceMarginAndFloors(world, portfolio);
    bands = quietBandsOf(world, portfolio);
  }
  passAccount(world, portfolio);
  if (world.riskWatch.setBands(portfolio.account.id, watchedBands(portfolio, bands))) world.revision += 1;
}

function holdsOnly(portfolio: Portfolio, market: Market): boolean {
  return portfolio.positions.size === 0 || (portfolio.positions.size === 1 && portfolio.positions.has(market.id));
}

function enforceMarginAndFloors(world: World, portfolio: Portfolio): void {
  if (portfolio.account.status === 'failed') {
    closeOut(world, portfolio);
    return;
  }
  liquidateIsolated(world, portfolio, null);
  const hasFailed = enforceFloors(world, portfolio);
  if (!hasFailed) liquidateCross(world, portfolio);
}

/** The marks between which nothing happens to an account; null if something may happen at any mark. */
function quietBandsOf(world: World, portfolio: Portfolio): ReadonlyMap<string, MarkBand> | null {
  if (portfolio.account.status === 'failed' || isForcedOut(portfolio)) return null;
  const risks = risksOf(world, portfolio);
  return risks === null ? null : quietBands(risks);
}

/**
 * Without quiet bands, every price of its markets is a reason to check an account: of their books, and of their venues.
 */
function watchedBands(
  portfolio: Portfolio,
  bands: ReadonlyMap<string, MarkBand> | null,
): ReadonlyMap<string, MarkBand> {
  const isOfVenue = followsVenue(portfolio.account.policy);
  if (bands !== null) return isOfVenue ? new Map([...bands].map(([id, band]) => [venueKey(id), band])) : bands;
  const ids = [...portfolio.positions.keys()];
  return new Map([...ids, ...(isOfVenue ? ids.map(venueKey) : [])].map((id) => [id, neverQuiet]));
}

/** The risks of an account: everything that marks can cause, as sums over them; null if a mark is missing. */
function risksOf(world: World, portfolio: Portfolio): LinearRisk[] | null {
  const positions = [...portfolio.positions.values()];
  const cross = positions.filter(({ marginMode }) => marginMode === 'cross');
  const isolated = positions.filter(({ marginMode }) => marginMode === 'isolated');
  const pools = isolated.map((position) => [position]);
  if (cross.length > 0) pools.push(cross);
  const risks: LinearRisk[] = [];
  for (const members of pools) {
    const risk = liquidationRisk(world, portfolio, members);
    if (risk === null) return null;
    risks.push(risk);
  }
  const floor = floorRisk(world, portfolio, positions);
  if (floor !== null) risks.push(floor);
  return risks;
}

function liquidationRisk(world: World, portfolio: Portfolio, members: readonly Position[]): LinearRisk | null {
  const pool = marginPool(world, portfolio, members, freshMarks(world, portfolio));
  if (pool === null) return null;
  const { surplus, slopes } = liquidationSurplus(pool);
  const terms = members.map(({ marketId }, at) => ({
    marketId,
    mark: pool.positions[at]!.mark,
    slope: slopes[at]!,
  }));
  return { surplus, terms };
}

/**
 * Equity above the highest floor. Losses of an isolated position count as unlimited here, so the check is never too
 * late.
 */
function floorRisk(world: World, portfolio: Portfolio, positions: readonly Position[]): LinearRisk | null {
  const floor = portfolio.account.status === 'active' ? highestFloor(floorsOf(portfolio.account)) : null;
  const equity = floor === null ? null : equityOf(world, portfolio, freshMarks(world, portfolio));
  if (floor === null || equity === null) return null;
  const scales = positions.map(({ marketId }) => {
    const { priceDecimals, sizeDecimals } = marketOf(world, marketId).definition;
    return priceDecimals + sizeDecimals;
  });
  const scale = Math.max(moneyDecimals, ...scales);
  // Each position's profit is rounded to money, by at most half a unit.
  const spare = equity - floor - BigInt(positions.length);
  return {
    surplus: 2n * spare * powerOfTen(scale - moneyDecimals),
    terms: positions.map((position, at) => {
      const perHalfPrice = BigInt(position.size) * powerOfTen(scale - scales[at]!);
      return {
        marketId: position.marketId,
        mark: lastMark(portfolio, marketOf(world, position.marketId))!,
        slope: position.direction === 'long' ? perHalfPrice : -perHalfPrice,
      };
    }),
  };
}

/**
 * Something that happens once a sum over marks falls to zero or below: a liquidation, a floor. `slope` is how much one
 * half price of the mark changes the sum, in the unit of `surplus`.
 */
export interface LinearRisk {
  /** The sum at the current marks. */
  readonly surplus: bigint;
  readonly terms: readonly { readonly marketId: string; readonly mark: HalfPrice; readonly slope: bigint }[];
}

/**
 * For each market a band of marks such that none of the risks happens while every market stays in its own. The surplus
 * is divided so that all markets may move by the same fraction. null if a risk is already due at the current marks.
 */
export function quietBands(risks: readonly LinearRisk[]): Map<string, MarkBand> | null {
  const bands = new Map<string, MarkBand>();
  for (const risk of risks) {
    if (risk.surplus <= 0n) return null;
    const exposure = risk.terms.reduce(
      (sum, { mark, slope }) => sum + BigInt(mark) * (slope < 0n ? -slope : slope),
      0n,
    );
    for (const { marketId, mark, slope } of risk.terms) {
      const band = bands.get(marketId) ?? { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
      bands.set(marketId, band);
      if (slope === 0n) continue;
      // With every market at its bound, at most surplus - 1 is used, so the sum stays above zero.
      const distance = Number(((risk.surplus - 1n) * BigInt(mark)) / exposure);
      if (slope > 0n) band.low = Math.max(band.low, mark - distance);
      else band.high = Math.min(band.high, mark + distance);
    }
  }
  return bands;
}

/**
 * Fails an active account whose equity touches a floor, and closes everything it has (simulation 6.1); true if it did.
 */
function enforceFloors(world: World, portfolio: Portfolio): boolean {
  if (portfolio.account.status !== 'active') return false;
  const equity = equityOf(world, portfolio, freshMarks(world, portfolio));
  const broken = equity === null ? null : breachedFloor(floorsOf(portfolio.account), equity);
  if (equity !== null && broken !== null) breach(world, portfolio, broken, equity);
  return broken !== null;
}

/** Continues to close the positions of a failed account. */
function closeOut(world: World, portfolio: Portfolio): void {
  const cause = { rule_id: portfolio.account.breachRuleId };
  for (const position of [...portfolio.positions.values()]) forceOut(world, portfolio, position, 'close_out', cause);
}

/** Passes an active account that meets its plan; its working orders end (simulation 6.1). */
function passAccount(world: World, portfolio: Portfolio): void {
  const { account } = portfolio;
  if (account.status !== 'active' || !hasPassed(account, portfolio.positions.size)) return;
  account.status = 'passed';
  end(world, account, account.balance, profitTarget(account.plan, account.startingBalance));
  touchAccount(world, account);
  cancelEverything(world, portfolio, 'the account has passed');
}

function breach(world: World, portfolio: Portfolio, ruleId: FloorRuleId, equity: Money): void {
  const { account } = portfolio;
  const floors = floorsOf(account);
  account.status = 'failed';
  account.breachRuleId = ruleId;
  end(world, account, equity, ruleId === 'daily-loss' ? floors.dailyLoss : floors.maximumDrawdown);
  touchAccount(world, portfolio.account);
  cancelEverything(world, portfolio, `the account has failed: ${ruleId}`);
  closeOut(world, portfolio);
}

/** Records when and at what equity an account ended, and the floor it touched or the target it reached. */
function end(world: World, account: Account, equity: Money, bound: Money | null): void {
  account.endedAt = world.now;
  account.endedEquity = equity;
  account.endedBound = bound;
}

/**
 * Cancels strategies first, so that they place no more orders, then working orders. The close-out replaces a
 * liquidation.
 */
function cancelEverything(world: World, portfolio: Portfolio, reason: string): void {
  const isOwn = ({ accountId }: { accountId: string }) => accountId === portfolio.account.id;
  for (const twap of [...world.twaps.values()].filter(isOwn)) endTwap(world, twap, 'account_closed');
  for (const scaled of [...world.scaled.values()].filter(isOwn)) endScaled(world, scaled);
  for (const order of [...portfolio.orders.values()]) {
    const isCloseOut = orderKinds[order.type].forces === 'account';
    if (isWorking(order) && !isCloseOut) cancel(world, order, reason);
  }
}

/**
 * Liquidates, or continues to liquidate, each isolated position at or below its maintenance (simulation 5.3); if
 * `market` is given, only the one there.
 */
function liquidateIsolated(world: World, portfolio: Portfolio, market: Market | null): void {
  for (const position of [...portfolio.positions.values()]) {
    const isMeant = market === null || position.marketId === market.id;
    if (isMeant && position.marginMode === 'isolated') liquidatePool(world, portfolio, [position]);
  }
}

/**
 * Liquidates, or continues to liquidate, the cross positions of an account at or below their maintenance (simulation
 * 5).
 */
function liquidateCross(world: World, portfolio: Portfolio): void {
  const members = [...portfolio.positions.values()].filter(({ marginMode }) => marginMode === 'cross');
  if (members.length > 0) liquidatePool(world, portfolio, members);
}

/**
 * Cancels the pool's working orders and walks the books, the largest loss first, until equity is above maintenance
 * again. While a market of the pool has no fresh mark, nothing is done.
 */
function liquidatePool(world: World, portfolio: Portfolio, members: readonly Position[]): void {
  const safe = isSafe(world, portfolio, members);
  if (safe === true) stopForcing(world, portfolio, members);
  if (safe !== false) return;
  cancelOrdersOfPool(world, portfolio, members[0]!);
  for (const position of largestLossFirst(world, portfolio, members)) {
    forceOut(world, portfolio, position, 'liquidation', arithmeticOf(world, portfolio, members));
    const left = poolMembers(portfolio, members[0]!).filter(({ status }) => status === 'open');
    if (left.length === 0) return;
    if (isSafe(world, portfolio, left) === true) {
      stopForcing(world, portfolio, left);
      return;
    }
  }
}

/** Whether a pool is above its maintenance; null if a mark is missing. */
function isSafe(world: World, portfolio: Portfolio, members: readonly Position[]): boolean | null {
  const pool = marginPool(world, portfolio, members, freshMarks(world, portfolio));
  return pool && !isLiquidatable(pool);
}

/** Equity and maintenance of a pool in USD, to explain why it was liquidated. */
function arithmeticOf(world: World, portfolio: Portfolio, members: readonly Position[]): Explanation['detail'] {
  const open = members.filter(({ status }) => status === 'open');
  const { cash, positions, maintenanceRatioBps } = marginPool(world, portfolio, open, freshMarks(world, portfolio))!;
  let equity = cash;
  let notional = 0n;
  for (const [at, { mark }] of positions.entries()) {
    const market = marketOf(world, open[at]!.marketId);
    equity += unrealizedPnl(market.definition, open[at]!, mark);
    notional += notionalAtMark(market.definition, mark, open[at]!.size);
  }
  return {
    margin_mode: members[0]!.marginMode,
    equity: moneyToNumber(equity),
    maintenance: moneyToNumber(basisPointsOf(notional, maintenanceRatioBps)),
    maintenance_ratio_bps: maintenanceRatioBps,
  };
}

function cancelOrdersOfPool(world: World, portfolio: Portfolio, member: Position): void {
  const belongs = (order: Order): boolean =>
    member.marginMode === 'isolated' ? order.marketId === member.marketId : order.marginMode === 'cross';
  for (const order of [...portfolio.orders.values()]) {
    if (isWorking(order) && !isForced(order) && belongs(order)) cancel(world, order, 'its margin is being liquidated');
  }
}

function largestLossFirst(world: World, portfolio: Portfolio, members: readonly Position[]): Position[] {
  const markOf = freshMarks(world, portfolio);
  const profit = new Map<Position, Money>();
  for (const position of members) {
    const market = marketOf(world, position.marketId);
    profit.set(position, unrealizedPnl(market.definition, position, markOf(market)!));
  }
  return [...members].sort((left, right) => {
    const difference = profit.get(left)! - profit.get(right)!;
    return difference < 0n ? -1 : difference > 0n ? 1 : left.sequence - right.sequence;
  });
}

/**
 * Closes a position by force as far as its book allows now (simulation 3: no tolerance, no invented liquidity). The
 * unfilled rest stays pending; calling this with later books tries again. `cause`: the figures that explain it.
 */
function forceOut(
  world: World,
  portfolio: Portfolio,
  position: Position,
  type: ForcedType,
  cause: Explanation['detail'],
): void {
  const seat = { world, portfolio, market: marketOf(world, position.marketId) };
  const ticket = { ...seat, order: forcedOrderOf(portfolio, position) ?? placeForced(seat, position, type, cause) };
  if (!isFresh(ticket)) return;
  const walk = walkFor(ticket, clippedLots(ticket), null);
  if (walk.filled > 0) bookTaking(ticket, walk, {});
}

/** Ends the forced orders of positions that no longer need to be closed. */
function stopForcing(world: World, portfolio: Portfolio, positions: readonly Position[]): void {
  for (const position of positions) {
    const order = forcedOrderOf(portfolio, position);
    if (order !== undefined && isWorking(order)) cancel(world, order, 'equity is above maintenance again');
  }
}

function forcedOrderOf(portfolio: Portfolio, position: Position): Order | undefined {
  return portfolio.orders.values().find((order) => isForced(order) && order.targetPositionId === position.id);
}

function placeForced(seat: Seat, position: Position, type: ForcedType, cause: Explanation['detail']): Order {
  const { world, portfolio, market } = seat;
  const order = draftRecord(seat, {
    type,
    mode: type,
    side: reducingSide(position),
    size: position.size,
    leverage: position.leverage,
    marginMode: position.marginMode,
    reduceOnly: true,
    targetPositionId: position.id,
  });
  admit(world, order);
  market.unfinished.set(order.id, order);
  explain(world, order, 'forced', { mark_half_price: lastMark(portfolio, market) ?? market.book.mid, ...cause });
  return order;
}
