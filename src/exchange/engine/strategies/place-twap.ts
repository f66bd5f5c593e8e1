import { notionalAtMark } from '../../../base/margin/notional.ts';
import { toMoney, toUnits } from '../../../base/terms/decimal.ts';
import { compareMark, lotDecimalsOf, lotOf } from '../book/price-grid.ts';
import type { Outcome, PlaceTwap } from '../commands.ts';
import { unusableBook } from '../fills/take.ts';
import type { HalfPrice, Lots, Order, TwapOrder } from '../model.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { exposureViolation, placementViolation } from '../rules/rules.ts';
import { invalidRequest, notFound, refusal, type Violation, violation } from '../violation.ts';
import { bringPositionsUpToDate, bringUpToDate, freshMark } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { findMarket, idOf, nextSequence, type Portfolio, touchTwap, type World } from '../world/world.ts';
import { sliceCount } from './plan.ts';
import { activateTwap } from './twap.ts';

/** Starts a TWAP or VWAP, or arms it if it has a trigger price (simulation 7.1). */
export function placeTwap(world: World, command: PlaceTwap): Outcome {
  const portfolio = world.portfolios.get(command.accountId);
  if (portfolio === undefined) return notFound('account', command.accountId);
  const market = findMarket(world, command.marketId);
  if (market === undefined) return notFound('market', command.marketId);
  if (command.sliceIntervalSeconds * 2 > command.durationMinutes * 60) {
    return invalidRequest([{ field: 'slice_interval_seconds', issue: 'is more than half the duration' }]);
  }
  bringUpToDate(world, market);
  bringPositionsUpToDate(world, portfolio);
  const mark = freshMark(world, portfolio, market);
  if (mark === null) return refusal(unusableBook(world, portfolio, market));
  const broken = twapViolation(world, portfolio, market, command, mark);
  if (broken !== null) return refusal(broken);
  const twap = newTwap(world, portfolio, market, command, mark);
  world.twaps.set(twap.id, twap);
  touchTwap(world, twap);
  if (twap.triggerFrom === null) activateTwap(world, twap);
  return { ok: true, twap };
}

function twapViolation(
  world: World,
  portfolio: Portfolio,
  market: Market,
  command: PlaceTwap,
  mark: HalfPrice,
): Violation | null {
  const total = toUnits(command.size, market.definition.sizeDecimals);
  const lot = lotOf(market.definition);
  const isWhole = total.exact && total.units % lot === 0;
  const count = sliceCount(command.durationMinutes * 60_000, command.sliceIntervalSeconds * 1_000);
  // The whole size is checked for precision, and one slice for the exposure rules.
  const slice = sliceDraft(
    world,
    portfolio,
    market,
    command,
    isWhole ? Math.floor(total.units / lot / count) * lot : total.units,
  );
  if (isWhole && slice.size === 0) return tooSmall(market, command, count, 'one lot');
  const broken =
    placementViolation(world, portfolio, market, slice) ?? exposureViolation(world, portfolio, market, slice);
  if (broken !== null) return broken;
  if (isBelowMinimum(portfolio, market, mark, total.units, count, command.reduceOnly)) {
    return tooSmall(market, command, count, `${portfolio.account.policy.limits.minOrderNotionalUsd} USD`);
  }
  return null;
}

/**
 * Whether dividing lots over this many orders makes each worth less than the account's minimum; reductions have none.
 */
function isBelowMinimum(
  portfolio: Portfolio,
  market: Market,
  mark: HalfPrice,
  total: Lots,
  orders: number,
  reduceOnly: boolean,
): boolean {
  if (reduceOnly) return false;
  const minimum = toMoney(portfolio.account.policy.limits.minOrderNotionalUsd);
  return notionalAtMark(market.definition, mark, total) < minimum * BigInt(orders);
}

function sliceDraft(world: World, portfolio: Portfolio, market: Market, command: PlaceTwap, size: number): Order {
  const { sequence } = world;
  const draft = draftRecord(world, portfolio, market, {
    type: 'market',
    mode: 'market',
    side: command.side,
    size,
    leverage: command.leverage,
    marginMode: command.marginMode,
    reduceOnly: command.reduceOnly,
    twapOrderId: 'draft',
  });
  // It is only checked against the rules: its number goes to the next record.
  world.sequence = sequence;
  return draft;
}

function tooSmall(market: Market, command: PlaceTwap, count: number, least: string): Violation {
  return violation('slice-size', `Each of ${count} slices must be at least ${least}.`, {
    slice_count: count,
    slice_size: command.size / count,
    size_decimals: lotDecimalsOf(market.definition),
  });
}

function newTwap(world: World, portfolio: Portfolio, market: Market, command: PlaceTwap, mark: HalfPrice): TwapOrder {
  const sequence = nextSequence(world);
  const { definition } = market;
  const { kind: _, size, ...terms } = command;
  const side = command.triggerPrice === null ? 0 : compareMark(definition, mark, command.triggerPrice);
  const durationMs = command.durationMinutes * 60_000;
  return {
    ...terms,
    id: idOf('twap', sequence),
    sequence,
    owner: portfolio.account.owner,
    totalSize: toUnits(size, definition.sizeDecimals).units,
    filledSize: 0,
    filledNotional: 0n,
    triggerFrom: side === 0 ? null : side < 0 ? 'below' : 'above',
    status: 'running',
    completionReason: null,
    startedAt: world.now,
    endAt: world.now + durationMs,
    activatedAt: null,
    canceledAt: null,
    completedAt: null,
    nextRunAt: null,
    currentChildOrderId: null,
    sliceCount: sliceCount(durationMs, command.sliceIntervalSeconds * 1_000),
    slicesAttempted: 0,
    plannedCumulative: [],
    sliceTimes: [],
  };
}
