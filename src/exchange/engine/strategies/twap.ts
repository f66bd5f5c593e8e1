import { notionalAtMark } from '../../../base/margin/notional.ts';
import { toMoney, toUnits } from '../../../base/terms/decimal.ts';
import { assert } from '../../../base/terms/invariants.ts';
import { compareMark, firstMarkAtOrAbove, lastMarkAtOrBelow, lotDecimalsOf, lotOf } from '../book/price-grid.ts';
import type { CancelTwap, Outcome, PlaceTwap } from '../commands.ts';
import { unusableBook } from '../fills/take.ts';
import { alwaysQuiet, type MarkBand, neverQuiet, venueKey } from '../indexes/band-watch.ts';
import type { HalfPrice, Lots, Ms, TwapOrder } from '../model.ts';
import { followsVenue } from '../observed.ts';
import { submit } from '../order-handling/place-order.ts';
import { draftRecord, unplaced } from '../orders/draft-order.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { draw } from '../random.ts';
import { exposureViolation, placementViolation } from '../rules/rules.ts';
import { conflict, invalidRequest, notFound, refusal, type Violation, violation } from '../violation.ts';
import { bringUpToDate, followPrices, freshMark, upToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import {
  type Fill,
  findMarket,
  idOf,
  marketOf,
  nextSequence,
  portfolioOf,
  type Seat,
  seatOf,
  touchTwap,
  type World,
} from '../world/world.ts';
import { planSlices, sliceCount, sliceSize, sliceToleranceBps } from './plan.ts';

type CompletionReason = 'filled' | 'duration_elapsed' | 'price_limit' | 'canceled' | 'rejected' | 'account_closed';

/** Fixes the plan and starts the slices now. */
function activateTwap(world: World, twap: TwapOrder): void {
  const durationMs = twap.durationMinutes * 60_000;
  const intervalMs = twap.sliceIntervalSeconds * 1_000;
  const weights = twap.strategy === 'vwap' ? volumeWeights(world, twap, intervalMs) : null;
  const random = (purpose: string, slice: number) => draw(world.seed, `slice-${purpose}`, `${twap.id}/${slice}`);
  const plan = planSlices({
    totalSize: twap.totalSize,
    lot: lotOf(marketOf(world, twap.marketId).definition),
    startedAt: world.now,
    durationMs,
    intervalMs,
    weights,
    random: twap.randomize ? random : null,
  });
  twap.activatedAt = world.now;
  twap.endAt = world.now + durationMs;
  twap.plannedCumulative = plan.plannedCumulative;
  twap.sliceTimes = plan.sliceTimes;
  twap.nextRunAt = plan.sliceTimes[0]!;
  touchTwap(world, twap);
}

/** Cancels a strategy; a slice that is on its way to the book is canceled with it (simulation 7.1). */
export function cancelTwap(world: World, { twapOrderId }: CancelTwap): Outcome {
  const twap = world.twaps.get(twapOrderId);
  if (twap === undefined) return notFound('TWAP order', twapOrderId);
  if (twap.status !== 'running') return conflict(`${twapOrderId} is ${twap.status}.`);
  endTwap(world, twap, 'canceled');
  return { ok: true, twap };
}

/** Ends a strategy. */
export function endTwap(world: World, twap: TwapOrder, reason: CompletionReason): void {
  const isCanceled = reason === 'canceled' || reason === 'account_closed';
  twap.status = isCanceled ? 'canceled' : 'completed';
  twap.completionReason = reason;
  if (isCanceled) twap.canceledAt = world.now;
  else twap.completedAt = world.now;
  twap.nextRunAt = null;
  world.twaps.delete(twap.id);
  world.twapWatch.setBands(twap.id, new Map());
  touchTwap(world, twap);
  for (const child of [...portfolioOf(world, twap.accountId).orders.values()]) {
    if (child.twapOrderId === twap.id && isWorking(child)) cancel(world, child, `its strategy ended: ${reason}`);
  }
}

/** When the next slice or the end of a duration is due. */
export function nextSliceAt(world: World): Ms {
  let next = Number.POSITIVE_INFINITY;
  for (const twap of world.twaps.values()) {
    if (twap.activatedAt !== null) next = Math.min(next, twap.nextRunAt ?? twap.endAt);
  }
  return next;
}

/** Trades a slice at its time; at the end of the duration, ends the order with the rest unfilled (simulation 7.1). */
export function runSlices(world: World): void {
  for (const twap of [...world.twaps.values()]) {
    if (twap.activatedAt === null || twap.status !== 'running') continue;
    if (twap.nextRunAt !== null && twap.nextRunAt <= world.now) runSlice(world, twap);
    if (twap.status === 'running' && twap.endAt <= world.now) endTwap(world, twap, 'duration_elapsed');
  }
}

/** Starts strategies whose trigger the mark has crossed and ends those whose price limits it has left. */
export function followMarks(world: World, market: Market | null): void {
  const { twapWatch } = world;
  if (market !== null) followPrices(world, twapWatch, market);
  while (twapWatch.changed.size > 0) {
    for (const id of twapWatch.takeChanged()) {
      const twap = world.twaps.get(id);
      if (twap === undefined) continue;
      followMark(world, twap);
      if (twap.status !== 'running') continue;
      if (setBands(world, twap)) world.revision += 1;
    }
  }
}

/** Recomputes for every strategy which marks it waits for. */
export function restoreTwapBands(world: World): void {
  for (const twap of world.twaps.values()) {
    bringUpToDate(world, marketOf(world, twap.marketId));
    setBands(world, twap);
  }
}

function setBands(world: World, twap: TwapOrder): boolean {
  const { policy } = portfolioOf(world, twap.accountId).account;
  const band = quietBandOf(world, twap);
  const bands = new Map([[followsVenue(policy) ? venueKey(twap.marketId) : twap.marketId, band]]);
  // Without a mark, each new book is a reason to check again.
  if (band === neverQuiet) bands.set(twap.marketId, band);
  return world.twapWatch.setBands(twap.id, bands);
}

/** Adds a child's fill to its parent, which ends once all of it is filled. */
export function countSliceFill(world: World, fill: Fill): void {
  const twap = world.twaps.get(fill.order.twapOrderId!);
  if (twap === undefined) return;
  twap.filledSize += fill.lots;
  assert(twap.filledSize <= twap.totalSize, 'parent-total', twap.id);
  twap.filledNotional += fill.notional;
  touchTwap(world, twap);
  if (twap.filledSize === twap.totalSize) endTwap(world, twap, 'filled');
}

function followMark(world: World, twap: TwapOrder): void {
  const seat = seatOf(world, twap);
  const { market } = seat;
  bringUpToDate(world, market);
  const mark = freshMark(seat);
  if (mark === null) return;
  const compare = (price: number) => compareMark(market.definition, mark, price);
  if (twap.activatedAt === null) {
    const side = compare(twap.triggerPrice!);
    if (twap.triggerFrom === 'below' ? side < 0 : side > 0) return;
    activateTwap(world, twap);
  }
  const isBelow = twap.minPrice !== null && compare(twap.minPrice) < 0;
  const isAbove = twap.maxPrice !== null && compare(twap.maxPrice) > 0;
  if (isBelow || isAbove) endTwap(world, twap, 'price_limit');
}

/** The marks at which a strategy neither starts nor ends. */
function quietBandOf(world: World, twap: TwapOrder): MarkBand {
  const seat = seatOf(world, twap);
  const { definition } = seat.market;
  if (freshMark(seat) === null) return neverQuiet;
  if (twap.activatedAt === null) {
    return twap.triggerFrom === 'below'
      ? { low: alwaysQuiet.low, high: firstMarkAtOrAbove(definition, twap.triggerPrice!) - 1 }
      : { low: lastMarkAtOrBelow(definition, twap.triggerPrice!) + 1, high: alwaysQuiet.high };
  }
  return {
    low: twap.minPrice === null ? alwaysQuiet.low : firstMarkAtOrAbove(definition, twap.minPrice),
    high: twap.maxPrice === null ? alwaysQuiet.high : lastMarkAtOrBelow(definition, twap.maxPrice),
  };
}

/** This slice makes up for slices that were missed completely, up to three times its plan: never in a burst. */
function runSlice(world: World, twap: TwapOrder): void {
  let slice = twap.slicesAttempted;
  while (slice + 1 < twap.sliceTimes.length && twap.sliceTimes[slice + 1]! <= world.now) slice += 1;
  twap.slicesAttempted = slice + 1;
  twap.nextRunAt = twap.sliceTimes[slice + 1] ?? null;
  touchTwap(world, twap);
  const size = sliceSize(twap.plannedCumulative, slice, twap.filledSize + lotsUnderway(world, twap));
  if (size > 0) placeSlice(world, twap, size);
}

function placeSlice(world: World, twap: TwapOrder, size: Lots): void {
  const seat = upToDate(seatOf(world, twap));
  const child = draftRecord(seat, {
    type: 'market',
    mode: 'market',
    side: twap.side,
    size,
    leverage: twap.leverage,
    marginMode: twap.marginMode,
    reduceOnly: twap.reduceOnly,
    slippageToleranceBps: sliceToleranceBps,
    twapOrderId: twap.id,
  });
  twap.currentChildOrderId = child.id;
  const outcome = submit({ ...seat, order: child });
  const hasNothingToReduce = !outcome.ok && outcome.ruleId === 'reduce-only';
  if (hasNothingToReduce && twap.status === 'running') endTwap(world, twap, 'rejected');
}

function lotsUnderway(world: World, twap: TwapOrder): Lots {
  let lots = 0;
  for (const child of portfolioOf(world, twap.accountId).orders.values()) {
    if (child.twapOrderId === twap.id) lots += child.size;
  }
  return lots;
}

function volumeWeights(world: World, twap: TwapOrder, intervalMs: Ms): number[] {
  return Array.from({ length: twap.sliceCount }, (_, slice) => {
    const from = world.now + slice * intervalMs;
    return world.source.volume(twap.marketId, from, from + intervalMs, world.now);
  });
}

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
