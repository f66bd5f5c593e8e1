import type { Order } from '../../contract/orders.ts';
import type { AccountFrame } from '../../contract/streams.ts';
import { type ExitCode, exitCodes } from '../../ground/failure/failure.ts';
import { factsOf } from '../../ground/failure/report.ts';
import type { Session } from '../session/session.ts';
import { accountChanges } from './account-changes.ts';

const firstPauseMs = 100;
/** Thirty reads a minute stay within any reasonable rate limit. */
const longestPauseMs = 2_000;

/** Pause between reads if the host reports changes. */
const toldPauseMs = 15_000;

/** An order as last read, and why reading stopped. */
export interface Followed {
  order: Order;
  /** Undefined when the order ended or the time was up; otherwise what stopped it. */
  stopped?: { why: string; exit: ExitCode };
}

/** Whether an order has ended. */
export function isOver({ status }: Order): boolean {
  return status !== 'pending' && status !== 'resting';
}

/**
 * Reads an order whenever it changes, or repeatedly if the host does not report changes, until it has ended, the time is
 * up, or Ctrl-C. The order itself is not changed. Waits out a service that is briefly unavailable or busy.
 */
export async function follow(session: Session, placed: Order, forMs: number): Promise<Followed> {
  let order = placed;
  let pauseMs = firstPauseMs;
  if (isOver(order) || forMs <= 0) return { order };
  const end = performance.now() + forMs;
  await using changes = await accountChanges(session);
  const isIt = (frame: AccountFrame) => frame.type === 'order' && frame.order.id === order.id;
  while (!isOver(order) && performance.now() < end) {
    try {
      // A working stream reports the change; an occasional read covers the case where it does not.
      const pause = changes.areTold ? toldPauseMs : pauseMs;
      await changes.wait(Math.min(pause, end - performance.now()), isIt);
      order = (await session.call('getOrder', { path: { order_id: order.id } })).data;
    } catch (error) {
      const { exit, message } = factsOf(error);
      if (session.signal.aborted) return { order, stopped: { why: 'Stopped waiting.', exit: exitCodes.interrupted } };
      if (exit !== exitCodes.unavailable) return { order, stopped: { why: message, exit } };
      session.note(`${message} Still waiting.`);
    }
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
  }
  return { order };
}
