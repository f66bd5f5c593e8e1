import type { ExitGroup } from '../../../base/terms/order-types.ts';
import type { Outcome, UpdateAttachedExits } from '../commands.ts';
import type { Order, Position } from '../model.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { exitsOf, type Leg, legsOf, legViolation } from '../rules/exit-rules.ts';
import { conflict, notFound, refusal } from '../violation.ts';
import { bringUpToDate } from '../world/current-book.ts';
import { explain, type Fill, type Portfolio, type Seat, seatOf, touchOrder, type World } from '../world/world.ts';
import { draftExit, linkSiblings, placeExit, resizeExit } from './exits.ts';

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
