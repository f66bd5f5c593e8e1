import { isJsonObject } from '../../base/terms/json-object.ts';
import type { AuditedOutcome } from '../../desk/audit/record.ts';
import { OutcomeUnknownError } from '../../wire/client/client-errors.ts';
import type { Prove } from '../../wire/client/proven-send.ts';
import { isStrategyOf, makesStrategy } from '../../wire/client/read-back-made.ts';
import { sentIssue } from '../../wire/contract/errors.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import type { OperationId } from '../../wire/contract/operations.ts';
import type { WireResponse } from '../../wire/contract/wire.ts';
import { Failure, refusalResponse } from '../../wire/hosting/failure.ts';
import { newRequestId } from '../../wire/hosting/read-request.ts';
import { type Named, readOf as namedRead, targetOf } from './asked.ts';
import type { SentWrite } from './cache/account-cache.ts';
import type { Going } from './going.ts';
import type { GateParts } from './judgment.ts';
import { onceMore, Refused, resourceOf, withOwnIds } from './reach.ts';
import type { ForwardedWrite, Outcome, ReadLimits } from './upstream.ts';

/** How a write is sent. */
export interface Way {
  /** Called in the turn in which it leaves, each time. */
  readonly prove: Prove;
  readonly isDurable?: boolean;
  readonly undone?: (() => void) | undefined;
}

/** A client's own limit is often 15 s. */
const defaultHoldMs = 12_000;
/** How long until a failed lookup of a write is repeated, ms. */
const lookAgainMs = 5_000;
const mostLooks = 12;

/** Sends allowed writes, and finds their outcome, no matter how long that takes. */
export class Outcomes {
  readonly known = new KnownWrites();
  readonly #parts: GateParts;

  /** Ends every bot's wait. */
  readonly #holding = new Set<() => void>();

  constructor(parts: GateParts) {
    this.#parts = parts;
    parts.stopping.addEventListener('abort', () => {
      for (const giveUp of this.#holding) giveUp();
    });
  }

  /**
   * Sends a write once, if its proof still holds; returns its answer, or that the outcome isn't known yet. Repeated
   * requests get the same. A write that a person approved, which happens once, is sent after its record is on disk
   * (`isDurable`); `undone` is called if a write was certainly not done.
   */
  async sent(going: Going, sent: SentWrite, { prove, ...way }: Way): Promise<WireResponse> {
    const known: KnownWrite = { hash: going.hash, state: 'open', sent, undone: way.undone, working: undefined };
    if (going.keyed !== undefined) this.known.set(going.keyed, known);
    known.working = this.#send(going, known, prove, way.isDurable === true ? this.#parts.audit.synced() : undefined);
    return await this.held(going, known);
  }

  /**
   * The same write, with the state before it, if only that shows its result. If it was done before, and a restored host
   * lists it again, it is known as done.
   */
  async withBefore(going: Going): Promise<Going> {
    if (makesStrategy(going.asked.id)) await this.#findAgain(going);
    const forwarded = await this.#parts.upstream.withBefore(going.forwarded, going.write.account);
    return forwarded === going.forwarded ? going : { ...going, forwarded };
  }

  /** A simulation keeps the keys of all listed items, so there everything is judged anew. */
  async #findAgain({ keyed, hash }: Going): Promise<void> {
    const { upstream } = this.#parts;
    if (keyed === undefined || upstream.run !== undefined || this.known.get(keyed) !== undefined) return;
    const { own, others } = this.known.madeAs(keyed, hash);
    const older = others.map(({ id }) => id);
    for (const { forwarded } of own) {
      const id = await upstream.listed(forwarded, older);
      if (id === undefined || this.known.get(keyed) !== undefined) continue;
      this.known.set(keyed, doneBefore(hash, { id, run: upstream.run }));
    }
  }

  /** Finds the outcome of a write of an earlier run, or of long ago. It is never sent again: its bot may do that. */
  looks(going: Going, known: KnownWrite): void {
    const unanswered = new OutcomeUnknownError(
      going.forwarded.intent,
      new Error('no answer came'),
      undefined,
      going.forwarded.sentAt,
    );
    known.working = this.#look(going, known, unanswered);
  }

