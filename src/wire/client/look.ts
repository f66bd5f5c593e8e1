import { resourceMismatch } from './belonging.ts';
import type { Client } from './client.ts';
import { ApiError } from './client-errors.ts';
import { type Finding, findingOf } from './finding.ts';
import { isDrawnName } from './identifiers.ts';
import type { Intent } from './intent.ts';
import { writeOf } from './writes.ts';

/** The outcome of a write that got no answer. */
export type Settlement =
  /** It has taken effect (`wasAlreadyApplied`: the state was the same before it); `data` is what its answer would be now. */
  | { verdict: 'applied'; reason: string; data: unknown; wasAlreadyApplied?: boolean | undefined }
  /** It has no effect, or a rule refused it (`error`). `isFinal`: a late arrival can't change that. */
  | { verdict: 'not_applied'; reason: string; error?: Error; isFinal?: boolean | undefined }
  /** The outcome is unknown, or the service could not be asked (`error`). */
  | { verdict: 'unknown'; reason: string; error?: Error };

/** What is known about a write besides its intent. */
export interface LookOptions {
  /**
   * The resource as it was before the write: order, position, or list of copy groups. Distinguishes our change from
   * others'.
   */
  before?: unknown;
  /** When it was first sent, Unix ms; default: now. */
  sentAt?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Looks up once whether a write was done: the order under its client order id, the strategy or the state it changes. */
export async function look(client: Client, intent: Intent, options: LookOptions): Promise<Settlement> {
  const readBack = writeOf(intent.operationId)?.readBack;
  if (readBack === undefined) return { verdict: 'unknown', reason: 'no readable resource shows its effect' };
  const isKeyed = intent.idempotencyKey !== undefined;
  // The connection may still deliver the answer to an earlier request, such as an earlier look.
  if (isKeyed) client.renew();
  try {
    const { before, sentAt = client.now(), signal } = options;
    const finding = await findingOf(readBack, { client, intent, sentAt, signal }, before);
    const why = isKeyed && finding.verdict === 'applied' ? strangeness(intent, finding.data) : undefined;
    return why === undefined ? settlementOf(finding) : { verdict: 'unknown', reason: why };
  } catch (error) {
    if (!isKeyed && error instanceof ApiError && error.status === 404) {
      return { verdict: 'not_applied', reason: 'the service knows no such resource', error };
    }
    return undecided(error);
  }
}

/** Why what was found can't be what this write made. Its size must be as asked, too, if its id was not drawn for it. */
function strangeness(intent: Intent, data: unknown): string | undefined {
  const isDrawn = intent.clientOrderId !== undefined && isDrawnName(intent.clientOrderId);
  return resourceMismatch(intent, isDrawn ? 200 : 201, data);
}

/** Reports to the keeper of intents what was looked up, if that settles the write. */
export async function reportSettled(client: Client, intent: Intent, settlement: Settlement): Promise<void> {
  const { verdict, reason } = settlement;
  if (verdict === 'applied') await client.settled(intent, { kind: 'done', status: 200, body: undefined });
  if (verdict === 'not_applied')
    await client.settled(intent, { kind: 'not_done', error: settlement.error ?? new Error(reason) });
}

/** The settlement that an error allows: none. */
export function undecided(error: unknown): Settlement {
  const cause = error instanceof Error ? error : new Error(String(error));
  return { verdict: 'unknown', reason: cause.message, error: cause };
}

function settlementOf(finding: Finding): Settlement {
  return finding.verdict === 'applied' ? { ...finding, data: finding.data as unknown } : finding;
}
