import { liquidationSurplus } from '../../margin/liquidation-price.ts';
import { moneyDecimals } from '../../terms/decimal.ts';
import { equityOf, freshMarks, marginPool } from '../accounts/equity.ts';
import { floorsOf, highestFloor } from '../accounts/floors.ts';
import { type MarkBand, neverQuiet } from '../indexes/mark-band.ts';
import type { HalfPrice, Ms, Position } from '../model.ts';
import { bringPositionsUpToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, type Portfolio, portfolioOf, type World } from '../world/world.ts';
import { closeOut, enforceFloors, passAccount } from './challenge.ts';
import { forcedOrders } from './forced-orders.ts';
import { liquidateCross, liquidateIsolated } from './liquidation.ts';

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
 * is divided so that all markets may move by the same fraction. null if something happens at the current marks already.
 */
export function quietBands(risks: readonly LinearRisk[]): Map<string, MarkBand> | null {
  const bands = new Map<string, MarkBand>();
  for (const risk of risks) {
    if (risk.surplus <= 0n) return null;
    const exposure = risk.terms.reduce((sum, { mark, slope }) => sum + BigInt(mark) * magnitude(slope), 0n);
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

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
