import { directionOf } from '../../../base/margin/holding.ts';
import { lotOf } from '../book/price-grid.ts';
import { takeViolation } from '../fills/take.ts';
import type { CopyGroup, Lots, Money, Order, Position } from '../model.ts';
import { submit } from '../order-handling/place-order.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { exposureViolation, placementViolation } from '../rules/rules.ts';
import { upToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import {
  explain,
  type Fill,
  type LeadFill,
  marketOf,
  type Portfolio,
  portfolioOf,
  type Seat,
  type Ticket,
  touch,
  type World,
} from '../world/world.ts';
import { groupLedBy } from './copy-groups.ts';

/** Rules that a smaller copy might satisfy. */
const shrinkable: ReadonlySet<string> = new Set([
  'insufficient-margin',
  'max-position-value-usd',
  'maximum-total-notional-usd',
  'insufficient-depth',
  'slippage-tolerance',
]);

/** Records a lead's fill for its followers, and a copy's fill as copied. */
export function followFill(world: World, fill: Fill): void {
  const { portfolio, market, order, before, after, lots, closedLots, openedLots } = fill;
  if (order.copyConfigId !== null) {
    // A copied entry counts in full, even if it first closed an opposite position of the follower.
    if (!order.reduceOnly) countCopied(world, order, lots);
    return;
  }
  const group = groupLedBy(world, portfolio.account.id);
  if (group === undefined) return;
  const left = before?.status === 'open' ? before.size : 0;
  world.leadFills.push({
    groupId: group.id,
    marketId: market.id,
    leadOrderId: fill.record.id,
    side: order.side,
    leverage: order.leverage,
    marginMode: order.marginMode,
    reduced: closedLots === 0 ? null : { direction: before!.direction, before: left + closedLots, after: left },
    added: openedLots === 0 ? null : { positionId: after!.id, cumulativeLots: after!.size + after!.closedSize },
  });
}

/**
 * Copies the fills of this moment to every follower: a flip first as a reduction, then as an entry (simulation 7.4).
 */
export function copyFills(world: World): void {
  while (world.leadFills.length > 0) {
    const fill = world.leadFills.shift()!;
    const group = world.copyGroups.get(fill.groupId);
    if (group === undefined || !group.enabled) continue;
    const market = marketOf(world, fill.marketId);
    for (const target of group.targets) {
      const seat = { world, portfolio: portfolioOf(world, target.accountId), market };
      if (fill.reduced !== null) copyReduction(seat, group, fill);
      if (fill.added !== null) copyEntry(seat, group, fill, target.multiplierBps);
    }
  }
}

function copyReduction(seat: Seat, group: CopyGroup, fill: LeadFill): void {
  const { world, portfolio, market } = seat;
  const { direction, before, after } = fill.reduced!;
  const underway = copiesUnderway(portfolio, group, market);
  if (after === 0) {
    for (const order of underway) if (!order.reduceOnly) cancel(world, order, 'its lead has closed the position');
  }
  const position = portfolio.positions.get(market.id);
  if (position === undefined || position.direction !== direction) return;
  const leaving = underway.filter(({ reduceOnly }) => reduceOnly).reduce((sum, { size }) => sum + size, 0);
  const lots = copiedReductionSize(before, after, position.size - leaving, lotOf(market.definition));
  if (lots > 0) place(seat, group, fill, { lots, reduces: position });
}

function copyEntry(seat: Seat, group: CopyGroup, fill: LeadFill, multiplierBps: number): void {
  const { world, portfolio, market } = seat;
  const progress = progressOf(group, portfolio, market, fill.added!.positionId);
  progress.leadAdded = fill.added!.cumulativeLots;
  touch(world, 'copyGroups', group);
  const lead = portfolioOf(world, group.sourceAccountId).account;
  const ratio = copyRatio(portfolio.account.startingBalance, lead.startingBalance, multiplierBps);
  const entering = copiesUnderway(portfolio, group, market).filter(({ reduceOnly }) => !reduceOnly);
  const copied = progress.copied + entering.reduce((sum, { size }) => sum + size, 0);
  const lots = copiedEntrySize(progress.leadAdded, ratio, copied, lotOf(market.definition));
  if (lots > 0) place(seat, group, fill, { lots, reduces: null });
}

/** Places one copy, reduced to the size that the follower's rules and the book allow, or rejects it. */
function place(seat: Seat, group: CopyGroup, fill: LeadFill, size: { lots: Lots; reduces: Position | null }): void {
  const { world, portfolio, market } = upToDate(seat);
  const held = portfolio.positions.get(market.id);
  const isAdd = held !== undefined && held.direction === directionOf(fill.side);
  const model = size.reduces ?? (isAdd ? held : fill);
  const order = draftRecord(seat, {
    type: 'market',
    mode: 'market',
    side: size.reduces === null ? fill.side : reducingSide(size.reduces),
    size: size.lots,
    leverage: model.leverage,
    marginMode: model.marginMode,
    reduceOnly: size.reduces !== null,
    copyConfigId: group.id,
  });
  const ticket = { ...seat, order };
  const allowed = largestAllowed(ticket);
  if (allowed > 0) {
    order.size = allowed;
    order.initialSize = allowed;
  }
  explain(world, order, 'copied', { lead_order_id: fill.leadOrderId, wanted: size.lots, allowed });
  submit(ticket);
}

/** The largest number of lots, up to the order's size, that no size-dependent rule refuses. */
function largestAllowed(ticket: Ticket): Lots {
  const { market, order } = ticket;
  const isTooMuch = (lots: Lots): boolean => {
    const one = { ...ticket, order: { ...order, size: lots, initialSize: lots } };
    const broken = placementViolation(one) ?? exposureViolation(one) ?? takeViolation(one);
    return broken !== null && shrinkable.has(broken.ruleId);
  };
  if (!isTooMuch(order.size)) return order.size;
  const lot = lotOf(market.definition);
  let allowed = 0;
  let tooMuch = Math.ceil(order.size / lot) * lot;
  while (tooMuch - allowed > lot) {
    const middle = Math.floor((allowed + tooMuch) / 2 / lot) * lot;
    if (isTooMuch(middle)) tooMuch = middle;
    else allowed = middle;
  }
  return allowed;
}

function copiesUnderway(portfolio: Portfolio, group: CopyGroup, market: Market): Order[] {
  return [...portfolio.orders.values()].filter(
    (order) => order.copyConfigId === group.id && order.marketId === market.id && isWorking(order),
  );
}

/** How much has been copied in a market; it restarts with each position of the lead. */
function progressOf(group: CopyGroup, portfolio: Portfolio, market: Market, leadPositionId: string) {
  const isSame = (one: CopyGroup['progress'][number]) =>
    one.accountId === portfolio.account.id && one.marketId === market.id;
  const found = group.progress.find(isSame);
  if (found?.leadPositionId === leadPositionId) return found;
  const fresh = { accountId: portfolio.account.id, marketId: market.id, leadAdded: 0, copied: 0, leadPositionId };
  group.progress = [...group.progress.filter((one) => one !== found), fresh];
  return fresh;
}

function countCopied(world: World, order: Order, lots: Lots): void {
  const group = world.copyGroups.get(order.copyConfigId!);
  const progress = group?.progress.find(
    ({ accountId, marketId }) => accountId === order.accountId && marketId === order.marketId,
  );
  if (group === undefined || progress === undefined) return;
  progress.copied += lots;
  touch(world, 'copyGroups', group);
}

/** The ratio of a follower's size to its lead's: an exact fraction (simulation 7.4). */
interface CopyRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Follower's starting balance / lead's starting balance x multiplier. */
export function copyRatio(followerStart: Money, leadStart: Money, multiplierBps: number): CopyRatio {
  return { numerator: followerStart * BigInt(multiplierBps), denominator: leadStart * 10_000n };
}

/**
 * Lots to add to a follower: the lots that its lead has added since the position opened x ratio, floored to the lot,
 * minus those already copied. Adding in many small pieces or all at once has the same result.
 */
export function copiedEntrySize(leadAdded: Lots, ratio: CopyRatio, copied: Lots, lot = 1): Lots {
  const due = (BigInt(leadAdded) * ratio.numerator) / ratio.denominator;
  return Math.max(0, wholeLots(Number(due) - copied, lot));
}

/**
 * How much to reduce a follower when its lead goes from `leadBefore` to `leadAfter` lots: by the same fraction; at
 * zero, all.
 */
export function copiedReductionSize(leadBefore: Lots, leadAfter: Lots, followerSize: Lots, lot = 1): Lots {
  if (leadAfter <= 0) return followerSize;
  if (leadAfter >= leadBefore) return 0;
  return wholeLots(Number((BigInt(followerSize) * BigInt(leadBefore - leadAfter)) / BigInt(leadBefore)), lot);
}

function wholeLots(size: Lots, lot: Lots): Lots {
  return size - (size % lot);
}
