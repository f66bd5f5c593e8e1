import { type ExitCode, exitCodes, Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import type { AccountFollowerOptions } from '../../wire/client/streams/account-follower.ts';
import { StreamTable } from '../../wire/client/streams/stream-state.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { AccountFrame } from '../../wire/contract/streams.ts';
import { averageOf, type Executed, isFilledInParts } from '../account/means.ts';
import { noted, type Session, type StreamHosts } from '../session/session.ts';

type Listener = Pick<AccountFollowerOptions, 'onFrame' | 'onState' | 'onEnd'>;

/** Follows the account stream; returns a function that stops it. A refused connection is checked over REST. */
export async function followAccounts(
  session: Session,
  host: NonNullable<StreamHosts['account']>,
  listener: Listener,
): Promise<() => void> {
  const { AccountFollower } = await import('../../wire/client/streams/account-follower.ts');
  const probe = async () => {
    await session.call('listAccounts', {}).catch((error: Error & { retryable?: boolean }) => {
      if (error.name === 'ApiError' && error.retryable !== true) throw error;
      // Without a credential there is nothing to wait for.
      if (error instanceof Failure && error.facts.exit === exitCodes.notAllowed) throw error;
    });
  };
  const timing = session.machine.stage?.timers;
  const onRun = (run: string) => session.memory.tookRun(run);
  const follower = new AccountFollower({ ...host, ...listener, onRun, probe, timing });
  return () => follower.close();
}

/** Waits for account changes if the host reports them; otherwise only for time to pass. */
export type Changes = Awaited<ReturnType<typeof accountChanges>>;

/** Without a working stream, changes are found by polling. */
export async function accountChanges(session: Session) {
  const { account } = await (await session.access()).streams();
  const table = new StreamTable();
  let onFrame = (_frame: AccountFrame) => {};
  let endWait = () => {};
  const stop =
    account === undefined
      ? () => {}
      : await followAccounts(session, account, {
          onFrame: (frame) => onFrame(frame),
          onState: (state) => table.took('account', state),
          onEnd: ({ message }) => table.took('account', { kind: 'ended', reason: message }),
        });
  return {
    /** Whether the host reports changes. */
    get areTold() {
      return table.isLive('account');
    },
    /** Resolves with the next matching change, or after this time; rejects on Ctrl-C. */
    async wait(ms: number, isIt = isChange): Promise<void> {
      const changed = new AbortController();
      endWait = () => changed.abort();
      onFrame = (frame) => {
        if (isIt(frame)) changed.abort();
      };
      const { setTimeout: delay } = await import('node:timers/promises');
      const signal = AbortSignal.any([session.signal, changed.signal]);
      await delay(ms, undefined, { signal }).catch((error) => {
        if (!changed.signal.aborted || session.signal.aborted) throw error;
      });
      onFrame = () => {};
    },
    async [Symbol.asyncDispose]() {
      stop();
      // A wait without listeners must not keep the process alive.
      endWait();
    },
  };
}

function isChange({ type }: AccountFrame): boolean {
  return type === 'order' || type === 'fill' || type === 'position' || type === 'account';
}

const firstPauseMs = 100;
/** Thirty reads a minute stay within any reasonable rate limit. */
const longestPauseMs = 2_000;

/** Pause between reads if the host reports changes. */
const toldPauseMs = 15_000;

/** An order as last read, and why reading stopped. */
interface Followed {
  order: Order;
  /** Undefined when the order ended or the time was up; otherwise the reason it stopped. */
  stopped?: { why: string; exit: ExitCode };
}

/** Whether an order has ended. */
export function isOver({ status }: Order): boolean {
  return status !== 'pending' && status !== 'resting';
}

/**
 * Reads an order whenever it changes, or repeatedly if the host does not report changes, until it has ended, the time
 * is up, or Ctrl-C. The order itself is not changed. Waits out a service that is briefly unavailable or busy.
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

/** The fills of an account to search for those of one order: the API has no filter by order. */
const maxFills = 500;

/** An order as a whole: with the average price and the sums of its executions in place of those of its last part. */
export interface WholeOrder {
  /** Unknown executions are left out. */
  readonly order: Order;
  /** For JSON, beside the fields of the API; nothing for an order that has not filled. */
  readonly computed: Partial<Executed>;
}

/** Reads the executions of an order that has filled in parts; any other order is complete by itself. */
export async function wholeOrder(session: Session, order: Order): Promise<WholeOrder> {
  if ((order.filled_size ?? 0) === 0) return { order, computed: {} };
  if (!isFilledInParts(order)) return { order, computed: averageOf(order, [order]) };
  const computed = averageOf(order, await noted(session, 'The fills of the order', executionsOf(session, order), []));
  const { fill_price: _, notional: __, fee: ___, realized_pnl: ____, ...rest } = order;
  const { average_price: price, filled_notional: notional, total_fee: fee, total_realized_pnl: realized } = computed;
  if (price === null) {
    session.note(`The average price and the fees of ${order.id} are not known: not all of its fills were found.`);
    return { order: rest, computed };
  }
  const known = { fill_price: price, notional: notional ?? undefined, fee: fee ?? undefined };
  return { order: { ...rest, ...known, realized_pnl: realized ?? undefined }, computed };
}

/** Newest first, from the latest fill of the account back to the first of the order. */
async function executionsOf(session: Session, order: Order): Promise<Order[]> {
  const found: Order[] = [];
  let left = order.filled_size ?? 0;
  let seen = 0;
  for await (const fill of session.pages('listFills', { query: { account_id: order.account_id, limit: 100 } })) {
    seen += 1;
    if (seen > maxFills || (fill.settled_at ?? fill.requested_at) < order.requested_at) break;
    if (!isExecutionOf(fill, order)) continue;
    found.push(fill);
    left = Number((left - fill.size).toFixed(8));
    if (left <= 0) break;
  }
  return found;
}

/** Whether a fill is an execution of an order. */
function isExecutionOf({ id, partial_fill_root_order_id: root, status }: Order, order: Order): boolean {
  return status === 'filled' && (id === order.id || root === order.id);
}
