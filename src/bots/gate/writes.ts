import { isReduction } from '../../base/terms/order-types.ts';
import type { AuditedAsk, AuditedOutcome, KeptRecord } from '../../desk/audit/record.ts';
import { minuteMs } from '../../desk/mandate/mandate.ts';
import type { Session } from '../../desk/session/session.ts';
import { type Flattened, flatten } from '../../desk/writes/flatten.ts';
import type { WireRequest, WireResponse } from '../../wire/contract/wire.ts';
import { Failure, keyConflict } from '../../wire/hosting/failure.ts';
import { type AskedWrite, askedWrite, named } from './asked.ts';
import type { SentWrite } from './cache/account-cache.ts';
import type { Bot } from './cache/bot.ts';
import { type Going, goingOf, withoutSize } from './going.ts';
import type { Decided, GateParts, Judgment, ProofFacts } from './judgment.ts';
import { doneBefore, type KnownWrite, type Made, type Outcomes, type Way } from './outcomes.ts';
import { onceMore, type Reach } from './reach.ts';
import type { ReadLimits } from './upstream.ts';

/** Who waits for a write. */
export interface Asker extends ReadLimits {
  /** Throws a 401 if the key of the request is no longer valid: it may have been revoked while its write waited. */
  readonly allowed: () => void;
}

/** The path of a write through the gate. */
interface WritesOptions extends Pick<GateParts, 'cache' | 'clock' | 'approvals'> {
  readonly reach: Reach;
  readonly judgment: Judgment;
  readonly outcomes: Outcomes;
}

/**
 * The writes of all bots:
 *
 *     asked ─► whose account? ─► its key known? ─no─► judged and counted ─► proved ─► sent ─► looked up if no answer came
 *                  │ not its own      │ yes, done ─► read  │ refused, or waits  │ something has changed meanwhile
 *                 404                 │ yes, open ─► found out                 withdrawn
 */
export class Writes {
  readonly #options: WritesOptions;

  constructor(options: WritesOptions) {
    this.#options = options;
  }

  /** The answer to a write, with the bot's ids. Throws failures. */
  async answer(bot: Bot, asked: AskedWrite, request: WireRequest, asker: Asker): Promise<WireResponse> {
    const { clock } = this.#options;
    const reached = await this.#options.reach.write(bot, asked, asker);
    const going = goingOf(bot, asked, request, reached, clock.wall());
    return await this.#answered(this.#staysAsLarge(going) ? withoutSize(going) : going, asker);
  }

