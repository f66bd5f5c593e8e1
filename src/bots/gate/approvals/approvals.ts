import { randomBytes } from 'node:crypto';
import { Failure } from '../../../base/failure/failure.ts';
import type { Variables } from '../../../base/files/folders.ts';
import type { OwnerSecret } from '../../../base/files/owner-secret.ts';
import { quantity } from '../../../base/text/format.ts';
import type { AuditLog } from '../../../desk/audit/audit-log.ts';
import type { AuditedDecision } from '../../../desk/audit/record.ts';
import {
  type ApprovalAnswer,
  type ApprovalFacts,
  ApprovalFiles,
  type ApprovalRequest,
  type Asking,
  approvalsFolder,
  type Decision,
  defaultApprovalBps,
  type End,
  type KeptRequest,
  requestHash,
  requestLastsMs,
} from './approval-files.ts';

/** Dependencies of the gate's side of approvals. */
interface ApprovalsOptions {
  /** They give the location of approvals. */
  readonly variables: Variables;
  readonly secret: OwnerSecret;
  /** Gets the outcome of each request. */
  readonly audit: AuditLog;
  /** Wall time, Unix ms. */
  now?(): number;
  /** Monotonic time, ms. */
  uptime?(): number;
  /** How long one request of a bot is held, ms. */
  readonly holdMs?: number;
  /** The interval between checks for a decision. */
  readonly lookEveryMs?: number;
}

/** The end of a request, as written in its file. */
type Ended = Omit<End, 'id' | 'nonce' | 'at'>;

/** A request of this process that waits, or was approved and not requested again. */
interface Waiting {
  readonly kept: KeptRequest;
  /** The hash of its request. */
  readonly asked: string;
  facts: () => ApprovalFacts;
  /** The mandate's bound, at the last request: tightening it takes effect at once. */
  boundBps: number;
  /** The gate's name for the write, then. */
  write: string;
  /** By the monotonic clock: setting the time of day back extends nothing. */
  readonly endsAt: number;
  decided: Pick<Used, 'decision' | 'endsAt'> | undefined;
  factsAt: number;
  readonly held: Set<(answer: ApprovalAnswer) => void>;
}

/** An approval that has let its request through, and stays valid for a while. */
interface Used {
  readonly kept: KeptRequest;
  readonly decision: Decision;
  /** By the monotonic clock. */
  readonly endsAt: number;
  /** Nothing was done: the exact request may be sent again. */
  isReturned: boolean;
}

const defaults = { now: Date.now, uptime: () => performance.now(), holdMs: 10_000, lookEveryMs: 100 };
const factsEveryMs = 1_000;
/** More would be a list that nobody reads. */
const mostOfBot = 20;
/** Ended requests are forgotten after this long; their keys then name new requests, ms. */
const keptMs = 7 * 86_400_000;

/**
 * The gate's side of approvals: requests wait until a person decides, and each approval lets one of them through once.
 */
