import type { DataOf, KnownOperationId } from '../contract/operations.ts';
import { resourceMismatch } from './belonging.ts';
import type { Answer, Client } from './client.ts';
import { ApiError, BulkIncompleteError, NoAnswerError, OutcomeUnknownError, ProtocolError } from './client-errors.ts';
import { isDrawnName } from './form-request.ts';
import type { Intent } from './intent.ts';
import type { Outcome } from './question.ts';
import { defaultArrivalMs } from './retry.ts';
import { writeOf } from './writes.ts';

/** Facts about a write besides its intent, and how long finding its outcome may take. */
export interface OutcomeOptions {
  /**
   * The resource as it was before the write: order, position, or list of copy groups. Tells our change from others'.
   */
  before?: unknown;
  /** When it was first sent, Unix ms; default: what its error says, else now. */
  sentAt?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Time for each further attempt, ms; default: the client's. */
  timeoutMs?: number | undefined;
  /**
   * How long the write may still arrive after the service is reachable again: whatever held back its answer may have
   * delayed the write as well. It counts as absent only after that. Default `defaultArrivalMs`; 0 in process.
   */
  arrivalMs?: number | undefined;
  /**
   * The longest time to wait for a late arrival; default: `arrivalMs`. The outcome of a write that may still arrive
   * stays unknown.
   */
  maxWaitMs?: number | undefined;
  /** Called before a write of an earlier process is sent again; throws to stop that. */
  beforeRepeat?: (() => Promise<void>) | undefined;
  /** It is never sent again. Default false. */
  isOnlyRead?: boolean | undefined;
}

const maxSends = 3;
const deadlineMs = 60_000;
/** Wait before sending again: the cause of the failure may pass, and the first attempt may arrive. */
const pauseMs = 200;
/** A write sent this long before its arrival window began has arrived or never will: it is looked up again at once. */
const longAgoMs = 300_000;
const shortWaitMs = 1_000;
/** A write that arrives last must still be processed and listed, so this adds a tenth of the window. */
export const listedWithin = 1.1;

/** The outcome as one of its parts decides it; `isTold`: the keeper of intents knows of it. */
type Decided = Outcome & { isTold?: boolean };

/**
 * The outcome of a write: of one whose call has just ended without an answer that settles it, or of an earlier
 * process's. It is looked up, and sent again if it is absent and a second delivery does no harm. Reports to the keeper
 * of intents what it finds. Never rejects because of the service's answer.
 *
 *     look ─► there? ─yes─► done        refused, and the look agrees? ─► not done
 *      ▲        │ no
 *      │     twice the same as once? ─yes─► pause ────────────────┐
 *      │        │ no                                              │
 *      │     wait until it would have arrived, look ─► there? ─yes┼► done
 *      │        │ absent                      └─► not known ──────┼► unknown
 *      │     has it a key? ─no─► not done                         │
 *      └──────── none ◄─── send the same bytes again ◄────────────┴──► its answer, or its refusal
 */
export async function outcome<Id extends KnownOperationId>(
  client: Client,
  write: Intent | OutcomeUnknownError,
  options: OutcomeOptions = {},
): Promise<Outcome<DataOf<Id>>> {
  const unanswered = write instanceof OutcomeUnknownError ? write : undefined;
  const intent = write instanceof OutcomeUnknownError ? write.intent : write;
  if (unanswered !== undefined) client.waits(intent, true);
  try {
    const { isTold, ...decided } = await new Inquiry(client, intent, unanswered, options).decided();
    if (isTold !== true) await report(client, intent, decided);
    return decided as Outcome<DataOf<Id>>;
  } finally {
    if (unanswered !== undefined) client.waits(intent, false);
  }
}

/**
 * The answer of a write that was done; throws why there is none. `seen`: the evidence that it was done, if there is no
 * answer.
 */
export function answerOf<Id extends KnownOperationId>(
  found: Outcome<DataOf<Id>>,
  idempotencyKey: string | undefined,
): { answer: Answer<Id>; seen?: string } {
  if (found.verdict !== 'applied') throw found.error ?? new Error(found.reason);
  const { data, reason } = found;
  if (found.answer !== undefined) return { answer: found.answer as Answer<Id> };
  const body = { data } as Answer<Id>['body'];
  return { answer: { data, body, status: 200, requestId: undefined, headers: {}, idempotencyKey }, seen: reason };
}