  /**
   * Whether an amendment requests the remaining size of its entry. If it were sent unchanged, it would add the size
   * that fills until it arrives.
   */
  #staysAsLarge({ bot, write: { operation, account, path, body } }: Going): boolean {
    if (operation !== 'modifyOrder') return false;
    const order = this.#options.cache.orderOf(path?.order_id ?? '');
    if (order === undefined || isReduction(order) || body?.size !== order.size) return false;
    const { pending } = this.#options.cache.exposed(bot.name, account);
    return !pending.some((other) => other.operation === operation && other.path?.order_id === order.id);
  }

  async #answered(going: Going, asker: Asker): Promise<WireResponse> {
    const { outcomes } = this.#options;
    if (going.reached.isOver === true) throw ended(going);
    const known = this.#known(going);
    if (known === undefined) return await this.#begun(going, asker);
    if (known.hash !== going.hash) throw keyConflict();
    if (known.state === 'done') return await this.#again(going, known, asker);
    if (known.working === undefined) {
      known.sent = this.#counted(going, 0);
      outcomes.looks(going, known);
    }
    const answer = onceMore(await outcomes.held(going, known));
    // Both requested one write, and one of them made it.
    return isDone(this.#known(going)) ? await this.#again(going, known, asker) : answer;
  }

  /** Takes over a write of an earlier run of the gate. If its outcome is unknown, it counts until that is known. */
  adopt({ going, state, orders, made }: EarlierWrite): void {
    const { outcomes, clock } = this.#options;
    if (made !== undefined) outcomes.remember(going, made);
    if (this.#known(going) !== undefined) return;
    const known = doneBefore(going.hash, made);
    if (going.keyed !== undefined) outcomes.known.set(going.keyed, known);
    if (state === 'done') return;
    known.state = state;
    known.sent = this.#counted(going, clock.wall() - going.forwarded.sentAt < minuteMs ? orders : 0);
    outcomes.looks(going, known);
  }

  async #begun(asked: Going, asker: Asker): Promise<WireResponse> {
    const { judgment, outcomes } = this.#options;
    const going = await outcomes.withBefore(asked);
    if (this.#known(going) !== undefined) return await this.#answered(going, asker);
    const lock = await judgment.lockProof(going);
    let judged = judgment.judged(going);
    if ('term' in judged) {
      await judgment.caughtUp(going);
      judged = judgment.judged(going);
    }
    asker.allowed();
    // Nothing may come between this check and the count.
    if (this.#known(going) !== undefined) return await this.#answered(going, asker);
    const decision = judgment.decided(going, judged);
    if (decision === 'needs approval') return await this.#approved(going, asker);
    return await this.#sent(going, decision, { allowed: asker.allowed, lock });
  }

  /** After a wait of minutes, earlier checks no longer count. */
  async #approved(asked: Going, asker: Asker): Promise<WireResponse> {
    const { judgment, outcomes } = this.#options;
    const approval = await judgment.approved(asked, asker.signal);
    // An approval whose order isn't sent is valid again: a new key of the bot may ask for it.
    const undone = () => {
      if (approval !== undefined) this.#options.approvals.returned(approval);
    };
    const decided = async () => {
      const going = await outcomes.withBefore(asked);
      const lock = await judgment.lockProof(going);
      if (this.#known(going) !== undefined) return { going };
      if (approval === undefined) throw judgment.spent(going);
      asker.allowed();
      const decision = judgment.decided(going, judgment.judged(going), approval);
      if (decision === 'needs approval') throw judgment.spent(going);
      return { going, lock, decision };
    };
    const { going, lock, decision } = await decided().catch((error: unknown) => {
      undone();
      throw error;
    });
    if (decision === undefined) return await this.#answered(going, asker);
    return await this.#sent(going, decision, { allowed: asker.allowed, lock }, { isDurable: true, undone });
  }

  #sent(
    going: Going,
    { sent, reduces }: Decided,
    facts: Omit<ProofFacts, 'reduces'>,
    way: Omit<Way, 'prove'> = {},
  ): Promise<WireResponse> {
    const prove = this.#options.judgment.proof(going, { ...facts, reduces });
    return this.#options.outcomes.sent(going, sent, { ...way, prove });
  }

  /** Completed items are read; a missing or unreadable one is judged as a new write. */
  async #again(going: Going, known: KnownWrite, asker: Asker): Promise<WireResponse> {
    const { outcomes } = this.#options;
    const shown = await outcomes.shown(going, known, asker);
    if (shown !== undefined) return shown;
    if (this.#known(going) === known) outcomes.known.delete(going.keyed!);
    return await this.#begun(going, asker);
  }

  #counted({ bot, write, forwarded }: Going, orders: number): SentWrite {
    return this.#options.cache.sending(bot.name, write, orders, forwarded.intent.clientOrderId);
  }

  #known({ keyed }: Going): KnownWrite | undefined {
    return keyed === undefined ? undefined : this.#options.outcomes.known.get(keyed);
  }
}

function isDone(known: KnownWrite | undefined): boolean {
  return known?.state === 'done';
}

/** 409 as the service answers it: an order that has ended stays as it is, so nothing is sent for it. */
function ended({ reached: { before } }: Going): Failure {
  const { status } = (before ?? {}) as { status?: unknown };
  return new Failure('order_terminal', `This order is already ${String(status)}.`);
}

/** The result of flattening an account. */
export interface FlattenedAccount {
  account_id: string;
  /** Everything is closed and canceled, according to every list. */
  is_flat: boolean;
  canceled: number;
  closed: number;
  /** The failures, in sentences. */
  failures: string[];
}

/** How long to wait for bots' writes that were on their way, ms. */
const underWayMs = 10_000;
const lookMs = 100;

/**
 * Flattens accounts side by side. Writes that were sent before the bots were stopped may still arrive, so their results
 * are flattened, too; `isAnyPending`: whether any are still open.
 */
