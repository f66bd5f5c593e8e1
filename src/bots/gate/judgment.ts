import { ownCodeOf } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import type { AuditLog } from '../../desk/audit/audit-log.ts';
import type { AuditedAsk } from '../../desk/audit/record.ts';
import { isOpenAt } from '../../desk/mandate/checks.ts';
import { judgeWrite } from '../../desk/mandate/judge-write.ts';
import type { Mandate, Term, Verdict } from '../../desk/mandate/mandate.ts';
import { mandateHash } from '../../desk/mandate/mandate-file.ts';
import { type SeenTimes, seenNameOf } from '../../desk/mandate/signed.ts';
import { termKey } from '../../desk/mandate/terms.ts';
import { refusalText } from '../../desk/mandate/would-be.ts';
import type { Machine, Session } from '../../desk/session/session.ts';
import { type Prove, proving } from '../../wire/client/proven-send.ts';
import { sentIssue } from '../../wire/contract/errors.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import { Failure, notFound } from '../../wire/hosting/failure.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { BotsFile } from './bots-file.ts';
import type { AccountCache, SentWrite } from './cache/account-cache.ts';
import { askOf, type Going } from './going.ts';
import { type Upstream, unavailable } from './upstream.ts';

/** What judging, sending and answering writes needs of its gate. */
export interface GateParts {
  readonly session: Session;
  readonly clock: Clock;
  readonly bots: BotsFile;
  readonly times: SeenTimes;
  readonly audit: AuditLog;
  readonly cache: AccountCache;
  readonly upstream: Upstream;
  readonly approvals: Approvals;
  /** In words. */
  readonly destination: string;
  /** Aborts when the gate stops: its next start settles writes that are then open. */
  readonly stopping: AbortSignal;
  /** How long a bot waits for an outcome before it is told to ask again, ms. */
  readonly holdMs?: number | undefined;
}

/** How long a write that would be refused waits for the frames of earlier ones, ms. */
const patienceMs = 500;

/** A write that was let through and counted. */
export interface Decided {
  readonly sent: SentWrite;
  readonly reduces: boolean;
}

/** The additional inputs of a proof. */
export interface ProofFacts {
  /** Throws if the key that asked no longer counts. */
  readonly allowed: () => void;
  readonly lock: Prove;
  /** The write surely only reduces. */
  readonly reduces: boolean;
}

const changedFacts = {
  mandate: 'The mandate of this bot',
  hours: "The hours of this bot's mandate",
  run: 'The simulation',
  copies: 'The list of accounts that copy this one',
} as const;
const factNames = Object.keys(changedFacts) as (keyof typeof changedFacts)[];

/** The effect of a write, or the reason for refusing it. */
type Judged = Extract<Verdict, { isAllowed: true }> | Refusal;

/** Terms that don't depend on exposure. */
const certain: ReadonlySet<string> = new Set(['accounts', 'markets', 'until', 'ordersPerMinute', 'writes', 'stopped']);

const stopped: Refusal = {
  term: 'stopped',
  why: 'A person has stopped this bot: it can only reduce.',
  would: undefined,
};

/**
 * Decides about the writes of all bots. Judging a write and counting it happen together, without anything in between,
 * so two bots never use the same room.
 */
