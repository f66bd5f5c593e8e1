import { named } from '../../wire/client/form-request.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { attempt, rowsOf, type Session } from '../session/session.ts';

/** One thing to end, and the results of its attempts. */
export interface Target {
  kind: 'position' | 'twap' | 'ladder' | 'order';
  id: string;
  /** The number of answered attempts, by action: the next one needs another key. */
  answered: { close: number; reduce: number };
  /** Attempts that failed, in a row. */
  failures: number;
}

/** The key of one attempt at an action: the same attempt always has the same key. */
export type KeyOf = (action: string, id: string, nth: number) => string;

/**
 * Closes a position at market: by its id or, each second time after failures, by a reduce-only order, because one of
 * the two endpoints may be down. Neither can open or flip anything.
 */
export async function closeOnce(session: Session, position: Position, target: Target, keyOf: KeyOf): Promise<Order> {
  const { id: position_id, account_id, market_id, size, side } = position;
  const way = target.failures % 2 === 0 ? 'close' : 'reduce';
  const reduction: CreateOrderRequest = {
    account_id,
    market_id,
    side: side === 'long' ? 'sell' : 'buy',
    size,
    type: 'market',
    reduce_only: true,
    // Required, and ignored for reductions.
    leverage: 1,
    margin_mode: 'cross',
  };
  const idempotencyKey = keyOf(way, position_id, target.answered[way]);
  const close = named('closePosition', { path: { position_id }, body: {} }, idempotencyKey);
  const reduce = named('createOrder', { body: reduction }, idempotencyKey);
  try {
    const { data } =
      way === 'close'
        ? await attempt(session, 'closePosition', { ...close, idempotencyKey })
        : await attempt(session, 'createOrder', { ...reduce, idempotencyKey });
    rowsOf([data]);
    target.answered[way] += 1;
    return data;
  } catch (error) {
    if (isRefusal(error)) target.answered[way] += 1;
    throw error;
  }
}

/** Closes all positions without listing them, because their list can't be read. */
export async function closeAllOnce(session: Session, target: Target, keyOf: KeyOf): Promise<readonly Order[]> {
  const idempotencyKey = keyOf('close-all', target.id, target.answered.close);
  const path = { account_id: target.id };
  const { data } = await attempt(session, 'closeAllAccountPositions', { path, idempotencyKey });
  target.answered.close += 1;
  return data.results.flatMap(({ order }) => (order === undefined ? [] : rowsOf([order])));
}

/** Stops a TWAP or cancels a ladder or an order; one that has ended needs no cancellation. */
export async function cancelOnce(session: Session, { kind, id }: Pick<Target, 'kind' | 'id'>): Promise<void> {
  try {
    if (kind === 'twap') await attempt(session, 'cancelTwapOrder', { path: { twap_order_id: id } });
    else if (kind === 'ladder') await attempt(session, 'cancelScaledOrder', { path: { scaled_order_id: id } });
    else await attempt(session, 'cancelOrder', { path: { order_id: id } });
  } catch (error) {
    if (!isRefusal(error) || (error.status !== 404 && error.status !== 409)) throw error;
  }
}

/** Whether a request was refused for a reason that may recur on another attempt. */
export function isRefusal(error: unknown): error is Error & { status: number } {
  const { name, status, retryable } = error as Partial<Record<'name' | 'status' | 'retryable', unknown>>;
  return name === 'ApiError' && retryable !== true && typeof status === 'number' && status < 500;
}

/** Whether the state of the account or a trading rule is the reason. */
export function isRuling(error: unknown): boolean {
  return isRefusal(error) && (error.status === 409 || error.status === 422);
}
