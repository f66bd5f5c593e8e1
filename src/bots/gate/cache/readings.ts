import { isReduction } from '../../../base/terms/order-types.ts';
import { countsLosses } from '../../../desk/mandate/checks.ts';
import type { Mandate } from '../../../desk/mandate/mandate.ts';
import { gapNow } from '../../../desk/preview/prospect.ts';
import { attempt, attemptPages, rowsOf, type Session } from '../../../desk/session/session.ts';
import type { AccountTradingPolicy, CopyTradingConfiguration } from '../../../wire/contract/accounts.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { TwapOrder } from '../../../wire/contract/strategies.ts';
import { botOf } from './bot.ts';
import type { CachedAccount } from './cached-account.ts';
import type { DayLoss } from './day-loss.ts';
import { handling, type PendingWrite, type Subject } from './handling.ts';

/**
 * The accounts and markets of all mandates now, by id; more may come. `gaps`: the markets in which a mandate limits
 * possible losses.
 */
export function wantedBy(mandates: ReadonlyMap<string, Mandate>) {
  const all = [...mandates.values()];
  return {
    accounts: [...new Set(all.flatMap(({ accounts }) => accounts))],
    markets: [...new Set(all.flatMap(({ markets }) => markets))],
    gaps: [...new Set(all.filter(countsLosses).flatMap(({ markets }) => markets))],
  };
}

/** The data that a cache follows. */
export interface CacheOptions {
  readonly session: Session;
  readonly wanted: () => ReturnType<typeof wantedBy>;
  /** Unix ms, by a clock that is never set back. */
  readonly now: () => number;
  note(text: string): void;
}

/** How long to wait after a reading failed, ms. */
const pauseMs = 2_000;
/** A subject is read again after this long, because something other than the gate may have changed it, ms. */
const staleMs: Readonly<Record<Subject, number>> = {
  twaps: 30_000,
  policy: 30_000,
  // The groups that an account leads multiply its orders.
  copies: 5_000,
  // Only once a trading day has ended.
  account: pauseMs,
  fills: pauseMs,
  // It is the largest move of 25 minutes.
  gap: 300_000,
};

/** The minimum interval between readings of a subject after a hint that it changed, ms. */
const hintedMs = 1_000;

/**
 * Reads the values that no stream carries: running TWAPs, copy groups, policies, and the start of a new trading day.
 */
export class Readings {
  copies: readonly CopyTradingConfiguration[] | undefined;
  readonly policies = new Map<string, AccountTradingPolicy>();
  /** The assumed slippage of a stop beyond its trigger, bps, by market id. */
  readonly gaps = new Map<string, number>();
  readonly #session: Session;
  readonly #cached: CachedAccount;
  readonly #losses: DayLoss;
  readonly #now: () => number;
  readonly #markets: ReadonlyMap<string, Market>;
  /** When a subject of an account is due, by `subject account`, on the cache's clock. */
  readonly #dueAt = new Map<string, number>();
  /** When its last reading began. */
  readonly #begunAt = new Map<string, number>();
  readonly #reading = new Set<string>();
  #isClosed = false;

  constructor(
    { session, now }: Pick<CacheOptions, 'session' | 'now'>,
    cached: CachedAccount,
    losses: DayLoss,
    markets: ReadonlyMap<string, Market>,
  ) {
    this.#markets = markets;
    this.#session = session;
    this.#cached = cached;
    this.#losses = losses;
    this.#now = now;
  }

  /** Reads everything once; failed reads are repeated later. */
  async read({ accounts, gaps }: ReturnType<typeof wantedBy>): Promise<void> {
    await this.tick(accounts, accounts, gaps);
  }

