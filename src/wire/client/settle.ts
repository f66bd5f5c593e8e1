import type { Client } from './client.ts';
import { ApiError, NoAnswerError, OutcomeUnknownError } from './client-errors.ts';
import { finishUnderKey, listedWithin } from './finish.ts';
import type { Intent } from './intent.ts';
import { type LookOptions, look, reportSettled, type Settlement, undecided } from './look.ts';
import { defaultArrivalMs } from './retry.ts';
import { writeOf } from './writes.ts';

/** How a write with an unknown outcome is looked up. */
export interface SettleOptions extends LookOptions {
  /**
   * How long the write may still arrive after the service is reachable again: whatever held back its answer may have
   * delayed the write as well. A write that shows no effect is looked up again then, and counts as not done, or is
   * repeated under its key, only after that. Default `defaultArrivalMs`; 0 in process.
   */
  arrivalMs?: number | undefined;
  /** Called before a write with a key is sent again; throws to stop that. */
  beforeRepeat?: (() => Promise<void>) | undefined;
}

/** A write sent this long before its arrival window began has arrived or never will: it is looked up again at once. */
const longAgoMs = 300_000;
const shortWaitMs = 1_000;

/**
 * Finds out the outcome of a write: looks up what it did. One with an idempotency key that is absent is then sent again
 * under it. Reports to the keeper of intents once it is settled. Never rejects because of the service's answer.
 */
export async function settle(client: Client, intent: Intent, options: SettleOptions = {}): Promise<Settlement> {
  if (!isLookedUp(client, intent)) {
    await options.beforeRepeat?.();
    return repeat(client, intent, options);
  }
  const settlement = await lookUntilArrival(client, intent, options);
  const isAbsent = settlement.verdict === 'not_applied' && intent.idempotencyKey !== undefined;
  if (isAbsent) return repeatAbsent(client, intent, options, settlement);
  await reportSettled(client, intent, settlement);
  return settlement;
}

/** Whether something readable shows what a write did, by more than its time if the key itself can be relied on. */
function isLookedUp(client: Client, { operationId, idempotencyKey, clientOrderId }: Intent): boolean {
  if (idempotencyKey === undefined) return true;
  const isReadable = writeOf(operationId)?.readBack !== undefined;
  return isReadable && (clientOrderId !== undefined || !client.keepsKeys);
}

/** Whoever is asked before the repetition may take their time, in which someone else may have settled the write. */
async function repeatAbsent(
  client: Client,
  intent: Intent,
  options: SettleOptions,
  absent: Settlement,
): Promise<Settlement> {
  const lookedAt = client.now();
  await options.beforeRepeat?.();
  const settlement = client.now() - lookedAt > shortWaitMs ? await look(client, intent, options) : absent;
  if (settlement.verdict === 'not_applied') return repeat(client, intent, options);
  await reportSettled(client, intent, settlement);
  return settlement;
}

async function repeat(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  const { signal } = options;
  try {
    const answer = await client.repeat(intent, { signal, isAbsent: true }).catch(async (error: unknown) => {
      if (!(error instanceof OutcomeUnknownError) || client.keepsKeys || !isLookedUp(client, intent)) throw error;
      return (await finishUnderKey(client, error, options)).answer;
    });
    return { verdict: 'applied', reason: 'the service answered under its key', data: answer.data };
  } catch (error) {
    if (error instanceof ApiError) return { verdict: 'not_applied', reason: error.message, error };
    if (error instanceof NoAnswerError) return { verdict: 'not_applied', reason: error.message, error };
    return undecided(error);
  }
}

async function lookUntilArrival(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  const { sentAt = client.now(), signal } = options;
  const { arrivalMs = defaultArrivalMs } = options;
  const first = await look(client, intent, { ...options, sentAt });
  const reliesOnKey = intent.idempotencyKey !== undefined && client.keepsKeys;
  if (first.verdict !== 'not_applied' || arrivalMs === 0 || reliesOnKey) return first;
  const waitMs = intent.idempotencyKey === undefined ? arrivalMs : arrivalMs * listedWithin;
  const isLongAgo = client.now() - sentAt > longAgoMs + arrivalMs;
  await client.sleep(isLongAgo ? Math.min(shortWaitMs, arrivalMs) : waitMs, signal);
  if (signal?.aborted) return { verdict: 'unknown', reason: 'it was stopped' };
  return await look(client, intent, { ...options, sentAt });
}
