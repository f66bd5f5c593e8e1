import { compareMark } from '../book/mark.ts';
import { compareUnits, toNumber } from '../decimal.ts';
import type { Order, Position, Side } from '../model.ts';
import { directionOf } from '../positions/positions.ts';
import { type Violation, violation } from '../violation.ts';
import type { Market } from '../world/market.ts';
import type { Portfolio } from '../world/world.ts';
import { type ExitGroup, exitsOf, legsOf } from './position-exits.ts';

/** A leg on the side of its entry where it would fire at once or never help is refused (simulation 4). */
export function attachedExitSide(market: Market, order: Order): Violation | null {
  for (const { group, price } of legsOf(order)) {
    const entry = compareEntry(market, order, price);
    if (entry === null) continue;
    const wantsEntryBelow = (group === 'tp') === (order.side === 'buy');
    if (wantsEntryBelow ? entry < 0 : entry > 0) continue;
    return wrongSide(group, price);
  }
  return null;
}

/** A leg covers the whole position: exits that cover part of it already must be replaced or stay alone (simulation 4). */
export function exitAllocation(portfolio: Portfolio, market: Market, order: Order): Violation | null {
  const position = portfolio.positions.get(market.id);
  if (order.replaceOverlappingExits || position === undefined) return null;
  if (position.direction !== directionOf(order.side)) return null;
  const groups = legsOf(order).map(({ group }) => group);
  const overlapping = exitsOf(portfolio, position).filter(({ exitGroup }) => groups.includes(exitGroup!));
  if (overlapping.length === 0) return null;
  return violation('exit-allocation', 'The position has exits already; replace_overlapping_exits replaces them.', {
    order_ids: overlapping.map(({ id }) => id),
  });
}

/** An exit beyond the mark, on the side where it would fill at once; null: fine, or no mark to tell by. */
export function exitSideOfMark(market: Market, side: Side, group: ExitGroup, price: number): Violation | null {
  if (Number.isNaN(market.book.mid)) return null;
  const mark = compareMark(market.definition, market.book.mid, price);
  const wantsMarkBelow = (group === 'tp') === (side === 'sell');
  return (wantsMarkBelow ? mark < 0 : mark > 0) ? null : wrongSide(group, price);
}

/** More exits of one group than there is to exit. */
export function overAllocated(market: Market, position: Position, group: ExitGroup, total: number): Violation | null {
  if (total <= position.size) return null;
  const { sizeDecimals } = market.definition;
  return violation('exit-allocation', `The ${group} exits would come to more than the position.`, {
    group,
    allocated_size: toNumber(total, sizeDecimals),
    position_size: toNumber(position.size, sizeDecimals),
  });
}

/** What speaks against an order as amended: legs that its new price would leave behind it, or more exit than position. */
export function amendedExits(portfolio: Portfolio, market: Market, order: Order, amended: Order): Violation | null {
  if (order.exitGroup === null) return order.filledSize > 0 ? null : attachedExitSide(market, amended);
  const position = portfolio.positions.get(market.id);
  if (position === undefined || amended.size <= order.size) return null;
  const alike = exitsOf(portfolio, position).filter(({ exitGroup }) => exitGroup === order.exitGroup);
  const total = alike.reduce((sum, exit) => sum + exit.size, amended.size - order.size);
  return overAllocated(market, position, order.exitGroup, total);
}

/** An entry's price compared with a leg's: its limit, else the trigger on its own market, else the mark. */
function compareEntry(market: Market, order: Order, price: number): number | null {
  const { definition, book } = market;
  if (order.limitPrice !== null) return compareUnits(order.limitPrice, definition.priceDecimals, price);
  if (order.triggerPrice !== null && order.triggerMarketId === null) return order.triggerPrice - price;
  return Number.isNaN(book.mid) ? null : compareMark(definition, book.mid, price);
}

function wrongSide(group: ExitGroup, price: number): Violation {
  const name = group === 'tp' ? 'take-profit' : 'stop-loss';
  return violation('exit-side', `The ${name} price lies on the wrong side.`, { group, price });
}
