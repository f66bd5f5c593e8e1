import { toUnits } from '../../../base/terms/decimal.ts';
import type { AmendOrder, Outcome } from '../commands.ts';
import { unusableBook } from '../fills/take.ts';
import type { Order } from '../model.ts';
import { follows, isArmed, rearm, reprice, repricedTrigger } from '../orders/working-orders.ts';
import { amendedExits } from '../rules/exit-rules.ts';
import { placementOf } from '../rules/exposure-rules.ts';
import {
  exposureViolation,
  marketableLimit,
  minimumNotional,
  precisionViolation,
  restingViolation,
  triggerSide,
  wouldCross,
} from '../rules/rules.ts';
import { conflict, copyManaged, notFound, refusal, type Violation } from '../violation.ts';
import { isFresh, upToDate } from '../world/current-book.ts';
import { type Ticket, ticketOf, type World } from '../world/world.ts';

/**
 * Changes the price of a working order and, if a size is given, its remainder (simulation 3.4, 4.2). A resting limit
 * order keeps its place in line only if its price is unchanged and its size does not grow.
 */
export function amendOrder(world: World, command: AmendOrder): Outcome {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return notFound('working order', command.orderId);
  if (order.copyConfigId !== null) return copyManaged();
  if (order.status === 'pending') return conflict("The order is on its way to the book and can't be changed.");
  if (follows(order)) return conflict("A chase follows the book and can't be amended. Cancel it and place another.");
  if (isArmed(order)) return amendArmed(world, command, order);
  return amendResting(world, command, order);
}

function amendResting(world: World, command: AmendOrder, order: Order): Outcome {
  const ticket = upToDate(ticketOf(world, order));
  const { priceDecimals, sizeDecimals } = ticket.market.definition;
  const size = command.size === null ? order.size : toUnits(command.size, sizeDecimals).units;
  const amended: Order = { ...order, limitPrice: toUnits(command.price, priceDecimals).units, size };
  const broken = amendViolation({ ...ticket, order: amended }, order);
  if (broken !== null) return refusal(broken);
  reprice(world, ticket.market, order, amended);
  return { ok: true, order };
}

/** The rule that the amended order would break; its current version is ignored. */
function amendViolation(ticket: Ticket, order: Order): Violation | null {
  const unsound = unsoundness(ticket, order);
  if (unsound !== null) return unsound;
  if (wouldCross(ticket)) return isFresh(ticket) ? marketableLimit(ticket) : unusableBook(ticket);
  return restingViolation(ticket, { filled: 0, notional: 0n });
}

/** Changes the trigger price of an armed order and, if a size is given, its remainder (simulation 4.2). */
function amendArmed(world: World, command: AmendOrder, order: Order): Outcome {
  const ticket = upToDate(ticketOf(world, order));
  const { definition } = ticket.market;
  const size = command.size === null ? order.size : toUnits(command.size, definition.sizeDecimals).units;
  const amended = repricedTrigger(world, { ...order, size }, command.price);
  const after = { ...ticket, order: amended };
  const broken = unsoundness(after, order) ?? triggerSide(world, amended) ?? exposureViolation(after);
  if (broken !== null) return refusal(broken);
  rearm(world, order, amended);
  return { ok: true, order, queued: true };
}

/** The rule that an amended order would break by itself. */
function unsoundness(ticket: Ticket, order: Order): Violation | null {
  return precisionViolation(ticket) ?? amendedExits(ticket, order) ?? minimumNotional(placementOf(ticket));
}