  /** The answer to a write in progress, unless it takes so long that the bot should ask again. */
  async held({ asked: { operation } }: Pick<Going, 'asked'>, { working }: KnownWrite): Promise<WireResponse> {
    const { stopping, holdMs = defaultHoldMs } = this.#parts;
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

  /**
   * The answer to a repeated request for a completed write: its result in its current state. Undefined: it no longer
   * exists, or nothing shows it, so that the write is judged as a new one. Nothing is sent for it.
   */
  async shown(
    { bot, asked, forwarded }: Going,
    { made }: KnownWrite,
    limits: ReadLimits,
  ): Promise<WireResponse | undefined> {
    const { upstream } = this.#parts;
    const read = made?.id === undefined ? undefined : readOf(asked.id, made.id);
    if (read === undefined) return undefined;
    const answer = await upstream.read({ ...read, target: targetOf(read, new URLSearchParams()) }, limits);
    if (answer.status === 404) return undefined;
    const row = resourceOf(answer);
    if (row === undefined) throw new Refused(withOwnIds(bot, answer));
    // Ids start over with each run of a simulation.
    const isOfRun = made?.run === answer.headers['x-sim-run'];
    const wanted = forwarded.intent.clientOrderId;
    // A restored host may have given its id to another one.
    const isAnother = wanted === undefined ? !isStrategyOf(forwarded.intent, row) : row.client_order_id !== wanted;
    if (!isOfRun || isAnother) return undefined;
    if (row.status === 'rejected') return withOwnIds(bot, made?.refusal ? onceMore(made.refusal) : rejectionOf(row));
    const body = made?.queued === undefined ? answer.body : { ...(answer.body as Fields), queued: made.queued };
    return withOwnIds(bot, { ...answer, body });
  }

  async #send(
    going: Going,
    known: KnownWrite,
    prove: Prove,
    synced?: Promise<void>,
  ): Promise<WireResponse | undefined> {
    const outcome = await this.#parts.upstream
      .send(going.forwarded, prove, this.#parts.stopping, synced)
      .catch((error: unknown): Outcome => {
        return { kind: 'unknown', unanswered: new OutcomeUnknownError(going.forwarded.intent, error) };
      });
    if (outcome.kind !== 'unknown') return this.#concluded(going, known, outcome);
    return await this.#look(going, known, outcome.unanswered, prove);
  }

  async #look(
    going: Going,
    known: KnownWrite,
    unanswered: OutcomeUnknownError,
    prove?: Prove,
  ): Promise<WireResponse | undefined> {
    const { upstream, stopping, session } = this.#parts;
    this.#log(going, { outcome: 'unknown', why: unanswered.message });
    for (let looks = 1; looks <= mostLooks && !stopping.aborted; looks += 1) {
      const asked =
        prove === undefined
          ? upstream.found(going.forwarded, unanswered, stopping)
          : upstream.settle(going.forwarded, unanswered, prove, stopping);
      const outcome = await asked.catch((): Outcome => ({ kind: 'unknown', unanswered }));
      if (outcome.kind !== 'unknown') return this.#concluded(going, known, outcome);
      await (await session.access()).client.sleep(lookAgainMs, stopping);
    }
    known.working = undefined;
    // A write that arrived has been in the frames for minutes.
    if (!stopping.aborted) known.sent.notDone();
    return undefined;
  }

  /** Records an outcome in the cache, under its key, and in the audit log. Returns the bot's answer. */
  #concluded(going: Going, known: KnownWrite, outcome: Exclude<Outcome, { kind: 'unknown' }>): WireResponse {
    const { keyed, bot, asked } = going;
    const { sent } = known;
    known.working = undefined;
    if (outcome.kind === 'not_done') {
      sent.notDone();
      known.undone?.();
      if (keyed !== undefined) this.known.delete(keyed);
      const word = outcome.isWithdrawn === true ? 'withdrawn' : 'absent';
      this.#log(going, { outcome: word, why: outcome.failure.message });
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
    const ids = isDone ? idsOf(data) : kept;
    const { run } = this.#parts.upstream;
    if (isDone || kept.length > 0) {
      known.state = 'done';
      const { queued } = answer.body as { queued?: boolean };
      known.made = { id: ids[0], run, queued, ...(!isDone && { refusal: answer }) };
      this.remember(going, known.made);
    } else if (keyed !== undefined) this.known.delete(keyed);
    this.#log(going, {
      outcome: isDone ? 'done' : 'refused',
      status: answer.status,
      ...(typeof error?.code === 'string' && { code: error.code }),
      ...(typeof error?.message === 'string' && { why: error.message }),
      ...(ids.length > 0 && { ids }),
      ...(run !== undefined && { run }),
    });
    return withOwnIds(bot, answer);
  }

  /** Records a TWAP or ladder that a write made. */
  remember({ asked, keyed, hash, forwarded }: Going, { id }: Made): void {
    if (keyed !== undefined && id !== undefined && makesStrategy(asked.id))
      this.known.made({ keyed, hash, id, forwarded });
  }

  #log({ bot, name }: Going, outcome: Omit<AuditedOutcome, 'kind' | 'time' | 'bot' | 'write'>): void {
    const { audit, clock } = this.#parts;
    audit.follow({ kind: 'outcome', time: clock.wall(), bot: bot.name, write: name, ...outcome });
  }
}

/** A write done long ago: the service's list includes it. */
export function doneBefore(hash: string, made: Made | undefined): KnownWrite {
  return { hash, state: 'done', made, sent: { answered() {}, notDone() {} }, working: undefined };
}

