import { bringPositionsUpToDate, bringUpToDate } from '../book/current-book.ts';
import type { AmendOrder, Outcome } from '../commands.ts';
import { toUnits } from '../decimal.ts';
import type { Order } from '../model.ts';
import { exposureViolation, minimumNotional, placementOf, precisionChecks } from '../orders/rules.ts';
import { refusal, type Violation } from '../violation.ts';
import { deskOf, explain, marketOf, touchOrder, type World } from '../world.ts';
import { triggerSide } from './arm.ts';
import { amendedExits } from './exit-rules.ts';
import { triggerMarketOf } from './triggers.ts';

/** Moves the trigger price of an armed order, and its remainder where a size is given (simulation 4). */
export function amendArmed(world: World, command: AmendOrder, order: Order): Outcome {
  const { definition } = marketOf(world, order.marketId);
  const size = command.size === null ? order.size : toUnits(command.size, definition.sizeDecimals).units;
  const amended = repricedTrigger(world, { ...order, size }, command.price);
  const broken = amendedViolation(world, order, amended);
  if (broken !== null) return refusal(broken);
  rearm(world, order, amended);
  return { ok: true, order, queued: true };
}

/** An armed order with another trigger price; an exit by limit has its limit at its trigger. */
export function repricedTrigger(world: World, order: Order, price: number): Order {
  const { priceDecimals } = marketOf(world, order.marketId).definition;
  const isLimitExit = order.exitGroup !== null && order.limitPrice !== null;
  const limitPrice = isLimitExit ? toUnits(price, priceDecimals).units : order.limitPrice;
  return { ...order, triggerPrice: price, limitPrice };
}

/** Takes over what an amended copy of an armed order says. */
export function rearm(world: World, order: Order, amended: Order): void {
  const triggerMarket = triggerMarketOf(world, order);
  triggerMarket.triggers.remove(triggerMarket, order);
  order.triggerPrice = amended.triggerPrice;
  order.limitPrice = amended.limitPrice;
  order.initialSize = order.filledSize + amended.size;
  order.size = amended.size;
  triggerMarket.triggers.add(triggerMarket, order);
  explain(world, order, 'amended', { trigger_price: order.triggerPrice, size: order.size });
  touchOrder(world, order);
}

function amendedViolation(world: World, order: Order, amended: Order): Violation | null {
  const desk = deskOf(world, amended.accountId);
  const market = marketOf(world, amended.marketId);
  bringUpToDate(world, market);
  bringPositionsUpToDate(world, desk);
  for (const check of precisionChecks) {
    const broken = check(market, amended, desk);
    if (broken !== null) return broken;
  }
  return (
    amendedExits(desk, market, order, amended) ??
    minimumNotional(placementOf(world, desk, market, amended)) ??
    triggerSide(world, amended) ??
    exposureViolation(world, desk, market, amended)
  );
}
