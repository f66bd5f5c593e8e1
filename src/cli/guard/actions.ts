import { hash } from 'node:crypto';
import { named } from '../../client/identifiers.ts';
import type { Position } from '../../contract/positions.ts';
import type { Context } from '../context/context.ts';
import { factsOf } from '../failure/report.ts';
import { lockAccount } from '../lock/trading-lock.ts';
import { sendBulk } from '../writes/write.ts';
import type { Step, Task } from './guard-state.ts';

/** The result of a step: it is done, or has to be retried as `step` says. */
export type Outcome = { done: true } | { done: false; step: Step; why: string };

interface Runtime {
  context: Context;
  account: string;
  /** Folder of the environment's locks. */
  locks: string;
  /** Part of every key, so the same trigger in another environment has other keys. */
  place: string;
}

const done: Outcome = { done: true };

/** The idempotency key of one action; the same trigger always gives the same key. */
export function actionKey(place: string, account: string, task: Task, action: string, attempt = 0): string {
  return `guard-${hash('sha256', JSON.stringify([place, account, task.key, action, attempt]), 'hex').slice(0, 32)}`;
}

/**
 * Does one step of a task. `keep` writes a step to disk before other requests depend on it. After a crash, the same
 * step is repeated under the same keys, so nothing is done twice.
 */
export async function perform(runtime: Runtime, task: Task, step: Step, keep: (step: Step) => void): Promise<Outcome> {
  try {
    if (step.kind === 'lock') return lock(runtime, task, step);
    if (step.kind === 'cancel') return await cancel(runtime, task, step);
    return await close(runtime, task, step, keep);
  } catch (error) {
    runtime.context.signal.throwIfAborted();
    const { message } = factsOf(error);
    return { done: false, step, why: message };
  }
}

function lock({ account, locks }: Runtime, task: Task, { until = 0 }: Step): Outcome {
  lockAccount(locks, { account, since: task.time, until, why: task.says });
  return done;
}

/** Stops every TWAP; their fills are kept. */
async function stopTwaps({ context, account: account_id }: Runtime): Promise<void> {
  const { data: twaps } = await context.call('listActiveTwapOrders', { query: { account_id } });
  for (const { id, status } of twaps)
    if (status !== 'canceling')
      await context.call('cancelTwapOrder', { path: { twap_order_id: id } }).catch(ignoreEnded);
}

/** Cancels every TWAP and every order, including rungs of ladders and exits. */
async function cancel(runtime: Runtime, task: Task, step: Step): Promise<Outcome> {
  const { context, account: account_id } = runtime;
  await stopTwaps(runtime);
  const idempotencyKey = actionKey(runtime.place, account_id, task, 'cancel', step.attempt);
  await sendBulk(context, 'cancelAllAccountOrders', 'Canceling orders')({ path: { account_id }, idempotencyKey });
  const { data: left } = await context.call('listOrders', { query: { account_id, status: 'working' } });
  const remaining = left.filter(
    ({ status, cancel_requested_at: asked }) => status === 'resting' && asked === undefined,
  );
  if (remaining.length === 0) return done;
  return { done: false, step: nextAttempt(step), why: `orders remain: ${remaining.map(({ id }) => id).join(', ')}` };
}

/**
 * Closes positions at market, one by one: those in the step, or all open ones, after stopping the TWAPs that could open
 * more.
 */
async function close(runtime: Runtime, task: Task, step: Step, keep: (step: Step) => void): Promise<Outcome> {
  if (step.positions === undefined) await stopTwaps(runtime);
  const open = await openPositions(runtime);
  const wanted = step.positions ?? open.map(({ id }) => id);
  const known: Step = { ...step, positions: wanted };
  if (step.positions === undefined) keep(known);
  let refusal: string | undefined;
  for (const { id } of open.filter(({ id: one }) => wanted.includes(one)))
    refusal = (await closeOne(runtime, task, known, id)) ?? refusal;
  const left = (await openPositions(runtime)).filter(({ id }) => wanted.includes(id));
  if (left.length === 0) return done;
  const why = `positions remain: ${left.map(({ id, symbol }) => `${symbol} (${id})`).join(', ')}`;
  return { done: false, step: nextAttempt(known), why: refusal === undefined ? why : `${why}: ${refusal}` };
}

/** Closes one position; returns the service's refusal, if there is one. */
async function closeOne(
  { context, account, place }: Runtime,
  task: Task,
  { nth, attempt }: Step,
  position_id: string,
): Promise<string | undefined> {
  const idempotencyKey = actionKey(place, account, task, `close ${nth} ${position_id}`, attempt);
  const request = named('closePosition', { path: { position_id }, body: {} }, idempotencyKey);
  try {
    await context.call('closePosition', { ...request, idempotencyKey });
    return undefined;
  } catch (error) {
    if ((error as Error).name !== 'ApiError') throw error;
    return (error as Error).message;
  }
}

async function openPositions({ context, account }: Runtime): Promise<Position[]> {
  return (await context.call('listOpenPositions', { query: { account_id: account } })).data;
}

function nextAttempt(step: Step): Step {
  return { ...step, attempt: (step.attempt ?? 0) + 1 };
}

/** Strategies that have ended need no cancellation. */
function ignoreEnded(error: Error & { status?: number }): void {
  if (error.name !== 'ApiError' || (error.status !== 404 && error.status !== 409)) throw error;
}
