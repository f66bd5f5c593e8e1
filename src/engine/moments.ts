import type { Market } from './book/market.ts';
import { takeMarketEvent } from './book/market-event.ts';
import { copyFills } from './copy/copy.ts';
import { fireTriggers, goOnGettingOut, nextLateTriggerAt } from './exits/fire-triggers.ts';
import type { Ms } from './model.ts';
import { followBest } from './orders/chase.ts';
import { expireOrders } from './orders/expiry.ts';
import { executeDelayed } from './orders/place-order.ts';
import { nextCarryAt, payCarry } from './positions/carry.ts';
import { nextLateRiskAt, settleRisk } from './risk/account-risk.ts';
import type { MarketEvent } from './source.ts';
import { followMarks, nextSliceAt, runSlices } from './strategies/twap.ts';
import { nextTouch, reconsider, watchTouched } from './time/attention.ts';
import { nextDayStartAt, startTradingDay } from './time/trading-day.ts';
import type { World } from './world.ts';

/**
 * What happens at every moment, in this order (simulation 2): after a market's event (`market` is that one) and, at
 * timers and after commands, on their own (`market` null).
 */
const phases: readonly ((world: World, market: Market | null) => void)[] = [
  expireOrders,
  followBest,
  goOnGettingOut,
  fireTriggers,
  followMarks,
  runSlices,
  copyFills,
  payCarry,
  startTradingDay,
  settleRisk,
  executeDelayed,
  // What risk has forced, and what delayed orders have brought, who come last as commands do.
  settleAll,
];

/** When each phase next has something to do although no event comes; Infinity: not by itself. */
const timers: readonly ((world: World) => Ms)[] = [
  (world) => world.expiries.next,
  (world) => world.executions.next,
  nextLateTriggerAt,
  nextLateRiskAt,
  nextSliceAt,
  nextCarryAt,
  nextDayStartAt,
];

/** Exits of new fills, copies and risk in turn, until none brings anything new. */
function settleAll(world: World, market: Market | null): void {
  while (world.newlyArmed.length > 0 || world.leadFills.length > 0 || world.riskWatch.hasChanged) {
    fireTriggers(world, market);
    copyFills(world);
    settleRisk(world, market);
  }
}

/**
 * Lets time pass: plays market events and timers up to and including `to`, in order. All events of a millisecond come
 * before its timers, so the outcome does not depend on which other markets are being played.
 */
export function passTime(world: World, to: Ms): void {
  for (;;) {
    const timer = nextTimer(world);
    const until = Math.min(to, timer);
    const touch = nextTouch(world, until);
    const limit = touch <= until ? touch - 1 : until;
    if (playTo(world, limit)) continue;
    if (touch <= until) {
      watchTouched(world, touch);
    } else if (timer <= to) {
      runPhases(world, null);
      world.timersDone = timer;
    } else {
      world.timersDone = to;
      return;
    }
  }
}

/** The phases on their own: what follows from a command at its moment, or what a timer brings. */
export function runPhases(world: World, market: Market | null): void {
  for (const phase of phases) phase(world, market);
}

/**
 * Plays events up to `limit` and stands there; true, standing at the event, as soon as one changed a record, for then
 * timers and what may be skipped must be looked at anew.
 */
function playTo(world: World, limit: Ms): boolean {
  const { revision } = world;
  for (let event = world.tape.next(limit); event !== null; event = world.tape.next(limit)) {
    const market = world.markets.get(event.marketId)!;
    // Its book was loaded with this event in it.
    if (!market.watched || event.time <= market.bookAsOf) continue;
    playEvent(world, market, event);
    if (world.revision !== revision || !market.watched) return true;
  }
  world.now = Math.max(world.now, limit);
  return false;
}

function playEvent(world: World, market: Market, event: MarketEvent): void {
  world.now = Math.max(world.now, event.time);
  takeMarketEvent(world, market, event);
  runPhases(world, market);
  reconsider(world, market);
}

function nextTimer(world: World): Ms {
  let next = Number.POSITIVE_INFINITY;
  for (const timer of timers) next = Math.min(next, timer(world));
  return next;
}
