import type { Client } from './client.ts';
import { ApiError } from './errors.ts';
import type { Finding } from './finding.ts';
import type { Intent } from './intent.ts';
import { defaultArrivalMs } from './retry.ts';
import { writeOf } from './writes.ts';

/** The outcome of a write that got no answer. */
export type Settlement =
  /** It has taken effect (`wasAlreadyApplied`: the state was the same before it); `data` is what its answer would be now. */
  | { verdict: 'applied'; reason: string; data: unknown; wasAlreadyApplied?: boolean | undefined }
  /** It has no effect, or a rule refused it (`error`). `isFinal`: a late arrival can't change that. */
  | { verdict: 'not_applied'; reason: string; error?: Error; isFinal?: boolean | undefined }
  /** The outcome is unknown, or the service could not be asked (`error`). */
  | { verdict: 'unknown'; reason: string; error?: Error };

export interface SettleOptions {
  /**
   * The resource as it was before the write: order, position, or list of copy groups. Distinguishes our change from
   * others'.
   */
  before?: unknown;
  signal?: AbortSignal | undefined;
  /** When it was sent, Unix ms; default: now. */
  sentAt?: number;
  /**
   * How long the write may still arrive after the service is reachable again: whatever held back its answer may have
   * delayed the write as well. A write without a key that shows no effect is read back again then, and counts as not
   * done only after that. Default `defaultArrivalMs`; 0 in process.
   */
  arrivalMs?: number;
}

/** A write sent this long ago has arrived or never will: it is read back again at once, in case a cache answered. */
const longAgoMs = 300_000;
const shortWaitMs = 1_000;

/**
 * Finds out the outcome of a write. One with an idempotency key is retried under it, which gets the first one's answer;
 * for any other the resource is read back. Reports to the keeper of intents once it is settled. Never rejects because
 * of the service's answer.
 */
export async function settle(client: Client, intent: Intent, options: SettleOptions = {}): Promise<Settlement> {
  if (intent.idempotencyKey !== undefined) return repeat(client, intent, options);
  const settlement = await readBackUntilArrival(client, intent, options);
  await reportSettled(client, intent, settlement);
  return settlement;
}

/** Reports to the keeper of intents what was read back, if that settles the write. */
export async function reportSettled(client: Client, intent: Intent, settlement: Settlement): Promise<void> {
  const { verdict, reason } = settlement;
  if (verdict === 'applied') await client.settled(intent, { kind: 'done', status: 200, body: undefined });
  if (verdict === 'not_applied')
    await client.settled(intent, { kind: 'not_done', error: settlement.error ?? new Error(reason) });
}

/** Reads back a write without a key, once. */
export async function look(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  const readBack = writeOf(intent.operationId)?.readBack;
  if (readBack === undefined) return { verdict: 'unknown', reason: 'no readable resource shows its effect' };
  try {
    return settlementOf(await readBack.find({ client, intent, before: options.before, signal: options.signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return { verdict: 'not_applied', reason: 'the service knows no such resource', error };
    }
    return undecided(error);
  }
}

async function repeat(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  try {
    const answer = await client.repeat(intent, { signal: options.signal });
    return { verdict: 'applied', reason: 'the service answered under its key', data: answer.data };
  } catch (error) {
    if (error instanceof ApiError) return { verdict: 'not_applied', reason: error.message, error };
    return undecided(error);
  }
}

async function readBackUntilArrival(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  const { sentAt = Date.now(), arrivalMs = defaultArrivalMs } = options;
  const first = await look(client, intent, options);
  if (first.verdict !== 'not_applied' || arrivalMs === 0) return first;
  const isLongAgo = Date.now() - sentAt > longAgoMs;
  await client.sleep(isLongAgo ? Math.min(shortWaitMs, arrivalMs) : arrivalMs, options.signal);
  return await look(client, intent, options);
}

function settlementOf(finding: Finding): Settlement {
  return finding.verdict === 'applied' ? { ...finding, data: finding.data as unknown } : finding;
}

function undecided(error: unknown): Settlement {
  const cause = error instanceof Error ? error : new Error(String(error));
  return { verdict: 'unknown', reason: cause.message, error: cause };
}
