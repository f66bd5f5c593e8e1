import type { DataOf, KnownOperationId } from '../contract/operations.ts';
import type { Answer, Client } from './client.ts';
import { NoAnswerError, OutcomeUnknownError, ProtocolError } from './client-errors.ts';
import type { Intent } from './intent.ts';
import { type LookOptions, look, reportSettled, type Settlement } from './look.ts';
import { defaultArrivalMs } from './retry.ts';
import { writeOf } from './writes.ts';

/** How long a write may still arrive, and how long each further attempt at it may take, ms. */
export interface FinishOptions extends LookOptions {
  timeoutMs?: number | undefined;
  arrivalMs?: number | undefined;
  /** The longest time to wait for a late arrival; default: `arrivalMs`. */
  maxWaitMs?: number | undefined;
}

const maxSends = 3;
/** Wait before sending again: the cause of the failure may pass, and the first attempt may arrive. */
const waitBeforeNextMs = 200;
const deadlineMs = 60_000;

/**
 * Completes a write after an attempt that got no answer, or a refusal that may be for a second delivery. One with an
 * idempotency key is looked up, and repeated if it is absent (`finishUnderKey`); for any other, the resource is read
 * back.
 */
export async function finish<Id extends KnownOperationId>(
  client: Client,
  unanswered: OutcomeUnknownError,
  options: FinishOptions = {},
): Promise<Finished<Id>> {
  const isKeyed = unanswered.idempotencyKey !== undefined;
  client.waits(unanswered.intent, true);
  try {
    return await (isKeyed ? finishUnderKey : finishByState)<Id>(client, unanswered, options);
  } finally {
    client.waits(unanswered.intent, false);
  }
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

/** The outcome of a write that got no answer at first. */
export interface Finished<Id extends KnownOperationId> {
  answer: Answer<Id>;
  /** The finding that shows it was done, if no answer says so. */
  seen?: string;
}

/** The outcome of a write that was found to be done. */
function seen<Id extends KnownOperationId>(
  { data: found, reason }: Settlement & { verdict: 'applied' },
  idempotencyKey: string | undefined,
): Finished<Id> {
  const data = found as DataOf<Id>;
  const body = { data } as Answer<Id>['body'];
  return { answer: { data, body, status: 200, requestId: undefined, headers: {}, idempotencyKey }, seen: reason };
}

/** The error of a write that is not there after the arrival window: it was not done. */
function notDone(reason: string, waitedMs: number, unanswered: OutcomeUnknownError): NoAnswerError {
  const message = `no answer came, and it was not done within ${seconds(waitedMs)} of the last attempt: ${reason}`;
  return new NoAnswerError(message, { cause: unanswered });
}

/** The error of a write that is not there yet, but may still arrive. */
function mayArrive(
  { intent }: OutcomeUnknownError,
  { waitedMs, leftMs }: { waitedMs: number; leftMs: number },
  refusal?: Error,
): OutcomeUnknownError {
  const late = `no answer came, and it was not done within ${seconds(waitedMs)}; it may still arrive within the next ${seconds(leftMs)}`;
  return new OutcomeUnknownError(intent, new NoAnswerError(late), refusal);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

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
  options: FinishOptions,
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
  options: FinishOptions,
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