  /** Reads what is due. `over`: accounts whose trading day is over, or unknown. `gaps`: markets. */
  async tick(accounts: readonly string[], over: readonly string[], gaps: readonly string[]): Promise<void> {
    const due: Promise<void>[] = [this.#readIfDue('copies', ''), ...gaps.map((id) => this.#readIfDue('gap', id))];
    for (const account of accounts) {
      due.push(this.#readIfDue('twaps', account), this.#readIfDue('policy', account));
      if (over.includes(account)) due.push(this.#readIfDue('account', account));
      if (this.#losses.unread(account) !== undefined) due.push(this.#readIfDue('fills', account));
    }
    await Promise.all(due);
  }

  /** An answer to a write of the gate. */
  answered(pending: PendingWrite): void {
    const { write, answer } = pending;
    if (write.operation === 'createTwapOrder') this.#cached.twaps.started(answer as TwapOrder, this.#now());
    if (write.operation === 'cancelTwapOrder') this.#cached.twaps.canceled(answer as TwapOrder, this.#now());
    const subject = handling[write.operation].shownBy;
    if (typeof subject !== 'string') return;
    pending.awaitsReading = true;
    this.#again(subject, subject === 'copies' ? '' : write.account);
  }

  /**
   * A slice of a TWAP that no stream has reported means that someone else started it. A new order that adds and that no
   * bot has sent may be a copy.
   */
  sawOrder(order: Order, isNew: boolean): void {
    const { twap_order_id: parent, account_id, client_order_id: id = '' } = order;
    if (parent !== undefined && !this.#cached.twaps.knows(parent)) this.#again('twaps', account_id);
    if (isNew && parent === undefined && botOf(id) === undefined && !isReduction(order)) this.#soon('copies', '');
  }

  /** A reading may be long outdated: until it is repeated, the value is unknown. */
  forget(): void {
    this.copies = undefined;
    this.#cached.twaps.forget();
    this.#dueAt.clear();
  }

  /** Everything from an earlier run of the service is forgotten. */
  startAnew(): void {
    this.forget();
    this.policies.clear();
    this.gaps.clear();
  }

  close(): void {
    this.#isClosed = true;
  }

  #again(subject: Subject, account: string): void {
    this.#dueAt.delete(`${subject} ${account}`);
    void this.#readIfDue(subject, account);
  }

  #soon(subject: Subject, account: string): void {
    const name = `${subject} ${account}`;
    const [due, begun] = [this.#dueAt.get(name), this.#begunAt.get(name)];
    if (due !== undefined && begun !== undefined) this.#dueAt.set(name, Math.min(due, begun + hintedMs));
    void this.#readIfDue(subject, account);
  }

  async #readIfDue(subject: Subject, account: string): Promise<void> {
    const name = `${subject} ${account}`;
    const begun = this.#now();
    if (this.#isClosed || this.#reading.has(name) || begun < (this.#dueAt.get(name) ?? 0)) return;
    const waiting = [...this.#cached.pending].filter(
      ({ awaitsReading, write }) => awaitsReading && handling[write.operation].shownBy === subject,
    );
    this.#reading.add(name);
    this.#dueAt.set(name, begun + staleMs[subject]);
    this.#begunAt.set(name, begun);
    try {
      await this.#read[subject](account);
      for (const pending of waiting)
        if (account === '' || pending.write.account === account) pending.awaitsReading = false;
      this.#cached.review();
    } catch {
      this.#dueAt.set(name, this.#now() + pauseMs);
    } finally {
      this.#reading.delete(name);
    }
    // An answer arrived during this read.
    if (!this.#dueAt.has(name)) await this.#readIfDue(subject, account);
  }

  readonly #read: { readonly [subject in Subject]: (account: string) => Promise<void> } = {
    twaps: async (account_id) => {
      const take = this.#cached.twaps.reading(account_id, this.#now(), (at) => this.#cached.hasSurelyShown(at));
      const { data } = await attempt(this.#session, 'listActiveTwapOrders', { query: { account_id } });
      take(rowsOf(data), !this.#cached.hasBegun);
    },
    policy: async (account_id) => {
      const { data } = await attempt(this.#session, 'getAccountTradingPolicy', { path: { account_id } });
      this.policies.set(account_id, data);
    },
    copies: async () => {
      this.copies = (await attempt(this.#session, 'listCopyTradingConfigurations', {})).data;
      const enabled = this.copies.filter(({ enabled: isEnabled }) => isEnabled);
      this.#cached.leads = new Set(enabled.map(({ source_account_id: lead }) => lead));
    },
    account: async (account_id) => {
      const { data } = await attempt(this.#session, 'getAccount', { path: { account_id } });
      this.#losses.observe(data, this.#cached.time);
    },
    fills: async (account_id) => {
      const from = this.#losses.unread(account_id) ?? Number.POSITIVE_INFINITY;
      const fills: Order[] = [];
      for await (const fill of attemptPages(this.#session, 'listFills', { query: { account_id, limit: 100 } })) {
        if ((fill.settled_at ?? 0) < from) break;
        fills.push(fill);
      }
      this.#losses.read(account_id, fills);
    },
    gap: async (id) => {
      const market = this.#markets.get(id);
      if (market !== undefined) this.gaps.set(id, (await gapNow(this.#session, market)).bps);
    },
  };
}