export class Judgment {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Waits a moment until frames show earlier writes, if this one would be refused otherwise. */
  async caughtUp({ reached }: Going): Promise<void> {
    await Promise.all(reached.accounts.map((account) => this.#parts.cache.caughtUp(account, patienceMs)));
  }

  /** Counts a just-judged write, and records it; `approval`: a person's decision. Throws the refusal. */
  decided(going: Going, verdict: Judged, approval?: string): Decided | 'needs approval' {
    const { cache } = this.#parts;
    this.#refuseUnknownMarket(going);
    if ('term' in verdict) throw this.#isKnown(going, verdict) ? this.#refused(going, verdict) : unknownNow(going);
    const { effect, needsApproval } = verdict;
    if (needsApproval && approval === undefined) return 'needs approval';
    this.#log(going, { decision: 'allowed', preview: effect, ...(approval !== undefined && { approval }) });
    const sent = cache.sending(going.bot.name, going.write, effect.orders, going.forwarded.intent.clientOrderId);
    return { sent, reduces: effect.reduces };
  }

  /** The id of the approval that allows a write; undefined: it was allowed before. Throws the refusal. */
  async approved(going: Going, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { approvals, cache, destination } = this.#parts;
    const { bot, asked, request, write, name } = going;
    const effect = () => {
      const verdict = this.judged(going);
      return 'term' in verdict ? undefined : verdict.effect;
    };
    const facts = () => {
      const market = effect()?.adds?.market;
      const mark = market === undefined ? undefined : cache.marks.get(market)?.price;
      return { destination, mark, effect: effect() };
    };
    const began = (approval: string) => this.#log(going, { decision: 'waits', preview: effect(), approval });
    const { method, target, body } = request;
    const of = { bot: bot.name, account: write.account, operation: asked.id, method, target, write: name };
    const wanted = { ...of, body, key: asked.idempotencyKey };
    const answer = await approvals.require(wanted, bot.mandate?.approvalBps, { facts, began }, signal);
    if (answer.state === 'approved') return answer.id;
    if (answer.state === 'used') return undefined;
    if (answer.state !== 'waits') throw this.#refused(going, { term: 'approval', why: answer.why, would: undefined });
    const message = `This order is waiting for a person (approval ${answer.id}). Repeat it with the same key.`;
    const retryAfterSeconds = Math.max(1, Math.ceil(answer.retryAfterMs / 1_000));
    throw new Failure('unavailable', message, {
      retryAfterSeconds,
      details: [{ field: 'approval', issue: answer.id }, sentIssue('no')],
    });
  }

  /**
   * Proves that a write adds nothing to an account that a guard has locked. Throws the rejection; a 503 if that is
   * unknown.
   */
  async lockProof(going: Going): Promise<Prove> {
    const { exposureProof } = await this.#parts.session.access();
    try {
      return await exposureProof(going.forwarded.intent);
    } catch (error) {
      const refusal = lockRefusal(error);
      throw refusal instanceof Failure ? refusal : this.#refused(going, refusal);
    }
  }

  /** Proves, in the turn in which a write leaves, that everything still holds that it was judged by. */
  proof(going: Going, { allowed, lock, reduces }: ProofFacts): Prove {
    const { bot, asked } = going;
    const judged = this.#factsOf(going);
    const rejected = (refusal: Refusal) => rejection(asked.operation, refusal, asked.sent?.client_order_id);
    return proving(
      () => thrownBy(allowed),
      () => {
        const why = thrownBy(lock);
        const refusal = why === undefined ? undefined : lockRefusal(why);
        return refusal === undefined || refusal instanceof Failure ? refusal : rejected(refusal);
      },
      () => (!reduces && this.#isStopped(bot.name) ? rejected(stopped) : undefined),
      () => {
        const now = this.#factsOf(going);
        // An unreported run is unknown, not another one.
        const isKnown = (name: string) => name !== 'run' || (now.run !== undefined && judged.run !== undefined);
        const changed = factNames.find((name) => isKnown(name) && now[name] !== judged[name]);
        const isSame = changed === undefined || (changed === 'copies' && reduces);
        return isSame ? undefined : unavailable(`${changedFacts[changed]} has just changed. Nothing was sent.`);
      },
    );
  }

  /** The inputs of a judgment besides the cached account, which includes the write itself by now. */
  #factsOf({ bot, write, reached }: Going): Record<(typeof factNames)[number], unknown> {
    const { cache, clock, session, upstream } = this.#parts;
    const { mandate } = bot;
    const inForce = mandate && this.#inForce(bot.name, mandate);
    const accounts = reached.accounts.length === 0 ? [write.account] : reached.accounts;
    return {
      mandate: mandate && hashOf(mandate),
      hours: inForce === mandate && mandate !== undefined && clock.steady() < mandate.until,
      run: session.memory.run ?? upstream.run,
      copies: JSON.stringify(accounts.map((account) => cache.exposed(bot.name, account).copies)),
    };
  }

  /** The refusal of a write that a person decided on earlier, and whose outcome is unknown. */
  spent(going: Going): Failure {
    const why = 'The approval was already used. Send the order again with a new key.';
    return this.#refused(going, { term: 'approval', why, would: undefined });
  }

  /** The first refusal for any account that the write concerns; otherwise its effect. */
  judged({ bot, write, reached }: Going): Judged {
    const { cache, clock } = this.#parts;
    const { mandate } = bot;
    if (mandate === undefined) throw noMandate(bot.name);
    const inForce = this.#inForce(bot.name, mandate);
    let allowed: Extract<Verdict, { isAllowed: true }> | undefined;
    for (const account of reached.accounts.length === 0 ? [write.account] : reached.accounts) {
      const verdict = judgeWrite(inForce, cache.exposed(bot.name, account), { ...write, account }, clock.steady());
      if (!verdict.isAllowed) return verdict;
      if (this.#isStopped(bot.name) && !verdict.effect.reduces) return stopped;
      const needsApproval = verdict.needsApproval || allowed?.needsApproval === true;
      const reduces = verdict.effect.reduces && allowed?.effect.reduces !== false;
      const larger = allowed === undefined || (verdict.effect.adds?.usd ?? 0) > (allowed.effect.adds?.usd ?? 0);
      const { effect } = larger ? verdict : allowed!;
      allowed = { isAllowed: true, needsApproval, effect: { ...effect, reduces } };
    }
    return allowed!;
  }

  /** Whether a refusal doesn't depend on currently unknown values. */
  #isKnown({ write, reached }: Going, { term }: Refusal): boolean {
    const accounts = reached.accounts.length === 0 ? [write.account] : reached.accounts;
    return certain.has(term) || accounts.every((account) => this.#parts.cache.isCurrent(account));
  }

  /** 404 as the service answers it: a market that does not exist is not a mandate's concern. */
  #refuseUnknownMarket({ write }: Going): void {
    const { markets } = this.#parts.cache;
    if (markets.size === 0) return;
    for (const market of [write.body?.market_id, write.body?.trigger_market_id])
      if (typeof market === 'string' && !markets.has(market)) throw notFound('market');
  }

  #refused(going: Going, refusal: Refusal): Failure {
    const { term, why } = refusal;
    this.#log(going, { decision: 'refused', term: ruleName(term), why });
    return rejection(going.asked.operation, refusal, going.asked.sent?.client_order_id);
  }

  #log(going: Going, decision: Pick<AuditedAsk, 'decision' | 'preview' | 'term' | 'why' | 'approval'>): void {
    const { clock, audit } = this.#parts;
    const { name, mandate } = going.bot;
    const ask = askOf(going, { name, hash: mandate === undefined ? '' : hashOf(mandate) });
    // If it can't be stored, nothing is sent.
    audit.append({ ...ask, time: clock.wall(), ...decision });
  }

