import { bringPositionsUpToDate, bringUpToDate, isFresh } from '../book/current-book.ts';
import type { Market } from '../book/market.ts';
import type { AmendOrder, Outcome } from '../commands.ts';
import { toUnits } from '../decimal.ts';
import { amendArmed } from '../exits/amend-armed.ts';
import { amendedExits } from '../exits/exit-rules.ts';
import { unusableBook } from '../fills/take.ts';
import type { Order } from '../model.ts';
import { conflict, notFound, refusal, type Violation } from '../violation.ts';
import { type Desk, deskOf, explain, marketOf, nextSequence, touchOrder, type World } from '../world.ts';
import { marketableLimit, restingViolation, wouldCross } from './limit.ts';
import { minimumNotional, placementOf, precisionChecks } from './rules.ts';
import { isArmed } from './working-orders.ts';

/**
 * Reprices a working order and, where a size is given, makes that its remainder (simulation 3, 4). A resting limit
 * keeps its place in line only when its price stays and its size does not grow.
 */
export function amendOrder(world: World, command: AmendOrder): Outcome {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return notFound('working order', command.orderId);
  if (order.copyConfigId !== null) {
    return { ok: false, code: 'copy_managed', message: 'Copy trading manages this order.' };
  }
  if (order.status === 'pending') return conflict('The order is on its way to the book and cannot be changed.');
  if (order.mode === 'chase') return conflict('A chase follows the book; cancel it and place another.');
  if (isArmed(order)) return amendArmed(world, command, order);
  return amendResting(world, command, order);
}

function amendResting(world: World, command: AmendOrder, order: Order): Outcome {
  const desk = deskOf(world, order.accountId);
  const market = marketOf(world, order.marketId);
  bringUpToDate(world, market);
  bringPositionsUpToDate(world, desk);
  const { priceDecimals, sizeDecimals } = market.definition;
  const size = command.size === null ? order.size : toUnits(command.size, sizeDecimals).units;
  const amended: Order = { ...order, limitPrice: toUnits(command.price, priceDecimals).units, size };
  const broken = amendViolation(world, desk, market, order, amended);
  if (broken !== null) return refusal(broken);
  reprice(world, market, order, amended);
  return { ok: true, order };
}

/** What speaks against the order as it would be; the order as it is counts for nothing meanwhile. */
function amendViolation(world: World, desk: Desk, market: Market, order: Order, amended: Order): Violation | null {
  for (const check of precisionChecks) {
    const broken = check(market, amended, desk);
    if (broken !== null) return broken;
  }
  const unsound =
    amendedExits(desk, market, order, amended) ?? minimumNotional(placementOf(world, desk, market, amended));
  if (unsound !== null) return unsound;
  if (wouldCross(market, amended)) {
    return isFresh(world, desk, market) ? marketableLimit(market, amended) : unusableBook(world, desk, market);
  }
  return restingViolation(world, desk, market, amended, { filled: 0, notional: 0n });
}

/** Takes over the price and size that an amended copy of a resting order has. */
export function reprice(world: World, market: Market, order: Order, amended: Order): void {
  const keepsPlace = order.limitPrice === amended.limitPrice && amended.size <= order.size;
  explain(world, order, 'amended', { price: amended.limitPrice, size: amended.size, keeps_place: keepsPlace });
  const resting = market.resting(order.side);
  if (!keepsPlace) resting.remove(order);
  order.initialSize = order.filledSize + amended.size;
  order.size = amended.size;
  order.limitPrice = amended.limitPrice;
  if (!keepsPlace) {
    order.pricedAt = world.now;
    order.priority = nextSequence(world);
    order.queueAhead = null;
    resting.add(order);
  }
  touchOrder(world, order);
}
