import { liquidationSurplus } from '../../margin/liquidation-price.ts';
import { moneyDecimals } from '../../terms/decimal.ts';
import { equityOf, freshMarks, marginPool } from '../accounts/equity.ts';
import { floorsOf, highestFloor } from '../accounts/floors.ts';
import { type MarkBand, neverQuiet } from '../indexes/mark-band.ts';
import type { Ms, Position } from '../model.ts';
import { bringPositionsUpToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, type Portfolio, portfolioOf, type World } from '../world/world.ts';
import { closeOut, enforceFloors, passAccount } from './challenge.ts';
import { forcedOrders } from './forced-orders.ts';
import { liquidateCross, liquidateIsolated } from './liquidation.ts';
import { type LinearRisk, quietBands } from './risk-bands.ts';

/**
 * Checks every account that changed or whose marks left their bands: isolated liquidation, floors, cross liquidation,
 * passing (simulation 2.4), and continues forced orders. Checks that need marks of markets other than the event's wait
 * until all events of its millisecond have been applied, so the order of markets, and whether they are played or
 * skipped, makes no difference.
 */
export function enforceRisk(world: World, market: Market | null): void {
  const { riskWatch } = world;
  if (market !== null) riskWatch.markMoved(market.id, market.book.mid);
  else releaseLateRisks(world);
  while (riskWatch.hasChanged) {
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
    world.riskWatch.setBands(portfolio.account.id, bandsOf(world, portfolio));
  }
}

/**
 * When waiting accounts are next due: now, since they wait only for the end of the millisecond; Infinity without any.
 */
export function nextLateRiskAt(world: World): Ms {
  return world.lateRisks.size > 0 ? world.now : Number.POSITIVE_INFINITY;
}

function releaseLateRisks(world: World): void {
  for (const accountId of world.lateRisks) world.riskWatch.noteChange(accountId);
  world.lateRisks.clear();
}

function enforceOn(world: World, portfolio: Portfolio): void {
  if (portfolio.positions.size > 0) bringPositionsUpToDate(world, portfolio);
  enforceMarginAndFloors(world, portfolio);
  passAccount(world, portfolio);
  if (world.riskWatch.setBands(portfolio.account.id, bandsOf(world, portfolio))) world.revision += 1;
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

function bandsOf(world: World, portfolio: Portfolio): ReadonlyMap<string, MarkBand> {
  const risks =
    portfolio.account.status === 'failed' || forcedOrders(portfolio).length > 0 ? null : risksOf(world, portfolio);
  const bands = risks === null ? null : quietBands(risks);
  return bands ?? new Map([...portfolio.positions.keys()].map((marketId) => [marketId, neverQuiet]));
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
    surplus: 2n * spare * 10n ** BigInt(scale - moneyDecimals),
    terms: positions.map((position, at) => {
      const perHalfPrice = BigInt(position.size) * 10n ** BigInt(scale - scales[at]!);
      return {
        marketId: position.marketId,
        mark: marketOf(world, position.marketId).book.mid,
        slope: position.direction === 'long' ? perHalfPrice : -perHalfPrice,
      };
    }),
  };
}
