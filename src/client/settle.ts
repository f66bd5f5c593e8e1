import type { DataOf, KnownOperationId, RequestOf } from '../contract/operations.ts';
import type { Answer, CallOptions, Client } from './client.ts';
import { ApiError, OutcomeUnknownError } from './errors.ts';
import type { Intent } from './intent.ts';
import { type Finding, readBack } from './read-back.ts';

/** What became of a write that got no answer. */
export type Settlement =
  /** What it asked for is so; `resource` is the resource as it is now, where there is one. */
  | { verdict: 'applied'; reason: string; resource: unknown }
  /** Nothing of it is to be seen, or a rule refused it (`error`). */
  | { verdict: 'not_applied'; reason: string; error?: Error }
  /** It cannot be told, or the service could not be asked (`error`). */
  | { verdict: 'unknown'; reason: string; error?: Error };

export interface SettleOptions {
  /** The resource as it was before the write: order, position, or list of copy groups. Tells our change from others'. */
  before?: unknown;
  signal?: AbortSignal | undefined;
  /** A write that shows no effect is looked for once more after this time: it may still be under way. Default 1 000. */
  confirmAfterMs?: number;
}

/**
 * Finds out what became of a write: one with an idempotency key is repeated under it, which is answered by what the first
 * did; of any other the resource is read back. Tells the keeper of intents when it is settled. Never rejects because of
 * what the service answers.
 */
export async function settle(client: Client, intent: Intent, options: SettleOptions = {}): Promise<Settlement> {
  const settlement =
    intent.idempotencyKey === undefined
      ? await lookTwice(client, intent, options)
      : await repeat(client, intent, options);
  if (intent.idempotencyKey !== undefined || settlement.verdict === 'unknown') return settlement;
  if (settlement.verdict === 'applied') await client.settled(intent, { kind: 'done', status: 200, body: undefined });
  else await client.settled(intent, { kind: 'not_done', error: settlement.error ?? new Error(settlement.reason) });
  return settlement;
}

async function repeat(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  try {
    const answer = await client.repeat(intent, { signal: options.signal });
    return { verdict: 'applied', reason: 'the service answered for its key', resource: answer.data };
  } catch (error) {
    if (error instanceof ApiError) return { verdict: 'not_applied', reason: error.message, error };
    return undecided(error);
  }
}

async function lookTwice(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  const first = await look(client, intent, options);
  if (first.verdict !== 'not_applied') return first;
  await pause(options.confirmAfterMs ?? 1_000, options.signal);
  return await look(client, intent, options);
}

async function look(client: Client, intent: Intent, options: SettleOptions): Promise<Settlement> {
  const read = readBack[intent.operationId];
  if (read === undefined) return { verdict: 'unknown', reason: 'nothing that can be read shows what it did' };
  try {
    return settlementOf(await read({ client, intent, before: options.before, signal: options.signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return { verdict: 'not_applied', reason: 'the service knows no such resource', error };
    }
    return undecided(error);
  }
}

function settlementOf(finding: Finding): Settlement {
  const { verdict, reason } = finding;
  return verdict === 'applied' ? { verdict, reason, resource: finding.resource } : { verdict, reason };
}

function undecided(error: unknown): Settlement {
  const cause = error instanceof Error ? error : new Error(String(error));
  return { verdict: 'unknown', reason: cause.message, error: cause };
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, delayMs);
    function wake(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    }
    signal?.addEventListener('abort', wake, { once: true });
    if (signal?.aborted) wake();
  });
}

/** How a write without an idempotency key ended: with its own answer, or seen in what was read back. */
export type Settled<Id extends KnownOperationId> =
  | { kind: 'answered'; answer: Answer<Id>; data: DataOf<Id> }
  | { kind: 'read_back'; resource: unknown; reason: string };

/**
 * Calls a write that has no idempotency key and, when it got no answer, reads back what it did; what did not happen is
 * sent again, `attempts` times in all, except new copy groups, of which a late one would make two. Rejects with
 * OutcomeUnknownError when it can't be told.
 */
export async function callSettled<Id extends KnownOperationId>(
  client: Client,
  id: Id,
  request: RequestOf<Id> & CallOptions,
  options: SettleOptions & { attempts?: number } = {},
): Promise<Settled<Id>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await client.call(id, request);
      return { kind: 'answered', answer, data: answer.data };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError) || request.signal?.aborted) throw error;
      const settlement = await settle(client, error.intent, options);
      if (settlement.verdict === 'applied') {
        return { kind: 'read_back', resource: settlement.resource, reason: settlement.reason };
      }
      const maySendAgain = settlement.verdict === 'not_applied' && !makesNewGroups(error.intent);
      if (!maySendAgain || attempt >= (options.attempts ?? 3)) throw error;
    }
  }
}

function makesNewGroups(intent: Intent): boolean {
  if (intent.operationId !== 'saveCopyTradingConfigurations' || intent.body === undefined) return false;
  const { groups } = JSON.parse(intent.body) as { groups: { config_id?: string }[] };
  return groups.some((group) => group.config_id === undefined);
}
