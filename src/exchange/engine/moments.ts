import { hourMs, nextHourStart, nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { bookLoss, coverNegativeBalance, payCarry } from './accounts/carry.ts';
import { equityOf, lastMarks } from './accounts/margin.ts';
import { copyFills, followFill } from './copy/copy.ts';
import {
  assertExitsFit,
  attachExits,
  cancelReductionsOfClosedPosition,
  shrinkExits,
  shrinkSibling,
  unlinkSibling,
} from './exits/exits.ts';
import { fillFromBook, fillFromPrint } from './fills/maker-fills.ts';
import type { Ms, Order } from './model.ts';
import { followBest } from './order-handling/chase.ts';
import { continueReductions, fireTriggers } from './order-handling/fire-triggers.ts';
import { executeDelayed } from './order-handling/place-order.ts';
import { expireOrders } from './orders/working-orders.ts';
import { enforceRisk } from './risk/account-risk.ts';
import { hasLegs } from './rules/exit-rules.ts';
import type { GapEndEvent, GapEvent, MarketEvent } from './source.ts';
import { noteRungEnd, noteRungFill } from './strategies/scaled.ts';
import { countSliceFill, followMarks, nextSliceAt, runSlices } from './strategies/twap.ts';
import { nextTouch, reconsider, watchTouched } from './world/attention.ts';
import { bringPositionsUpToDate, followBook } from './world/current-book.ts';
import type { Market } from './world/market.ts';
import { type Consequences, explain, followDefinition, marketOf, touchAccount, type World } from './world/world.ts';

/**
 * The steps of every moment, in order (simulation 2.4): after a market's event (`market` is its market), and at timers
 * and after commands, without one (`market` null). A step is entered only if it has something to act on.
 */
export function runPhases(world: World, market: Market | null): void {
  if (world.expiries.next <= world.now) expireOrders(world, market);
  if (market !== null && market.chases.size > 0) followBest(world, market);
  if (market !== null && market.unfinished.size > 0) continueReductions(world, market);
  if (market !== null || world.lateTriggers.length > 0 || world.newlyArmed.length > 0) fireTriggers(world, market);
  if (world.twaps.size > 0) {
    followMarks(world, market);
    if (market === null) runSlices(world);
  }
  if (world.leadFills.length > 0) copyFills(world);
  // Every midnight in New York is a full hour.
  if (market === null && world.now % hourMs === 0) {
    payCarry(world);
    startTradingDay(world);
  }
  enforceRisk(world, market);
  if (market === null && world.executions.next <= world.now) executeDelayed(world);
  // Consequences of forced orders, and of delayed orders, which come last, as commands do: until nothing new happens.
  while (world.newlyArmed.length > 0 || world.leadFills.length > 0 || world.riskWatch.changed.size > 0) {
    fireTriggers(world, market);
    copyFills(world);
    enforceRisk(world, market);
  }
}

/** The immediate consequences of every fill and every end of an order, in this order, within the same phase. */
export const consequences: Consequences = {
  ofFill(world, fill) {
    const { order, portfolio, closedLots } = fill;
    if (closedLots > 0) cancelReductionsOfClosedPosition(world, fill);
    if (order.ocoSiblingOrderId !== null) shrinkSibling(world, fill);
    if (closedLots > 0) {
      shrinkExits(world, fill);
      assertExitsFit(fill);
    }
    if (hasLegs(order)) attachExits(world, fill);
    if (closedLots > 0) bookLoss(world, fill);
    if (order.copyConfigId !== null || world.copyRoles.leads.size > 0) followFill(world, fill);
    if (order.twapOrderId !== null) countSliceFill(world, fill);
    if (order.scaledOrderId !== null) noteRungFill(world, fill);
    // Last: the resulting balance.
    if (portfolio.account.balance < 0n) coverNegativeBalance(world, portfolio);
  },
  ofEnd(world, order) {
    if (order.ocoSiblingOrderId !== null) unlinkSibling(world, order);
    if (order.scaledOrderId !== null) noteRungEnd(world, order);
  },
};

/** When to stop before the requested time. */
export interface Pause {
  /** As soon as a record has changed. */
  readonly atChange?: boolean;
  /** Whether enough was done for now; asked after every event and timer. */
  readonly isDue?: () => boolean;
}

/**
 * Advances time: plays market events and timers up to and including `to`, in order. All events of a millisecond come
 * before its timers, so the result does not depend on which other markets are played. With a pause, returns true if
 * there may be more before `to` (call it again) and false once `to` is reached. A pause that is due ends at a whole
 * millisecond, so that a command may come next.
 */
export function passTime(world: World, to: Ms, { atChange = false, isDue }: Pause = {}): boolean {
  // Several requests come within one millisecond: it has been played.
  if (to === world.timersDone && nextTimer(world) > to) return false;
  const { revision } = world;
  let end = to;
  for (;;) {
    if (atChange && world.revision !== revision) return true;
    const timer = nextTimer(world);
    const until = Math.min(end, timer);
    const touch = nextTouch(world, until);
    const limit = touch <= until ? touch - 1 : until;
    if (playTo(world, limit, end === to ? isDue : undefined)) {
      if (isDue?.()) end = Math.max(world.now, world.timersDone);
      continue;
    }
    if (touch <= until) {
      watchTouched(world, touch);
      if (isDue?.()) end = Math.max(world.now, world.timersDone);
    } else if (timer <= end) {
      runPhases(world, null);
      world.timersDone = timer;
      if (isDue?.()) end = timer;
    } else {
      world.timersDone = end;
      return end < to;
    }
  }
}

/**
 * Plays events up to `limit` and stops there; returns true as soon as an event changed a record, because timers and
 * skippable events must then be determined again, or if a pause is due.
 */
function playTo(world: World, limit: Ms, isDue?: () => boolean): boolean {
  const { revision } = world;
  for (let event = world.tape.next(limit); event !== null; event = world.tape.next(limit)) {
    const market = marketOf(world, event.marketId);
    // Its book was loaded with this event already applied.
    if (!market.watched || event.time <= market.bookAsOf) continue;
    playEvent(world, market, event);
    if (world.revision !== revision || !market.watched || isDue?.()) return true;
  }
  world.now = Math.max(world.now, limit);
  return false;
}

function playEvent(world: World, market: Market, event: MarketEvent): void {
  world.now = Math.max(world.now, event.time);
  followDefinition(world, market);
  takeMarketEvent(world, market, event);
  runPhases(world, market);
  market.print = null;
  reconsider(world, market);
}

/** A market event: the book and what depends on it, then maker fills at their old prices (simulation 2.4). */
function takeMarketEvent(world: World, market: Market, event: MarketEvent): void {
  const { book } = market;
  if (event.kind === 'print') {
    market.print = event;
    fillFromPrint(world, market, event);
  } else if (event.kind === 'gap') beginGap(world, market, event);
  else if (event.kind === 'gap_end') endGap(world, market, event);
  else if (event.kind === 'marks') book.takeMarks(event);
  else {
    if (event.kind === 'book') book.replace(event.time, event.sequence, event);
    else book.update(event.time, event.sequence, event);
    followBook(world, market);
    fillFromBook(world, market);
  }
}

/** When a step next has something to do without an event. */
function nextTimer(world: World): Ms {
  let next = Math.min(world.expiries.next, world.executions.next, nextTradingDayStart(world.timersDone));
  // These wait only until the millisecond is over.
  if (world.lateTriggers.length > 0 || world.lateRisks.size > 0) next = Math.min(next, world.now);
  if (world.twaps.size > 0) next = Math.min(next, nextSliceAt(world));
  // Carry is due at the next full UTC hour while anything is open.
  if (world.positions.size > 0) next = Math.min(next, nextHourStart(world.timersDone));
  return next;
}

/** At midnight in New York, every account starts a day with its equity at the last marks (simulation 6.1). */
function startTradingDay(world: World): void {
  const day = tradingDayStart(world.now);
  for (const portfolio of world.portfolios.values()) {
    const { account } = portfolio;
    if (account.dayStartedAt >= day) continue;
    bringPositionsUpToDate(world, portfolio);
    account.dayStartedAt = day;
    account.dayStartEquity = equityOf(world, portfolio, lastMarks(portfolio)) ?? account.balance;
    touchAccount(world, account);
  }
}

/**
 * A gap in a market's data: nothing fills or triggers, and its mark is not used, until the next full book. Resting
 * orders keep their place; the size ahead of them is then determined again.
 */
function beginGap(world: World, market: Market, { time, reason, since = time }: GapEvent): void {
  if (market.book.gap !== null) return;
  market.book.lose({ since, reason });
  market.buys.hideAll();
  market.sells.hideAll();
  for (const order of waitingFor(world, market)) explain(world, order, 'gap', { reason });
}

/** The gap ends with the book that follows; prints of the gap from the venue's history come before it. */
function endGap(world: World, market: Market, { prints, history }: GapEndEvent): void {
  const since = market.book.gap?.since ?? null;
  for (const order of waitingFor(world, market)) {
    explain(world, order, 'gap_end', { gap_since: since, gap_prints: prints, gap_history: history });
  }
}

/** Working orders that the market's events affect, oldest first. */
function waitingFor(world: World, market: Market): Order[] {
  const concerned = [...world.orders.values()].filter(
    ({ marketId, triggerMarketId }) => marketId === market.id || triggerMarketId === market.id,
  );
  return concerned.sort((one, other) => one.sequence - other.sequence);
}
