import { isNotFound } from '../../base/failure/failure.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { AccountFrame } from '../../wire/contract/streams.ts';
import {
  type AccountStates,
  apply,
  begin,
  byId,
  forward,
  lastKnown,
  listed,
  lost,
  merge,
  type PartName,
  type Parts,
  revived,
} from '../account/account-state.ts';
import { attempt, attemptPages, rowsOf, type Session } from '../session/session.ts';
import { followAccounts } from './account-changes.ts';
import { copiesNow } from './prospects.ts';

type FollowerListener = Parameters<typeof followAccounts>[2];
type StreamState = Parameters<NonNullable<FollowerListener['onState']>>[0];

/** Stores the states that are followed. */
export interface AccountHolder {
  states: AccountStates;
}

/** Callbacks of a reader of accounts. */
interface FollowListener {
  /** A frame, after it was applied. */
  frame?(frame: AccountFrame): void;
  state?(state: StreamState): void;
  /** The account stream has ended for good. */
  ended?(error: Error): void;
  /** The simulation has begun another run: everything that was known is dropped. Streams have to be opened again. */
  begun?(): void;
}

/**
 * Follows the accounts of a credential: the only place where frames, reads, losses and another run change what is known
 * of them.
 */
export class AccountFollow {
  readonly #session: Session;
  readonly #holder: AccountHolder;
  readonly #listener: FollowListener;
  /** Its clock; of two things that happen, one is always later. */
  readonly now: () => number;
  #stop = () => {};
  #forgetRuns: () => void;
  /** Changes with the run: what was asked before is not merged. */
  #epoch = 0;
  /** Whether the stream reports changes, and whether it has only been silent since it did. */
  #isTelling = false;
  #isStale = false;
  #isClosed = false;

  constructor(
    session: Session,
    holder: AccountHolder,
    listener: FollowListener,
    now: () => number = () => performance.now(),
  ) {
    this.#session = session;
    this.#holder = holder;
    this.#listener = listener;
    this.now = forward(now);
    const { memory } = session;
    if (memory.run !== undefined) holder.states = { ...holder.states, run: memory.run };
    this.#forgetRuns = memory.onRun((run) => this.#began(run));
  }