/** The read that shows a write's result; undefined if none does. */
function readOf(id: OperationId, made: string): Named | undefined {
  if (id === 'createOrder' || id === 'closePosition') return namedRead('getOrder', { order_id: made });
  if (id === 'createTwapOrder') return namedRead('getTwapOrder', { twap_order_id: made });
  return id === 'createScaledOrder' ? namedRead('getScaledOrder', { scaled_order_id: made }) : undefined;
}

/** The service's answer when it rejected an order, as far as the order shows it. */
function rejectionOf({
  id,
  client_order_id: clientOrderId,
  reject_reason: rule,
  reject_message: why,
}: Fields): WireResponse {
  const failure = new Failure('rule_violation', typeof why === 'string' ? why : 'The order was rejected.', {
    ...(typeof id === 'string' && { orderId: id }),
    ...(typeof clientOrderId === 'string' && { clientOrderId }),
    ...(typeof rule === 'string' && { ruleId: rule.replaceAll('_', '-') }),
  });
  return refusalResponse(failure, { requestId: newRequestId(), operation: null });
}

type Fields = Readonly<Record<string, unknown>>;

/** Under a key, asking again shows it; without one, a client must read back first, as after any lost answer. */
function notKnown(operation: Operation): WireResponse {
  const context = { requestId: newRequestId(), operation };
  const details = [sentIssue('unknown')];
  if (operation.idempotent) {
    const message = 'The outcome is not known yet. Repeat the request with the same key to get the outcome.';
    return refusalResponse(new Failure('unavailable', message, { retryAfterSeconds: 2, details }), context);
  }
  const message = 'It is not known whether this was done. Check before you send it again.';
  return { ...refusalResponse(new Failure('unavailable', message, { details }), context), status: 504 };
}

function partsOf({ body }: WireResponse): { data?: unknown; error?: Record<string, unknown> | undefined } {
  if (!isJsonObject(body)) return {};
  return { data: body.data, error: isJsonObject(body.error) ? body.error : undefined };
}

function idsOf(data: unknown): string[] {
  const { id, config_ids: groups } = (data ?? {}) as { id?: unknown; config_ids?: unknown };
  return [id, ...(Array.isArray(groups) ? groups : [])].filter((one) => typeof one === 'string');
}

/**
 * The result of a write: the id of its order or strategy, and the refusal that the service keeps with a rejected order.
 */
export interface Made {
  readonly id: string | undefined;
  readonly run: string | undefined;
  readonly refusal?: WireResponse | undefined;
  /** For a close: whether it was queued, if the service has reported that. */
  readonly queued?: boolean | undefined;
}

/** A write that was sent under a key of its bot. */
export interface KnownWrite {
  /** Of its path and body: under the same key, another one is refused. */
  readonly hash: string;
  /** `open`: its outcome is unknown. `done`: the service keeps it under its key. */
  state: 'open' | 'done';
  /** Its result, and the run of a simulation that it belongs to; only for a write that is done. */
  made?: Made | undefined;
  /** The exposure assumed while its outcome is open. */
  sent: SentWrite;
  /** Records that it was certainly not done. */
  readonly undone?: (() => void) | undefined;
  /** While it is being sent or looked up; it never rejects. */
  working: Promise<WireResponse | undefined> | undefined;
}

/** A TWAP or ladder that was made under a key of its bot: a restored host may list it again. */
interface MadeStrategy {
  readonly keyed: string;
  readonly hash: string;
  readonly id: string;
  readonly forwarded: ForwardedWrite;
}

/** The number remembered; an older one is judged again, and its key is still the same at the service. */
const mostKnown = 50_000;
const mostStrategies = 5_000;

/** The writes that were sent under the keys of bots, by key. One whose write was not done is free again. */
class KnownWrites extends Map<string, KnownWrite> {
  readonly #strategies: MadeStrategy[] = [];

  /** Above the limit, it forgets the oldest that is done. */
  override set(name: string, write: KnownWrite): this {
    super.set(name, write);
    const oldest = this.size > mostKnown ? this.entries().find(([, { state }]) => state === 'done') : undefined;
    if (oldest !== undefined) this.delete(oldest[0]);
    return this;
  }

  made(strategy: MadeStrategy): void {
    if (this.#strategies.push(strategy) > mostStrategies) this.#strategies.shift();
  }

  /** Writes made under a key, including those before its key was free again, and under other keys of the same words. */
  madeAs(keyed: string, hash: string): { own: MadeStrategy[]; others: MadeStrategy[] } {
    const alike = this.#strategies.filter((one) => one.hash === hash);
    return { own: alike.filter((one) => one.keyed === keyed), others: alike.filter((one) => one.keyed !== keyed) };
  }
}
