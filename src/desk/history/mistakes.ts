import type { Order } from '../../contract/orders.ts';
import { netOf } from '../../margin/notional.ts';
import { isReduction, orderKindOf } from '../../terms/order-types.ts';
import type { Session } from '../session/session.ts';
import { averagePrice, type Money, type Ms, type Trip } from './records.ts';

/** What traders call a mistake, as far as an account's records prove it. */
export type MistakeKind = 'no_stop' | 'stop_widened' | 'averaged_loser' | 'too_much_risk' | 'revenge';

/** A mistake in a round trip. */
export interface Mistake {
  readonly kind: MistakeKind;
  readonly time: Ms;
  /** Index of the trip, in the order in which they were opened. */
  readonly trip: number;
  /** What happened, in a few words. */
  readonly says: string;
}

/** A stop that was moved. */
export interface StopMove {
  readonly marketId: string;
  readonly time: Ms;
  readonly from: number;
  readonly to: number;
}

/** What decides about mistakes besides the trips. */
export interface Evidence {
  readonly riskOf: (trip: Trip) => Money | null;
  /** The most that one trip may lose at its stop. */
  readonly largestRisk: Money;
  readonly stopMoves: readonly StopMove[];
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
 * - `averaged_loser`: an order sent while the position was open added to it, at a price at which it was losing.
 * - `too_much_risk`: the risk was above the largest one.
 * - `revenge`: it was opened within a minute after a trip of the account ended with a loss.
 */
export function mistakesIn(trips: readonly Trip[], evidence: Evidence): Mistake[] {
  const found = trips.flatMap((trip, at) => {
    const of = (kind: MistakeKind, time: Ms, says: string): Mistake => ({ kind, time, trip: at, says });
    const { openedAt } = trip;
    const risk = evidence.riskOf(trip);
    const before = trips.find(
      (other) =>
        other !== trip &&
        other.closedAt !== null &&
        other.closedAt <= openedAt &&
        openedAt - other.closedAt <= revengeMs &&
        netOf(other) < 0n,
    );
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
    ];
  });
  return found.sort((one, other) => one.time - other.time);
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

/** Reads from the simulation's records what decides about mistakes. */
export async function readEvidence(
  session: Session,
  accountId: string,
  rules: Pick<Evidence, 'riskOf' | 'largestRisk'>,
): Promise<Evidence> {
  const orders = new Map<string, Order>();
  const stopMoves: StopMove[] = [];
  const query = { account_id: accountId, limit: 100 };
  for await (const order of session.pages('listOrders', { query })) {
    orders.set(order.id, order);
    if (isStop(order)) stopMoves.push(...(await movesOf(session, order)));
  }
  const sentAt = (id: string) => {
    const order = orders.get(id);
    if (order === undefined || order.twap_order_id !== undefined) return undefined;
    return orders.get(order.partial_of_order_id ?? id)?.requested_at ?? order.requested_at;
  };
  return { ...rules, stopMoves: stopMoves.sort((one, other) => one.time - other.time), sentAt };
}

/** An exit that closes at a loss. */
function isStop(order: Order): boolean {
  return isReduction(order) && orderKindOf(order.mode)?.fires === 'against';
}

/** The simulation keeps every price that a working order had. */
async function movesOf(session: Session, { id, market_id }: Order): Promise<StopMove[]> {
  const { data } = await session.call('simExplainOrder', { path: { order_id: id } });
  const moves: StopMove[] = [];
  let price: number | undefined;
  for (const { time, detail } of data.lines) {
    const { trigger_price: next } = detail as { trigger_price?: unknown };
    if (typeof next !== 'number') continue;
    if (price !== undefined && next !== price) moves.push({ marketId: market_id, time, from: price, to: next });
    price = next;
  }
  return moves;
}
