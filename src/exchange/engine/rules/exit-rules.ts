import { directionOf } from '../../../base/margin/holding.ts';
import { compareUnits, toNumber } from '../../../base/terms/decimal.ts';
import type { ExitGroup } from '../../../base/terms/order-types.ts';
import { compareMark } from '../book/price-grid.ts';
import type { Order, Position, Side } from '../model.ts';
import { type Violation, violation } from '../violation.ts';
import { lastMark } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import type { Portfolio, Seat, Ticket } from '../world/world.ts';

/**
 * Refuses a leg on the wrong side of its entry's price, where it would trigger at once or be useless (simulation 4.3).
 */
function attachedExitSide(ticket: Ticket): Violation | null {
  for (const { group, price } of legsOf(ticket.order)) {
    const entry = compareEntry(ticket, price);
    if (entry === null) continue;
    const wantsEntryBelow = (group === 'tp') === (ticket.order.side === 'buy');
    if (wantsEntryBelow ? entry < 0 : entry > 0) continue;
    return wrongSide(group, price);
  }
  return null;
}

/** The fault in an entry's legs, if any. */
export function legViolation(ticket: Ticket): Violation | null {
  return hasLegs(ticket.order) ? (attachedExitSide(ticket) ?? exitAllocation(ticket)) : null;
}

/**
 * A leg covers the whole position: exits that already cover part of it must be replaced, else the leg is refused
 * (simulation 4.3).
 */
function exitAllocation({ portfolio, market, order }: Ticket): Violation | null {
  const position = portfolio.positions.get(market.id);
  if (order.replaceOverlappingExits || position === undefined) return null;
  if (position.direction !== directionOf(order.side)) return null;
  const groups = legsOf(order).map(({ group }) => group);
  const overlapping = exitsOf(portfolio, position).filter(({ exitGroup }) => groups.includes(exitGroup!));
  if (overlapping.length === 0) return null;
  return violation(
    'exit-allocation',
    'The position already has exits; set replace_overlapping_exits to replace them.',
    {
      order_ids: overlapping.map(({ id }) => id),
    },
  );
}

/** Refuses an exit on the side of the mark where it would trigger at once; null if it is fine or there is no mark. */
export function exitSideOfMark(
  { portfolio, market }: Seat,
  side: Side,
  group: ExitGroup,
  price: number,
): Violation | null {
  const last = lastMark(portfolio, market);
  if (last === null) return null;
  const mark = compareMark(market.definition, last, price);
  const wantsMarkBelow = (group === 'tp') === (side === 'sell');
  return (wantsMarkBelow ? mark < 0 : mark > 0) ? null : wrongSide(group, price);
}

/** Refuses exits of one group that exceed the position. */
export function overAllocated(market: Market, position: Position, group: ExitGroup, total: number): Violation | null {
  if (total <= position.size) return null;
  const { sizeDecimals } = market.definition;
  return violation('exit-allocation', `The ${group} exits would exceed the position.`, {
    group,
    allocated_size: toNumber(total, sizeDecimals),
    position_size: toNumber(position.size, sizeDecimals),
  });
}

/**
 * The exit rule that the amended version of an order would break: legs on the wrong side of its new price, or exits that exceed the
 * position.
 */
export function amendedExits(ticket: Ticket, order: Order): Violation | null {
  const { portfolio, market, order: amended } = ticket;
  if (order.exitGroup === null) return order.filledSize > 0 ? null : attachedExitSide(ticket);
  const position = portfolio.positions.get(market.id);
  if (position === undefined || amended.size <= order.size) return null;
  const alike = exitsOf(portfolio, position).filter(({ exitGroup }) => exitGroup === order.exitGroup);
  const total = alike.reduce((sum, exit) => sum + exit.size, amended.size - order.size);
  return overAllocated(market, position, order.exitGroup, total);
}

/** An entry's price compared with a leg's: its limit, else the trigger on its own market, else the mark. */
function compareEntry({ portfolio, market, order }: Ticket, price: number): number | null {
  const { definition } = market;
  if (order.limitPrice !== null) return compareUnits(order.limitPrice, definition.priceDecimals, price);
  if (order.triggerPrice !== null && order.triggerMarketId === null) return order.triggerPrice - price;
  const mark = lastMark(portfolio, market);
  return mark === null ? null : compareMark(definition, mark, price);
}

function wrongSide(group: ExitGroup, price: number): Violation {
  const name = group === 'tp' ? 'take-profit' : 'stop-loss';
  return violation('exit-side', `The ${name} price is on the wrong side.`, { group, price });
}

/** A position's working exits, oldest first. */
export function exitsOf(portfolio: Portfolio, position: Position): Order[] {
  return [...portfolio.orders.values()].filter(
    ({ exitGroup, targetPositionId }) => exitGroup !== null && targetPositionId === position.id,
  );
}

/** An exit that an entry requests for the position that it opens. */
export interface Leg {
  readonly group: ExitGroup;
  /** As the caller gave it, a JSON number. */
  readonly price: number;
}

/** Whether an entry has legs. */
export function hasLegs(order: Order): boolean {
  return order.attachedTakeProfitPrice !== null || order.attachedStopLossPrice !== null;
}

/** The legs of an entry. */
export function legsOf(order: Order): Leg[] {
  const legs: Leg[] = [];
  if (order.attachedTakeProfitPrice !== null) legs.push({ group: 'tp', price: order.attachedTakeProfitPrice });
  if (order.attachedStopLossPrice !== null) legs.push({ group: 'sl', price: order.attachedStopLossPrice });
  return legs;
}
