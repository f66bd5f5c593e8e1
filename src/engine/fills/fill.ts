import { assert } from '../assert.ts';
import type { Market } from '../book/market.ts';
import type { LiquidityRole, Lots, Money, Order } from '../model.ts';
import { end } from '../orders/working-orders.ts';
import { applyExecution, type PositionEffect } from '../positions/positions.ts';
import { feeOf } from '../risk/margin.ts';
import { tradingDayStart } from '../time/day.ts';
import { type Desk, idOf, nextSequence, touchAccount, touchOrder, type World } from '../world.ts';
import { afterFill } from './after-fill.ts';

/** One execution of an order, as those see it who act on fills. */
export interface Fill extends PositionEffect {
  readonly desk: Desk;
  readonly market: Market;
  /** The order that was placed. */
  readonly order: Order;
  /** The `filled` record: a child, or the order itself where this finished it. */
  readonly record: Order;
  readonly lots: Lots;
  readonly notional: Money;
}

/**
 * Books one execution of a working order: position, ledger, records, and what follows from it (simulation 3, Records).
 * An execution that does not finish the order is a `filled` child; the last one settles on the order itself.
 */
export function fill(
  world: World,
  desk: Desk,
  market: Market,
  order: Order,
  lots: Lots,
  notional: Money,
  role: LiquidityRole,
): void {
  assert(lots > 0 && lots <= order.size, `order ${order.id} fills ${lots} of ${order.size}`);
  const fee = feeOf(world, desk, market, notional);
  const effect = applyExecution(world, desk, market, order, { lots, notional, fee });
  assert(!order.reduceOnly || effect.openedLots === 0, `reduce-only order ${order.id} added exposure`);
  countTradingDay(world, desk);
  order.filledSize += lots;
  const record = lots === order.size ? finish(world, order) : splitOff(world, order, lots);
  record.liquidityRole = role;
  record.notional = notional;
  record.fee = fee;
  record.realizedPnl = effect.realizedPnl;
  world.settleSequence += 1;
  record.settleSequence = world.settleSequence;
  touchOrder(world, record);
  for (const follow of afterFill) follow(world, { ...effect, desk, market, order, record, lots, notional });
}

function finish(world: World, order: Order): Order {
  end(world, order, 'filled');
  return order;
}

function splitOff(world: World, order: Order, lots: Lots): Order {
  order.size -= lots;
  touchOrder(world, order);
  const sequence = nextSequence(world);
  return {
    ...order,
    id: idOf('ord', sequence),
    sequence,
    clientOrderId: null,
    size: lots,
    initialSize: lots,
    filledSize: lots,
    status: 'filled',
    settledAt: world.now,
    executeAt: null,
    partialOfOrderId: order.id,
    partialFillRootOrderId: order.id,
    attachedTakeProfitPrice: null,
    attachedStopLossPrice: null,
    ocoSiblingOrderId: null,
    rejectReason: null,
    rejectRuleId: null,
  };
}

function countTradingDay(world: World, desk: Desk): void {
  const day = tradingDayStart(world.now);
  if (desk.account.lastTradingDay === day) return;
  desk.account.lastTradingDay = day;
  desk.account.tradingDays += 1;
  touchAccount(world, desk.account);
}
