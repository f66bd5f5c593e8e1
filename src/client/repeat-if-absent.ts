import type { KnownOperationId } from '../contract/operations.ts';
import type { Client } from './client.ts';
import { NoAnswerError, OutcomeUnknownError, ProtocolError } from './errors.ts';
import { type Finished, mayArrive, notDone, seen } from './finished.ts';
import { type LookOptions, look, reportSettled, type Settlement } from './look.ts';
import { defaultArrivalMs } from './retry.ts';

/** How long a write may still arrive, and how long each further attempt at it may take, ms. */
export interface RepeatOptions extends LookOptions {
  timeoutMs?: number | undefined;
  arrivalMs?: number | undefined;
  /** The longest time to wait for a late arrival; default: `arrivalMs`. */
  maxWaitMs?: number | undefined;
}

const maxSends = 3;
const deadlineMs = 60_000;
/** What arrives last still has to be processed and listed: a tenth of the window more. */
export const listedWithin = 1.1;

/**
 * Completes a write with an idempotency key after an attempt that got no answer: the service may have forgotten the
 * key, so the write is repeated only once a second witness says that it is absent and can no longer arrive. Rejects as
 * `finish` does.
 *
 *     no answer ─► look ─► there? ─yes──────────────────────────────────► done
 *        ▲          │ no, or the read failed
 *        │         wait until it would have arrived, look ─► there? ─yes─► done
 *        │          │ absent                             └─► not known ──► outcome unknown
 *        └── send the same bytes again ─► its answer, or its refusal if it is still absent
 */
export async function finishUnderKey<Id extends KnownOperationId>(
  client: Client,
  unanswered: OutcomeUnknownError,
  options: RepeatOptions,
): Promise<Finished<Id>> {
  const { intent } = unanswered;
  const { signal, timeoutMs, sentAt = unanswered.sentAt, arrivalMs = defaultArrivalMs } = options;
  const begun = client.now();
  let last = unanswered;
  for (let sends = 1; ; sends++) {
    const settlement = await witnessed(client, last, { ...options, sentAt });
    if (settlement.verdict === 'applied') {
      await reportSettled(client, intent, settlement);
      return seen(settlement, intent.idempotencyKey);
    }
    // An answer that does not belong to it does not mean that nothing was done: only the user repeats it.
    if (last.cause instanceof ProtocolError && last.refusal === undefined) throw last;
    const isOver = sends === maxSends || client.now() - begun > deadlineMs;
    const error = last.refusal ?? (isOver ? notDone(settlement.reason, arrivalMs, unanswered) : undefined);
    if (error !== undefined) {
      await reportSettled(client, intent, { verdict: 'not_applied', reason: error.message, error });
      throw error;
    }
    try {
      return { answer: await client.repeat<Id>(intent, { signal, timeoutMs, isAbsent: true }) };
    } catch (thrown) {
      if (!(thrown instanceof OutcomeUnknownError)) throw thrown;
      last = thrown;
    }
  }
}

/** Whether the write is there, or absent for good. Throws OutcomeUnknownError if that can't be known. */
async function witnessed(
  client: Client,
  last: OutcomeUnknownError,
  options: RepeatOptions,
): Promise<Exclude<Settlement, { verdict: 'unknown' }>> {
  const { intent, refusal } = last;
  const { arrivalMs = defaultArrivalMs, maxWaitMs = arrivalMs, signal } = options;
  const first = await look(client, intent, options);
  if (first.verdict === 'applied') return first;
  // After a refusal, nothing is on its way any more.
  if (refusal !== undefined && !isUnread(first)) return { ...first, verdict: 'not_applied' };
  if (refusal !== undefined || (first.verdict === 'unknown' && !isUnread(first))) throw unmatched(last, first);
  const waitedMs = Math.min(arrivalMs, maxWaitMs);
  await client.sleep(waitedMs < arrivalMs ? waitedMs : arrivalMs * listedWithin, signal);
  if (signal?.aborted) throw last;
  const second = await look(client, intent, options);
  if (second.verdict === 'unknown') throw unmatched(last, second);
  if (second.verdict === 'not_applied' && waitedMs < arrivalMs)
    throw mayArrive(last, { waitedMs, leftMs: arrivalMs - waitedMs });
  return second;
}

/** Whether the service could not be asked. */
function isUnread(settlement: Settlement): boolean {
  return settlement.verdict === 'unknown' && settlement.error !== undefined;
}

function unmatched({ intent, cause, refusal, sentAt }: OutcomeUnknownError, { reason }: Settlement): Error {
  const why = `${cause instanceof Error ? cause.message : String(cause)}; looking it up: ${reason}`;
  return new OutcomeUnknownError(intent, new NoAnswerError(why, { cause }), refusal, sentAt);
}
