import { netOf } from '../../base/margin/notional.ts';
import { isReduction, orderKindOf } from '../../base/terms/order-types.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Session } from '../session/session.ts';
import { averagePrice, type Money, type Ms, type Trip } from './records.ts';

/** Common trading mistakes, as far as an account's records prove them. */
type MistakeKind = 'no_stop' | 'stop_widened' | 'stop_removed' | 'averaged_loser' | 'too_much_risk' | 'revenge';

/** A mistake in a round trip. */
export interface Mistake {
  readonly kind: MistakeKind;
  readonly time: Ms;
  /** Index of the trip, in the order in which they were opened. */
  readonly trip: number;
  /** The event, in a few words. */
  readonly says: string;
}

/** A stop that was moved. */
export interface StopMove {
  readonly marketId: string;
  readonly time: Ms;
  readonly from: number;
  readonly to: number;
}

/** A stop that was canceled by hand, after which nothing stopped its position. */
interface StopRemoval {
  readonly marketId: string;
  readonly time: Ms;
  readonly price: number;
}

/** Inputs for finding mistakes besides the trips. */
export interface Evidence {
  readonly riskOf: (trip: Trip) => Money | null;
  /** The most that one trip may lose at its stop. */
  readonly largestRisk: Money;
  readonly stopMoves: readonly StopMove[];
  readonly stopRemovals: readonly StopRemoval[];
  /** When the order behind a fill was sent; undefined for a slice of a TWAP, which was planned before. */
  readonly sentAt: (orderId: string) => Ms | undefined;
}

/** A position that is opened this soon after a loss is a revenge trade, ms. */
const revengeMs = 60_000;

/**
 * The mistakes in round trips, in order of time:
 *
 * - `no_stop`: the first order had no stop-loss.
 * - `stop_widened`: a stop was moved away from the entry's side of the market, so that more could be lost.
 * - `stop_removed`: a stop was canceled while the position was open, and no other one was left.
 * - `averaged_loser`: an order sent while the position was open added to it, at a price at which it was losing.
 * - `too_much_risk`: the risk was above the largest one.
 * - `revenge`: it was opened within a minute after a trip of the account ended with a loss, by an order sent after
 * that.
 */
export function mistakesIn(trips: readonly Trip[], evidence: Evidence): Mistake[] {
  const found = trips.flatMap((trip, at) => {
    const of = (kind: MistakeKind, time: Ms, says: string): Mistake => ({ kind, time, trip: at, says });
    const { openedAt } = trip;
    const risk = evidence.riskOf(trip);
    const before = trips.find((other) => other !== trip && isRevenge(trip, other, evidence));
    return [
      ...(trip.stopPrice === null ? [of('no_stop', openedAt, 'opened without a stop')] : []),
      ...(risk !== null && risk > evidence.largestRisk
        ? [of('too_much_risk', openedAt, 'risked more than the largest risk')]
        : []),
      ...(before === undefined ? [] : [of('revenge', openedAt, 'opened within a minute after a loss')]),
      ...averaged(trip, evidence).map((time) => of('averaged_loser', time, 'added while it was losing')),
      ...widened(trip, evidence).map(({ time, from, to }) =>
        of('stop_widened', time, `stop moved from ${from} to ${to}`),
      ),
      ...removed(trip, evidence).map(({ time, price }) => of('stop_removed', time, `removed the stop at ${price}`)),
    ];
  });
  return found.sort((one, other) => one.time - other.time);
}

/** Whether a trip was opened because another one had lost: soon after it, and not by what was planned before. */
function isRevenge({ openedAt, fills }: Trip, before: Trip, { sentAt }: Evidence): boolean {
  const { closedAt } = before;
  if (closedAt === null || closedAt > openedAt || openedAt - closedAt > revengeMs || netOf(before) >= 0n) return false;
  const opening = fills[0]!.fill.orderId;
  // One order closed and opened: a reversal.
  if (opening === before.fills.at(-1)!.fill.orderId) return false;
  const sent = sentAt(opening);
  return sent !== undefined && sent >= closedAt;
}

