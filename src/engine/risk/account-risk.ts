import { equityOf, freshMarks, marginPool } from '../accounts/equity.ts';
import { floorsOf, highestFloor } from '../accounts/floors.ts';
import { liquidationSurplus } from '../accounts/liquidation-price.ts';
import { moneyDecimals } from '../decimal.ts';
import { type MarkBand, neverQuiet } from '../indexes/mark-band.ts';
import type { Ms, Position } from '../model.ts';
import { bringPositionsUpToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { type Desk, deskOf, marketOf, type World } from '../world/world.ts';
import { closeOut, enforceFloors, recognizePassed } from './challenge.ts';
import { forcedOrders } from './forced-orders.ts';
import { liquidateCross, liquidateIsolated } from './liquidation.ts';
import { type LinearRisk, quietBands } from './risk-bands.ts';

/**
 * Looks at every account that changed or whose marks left their bands: isolated liquidation, floors, cross liquidation,
 * passed (simulation 2, order inside one moment), and goes on with what is being forced out. What takes marks of other
 * markets than the event's waits until all events of its millisecond are in, so that the order in which markets come,
 * and whether they are played or skipped, makes no difference.
 */
export function settleRisk(world: World, market: Market | null): void {
  const { riskWatch } = world;
  if (market !== null) riskWatch.markMoved(market.id, market.book.mid);
  else releaseLateRisks(world);
  while (riskWatch.hasChanged) {
    for (const accountId of riskWatch.takeChanged()) {
      const desk = deskOf(world, accountId);
      if (market !== null && !holdsOnly(desk, market)) {
        liquidateIsolated(world, desk, market);
        world.lateRisks.add(accountId);
        world.revision += 1;
      } else {
        settleAccount(world, desk);
      }
    }
  }
}

/** Works out anew for every account which marks it waits for, without looking at what they mean. */
export function restoreRiskBands(world: World): void {
  for (const desk of world.desks.values()) {
    if (desk.positions.size === 0) continue;
    bringPositionsUpToDate(world, desk);
    world.riskWatch.setBands(desk.account.id, bandsOf(world, desk));
  }
}

/** Now, where accounts wait for the end of the millisecond. */
export function nextLateRiskAt(world: World): Ms {
  return world.lateRisks.size > 0 ? world.now : Number.POSITIVE_INFINITY;
}

function releaseLateRisks(world: World): void {
  for (const accountId of world.lateRisks) world.riskWatch.noteChange(accountId);
  world.lateRisks.clear();
}

function settleAccount(world: World, desk: Desk): void {
  if (desk.positions.size > 0) bringPositionsUpToDate(world, desk);
  forceWhatMustGo(world, desk);
  recognizePassed(world, desk);
  if (world.riskWatch.setBands(desk.account.id, bandsOf(world, desk))) world.revision += 1;
}

function holdsOnly(desk: Desk, market: Market): boolean {
  return desk.positions.size === 0 || (desk.positions.size === 1 && desk.positions.has(market.id));
}

function forceWhatMustGo(world: World, desk: Desk): void {
  if (desk.account.status === 'failed') {
    closeOut(world, desk);
    return;
  }
  liquidateIsolated(world, desk, null);
  const hasFailed = enforceFloors(world, desk);
  if (!hasFailed) liquidateCross(world, desk);
}

function bandsOf(world: World, desk: Desk): ReadonlyMap<string, MarkBand> {
  const risks = desk.account.status === 'failed' || forcedOrders(desk).length > 0 ? null : risksOf(world, desk);
  const bands = risks === null ? null : quietBands(risks);
  return bands ?? new Map([...desk.positions.keys()].map((marketId) => [marketId, neverQuiet]));
}

/** Everything that marks can do to an account, as sums over them; null: a mark is missing. */
function risksOf(world: World, desk: Desk): LinearRisk[] | null {
  const positions = [...desk.positions.values()];
  const cross = positions.filter(({ marginMode }) => marginMode === 'cross');
  const isolated = positions.filter(({ marginMode }) => marginMode === 'isolated');
  const pools = isolated.map((position) => [position]);
  if (cross.length > 0) pools.push(cross);
  const risks: LinearRisk[] = [];
  for (const members of pools) {
    const risk = liquidationRisk(world, desk, members);
    if (risk === null) return null;
    risks.push(risk);
  }
  const floor = floorRisk(world, desk, positions);
  if (floor !== null) risks.push(floor);
  return risks;
}

function liquidationRisk(world: World, desk: Desk, members: readonly Position[]): LinearRisk | null {
  const pool = marginPool(world, desk, members, freshMarks(world, desk));
  if (pool === null) return null;
  const { surplus, slopes } = liquidationSurplus(pool);
  const terms = members.map(({ marketId }, at) => ({
    marketId,
    mark: pool.positions[at]!.mark,
    slope: slopes[at]!,
  }));
  return { surplus, terms };
}

/** Equity above the highest floor. An isolated position is taken as if it could lose without end: never too late. */
function floorRisk(world: World, desk: Desk, positions: readonly Position[]): LinearRisk | null {
  const floor = desk.account.status === 'active' ? highestFloor(floorsOf(desk.account)) : null;
  const equity = floor === null ? null : equityOf(world, desk, freshMarks(world, desk));
  if (floor === null || equity === null) return null;
  const scales = positions.map(({ marketId }) => {
    const { priceDecimals, sizeDecimals } = marketOf(world, marketId).definition;
    return priceDecimals + sizeDecimals;
  });
  const scale = Math.max(moneyDecimals, ...scales);
  // Each position's profit is rounded to money, by half a unit at most.
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
