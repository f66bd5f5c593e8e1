import { OutcomeUnknownError } from '../client/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { WireResponse } from '../contract/wire.ts';
import type { AuditedOutcome } from '../desk/audit/record.ts';
import type { Session } from '../desk/session/session.ts';
import { Failure, refusalResponse } from '../hosting/failure.ts';
import { newRequestId } from '../hosting/read-request.ts';
import { isJsonObject } from '../terms/json-object.ts';
import { withOwnIds } from './answers.ts';
import type { Going } from './going.ts';
import { type KnownWrite, KnownWrites } from './known-writes.ts';
import type { SentWrite } from './mirror/options.ts';
import { intentFor, type Outcome, type Upstream, unavailable } from './upstream.ts';

/** What the outcomes of writes are found out with. */
export interface OutcomesOptions {
  readonly session: Session;
  readonly upstream: Upstream;
  /** Keeps a record of what has happened, with the next one of what is about to happen. */
  readonly log: (record: AuditedOutcome) => void;
  /** Resolves once everything logged outlives a power failure. */
  readonly synced: () => Promise<void>;
  /** Unix ms. */
  readonly wall: () => number;
  /** Aborts when the gate stops: what is open then is settled by its next start. */
  readonly stopping: AbortSignal;
  /** How long a bot waits for an outcome; then it is told to ask again, ms. */
  readonly holdMs?: number | undefined;
}

/** A client's own limit is often 15 s. */
const defaultHoldMs = 12_000;
/** How long until a write that could not be looked up is looked up again, ms. */
const lookAgainMs = 5_000;
const mostLooks = 12;

/** Sends what was let through, and finds out what became of it, however long that takes. */
export class Outcomes {
  readonly known = new KnownWrites();
  readonly #options: OutcomesOptions;

  /** Ends the waiting of each bot that waits. */
  readonly #holding = new Set<() => void>();

  constructor(options: OutcomesOptions) {
    this.#options = options;
    options.stopping.addEventListener('abort', () => {
      for (const giveUp of this.#holding) giveUp();
    });
  }

  /**
   * Sends a write once; its answer, or that the outcome is not known yet. Whoever asks again gets the same. What a person
   * `approved`, which happens once, is sent after its record is on disk; `undone` is told if it was certainly not done.
   */
  async sent(going: Going, sent: SentWrite, approved?: { undone(): void }): Promise<WireResponse> {
    const undone = approved?.undone;
    const known: KnownWrite = { hash: going.hash, state: 'open', sent, undone, working: undefined };
    if (going.keyed !== undefined) this.known.add(going.keyed, known);
    known.working = this.#send(going, known, approved && this.#options.synced());
    return await this.held(going, known);
  }

  /**
   * Finds out what became of a write. Its bot asks for it again: then it is sent again if it is absent; otherwise
   * (`onlyLooks`) it never is.
   */
  looks(going: Going, known: KnownWrite, { onlyLooks }: { onlyLooks: boolean }): void {
    const unanswered = new OutcomeUnknownError(
      intentFor(going.forwarded),
      new Error('no answer came'),
      undefined,
      going.forwarded.sentAt,
    );
    known.working = this.#look(going, known, unanswered, onlyLooks);
  }

  /** The answer to a write under way, unless it takes so long that the bot should ask again. */
  async held({ asked: { operation } }: Pick<Going, 'asked'>, { working }: KnownWrite): Promise<WireResponse> {
    const { stopping, holdMs = defaultHoldMs } = this.#options;
    const { promise, resolve } = Promise.withResolvers<WireResponse | undefined>();
    const giveUp = () => resolve(undefined);
    const timer = setTimeout(giveUp, holdMs);
    this.#holding.add(giveUp);
    if (working === undefined || stopping.aborted) giveUp();
    void working?.then(resolve);
    try {
      return (await promise) ?? notKnown(operation);
    } finally {
      clearTimeout(timer);
      this.#holding.delete(giveUp);
    }
  }

  /** A write that was done, sent again under its key: the service answers it as it is now. */
  async again({ bot, forwarded }: Going): Promise<WireResponse> {
    const outcome = await this.#options.upstream.send(forwarded, this.#options.stopping);
    if (outcome.kind === 'answered') return withOwnIds(bot, outcome.answer);
    throw outcome.kind === 'not_done' ? outcome.failure : unavailable('The service did not answer the gate.');
  }

  /** The same at a service that may have forgotten the key: the order is read by its id. Undefined: it is not there. */
  async shown({ bot, forwarded }: Going): Promise<WireResponse | undefined> {
    const unanswered = new OutcomeUnknownError(intentFor(forwarded), new Error('asked again'));
    const outcome = await this.#options.upstream.found({ ...forwarded, sentAt: 0 }, unanswered, this.#options.stopping);
    return outcome.kind === 'answered' ? withOwnIds(bot, outcome.answer) : undefined;
  }

  async #send(going: Going, known: KnownWrite, synced?: Promise<void>): Promise<WireResponse | undefined> {
    const outcome = await this.#options.upstream
      .send(going.forwarded, this.#options.stopping, synced)
      .catch((error: unknown): Outcome => {
        return { kind: 'unknown', unanswered: new OutcomeUnknownError(intentFor(going.forwarded), error) };
      });
    if (outcome.kind !== 'unknown') return this.#concluded(going, known, outcome);
    return await this.#look(going, known, outcome.unanswered);
  }

  async #look(
    going: Going,
    known: KnownWrite,
    unanswered: OutcomeUnknownError,
    onlyLooks = false,
  ): Promise<WireResponse | undefined> {
    const { upstream, stopping, session } = this.#options;
    this.#log(going, { outcome: 'unknown', why: unanswered.message });
    for (let looks = 1; looks <= mostLooks && !stopping.aborted; looks += 1) {
      const ask = onlyLooks ? upstream.found : upstream.settle;
      const outcome = await ask
        .call(upstream, going.forwarded, unanswered, stopping)
        .catch((): Outcome => ({ kind: 'unknown', unanswered }));
      if (outcome.kind !== 'unknown') return this.#concluded(going, known, outcome);
      await (await session.access()).client.sleep(lookAgainMs, stopping);
    }
    known.working = undefined;
    // What arrived has been in the frames for minutes.
    if (!stopping.aborted) known.sent.notDone();
    return undefined;
  }