/**
 * The resource before a write that has no idempotency key, or what was listed before one that makes a strategy: reading
 * back alone can't tell the effect of the write from the earlier state. Undefined if none is needed or the service
 * refuses; the write then gets the same refusal.
 */
export async function stateBefore(client: Client, intent: Intent): Promise<unknown> {
  try {
    return await writeOf(intent.operationId)?.readBack?.before?.({ client, intent, sentAt: client.now() });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * Looks up once whether a write was done: the order under its client order id, the strategy or the state it changes.
 */
async function look(client: Client, intent: Intent, options: OutcomeOptions): Promise<Outcome> {
  const readBack = writeOf(intent.operationId)?.readBack;
  if (readBack === undefined) return { verdict: 'unknown', reason: 'no readable resource shows its effect' };
  const isKeyed = intent.idempotencyKey !== undefined;
  // The connection may still deliver the answer to an earlier request, such as an earlier look.
  if (isKeyed) client.renew();
  try {
    const { before, sentAt = client.now(), signal } = options;
    const found = await readBack.find({ client, intent, sentAt, signal, before });
    const why = isKeyed && found.verdict === 'applied' ? strangeness(intent, found.data) : undefined;
    return why === undefined ? found : { verdict: 'unknown', reason: why };
  } catch (error) {
    if (!isKeyed && error instanceof ApiError && error.status === 404)
      return { verdict: 'not_applied', reason: 'the service knows no such resource', error };
    return because('unknown', error);
  }
}

/** One write's way to its outcome. */
class Inquiry {
  readonly #client: Client;
  readonly #intent: Intent;
  readonly #unanswered: OutcomeUnknownError | undefined;
  readonly #options: OutcomeOptions;
  readonly #isKeyed: boolean;
  readonly #begun: number;
  readonly #arrivalMs: number;
  readonly #waitMs: number;
  /** The service itself refused it: that belongs to it, or to a second delivery. */
  readonly #isAnswered: boolean;
  /** The last attempt's error. */
  #last: OutcomeUnknownError | undefined;
  /** An answer to another request doesn't mean that nothing was done: only the user repeats it. */
  #badAnswer: OutcomeUnknownError | undefined;

  constructor(client: Client, intent: Intent, unanswered: OutcomeUnknownError | undefined, options: OutcomeOptions) {
    const { arrivalMs = defaultArrivalMs, maxWaitMs = arrivalMs, sentAt = unanswered?.sentAt } = options;
    this.#client = client;
    this.#intent = intent;
    this.#unanswered = unanswered;
    this.#options = { ...options, sentAt: sentAt ?? client.now() };
    this.#isKeyed = intent.idempotencyKey !== undefined;
    this.#begun = client.now();
    this.#arrivalMs = arrivalMs;
    this.#waitMs = Math.min(arrivalMs, maxWaitMs);
    this.#isAnswered = unanswered?.refusal !== undefined && unanswered.cause === unanswered.refusal;
    this.#last = unanswered;
    this.#note(unanswered);
  }

  async decided(): Promise<Decided> {
    for (let sends = this.#unanswered === undefined ? 0 : 1; ; sends++) {
      const isLast = sends >= maxSends || this.#client.now() - this.#begun > deadlineMs;
      if (this.#isLookedUp) {
        const first = await this.#look();
        const early = this.#early(first);
        if (early !== undefined) return early;
        if (!this.#isSafeTwice || isLast || this.#refusal !== undefined) {
          const second = await this.#afterArrival(first);
          const late = this.#late(second, isLast);
          if (late !== undefined) return late;
        } else await this.#client.sleep(Math.min(pauseMs, this.#arrivalMs), this.#options.signal);
      }
      const repeated = await this.#repeated();
      if (repeated !== undefined) return repeated;
    }
  }

  /** Why the last attempt was refused; that says nothing about attempts before it. */
  get #refusal(): Error | undefined {
    return this.#isKeyed || this.#last !== this.#unanswered || this.#isAnswered ? this.#last?.refusal : undefined;
  }

  /** Whether something readable shows what it did, by more than its time if the key itself can be relied on. */
  get #isLookedUp(): boolean {
    const { operationId, idempotencyKey, clientOrderId } = this.#intent;
    if (idempotencyKey === undefined || this.#last !== undefined || this.#options.isOnlyRead === true) return true;
    const isReadable = writeOf(operationId)?.readBack !== undefined;
    return isReadable && (clientOrderId !== undefined || !this.#client.keepsKeys);
  }

  /** Whether sending it twice has the same effect as once, whenever the first one arrives. */
  get #isSafeTwice(): boolean {
    if (this.#isKeyed || this.#unanswered === undefined || this.#options.isOnlyRead === true) return false;
    const { operationId, body } = this.#intent;
    const secondTime = writeOf(operationId)?.secondTime;
    if (typeof secondTime !== 'function') return secondTime !== 'again';
    return secondTime(body === undefined ? {} : JSON.parse(body), this.#options.before);
  }

  #look(): Promise<Outcome> {
    return look(this.#client, this.#intent, this.#options);
  }

  #note(error: OutcomeUnknownError | undefined): void {
    const isBad = error?.cause instanceof ProtocolError && (!this.#isKeyed || error.refusal === undefined);
    if (isBad) this.#badAnswer ??= error;
  }

  /** The conclusion of a first look; undefined if nothing is there yet or the service couldn't be asked. */
  #early(now: Outcome): Decided | undefined {
    const refusal = this.#refusal;
    if (this.#unanswered === undefined && this.#last === undefined)
      return now.verdict === 'not_applied' ? undefined : now;
    if (this.#isKeyed) {
      if (now.verdict === 'applied') return now;
      // After a refusal, nothing is on its way anymore.
      if (refusal !== undefined) return isUnread(now) ? this.#unmatched(now) : because('not_applied', refusal);
      return now.verdict === 'unknown' && !isUnread(now) ? this.#unmatched(now) : undefined;
    }
    if (refusal !== undefined && confirmsRefusal(now)) {
      const isSettled = this.#isAnswered || (now.verdict === 'not_applied' && now.isFinal === true);
      return isSettled ? because('not_applied', refusal) : undefined;
    }
    if (now.verdict === 'unknown') return because('unknown', this.#unanswered);
    return now.verdict === 'applied' ? now : undefined;
  }

  /** The state after the write would have arrived. */
  async #afterArrival(first: Outcome): Promise<Outcome> {
    const { signal, sentAt = 0 } = this.#options;
    const isEarlier = this.#last === undefined;
    const reliesOnKey = this.#isKeyed && this.#client.keepsKeys && this.#options.isOnlyRead !== true;
    if (isEarlier && (this.#arrivalMs === 0 || reliesOnKey)) return first;
    const isLongAgo = isEarlier && this.#client.now() - sentAt > longAgoMs + this.#arrivalMs;
    const wholeMs = this.#isKeyed && this.#waitMs === this.#arrivalMs ? this.#waitMs * listedWithin : this.#waitMs;
    await this.#client.sleep(isLongAgo ? Math.min(shortWaitMs, this.#arrivalMs) : wholeMs, signal);
    if (signal?.aborted !== true) return await this.#look();
    if (isEarlier) return { verdict: 'unknown', reason: 'it was stopped' };
    return this.#isKeyed ? because('unknown', this.#last) : await this.#look();
  }

  /** The conclusion of a second look; undefined if it is absent and may be sent again under its key. */
  #late(now: Outcome, isLast: boolean): Decided | undefined {
    const refusal = this.#refusal;
    const isNew = now.verdict === 'applied' && !(refusal !== undefined && now.wasAlreadyApplied === true);
    if (isNew) return now;
    if (this.#last === undefined)
      return now.verdict === 'not_applied' && this.#isKeyed && this.#options.isOnlyRead !== true ? undefined : now;
    if (now.verdict === 'unknown') {
      if (this.#options.signal?.aborted === true && this.#isKeyed) return now;
      return this.#isKeyed ? this.#unmatched(now) : because('unknown', this.#badAnswer ?? this.#unanswered);
    }
    if (!this.#isKeyed && this.#badAnswer !== undefined) return because('unknown', this.#badAnswer);
    const isStopped = !this.#isKeyed && this.#options.signal?.aborted === true;
    const leftMs = isStopped ? this.#arrivalMs : this.#arrivalMs - this.#waitMs;
    if (leftMs > 0) return because('unknown', this.#mayArrive(leftMs, refusal));
    if (this.#isKeyed && this.#last.cause instanceof ProtocolError && refusal === undefined)
      return because('unknown', this.#last);
    if (this.#isKeyed && !isLast && this.#options.isOnlyRead !== true) return undefined;
    const reason = now.verdict === 'not_applied' ? now.reason : 'this was already so before the write';
    return because('not_applied', refusal ?? this.#notDone(reason));
  }

  /** Sends the same bytes again; undefined: that got no answer either, so it is looked up again. */
  async #repeated(): Promise<Decided | undefined> {
    const { beforeRepeat, signal, timeoutMs } = this.#options;
    const isFirst = this.#last === undefined;
    if (isFirst && beforeRepeat !== undefined) {
      const askedAt = this.#client.now();
      await beforeRepeat();
      // The answer to a prompt may take a while, in which someone else may have settled it.
      const isLate = this.#isLookedUp && this.#client.now() - askedAt > shortWaitMs;
      const now = isLate ? await this.#look() : undefined;
      if (now !== undefined && now.verdict !== 'not_applied') return now;
    }
    try {
      const answer = await this.#client.repeat(this.#intent, { signal, timeoutMs, isAbsent: true });
      return {
        verdict: 'applied',
        reason: 'the service answered under its key',
        data: answer.data,
        answer,
        isTold: true,
      };
    } catch (error) {
      if (error instanceof BulkIncompleteError) return { ...because('unknown', error), isTold: true };
      if (!(error instanceof OutcomeUnknownError)) return { ...because('not_applied', error), isTold: true };
      if (isFirst && (this.#client.keepsKeys || !this.#isLookedUp))
        return { ...because('unknown', error), isTold: true };
      this.#last = error;
      this.#note(error);
      return undefined;
    }
  }

  #unmatched({ reason }: Outcome): Outcome {
    const { intent, cause, refusal, sentAt } = this.#last!;
    const why = `${cause instanceof Error ? cause.message : String(cause)}; looking it up: ${reason}`;
    return because('unknown', new OutcomeUnknownError(intent, new NoAnswerError(why, { cause }), refusal, sentAt));
  }

  /** It is not there after the arrival window. */
  #notDone(reason: string): NoAnswerError {
    const message = `no answer came, and it was not done within ${seconds(this.#waitMs)} of the last attempt: ${reason}`;
    return new NoAnswerError(message, { cause: this.#unanswered });
  }

  /** It is not there yet, but may still arrive. */
  #mayArrive(leftMs: number, refusal: Error | undefined): OutcomeUnknownError {
    const late = `no answer came, and it was not done within ${seconds(this.#waitMs)}; it may still arrive within the next ${seconds(leftMs)}`;
    return new OutcomeUnknownError(this.#intent, new NoAnswerError(late), refusal);
  }
}

/** Reports to the keeper of intents what was looked up, if that settles the write. */
async function report(client: Client, intent: Intent, found: Outcome): Promise<void> {
  if (found.verdict === 'applied')
    await client.settled(intent, { kind: 'done', status: 200, body: { data: found.data } });
  if (found.verdict === 'not_applied')
    await client.settled(intent, { kind: 'not_done', error: found.error ?? new Error(found.reason) });
}

/**
 * Why the found resource can't be the result of this write. Its size must be as asked, too, if its id was not drawn for
 * it.
 */
function strangeness(intent: Intent, data: unknown): string | undefined {
  const isDrawn = intent.clientOrderId !== undefined && isDrawnName(intent.clientOrderId);
  return resourceMismatch(intent, isDrawn ? 200 : 201, data);
}

/** Whether the service could not be asked. */
function isUnread(now: Outcome): boolean {
  return now.verdict === 'unknown' && now.error !== undefined;
}

/**
 * Whether the current state confirms a refusal: the write wasn't done, its goal was already met, or others changed
 * parts of it.
 */
function confirmsRefusal(now: Outcome): boolean {
  if (now.verdict === 'applied') return now.wasAlreadyApplied === true;
  return now.verdict === 'not_applied' || now.error === undefined;
}

/** The outcome that an error implies. */
function because(verdict: 'not_applied' | 'unknown', error: unknown): Outcome {
  const cause = error instanceof Error ? error : new Error(String(error));
  return { verdict, reason: cause.message, error: cause };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
