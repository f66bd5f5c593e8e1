import { toUnits } from '../../../base/terms/decimal.ts';
import { assert } from '../../../base/terms/invariants.ts';
import { type ExitExecution, type ExitGroup, exitKinds, orderKinds } from '../../../base/terms/order-types.ts';
import type { Outcome, UpdateAttachedExits } from '../commands.ts';
import type { Lots, Order, Position } from '../model.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { arm, cancel, isWorking, rest } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { exitsOf, type Leg, legsOf, legViolation } from '../rules/exit-rules.ts';
import { conflict, notFound, refusal } from '../violation.ts';
import { bringUpToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { explain, type Fill, type Portfolio, type Seat, seatOf, touchOrder, type World } from '../world/world.ts';

/** An exit to place, as the caller gave it; its price is still a JSON number. */
interface ExitTerms {
  readonly group: ExitGroup;
  readonly execution: ExitExecution;
  readonly price: number;
  readonly size: Lots;
}

/**
 * The record of an exit that is not placed yet: a trigger order, or a resting limit for a take-profit by limit
 * (simulation 4.3).
 */
export function draftExit(seat: Seat, position: Position, terms: ExitTerms): Order {
  const type = exitKinds[terms.group][terms.execution];
  const { fires, meets } = orderKinds[type];
  const limitPrice = meets === 'rests' ? toUnits(terms.price, seat.market.definition.priceDecimals).units : null;
  return draftRecord(seat, {
    type,
    mode: type,
    side: reducingSide(position),
    size: terms.size,
    leverage: position.leverage,
    marginMode: position.marginMode,
    reduceOnly: true,
    exitGroup: terms.group,
    targetPositionId: position.id,
    limitPrice,
    triggerPrice: fires === null ? null : terms.price,
    timeInForce: limitPrice === null ? null : 'gtc',
  });
}

/** Puts an exit to work: armed, or resting on the book. */
export function placeExit(world: World, market: Market, order: Order): void {
  if (order.triggerPrice === null) rest(world, market, order);
  else arm(world, order);
}

/** Makes two exits siblings: a fill of one reduces the other by the same size. */
export function linkSiblings(world: World, one: Order, other: Order): void {
  one.ocoSiblingOrderId = other.id;
  other.ocoSiblingOrderId = one.id;
  touchOrder(world, one);
  touchOrder(world, other);
}

/** Changes the size of a working exit. */
function resizeExit(world: World, order: Order, size: Lots): void {
  if (order.size === size) return;
  explain(world, order, 'resized', { from: order.size, to: size });
  order.size = size;
  order.initialSize = order.filledSize + size;
  touchOrder(world, order);
}

/** A reduction has nothing to reduce once its position is closed: its remainder is canceled (simulation 4.2). */
export function cancelReductionsOfClosedPosition(world: World, fill: Fill): void {
  const { portfolio, market } = fill;
  const before = fill.before!;
  if (before.status === 'open') return;
  for (const order of [...portfolio.orders.values()]) {
    const isReduction = order.marketId === market.id && order.reduceOnly && order.side === reducingSide(before);
    if (isReduction && isWorking(order)) cancel(world, order, 'its position is closed');
  }
}

/** The size that an exit filled is taken from its sibling. */
export function shrinkSibling(world: World, { order, lots }: Fill): void {
  const sibling = siblingOf(world, order);
  if (sibling === undefined) return;
  assert(arePair(order, sibling), 'oco-pair', order.id);
  if (sibling.size <= lots) {
    cancel(world, sibling, `its sibling ${order.id} filled`);
    return;
  }
  sibling.size -= lots;
  explain(world, sibling, 'resized', { to: sibling.size, sibling_filled: lots });
  if (!isWorking(order)) sibling.ocoSiblingOrderId = null;
  touchOrder(world, sibling);
}

/**
 * When something else reduces a position, no group of exits exceeds it: the newest exits are cut first. An exit's own
 * fill cuts nothing of its group, and a triggered exit is never cut: it ends filled, or with its position (simulation
 * 4.3).
 */
export function shrinkExits(world: World, fill: Fill): void {
  const { order, portfolio } = fill;
  const before = fill.before!;
  for (const group of ['tp', 'sl'] as const) {
    if (order.exitGroup === group) continue;
    const exits = exitsOf(portfolio, before).filter(({ exitGroup }) => exitGroup === group);
    let excess = exits.reduce((sum, { size }) => sum + size, 0) - before.size;
    for (const exit of exits.reverse()) {
      if (excess <= 0) break;
      if (exit.triggeredAt !== null) continue;
      const cut = Math.min(excess, exit.size);
      excess -= cut;
      if (cut === exit.size) cancel(world, exit, 'its position was reduced');
      else resizeExit(world, exit, exit.size - cut);
    }
  }
}

/** After a fill that was not their own, the waiting exits of either kind are at most as large as their position. */
export function assertExitsFit({ order, portfolio, before }: Fill): void {
  if (before === null) return;
  for (const group of ['tp', 'sl'] as const) {
    if (order.exitGroup === group) continue;
    let waiting = 0;
    for (const { targetPositionId, exitGroup, triggeredAt, size } of portfolio.orders.values())
      if (targetPositionId === before.id && exitGroup === group && triggeredAt === null) waiting += size;
    assert(waiting <= before.size, 'exits-fit', before.id);
  }
}

/** When an exit ends without a fill, its sibling continues without one. */
export function unlinkSibling(world: World, order: Order): void {
  const sibling = order.status === 'filled' ? undefined : siblingOf(world, order);
  if (sibling === undefined) return;
  sibling.ocoSiblingOrderId = null;
  touchOrder(world, sibling);
}

/** Whether two exits are siblings of each other. */
function arePair(one: Order, other: Order): boolean {
  const { exitGroup, targetPositionId, ocoSiblingOrderId } = other;
  return ocoSiblingOrderId === one.id && targetPositionId === one.targetPositionId && exitGroup !== one.exitGroup;
}

function siblingOf(world: World, order: Order): Order | undefined {
  return order.ocoSiblingOrderId === null ? undefined : world.orders.get(order.ocoSiblingOrderId);
}

const nameOf: Readonly<Record<ExitGroup, string>> = { tp: 'take-profit', sl: 'stop-loss' };

/** A fill of an entry that opened or enlarged a position. */
interface Entering extends Seat {
  readonly entry: Order;
  readonly position: Position;
  /** Whether it is the entry's first fill in this position. */
  readonly isFirst: boolean;
}

/**
 * After every fill of an entry with legs (simulation 4.3). If the position that it opened or enlarged has no exit of a
 * leg's kind, the leg becomes one, for the whole position. If it has one, that exit grows with the position. If it has
 * several, the owner has divided the position among them, and they are unchanged. With permission to replace, the legs
 * replace the existing exits at the entry's first fill in the position. A leg that is not placed is noted on the
 * entry's record and in its explanation.
 */
export function attachExits(world: World, { order, portfolio, market, after, openedLots }: Fill): void {
  const legs = legsOf(order);
  if (openedLots === 0 || after === null) {
    if (!isWorking(order) && order.targetPositionId === null) noteUnused(world, order, legs);
    return;
  }
  const entering = {
    world,
    portfolio,
    market,
    entry: order,
    position: after,
    isFirst: order.targetPositionId !== after.id,
  };
  order.targetPositionId = after.id;
  const placed = legs.map((leg) => attachLeg(entering, leg));
  if (placed.some((exit) => exit !== null)) pairUp(entering, legs);
  touchOrder(world, order);
}

/** Sets, moves or removes the legs of a resting entry that has not filled yet (simulation 4.3). */
export function updateAttachedExits(world: World, command: UpdateAttachedExits): Outcome {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return notFound('working order', command.orderId);
  if (order.reduceOnly || order.status !== 'resting') return conflict('Only resting entries have attached exits.');
  if (order.filledSize > 0) return conflict('The entry is partly filled: change the exits of its position instead.');
  const seat = seatOf(world, order);
  bringUpToDate(world, seat.market);
  const amended = { ...order };
  if (command.takeProfitPrice !== undefined) amended.attachedTakeProfitPrice = command.takeProfitPrice;
  if (command.stopLossPrice !== undefined) amended.attachedStopLossPrice = command.stopLossPrice;
  const broken = legViolation({ ...seat, order: amended });
  if (broken !== null) return refusal(broken);
  order.attachedTakeProfitPrice = amended.attachedTakeProfitPrice;
  order.attachedStopLossPrice = amended.attachedStopLossPrice;
  explain(world, order, 'attached', {
    take_profit_price: order.attachedTakeProfitPrice,
    stop_loss_price: order.attachedStopLossPrice,
  });
  touchOrder(world, order);
  return { ok: true, order };
}

/**
 * The owner has canceled exits manually. If none of their kind is left, entries that are still filling into the
 * position lose that leg: they must not bring it back. If others are left, these stand in for it (simulation 4.3).
 */
export function removeLegs(world: World, portfolio: Portfolio, canceled: readonly Order[]): void {
  for (const exit of canceled) {
    const position = exit.targetPositionId === null ? undefined : world.positions.get(exit.targetPositionId);
    if (exit.exitGroup === null || position === undefined) continue;
    const left = exitsOf(portfolio, position).filter(({ exitGroup }) => exitGroup === exit.exitGroup);
    for (const { entry, leg } of entriesInto(portfolio, position, exit.exitGroup)) {
      if (left.length === 0) removeLeg(world, entry, leg, exit);
      else noteKept(world, entry, leg, left);
    }
  }
}

function removeLeg(world: World, entry: Order, leg: Leg, canceled: Order): void {
  if (leg.group === 'tp') entry.attachedTakeProfitPrice = null;
  else entry.attachedStopLossPrice = null;
  removeNote(entry, leg);
  explain(world, entry, 'leg_removed', { ...factOf(leg), order_id: canceled.id });
  touchOrder(world, entry);
}

/** Puts a leg to work; returns the exit placed for it, or null if existing exits stay. */
function attachLeg(entering: Entering, leg: Leg): Order | null {
  const { world, portfolio, entry, position, isFirst } = entering;
  let existing = exitsOf(portfolio, position).filter(({ exitGroup }) => exitGroup === leg.group);
  if (isFirst && entry.replaceOverlappingExits) {
    for (const exit of existing) if (isWorking(exit)) cancel(world, exit, `replaced by the exits of ${entry.id}`);
    existing = [];
  }
  const [kept, ...others] = existing;
  if (kept === undefined) return placeLeg(entering, leg);
  if (others.length === 0) resizeExit(world, kept, Math.max(kept.size, position.size));
  const isNoted = !isFirst && others.length === 0 && matchesLeg(kept, leg) && !isLeftOut(entry, leg);
  if (!isNoted) noteKept(world, entry, leg, existing);
  return null;
}

function placeLeg(entering: Entering, leg: Leg): Order {
  const { world, portfolio, market, entry, position } = entering;
  const exit = draftExit(entering, position, { ...leg, execution: 'market', size: position.size });
  placeExit(world, market, exit);
  noteAttached(world, entry, leg, exit);
  for (const other of entriesInto(portfolio, position, leg.group)) {
    if (other.entry !== entry) noteKept(world, other.entry, other.leg, [exit]);
  }
  return exit;
}

/** Makes the exits of an entry's two legs siblings if they are the only ones of their kinds. */
function pairUp({ world, portfolio, position }: Entering, legs: readonly Leg[]): void {
  const exits = exitsOf(portfolio, position);
  const own = legs.map((leg) => {
    const alike = exits.filter(({ exitGroup }) => exitGroup === leg.group);
    return alike.length === 1 && matchesLeg(alike[0]!, leg) ? alike[0] : undefined;
  });
  const [one, other] = own;
  if (one === undefined || other === undefined) return;
  if (one.ocoSiblingOrderId === null && other.ocoSiblingOrderId === null) linkSiblings(world, one, other);
}

/** Working entries with a leg of this kind that have filled into a position. */
function entriesInto(portfolio: Portfolio, position: Position, group: ExitGroup): { entry: Order; leg: Leg }[] {
  const entries = [...portfolio.orders.values()].filter(
    ({ exitGroup, targetPositionId }) => exitGroup === null && targetPositionId === position.id,
  );
  return entries.flatMap((entry) =>
    legsOf(entry)
      .filter((leg) => leg.group === group)
      .map((leg) => ({ entry, leg })),
  );
}

/** Whether an exit equals a leg, regardless of who placed it. */
function matchesLeg(exit: Order, leg: Leg): boolean {
  return exit.triggerPrice === leg.price;
}

function noteAttached(world: World, entry: Order, leg: Leg, exit: Order): void {
  removeNote(entry, leg);
  explain(world, entry, 'leg_attached', { ...factOf(leg), order_id: exit.id, size: exit.size });
}

/** Existing exits work instead of a leg; one at the leg's price is as good as its own. */
function noteKept(world: World, entry: Order, leg: Leg, kept: readonly Order[]): void {
  const [one, ...others] = kept as [Order, ...Order[]];
  const name = nameOf[leg.group];
  if (others.length > 0) noteLeftOut(world, entry, leg, `several orders share the position as its ${name}`);
  else if (matchesLeg(one, leg)) noteAttached(world, entry, leg, one);
  else noteLeftOut(world, entry, leg, `${one.id} is the ${name} of the position`, one.id);
}

/** A finished entry has opened nothing for its legs to protect. */
function noteUnused(world: World, entry: Order, legs: readonly Leg[]): void {
  const reason = 'the order has only reduced a position';
  const subjects = legs.map(({ group, price }) => `${nameOf[group]} at ${price}`);
  entry.rejectReason = `${subjects.join(' and ')} left out: ${reason}`;
  entry.rejectRuleId = ruleId;
  for (const leg of legs) explain(world, entry, 'leg_left_out', { ...factOf(leg), reason });
  touchOrder(world, entry);
}

function noteLeftOut(world: World, entry: Order, leg: Leg, reason: string, keptOrderId?: string): void {
  const sentence = `${subjectOf(leg)}${reason}`;
  if (notesOf(entry).includes(sentence)) return;
  removeNote(entry, leg);
  entry.rejectReason = [...notesOf(entry), sentence].join(separator);
  entry.rejectRuleId = ruleId;
  const kept = keptOrderId === undefined ? {} : { kept_order_id: keptOrderId };
  explain(world, entry, 'leg_left_out', { ...factOf(leg), reason, ...kept });
  touchOrder(world, entry);
}

function isLeftOut(entry: Order, leg: Leg): boolean {
  return notesOf(entry).some((sentence) => sentence.startsWith(subjectOf(leg)));
}

/** Removes a leg's note from the entry's record. */
function removeNote(entry: Order, leg: Leg): void {
  const left = notesOf(entry).filter((sentence) => !sentence.startsWith(subjectOf(leg)));
  entry.rejectReason = left.length === 0 ? null : left.join(separator);
  if (left.length === 0) entry.rejectRuleId = null;
}

const ruleId = 'exit-allocation';
const separator = '; ';

function notesOf(entry: Order): string[] {
  return entry.rejectReason === null ? [] : entry.rejectReason.split(separator);
}

function subjectOf({ group, price }: Leg): string {
  return `${nameOf[group]} at ${price} left out: `;
}

function factOf({ group, price }: Leg): Record<string, number> {
  return group === 'tp' ? { take_profit_price: price } : { stop_loss_price: price };
}