  /** Records an outcome in the mirror, under its key, and in the audit log. Returns the bot's answer. */
  #concluded(going: Going, known: KnownWrite, outcome: Exclude<Outcome, { kind: 'unknown' }>): WireResponse {
    const { keyed, bot, asked } = going;
    const { sent } = known;
    known.working = undefined;
    if (outcome.kind === 'not_done') {
      sent.notDone();
      known.undone?.();
      if (keyed !== undefined) this.known.free(keyed);
      this.#log(going, { outcome: 'absent', why: outcome.failure.message });
      return refusalResponse(outcome.failure, { requestId: newRequestId(), operation: asked.operation });
    }
    const { answer } = outcome;
    const { data, error } = partsOf(answer);
    const isDone = answer.status < 400;
    if (isDone) sent.answered(data);
    else {
      sent.notDone();
      known.undone?.();
    }
    // The service keeps the rejection of an order that it lists under its key.
    const kept = typeof error?.order_id === 'string' ? [error.order_id] : [];
    if (isDone || kept.length > 0) known.state = 'done';
    else if (keyed !== undefined) this.known.free(keyed);
    const ids = isDone ? idsOf(data) : kept;
    this.#log(going, {
      outcome: isDone ? 'done' : 'refused',
      status: answer.status,
      ...(typeof error?.code === 'string' && { code: error.code }),
      ...(typeof error?.message === 'string' && { why: error.message }),
      ...(ids.length > 0 && { ids }),
    });
    return withOwnIds(bot, answer);
  }

  #log({ bot, name }: Going, outcome: Omit<AuditedOutcome, 'kind' | 'time' | 'bot' | 'write'>): void {
    this.#options.log({ kind: 'outcome', time: this.#options.wall(), bot: bot.name, write: name, ...outcome });
  }
}

/** Under a key, asking again tells; without one, a client must read back first, as after any lost answer. */
function notKnown(operation: Operation): WireResponse {
  const context = { requestId: newRequestId(), operation };
  if (operation.idempotent) {
    const message = 'It is not known yet whether this was done. The same request under the same key tells.';
    return refusalResponse(unavailable(message, 2), context);
  }
  const message = 'It is not known whether this was done: read it back before you send it again.';
  return { ...refusalResponse(new Failure('unavailable', message), context), status: 504 };
}

function partsOf({ body }: WireResponse): { data?: unknown; error?: Record<string, unknown> | undefined } {
  if (!isJsonObject(body)) return {};
  return { data: body.data, error: isJsonObject(body.error) ? body.error : undefined };
}

function idsOf(data: unknown): string[] {
  const { id, config_ids: groups } = (data ?? {}) as { id?: unknown; config_ids?: unknown };
  return [id, ...(Array.isArray(groups) ? groups : [])].filter((one) => typeof one === 'string');
}
