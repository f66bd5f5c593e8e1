import { tradingDayStart } from '../../../base/terms/day.ts';
import { assert } from '../../../base/terms/invariants.ts';
import { feeOf } from '../accounts/margin.ts';
import type { LiquidityRole, Lots, Money, Order } from '../model.ts';
import { end } from '../orders/working-orders.ts';
import { applyExecution } from '../positions/positions.ts';
import {
  idOf,
  nextSequence,
  type Portfolio,
  type Ticket,
  touchAccount,
  touchOrder,
  type World,
} from '../world/world.ts';

/**
 * Books one execution of a working order: position, ledger, records, and its consequences (simulation 3.5). An
 * execution that does not complete the order is a `filled` child; the last one settles on the order itself.
 */
export function fill(ticket: Ticket, lots: Lots, notional: Money, role: LiquidityRole): void {
  const { world, portfolio, order } = ticket;
  assert(lots > 0 && lots <= order.size, 'fill-within-order', order.id);
  assert(world.now >= order.requestedAt && world.now >= order.pricedAt, 'fill-after-order', order.id);
  const fee = feeOf(ticket, notional);
  const effect = applyExecution(ticket, { lots, notional, fee });
  assert(!order.reduceOnly || effect.openedLots === 0, 'reduction-adds-nothing', order.id);
  countTradingDay(world, portfolio);
  order.filledSize += lots;
  const isLast = lots === order.size;
  if (isLast) end(world, order, 'filled');
  const record = isLast ? order : splitOff(world, order, lots);
  record.liquidityRole = role;
  record.notional = notional;
  record.fee = fee;
  record.realizedPnl = effect.realizedPnl;
  world.settleSequence += 1;
  record.settleSequence = world.settleSequence;
  touchOrder(world, record);
  world.consequences.ofFill(world, { ...effect, ...ticket, record, lots, notional });
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

function countTradingDay(world: World, portfolio: Portfolio): void {
  const day = tradingDayStart(world.now);
  if (portfolio.account.lastTradingDay === day) return;
  portfolio.account.lastTradingDay = day;
  portfolio.account.tradingDays += 1;
  touchAccount(world, portfolio.account);
}