export class Approvals implements Disposable {
  readonly #files: ApprovalFiles;
  readonly #options: Required<ApprovalsOptions>;
  readonly #waiting = new Map<string, Waiting>();
  /** By the hash of their requests. */
  readonly #used = new Map<string, Used>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ApprovalsOptions) {
    this.#files = new ApprovalFiles(approvalsFolder(options.variables), options.secret);
    this.#options = { ...defaults, ...options };
    this.#forget();
  }

  /**
   * Waits a while for the decision of a person, who sees the request's current effect. Throws a failure if nothing can
   * be stored; nothing is approved then.
   */
  async require(
    request: ApprovalRequest,
    boundBps: number | undefined,
    asking: Asking,
    signal?: AbortSignal,
  ): Promise<ApprovalAnswer> {
    const found = this.#waitingFor(request, boundBps ?? defaultApprovalBps, asking);
    if ('state' in found) return found;
    this.#timer ??= setInterval(() => this.#tick(), this.#options.lookEveryMs).unref();
    return await new Promise<ApprovalAnswer>((resolve, reject) => {
      const answer = (given: ApprovalAnswer) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wait);
        found.held.delete(answer);
        resolve(given);
      };
      const { id, until } = found.kept;
      const wait = () => answer({ state: 'waits', id, until, retryAfterMs: factsEveryMs });
      const timer = setTimeout(wait, this.#options.holdMs);
      signal?.addEventListener('abort', wait, { once: true });
      found.held.add(answer);
      try {
        this.#look(found);
      } catch (error) {
        reject(error);
        wait();
      }
      if (signal?.aborted === true) wait();
    });
  }

  /**
   * The request that an approval let through was certainly not done: while the approval is valid, the exact request may
   * be sent again, once. After a restart of the gate it may not.
   */
  returned(id: string): void {
    for (const used of this.#used.values()) if (used.kept.id === id) used.isReturned = true;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const { kept, held } of this.#waiting.values())
      for (const answer of held) answer({ state: 'waits', id: kept.id, until: kept.until, retryAfterMs: factsEveryMs });
    this.#waiting.clear();
  }

  #waitingFor(request: ApprovalRequest, boundBps: number, asking: Asking): Waiting | ApprovalAnswer {
    const asked = requestHash(request);
    const known = [...this.#waiting.values()].find((one) => one.asked === asked);
    if (known !== undefined) {
      known.facts = asking.facts;
      known.boundBps = boundBps;
      known.write = request.write;
      return known;
    }
    const again = this.#usedAgain(asked, request, boundBps, asking);
    if (again !== undefined) return again;
    // With a key, the same request is the same write, also after a restart.
    const id = request.key === undefined ? randomBytes(16).toString('hex') : asked.slice(0, 32);
    let kept = this.#files.read(id, 'request');
    if (kept === undefined) {
      const ofBot = [...this.#waiting.values()].filter((one) => one.kept.request.bot === request.bot);
      if (ofBot.length >= mostOfBot)
        return { state: 'void', id, why: `${mostOfBot} requests of this bot are already waiting for a person.` };
      asking.began(id);
      const askedAt = this.#options.now();
      const nonce = randomBytes(16).toString('hex');
      const fresh = { id, nonce, request, boundBps, askedAt, until: askedAt + requestLastsMs };
      kept = this.#kept(() => this.#files.create('request', fresh)) ? fresh : this.#files.read(id, 'request');
    }
    if (kept === undefined || kept === 'forged' || requestHash(kept.request) !== asked)
      return { state: 'void', id, why: 'The stored request was altered.' };
    const end = this.#endOf(kept);
    if (end !== undefined) return answerOf(end);
    const endsAt = this.#options.uptime() + Math.min(requestLastsMs, kept.until - this.#options.now());
    const waiting = {
      kept,
      asked,
      facts: asking.facts,
      boundBps,
      write: request.write,
      endsAt,
      decided: undefined,
      factsAt: Number.NEGATIVE_INFINITY,
      held: new Set<never>(),
    };
    this.#waiting.set(id, waiting);
    return waiting;
  }

  /** The answer to a request whose approval was returned; undefined if none was. */
  #usedAgain(asked: string, request: ApprovalRequest, boundBps: number, asking: Asking): ApprovalAnswer | undefined {
    const used = this.#used.get(asked);
    if (used?.isReturned !== true) return undefined;
    const { kept, decision, endsAt } = used;
    const { id } = kept;
    const { mark } = asking.facts();
    if (mark === undefined) return { state: 'waits', id, until: decision.until, retryAfterMs: factsEveryMs };
    const over = this.#overBy(decision, endsAt) ?? movedBeyond(decision, mark, Math.min(kept.boundBps, boundBps));
    used.isReturned = false;
    const end = over ?? { state: 'used', why: 'Its approval was used more than once.', by: decision.by };
    this.#log(request.bot, request.write, { ...end, id, nonce: kept.nonce, at: this.#options.now() });
    return end.state === 'used' ? { state: 'approved', id, by: decision.by } : answerOf({ ...end, id });
  }

  #tick(): void {
    for (const waiting of this.#waiting.values()) {
      try {
        this.#look(waiting);
      } catch {
        // A failing disk lets nothing through; the next check tries again.
      }
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Whether something was decided, or is over. */
  #look(waiting: Waiting): void {
    const { kept } = waiting;
    const end = this.#endOf(kept) ?? this.#newEnd(waiting);
    if (end !== undefined) this.#settle(waiting, end);
    else if (this.#options.uptime() - waiting.factsAt >= factsEveryMs) this.#tellFacts(waiting);
  }

  #newEnd(waiting: Waiting): Ended | undefined {
    const { kept, held } = waiting;
    const decision = this.#decisionFor(kept);
    if (decision === undefined) {
      const isOver = this.#options.uptime() >= waiting.endsAt || this.#options.now() >= kept.until;
      return isOver ? { state: 'expired', why: 'Nobody decided in time.' } : undefined;
    }
    const { by } = decision;
    if (decision.decision === 'declined') return { state: 'declined', why: `${by} declined it.`, by };
    waiting.decided ??= { decision, endsAt: this.#options.uptime() + decision.until - this.#options.now() };
    const expired = this.#overBy(decision, waiting.decided.endsAt);
    if (expired !== undefined) return expired;
    const { mark } = waiting.facts();
    if (mark === undefined) return undefined;
    const moved = movedBeyond(decision, mark, Math.min(kept.boundBps, waiting.boundBps));
    if (moved !== undefined) return moved;
    return held.size > 0 ? { state: 'used', why: 'Its approval was used.', by } : undefined;
  }

  /** The end of an approval that nobody used in time; undefined if it is valid. */
  #overBy({ until, by }: Decision, endsAt: number): Ended | undefined {
    if (this.#options.uptime() < endsAt && this.#options.now() < until) return undefined;
    return { state: 'expired', why: 'The bot did not ask again in time after the approval.', by };
  }

  /** The decision about a request; an invalid file, or one about another request, is removed and audited. */
  #decisionFor(kept: KeptRequest): Decision | undefined {
    const decision = this.#files.read(kept.id, 'decision');
    if (decision === undefined) return undefined;
    if (decision !== 'forged' && isAbout(decision, kept)) return decision;
    this.#files.remove(kept.id, 'decision');
    const { bot, write } = kept.request;
    const says = `A decision on approval ${kept.id.slice(0, 8)} did not match its signature, and was removed.`;
    this.#options.audit.append({
      kind: 'event',
      time: this.#options.now(),
      event: 'approval refused',
      bot,
      says,
      facts: { write },
    });
    return undefined;
  }

  /** Ends a request once, even if others try; the caller that asks while it is let through gets the approval. */
  #settle({ kept, asked, write, held, decided }: Waiting, ended: Ended | End): void {
    const end: End = { ...ended, id: kept.id, nonce: kept.nonce, at: this.#options.now() };
    const isOwn = !('nonce' in ended) && this.#kept(() => this.#files.create('end', end));
    const final = isOwn ? end : (this.#endOf(kept) ?? end);
    this.#waiting.delete(kept.id);
    this.#files.remove(kept.id, 'facts');
    const [first, ...others] = held;
    try {
      if (isOwn) this.#log(kept.request.bot, write, end);
      const isApproved = isOwn && end.state === 'used';
      if (isApproved) this.#remember(asked, { kept, ...decided!, isReturned: false });
      first?.(isApproved ? { state: 'approved', id: kept.id, by: end.by ?? '' } : answerOf(final));
    } catch (error) {
      // Not audited, so not let through.
      first?.(answerOf(final));
      throw error;
    } finally {
      for (const answer of others) answer(answerOf(final));
    }
  }

  #remember(asked: string, fresh: Used): void {
    for (const [other, used] of this.#used) if (this.#options.uptime() >= used.endsAt) this.#used.delete(other);
    this.#used.set(asked, fresh);
  }

  #log(bot: string, write: string, { id, state, by, why }: End): void {
    const decision: AuditedDecision['decision'] = state === 'used' ? 'approved' : state;
    const ended = by === undefined || state === 'void' ? { decision, why } : { decision, by };
    this.#options.audit.append({ kind: 'decided', time: this.#options.now(), bot, write, approval: id, ...ended });
  }

  #endOf({ id, nonce }: KeptRequest): End | undefined {
    const end = this.#files.read(id, 'end');
    if (end === undefined) return undefined;
    if (end !== 'forged' && end.nonce === nonce) return end;
    return { id, nonce, state: 'void', why: 'The stored outcome of the request was altered.', at: this.#options.now() };
  }

  #tellFacts(waiting: Waiting): void {
    const { kept, decided } = waiting;
    waiting.factsAt = this.#options.uptime();
    const isDecided = decided !== undefined;
    this.#files.replace('facts', { id: kept.id, at: this.#options.now(), facts: waiting.facts(), isDecided });
  }

  #kept<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure(
        {
          code: 'not_kept',
          message: `Nothing was sent: ${this.#files.folder}, where requests wait for approval, can't be written (${why}).`,
        },
        { cause: error },
      );
    }
  }

  /** Removes requests that ended long ago; a decision before its end, so that nothing could be used twice. */
  #forget(): void {
    for (const id of this.#files.ids()) {
      const kept = this.#files.sound(id, 'request');
      if (kept === undefined || kept.until + keptMs > this.#options.now()) continue;
      this.#files.remove(id, 'decision', 'facts', 'request', 'end');
    }
  }
}

function isAbout(decision: Decision, { nonce, request }: KeptRequest): boolean {
  const isMark = decision.decision === 'declined' || (Number.isFinite(decision.mark) && decision.mark > 0);
  return decision.nonce === nonce && decision.requestHash === requestHash(request) && isMark;
}

/** The end of an approval because of the mark; undefined if it is valid. */
function movedBeyond(decision: Decision, mark: number, mostBps: number): Ended | undefined {
  const movedBps = Math.abs(mark / decision.mark - 1) * 10_000;
  if (movedBps <= mostBps) return undefined;
  const why = `The mark moved from ${quantity(decision.mark)} to ${quantity(mark)} after it was approved, by more than ${quantity(mostBps)} bps.`;
  return { state: 'void', why, by: decision.by };
}

function answerOf({ id, state, why }: Pick<End, 'id' | 'state' | 'why'>): ApprovalAnswer {
  return { state, id, why };
}