  /** Opens the account stream in place of an earlier one; false: the host has none. */
  async open(): Promise<boolean> {
    this.stop();
    const { account: host } = await (await this.#session.access()).streams();
    if (host === undefined || this.#isClosed) return false;
    const epoch = this.#epoch;
    const isOver = () => this.#isClosed || epoch !== this.#epoch;
    const stop = await followAccounts(this.#session, host, {
      onFrame: (frame) => {
        if (isOver()) return;
        this.#isTelling = true;
        this.#holder.states = apply(this.#holder.states, frame, this.now());
        this.#listener.frame?.(frame);
      },
      onState: (state) => {
        if (!isOver()) this.#changed(state);
      },
      onEnd: (error) => {
        if (isOver()) return;
        this.#lose();
        this.#listener.ended?.(error);
      },
    });
    if (isOver()) stop();
    else this.#stop = stop;
    return true;
  }

  /** Closes the stream; what it told is not known from now on. */
  stop(): void {
    this.#stop();
    this.#stop = () => {};
    this.#lose();
  }

  close(): void {
    this.#isClosed = true;
    this.#forgetRuns();
    this.#stop();
  }

  /** The known state may be long outdated: it has to be read or reported again. */
  forget(): void {
    this.#holder.states = lost(this.#holder.states, this.now(), 'all');
  }

  /**
   * Reads a part of an account and takes it over, except where frames have told something later. Throws what the read
   * throws. `upTo`: the last fill that is known from elsewhere. Returns the exchange time of the
   * answer, if it has one.
   */
  async read(name: PartName, account_id: string, upTo?: string): Promise<number | undefined> {
    const [askedAt, epoch] = [this.now(), this.#epoch];
    const { value, exchangeAt } = await this.#read(name, account_id, upTo);
    if (epoch !== this.#epoch || this.#isClosed) return undefined;
    this.#holder.states = merge(this.#holder.states, account_id, name, value, { askedAt, exchangeAt });
    return exchangeAt;
  }

  /** Reads which accounts there are; those that are not listed any more are dropped. Returns their ids. */
  async readList(): Promise<string[]> {
    const epoch = this.#epoch;
    const { data } = await attempt(this.#session, 'listAccounts', {});
    const ids = rowsOf(data).map(({ id }) => id);
    if (epoch === this.#epoch && !this.#isClosed) this.#holder.states = listed(this.#holder.states, ids);
    return ids;
  }

  async #read(name: PartName, account_id: string, upTo?: string): Promise<Answered> {
    if (name !== 'fills') return await reads[name](this.#session, account_id);
    const state = this.#holder.states.accounts.get(account_id);
    const newest = state && lastKnown(state.parts.fills)?.keys().next().value;
    const after = state?.gap === undefined ? newest : (state.gap.after ?? undefined);
    return { value: byId(await latestFills(this.#session, account_id, after ?? upTo)) };
  }

  #changed(state: StreamState): void {
    const wasStale = this.#isStale;
    if (state.kind !== 'live') this.#lose();
    this.#isStale = state.kind === 'stale';
    // On the same connection, nothing was missed.
    if (state.kind === 'live' && wasStale) {
      this.#isTelling = true;
      this.#holder.states = revived(this.#holder.states);
    }
    this.#listener.state?.(state);
  }

  /** Values from the stream are no longer known; values read because no stream carries them still are. */
  #lose(): void {
    if (!this.#isTelling) return;
    this.#isTelling = false;
    this.#holder.states = lost(this.#holder.states, this.now());
  }

  #began(run: string): void {
    const { run: before } = this.#holder.states;
    this.#holder.states = before === undefined ? { ...this.#holder.states, run } : begin(run);
    if (before === undefined) return;
    this.#epoch += 1;
    this.#isTelling = false;
    this.#stop();
    this.#stop = () => {};
    this.#listener.begun?.();
  }
}

interface Answered {
  readonly value: Parts[PartName];
  readonly exchangeAt?: number | undefined;
}

/** How each part is read. An answer that is damaged throws: unknown is not none. */
const reads: Readonly<Record<Exclude<PartName, 'fills'>, (session: Session, account_id: string) => Promise<Answered>>> =
  {
    account: async (session, account_id) => {
      const { account, time } = await readAccount(session, account_id);
      return { value: account, exchangeAt: time };
    },
    positions: async (session, account_id) => {
      const { data } = await attempt(session, 'listOpenPositions', { query: { account_id } });
      return { value: byId(rowsOf(data)) };
    },
    working: async (session, account_id) => {
      const { data } = await attempt(session, 'listOrders', { query: { account_id, status: 'working' } });
      return { value: byId(rowsOf(data)) };
    },
    parents: async (session, account_id) => {
      const { data } = await attempt(session, 'listActiveTwapOrders', { query: { account_id } });
      return { value: rowsOf(data).filter(({ status }) => status !== 'completed' && status !== 'canceled') };
    },
    policy: async (session, account_id) => ({ value: await readPolicy(session, account_id) }),
    copies: async (session) => ({ value: await copiesNow(session) }),
  };

/** The account, and exchange time as its answer has it. */
async function readAccount(session: Session, account_id: string): Promise<{ account: Account; time: number }> {
  const answer = await attempt(session, 'getAccount', { path: { account_id } });
  const [account] = rowsOf([answer.data]);
  if (account === undefined || !Number.isFinite(account.balance)) throw new TypeError('the account has no balance');
  const answeredAt = Date.parse(answer.headers.date ?? '');
  const time = account.risk?.observed_at ?? (Number.isNaN(answeredAt) ? session.machine.now() : answeredAt);
  if (!Number.isFinite(time)) throw new TypeError('the account has no time');
  return { account, time };
}

/** The account's policy; null if the host has none. */
async function readPolicy(session: Session, account_id: string): Promise<AccountTradingPolicy | null> {
  try {
    const policy = (await attempt(session, 'getAccountTradingPolicy', { path: { account_id } })).data;
    const { limits, slippage_tolerance_bps: tolerance, maximum_total_notional_usd: total } = policy;
    const { max_open_positions, max_position_value_usd, maintenance_margin_ratio_bps, liquidation_fee_bps } = limits;
    const figures = [max_open_positions, max_position_value_usd, maintenance_margin_ratio_bps, liquidation_fee_bps];
    if ([...figures, tolerance.max, total ?? 0].every(Number.isFinite)) return policy;
    throw new TypeError('the trading policy has no limits');
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** A page of the latest fills or closed positions. */
const page = 100;
/** A reader that missed more fills than this learns only of the latest ones. */
const maxMissed = 1_000;

/** The fills after the known one, or the latest page without one; newest first. */
async function latestFills(session: Session, account_id: string, after: string | undefined): Promise<Order[]> {
  const query = { account_id, limit: page };
  const fills: Order[] = [];
  for await (const fill of attemptPages(session, 'listFills', { query })) {
    if (fill.id === after || fills.length === (after === undefined ? page : maxMissed)) break;
    fills.push(...rowsOf([fill]));
  }
  return fills;
}

/** Positions closed since a time, newest first. Reads pages back to a known one, or to that time. */
export async function closedSince(
  session: Session,
  account_id: string,
  time: number,
  before: readonly Position[],
): Promise<readonly Position[]> {
  const isLater = ({ closed_at: at = 0 }: Position) => at >= time;
  const known = new Set(before.map(({ id }) => id));
  const query = { account_id, status: 'closed' as const, limit: page };
  const fresh: Position[] = [];
  for await (const position of attemptPages(session, 'listOpenPositions', { query })) {
    if (!isLater(position) || known.has(position.id)) break;
    fresh.push(...rowsOf([position]));
  }
  return [...fresh, ...before.filter(isLater)];
}