export async function flattenAccounts(
  session: Session,
  accounts: readonly string[],
  isAnyPending: () => boolean,
): Promise<FlattenedAccount[]> {
  const mayAdd = isAnyPending();
  const first = await Promise.all(accounts.map((account) => flattened(session, account)));
  if (!mayAdd) return first;
  const until = performance.now() + underWayMs;
  while (isAnyPending() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, lookMs));
  const second = await Promise.all(accounts.map((account) => flattened(session, account)));
  return second.map((one, nth) => ({
    ...one,
    canceled: one.canceled + first[nth]!.canceled,
    closed: one.closed + first[nth]!.closed,
  }));
}

async function flattened(session: Session, account_id: string): Promise<FlattenedAccount> {
  try {
    return resultOf(await flatten(session, account_id));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { account_id, is_flat: false, canceled: 0, closed: 0, failures: [message] };
  }
}

function resultOf({ account_id, canceled, closed, left, failures }: Flattened): FlattenedAccount {
  const lists = left === null ? [null] : [left.twaps, left.orders, left.positions];
  return {
    account_id,
    is_flat: lists.every((list) => list !== null && list.length === 0),
    canceled: canceled.orders.length + canceled.twaps.length + canceled.ladders.length,
    closed: closed.length,
    failures: failures.map(({ what, id, message }) => `${what} ${id}: ${message}`),
  };
}

/** A write of an earlier run of the gate. */
export interface EarlierWrite {
  readonly going: Going;
  /** `open`: its outcome is unknown. `done`: the service keeps it under its key. */
  readonly state: 'open' | 'done';
  /** Its result, if it was done. */
  readonly made: Made | undefined;
  /** The number of orders it counts as against the rate of its bot. */
  readonly orders: number;
}

/** Older keys are judged again if their bots use them again. */
const rememberedMs = 86_400_000;
const mostRecords = 50_000;

/**
 * The writes of earlier runs that still matter, from the audit log, newest first: those whose outcome is open, those
 * that their keys still answer, and those that count against a rate. `now`: Unix ms.
 */
export function* earlierWrites(
  records: Iterable<KeptRecord>,
  botOf: (name: string) => Bot,
  now: number,
): Generator<EarlierWrite> {
  const outcomes = new Map<string, AuditedOutcome>();
  const seen = new Set<string>();
  let count = 0;
  for (const record of records) {
    count += 1;
    if (count > mostRecords || record.time < now - rememberedMs) return;
    if (record.kind === 'outcome' && !outcomes.has(record.write)) outcomes.set(record.write, record);
    if (record.kind !== 'asked' || record.decision !== 'allowed') continue;
    const outcome = outcomes.get(record.write);
    outcomes.delete(record.write);
    const state = stateOf(outcome);
    // For repeated requests, only the earlier result still matters.
    const isAgain = seen.has(record.write);
    seen.add(record.write);
    if (isAgain && (outcome?.outcome !== 'done' || record.before === undefined)) continue;
    const going = goingAgain(record, botOf(record.bot));
    const made = state === 'done' ? { id: outcome?.ids?.[0], run: outcome?.run } : undefined;
    if (going !== undefined && state !== undefined) yield { going, state, made, orders: ordersOf(record) };
  }
}

/** Undefined: it was not done, and its key is free. */
function stateOf(outcome: AuditedOutcome | undefined): EarlierWrite['state'] | undefined {
  if (outcome === undefined || outcome.outcome === 'unknown') return 'open';
  // The rejection of an order that the service lists is kept under its key, too.
  return outcome.outcome === 'done' || outcome.ids !== undefined ? 'done' : undefined;
}

/** The write as sent; undefined for a record that this version can't read. */
function goingAgain(
  { request, upstream, account, time, before, write: name }: AuditedAsk,
  bot: Bot,
): Going | undefined {
  try {
    const { method, target, body, key } = request;
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
    const wire = { method: method as 'POST', target, headers, body };
    const asked = askedWrite(named(wire), wire, {});
    const { path } = named({ ...wire, target: upstream?.target ?? target });
    const going = goingOf(bot, asked, wire, { accounts: account === undefined ? [] : [account], path }, time);
    const { forwarded } = going;
    const intent = upstream?.body === undefined ? forwarded.intent : { ...forwarded.intent, body: upstream.body };
    return { ...going, name, forwarded: { ...forwarded, intent, before } };
  } catch {
    return undefined;
  }
}

function ordersOf({ preview }: AuditedAsk): number {
  const orders = (preview as { orders?: unknown } | undefined)?.orders;
  return typeof orders === 'number' ? orders : 1;
}
