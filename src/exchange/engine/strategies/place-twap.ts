import { notionalAtMark } from '../../../base/margin/notional.ts';
import { toMoney, toUnits } from '../../../base/terms/decimal.ts';
import { compareMark, lotDecimalsOf, lotOf } from '../book/price-grid.ts';
import type { Outcome, PlaceTwap } from '../commands.ts';
import { unusableBook } from '../fills/take.ts';
import type { HalfPrice, TwapOrder } from '../model.ts';
import { unplaced } from '../orders/draft-order.ts';
import { exposureViolation, placementViolation } from '../rules/rules.ts';
import { invalidRequest, notFound, refusal, type Violation, violation } from '../violation.ts';
import { freshMark, upToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { findMarket, idOf, nextSequence, type Seat, touchTwap, type World } from '../world/world.ts';
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
  const seat = upToDate({ world, portfolio, market });
  const mark = freshMark(seat);
  if (mark === null) return refusal(unusableBook(seat));
  const broken = twapViolation(seat, command, mark);
  if (broken !== null) return refusal(broken);
  const twap = newTwap(seat, command, mark);
  world.twaps.set(twap.id, twap);
  touchTwap(world, twap);
  if (twap.triggerFrom === null) activateTwap(world, twap);
  return { ok: true, twap };
}

function twapViolation(seat: Seat, command: PlaceTwap, mark: HalfPrice): Violation | null {
  const { portfolio, market } = seat;
  const total = toUnits(command.size, market.definition.sizeDecimals);
  const lot = lotOf(market.definition);
  const isWhole = total.exact && total.units % lot === 0;
  const count = sliceCount(command.durationMinutes * 60_000, command.sliceIntervalSeconds * 1_000);
  // The whole size is checked for precision, and one slice for the exposure rules.
  const size = isWhole ? Math.floor(total.units / lot / count) * lot : total.units;
  const { side, leverage, marginMode, reduceOnly } = command;
  const slice = { type: 'market', mode: 'market', side, size, leverage, marginMode, reduceOnly } as const;
  const ticket = unplaced(seat, { ...slice, twapOrderId: 'draft' });
  if (isWhole && size === 0) return tooSmall(market, command, count, 'one lot');
  const broken = placementViolation(ticket) ?? exposureViolation(ticket);
  if (broken !== null || reduceOnly) return broken;
  // Reductions have no minimum.
  const minimum = portfolio.account.policy.limits.minOrderNotionalUsd;
  const isBelow = notionalAtMark(market.definition, mark, total.units) < toMoney(minimum) * BigInt(count);
  return isBelow ? tooSmall(market, command, count, `${minimum} USD`) : null;
}

function tooSmall(market: Market, command: PlaceTwap, count: number, least: string): Violation {
  return violation('slice-size', `Each of ${count} slices must be at least ${least}.`, {
    slice_count: count,
    slice_size: command.size / count,
    size_decimals: lotDecimalsOf(market.definition),
  });
}

function newTwap({ world, portfolio, market }: Seat, command: PlaceTwap, mark: HalfPrice): TwapOrder {
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