/** When a trip was added to at a price at which it was losing. */
function averaged({ fills, side, openedAt, lotsPerUnit }: Trip, { sentAt }: Evidence): Ms[] {
  return fills.flatMap(({ fill, lots }, at) => {
    const before = fills[at - 1];
    if (before === undefined || lots <= before.lots) return [];
    const sent = sentAt(fill.orderId);
    if (sent === undefined || sent <= openedAt) return [];
    const entry = averagePrice(before.cost, before.lots, lotsPerUnit);
    const isLosing = side === 'long' ? fill.price < entry : fill.price > entry;
    return isLosing ? [fill.time] : [];
  });
}

function widened({ marketId, side, openedAt, closedAt }: Trip, { stopMoves }: Evidence): StopMove[] {
  return stopMoves.filter(
    ({ marketId: its, time, from, to }) =>
      its === marketId &&
      time >= openedAt &&
      (closedAt === null || time <= closedAt) &&
      (side === 'long' ? to < from : to > from),
  );
}

function removed({ marketId, openedAt, closedAt }: Trip, { stopRemovals }: Evidence): StopRemoval[] {
  return stopRemovals.filter(
    ({ marketId: its, time }) => its === marketId && time >= openedAt && (closedAt === null || time < closedAt),
  );
}

/** Reads from the simulation's records what decides about mistakes. */
export async function readEvidence(
  session: Session,
  accountId: string,
  rules: Pick<Evidence, 'riskOf' | 'largestRisk'>,
): Promise<Evidence> {
  const orders = new Map<string, Order>();
  const stopMoves: StopMove[] = [];
  const stops: StopLife[] = [];
  const query = { account_id: accountId, limit: 100 };
  for await (const order of session.pages('listOrders', { query })) {
    orders.set(order.id, order);
    if (!isStop(order)) continue;
    const life = await lifeOf(session, order);
    stops.push(life);
    stopMoves.push(...life.moves);
  }
  const stopRemovals = stops.flatMap((stop): StopRemoval[] => {
    const { marketId, removedAt: time, price } = stop;
    const isOnly = !stops.some((other) => other !== stop && other.marketId === marketId && worksAt(other, time ?? 0));
    return time === undefined || price === undefined || !isOnly ? [] : [{ marketId, time, price }];
  });
  const sentAt = (id: string) => {
    const order = orders.get(id);
    if (order === undefined || order.twap_order_id !== undefined) return undefined;
    return orders.get(order.partial_of_order_id ?? id)?.requested_at ?? order.requested_at;
  };
  return { ...rules, stopMoves: stopMoves.sort((one, other) => one.time - other.time), stopRemovals, sentAt };
}

/** An exit that closes at a loss. */
function isStop(order: Order): boolean {
  return isReduction(order) && orderKindOf(order.mode)?.fires === 'against';
}

/** The outcome of a stop while it worked. */
interface StopLife {
  readonly marketId: string;
  readonly from: Ms;
  readonly until: Ms | undefined;
  readonly moves: readonly StopMove[];
  /** Its last price. */
  readonly price: number | undefined;
  /** When it was canceled by hand. */
  readonly removedAt: Ms | undefined;
}

/** Also from the moment at which it begins: one stop may replace another. */
function worksAt({ from, until }: StopLife, time: Ms): boolean {
  return from <= time && (until === undefined || until > time);
}

/** The simulation keeps every price that a working order had, and why it ended. */
async function lifeOf(session: Session, order: Order): Promise<StopLife> {
  const { id, market_id, requested_at: from, settled_at: until } = order;
  const { data } = await session.call('simExplainOrder', { path: { order_id: id } });
  const moves: StopMove[] = [];
  let price: number | undefined;
  let removedAt: Ms | undefined;
  for (const { time, kind, detail } of data.lines) {
    const { trigger_price: next, reason } = detail as { trigger_price?: unknown; reason?: unknown };
    if (kind === 'canceled' && reason === 'requested') removedAt = time;
    if (typeof next !== 'number') continue;
    if (price !== undefined && next !== price) moves.push({ marketId: market_id, time, from: price, to: next });
    price = next;
  }
  return { marketId: market_id, from, until, moves, price, removedAt };
}