  #isStopped(bot: string): boolean {
    return this.#parts.bots.stoppedSince(bot) !== undefined;
  }

  /**
   * A mandate as it is at this time of day; judged by the other clock, too. It isn't extended by a clock that is set
   * back, nor by one that stood still while the machine slept.
   */
  #inForce(bot: string, mandate: Mandate): Mandate {
    const { clock, times } = this.#parts;
    const wall = times.timeOf(seenNameOf(bot), clock.wall(), mandate.until);
    if (wall >= mandate.until) return { ...mandate, until: 0 };
    return isOpenAt(mandate, wall) ? mandate : { ...mandate, hours: [] };
  }
}

const hashes = new WeakMap<Mandate, string>();

/** The hash of a mandate's terms, computed once. */
function hashOf(mandate: Mandate): string {
  const hash = hashes.get(mandate) ?? mandateHash(mandate);
  hashes.set(mandate, hash);
  return hash;
}

/** The refusal of a guard's lock; a 503 if it couldn't be checked. */
function lockRefusal(error: unknown): Refusal | Failure {
  const { message } = factsOf(error);
  const isLocked = ownCodeOf(error) === 'guard_lock';
  return isLocked ? { term: 'locked', why: message, would: undefined } : unavailable(message);
}

function thrownBy(act: () => void): Error | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** 503: the service's streams will report the exposure again. */
function unknownNow({ write }: Going): Failure {
  return unavailable(`The gate has lost the service's streams, so the exposure of ${write.account} is unknown.`);
}

/** 403: this bot has no mandate. */
export function noMandate(bot: string): Failure {
  return new Failure('forbidden', `No mandate is in force for ${bot}.`, {
    ruleId: 'mandate-missing',
    details: [sentIssue('no')],
  });
}

/** Reasons to refuse besides the terms of a mandate: a person who stopped the bot, or decides; a guard's lock. */
const others = ['stopped', 'approval', 'locked'] as const;

/** Why a write is refused. */
type Refusal = Omit<Extract<Verdict, { isAllowed: false }>, 'isAllowed' | 'term'> & {
  readonly term: Term | (typeof others)[number];
};

/**
 * A mandate's refusal in the API's form: a rule, a sentence, and an allowed alternative. An operation that no rule can
 * refuse is forbidden.
 */
function rejection(operation: Operation, { term, why, would }: Refusal, clientOrderId: unknown): Failure {
  const ruleId = `mandate-${ruleName(term)}`;
  const message = refusalText({ why, would });
  const facts = { ruleId, ...(typeof clientOrderId === 'string' && { clientOrderId }) };
  const schema = operation.responses[422]?.schema;
  if (schema === undefined) return new Failure('forbidden', message, { ...facts, details: [sentIssue('no')] });
  const isTrade = schema.properties?.error?.properties?.rule_id !== undefined;
  const issues = [{ field: 'mandate', issue: why }, sentIssue('no')];
  const details = isTrade ? { sent: 'no', allowed: would?.text, allowed_size: would?.size } : issues;
  return new Failure('rule_violation', message, { ...facts, details });
}

/** The name of the refusing rule in files and records. */
function ruleName(term: Refusal['term']): string {
  return isOther(term) ? term : termKey(term);
}

function isOther(term: Refusal['term']): term is (typeof others)[number] {
  return (others as readonly string[]).includes(term);
}

/** Unix ms: by a monotonic clock, and by the machine's own. */
export interface Clock {
  steady(): number;
  wall(): number;
}

/** The clock of a gate that begins now. */
export function clockOf({ now, uptime = () => performance.now() }: Machine): Clock {
  const from = now() - uptime();
  return { steady: () => from + uptime(), wall: () => now() };
}
