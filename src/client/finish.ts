import type { KnownOperationId } from '../contract/operations.ts';
import type { Client } from './client.ts';
import { OutcomeUnknownError, ProtocolError } from './errors.ts';
import { type Finished, mayArrive, notDone, seen } from './finished.ts';
import type { Intent } from './intent.ts';
import { look, reportSettled, type Settlement } from './look.ts';
import { finishUnderKey, type RepeatOptions } from './repeat-if-absent.ts';
import { defaultArrivalMs } from './retry.ts';
import { writeOf } from './writes.ts';

/** How long to look for a write and how often to send it again. */
export type FinishOptions = RepeatOptions;

const maxSends = 3;
/** Wait before sending again: the cause of the failure may pass, and the first attempt may arrive. */
const waitBeforeNextMs = 200;
const deadlineMs = 60_000;

/**
 * Completes a write after an attempt that got no answer, or a refusal that may be for a second delivery. One with an
 * idempotency key is looked up, and repeated if it is absent (`finishUnderKey`); for any other, the resource is read
 * back.
 */
export function finish<Id extends KnownOperationId>(
  client: Client,
  unanswered: OutcomeUnknownError,
  options: FinishOptions = {},
): Promise<Finished<Id>> {
  const isKeyed = unanswered.idempotencyKey !== undefined;
  return (isKeyed ? finishUnderKey : finishByState)<Id>(client, unanswered, options);
}

/**
 * Completes a write without an idempotency key after an attempt that got no answer, or a refusal that may be for a
 * second delivery: reads back what it did, and sends it again if it was not done and a late first arrival makes no
 * difference. Rejects with the refusal; with NoAnswerError if it was not done and can no longer arrive; with
 * OutcomeUnknownError if the outcome is unknown: it can't be read back, it may still arrive after the wait, or it was
 * not done after an answer that did not belong to it.
 *
 *     no answer, or refused ─► look ─► is it there, and was not before? ─yes─► done
 *                               ▲          │ no
 *                               │     all of them refused? ─yes──────────────► its refusal
 *                               │          │ no
 *                               │     twice the same as once? ─yes─► send again ─► its answer
 *                               └──────────────────────────────────────┘ none
 *                                          │ no
 *                                     wait until it would have arrived, look ─► done, not done, or still not known
 */
async function finishByState<Id extends KnownOperationId>(
  client: Client,
  unanswered: OutcomeUnknownError,
  options: FinishOptions,
): Promise<Finished<Id>> {
  const { intent, refusal: firstRefusal } = unanswered;
  const begun = client.now();
  const isAnswered = firstRefusal !== undefined && unanswered.cause === firstRefusal;
  let refusal = isAnswered ? firstRefusal : undefined;
  let badAnswer = badAnswerOf(unanswered);
  for (let sends = 1; ; sends++) {
    const settlement = await look(client, intent, options);
    if (refusal !== undefined && confirmsRefusal(settlement)) {
      if (isAnswered || (settlement.verdict === 'not_applied' && settlement.isFinal === true)) {
        await reportSettled(client, intent, { verdict: 'not_applied', reason: refusal.message, error: refusal });
        throw refusal;
      }
      break;
    }
    if (settlement.verdict === 'unknown') throw unanswered;
    if (settlement.verdict === 'applied') {
      await reportSettled(client, intent, settlement);
      return seen(settlement, undefined);
    }
    if (!isSafeTwice(intent, options.before) || sends === maxSends || client.now() - begun > deadlineMs) break;
    await client.sleep(Math.min(waitBeforeNextMs, options.arrivalMs ?? waitBeforeNextMs), options.signal);
    try {
      const again = { signal: options.signal, timeoutMs: options.timeoutMs, isAbsent: true };
      return { answer: await client.repeat<Id>(intent, again) };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      refusal = error.refusal;
      badAnswer ??= badAnswerOf(error);
    }
  }
  return await finishLater(client, unanswered, { refusal, badAnswer }, options);
}

/** Waits for a late arrival and reads back once more. A write that may arrive even later stays open. */
async function finishLater<Id extends KnownOperationId>(
  client: Client,
  unanswered: OutcomeUnknownError,
  { refusal, badAnswer }: { refusal: Error | undefined; badAnswer: OutcomeUnknownError | undefined },
  options: FinishOptions,
): Promise<Finished<Id>> {
  const { intent } = unanswered;
  const { arrivalMs = defaultArrivalMs, maxWaitMs = arrivalMs } = options;
  const waitedMs = Math.min(arrivalMs, maxWaitMs);
  await client.sleep(waitedMs, options.signal);
  const settlement = await look(client, intent, options);
  if (settlement.verdict === 'applied' && !(refusal !== undefined && settlement.wasAlreadyApplied === true)) {
    await reportSettled(client, intent, settlement);
    return seen(settlement, undefined);
  }
  // An answer that belongs to another request does not mean that nothing was done.
  if (settlement.verdict === 'unknown' || badAnswer !== undefined) throw badAnswer ?? unanswered;
  const leftMs = options.signal?.aborted === true ? arrivalMs : arrivalMs - waitedMs;
  if (leftMs > 0) throw mayArrive(unanswered, { waitedMs, leftMs }, refusal);
  const reason = settlement.verdict === 'not_applied' ? settlement.reason : 'this was already so before the write';
  const error = refusal ?? notDone(reason, waitedMs, unanswered);
  await reportSettled(client, intent, { verdict: 'not_applied', reason, error });
  throw error;
}

function badAnswerOf(error: OutcomeUnknownError): OutcomeUnknownError | undefined {
  return error.cause instanceof ProtocolError ? error : undefined;
}

/** Whether the current state confirms a refusal: it was not done, or was so before, or others changed parts of it. */
function confirmsRefusal(settlement: Settlement): boolean {
  if (settlement.verdict === 'applied') return settlement.wasAlreadyApplied === true;
  return settlement.verdict === 'not_applied' || settlement.error === undefined;
}

/** Whether sending a write twice has the same effect as once, whenever the first one arrives. */
function isSafeTwice({ operationId, body }: Intent, before: unknown): boolean {
  const secondTime = writeOf(operationId)?.secondTime;
  if (typeof secondTime !== 'function') return secondTime !== 'again';
  return secondTime(body === undefined ? {} : JSON.parse(body), before);
}
