import { tradingDayStart } from '../../base/terms/day.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import {
  type AccountState,
  type AccountStates,
  areFillsRead,
  asOf,
  begin,
  lastKnown,
  type PartName,
  unreadState,
} from '../account/account-state.ts';
import { type AccountFollow, type AccountHolder, closedSince } from '../reading/follow.ts';
import { withOneR } from '../reading/one-r.ts';
import { gridOf } from '../resolve/grid.ts';
import { matchMarket, resolveMarket } from '../resolve/market.ts';
import { noOutlook } from '../risk/outlook.ts';
import { attempt, type Session } from '../session/session.ts';
import type { GuardState } from './guard-state.ts';
import { Prices } from './mark-prices.ts';
import type { NamedMarket } from './marks-stream.ts';
import { needs, type ReadPart } from './rule.ts';
import { namedBy, needsOf, type Rules } from './rules.ts';
import type { GuardView } from './view.ts';

/** How long marks may substitute for positions and a balance that are being read again, ms. */
const overdueMs = 5_000;

/** The data to read besides the list of markets. */
type ReadName = ReadPart | 'markets';

/**
 * Reads only what the rules need about one account. The parts are read in parallel and known separately, so an
 * unreadable one hides no other.
 */
export class Reads implements AccountHolder {
  states: AccountStates;
  prices: Prices;
  readonly #session: Session;
  readonly #account: string;
  readonly #isSimulation: boolean;
  readonly #now: () => number;
  readonly #needs: ReadonlySet<ReadName>;
  readonly #priceWords: readonly string[];
  /** Whether rules need the mark of every open position. */
  readonly #needsHeldMarks: boolean;
  readonly #marketIds = new Map<string, string>();
  readonly #ticks = new Map<string, number>();
  readonly #begun: number;
  /** When the last successful read began, and why the last one failed. */
  readonly #read = new Map<ReadName, { readAt: number; error: unknown }>();
  #closed: readonly Position[] | undefined;
  #markets: readonly Market[] | undefined;
  /** The last known state of an earlier guard. */
  #before: Pick<GuardState, 'account' | 'time'>;
  /** Last known exchange time, and when it was reported. */
  #time: { told: number; at: number } | undefined;
  /** When the account last changed, if known, and since when changes have been unread. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #unreadSince: number | undefined;

  /** `before`: an earlier guard's knowledge. */
  constructor(
    session: Session,
    account: string,
    { rules }: Rules,
    { now, before }: { now: () => number; before: Pick<GuardState, 'markets' | 'account' | 'time' | 'run'> },
  ) {
    const parts = [...needsOf({ rules })].flatMap((need) => needs[need].reads);
    this.states = begin(before.run);
    this.#session = session;
    this.#account = account;
    this.#isSimulation = session.settings.environment === 'sim';
    this.#now = now;
    this.prices = new Prices(session, now);
    this.#begun = now();
    this.#needs = new Set<ReadName>(['account', 'positions', ...parts]);
    this.#priceWords = rules.flatMap((rule) => namedBy(rule, 'market'));
    const needMarks = rules.filter((rule) => needsOf({ rules: [rule] }).has('marks'));
    this.#needsHeldMarks = needMarks.some((rule) => namedBy(rule, 'market').length === 0);
    const found = new Map(Object.entries(before.markets ?? {}));
    for (const text of this.#priceWords) if (found.has(text)) this.#marketIds.set(text, found.get(text)!);
    this.#before = before;
  }

  /** Drops everything: the simulation has begun another run. */
  startAnew(): void {
    this.prices = new Prices(this.#session, this.#now);
    this.#read.clear();
    this.#closed = undefined;
    this.#markets = undefined;
    this.#ticks.clear();
    this.#before = { time: null };
    this.#time = undefined;
    this.#unreadSince = undefined;
  }

  /** The markets in the rules that are known, by their names as written. */
  get marketIds(): ReadonlyMap<string, string> {
    return this.#marketIds;
  }

  /** Finds the markets in the rules that no earlier guard has found; throws a Failure if one does not exist. */
  async begin(): Promise<void> {
    for (const text of this.#priceWords)
      if (!this.#marketIds.has(text)) this.#marketIds.set(text, (await resolveMarket(this.#session, text)).market_id);
  }

  /** The account may have changed at this time, on the clock of the follower: earlier reads no longer count. */
  changed(at: number): void {
    this.#changedAt = at;
    this.#unreadSince ??= this.#now();
  }

  get #state(): AccountState {
    return this.states.accounts.get(this.#account) ?? unreadState;
  }

  /** Exchange time from a stream or an answer. */
  told(time: number): void {
    if (!Number.isFinite(time)) return;
    const known = this.time;
    // A host's time passes like ours: a frame can't take it far ahead.
    const isPlausible = known === undefined || this.#isSimulation || time <= known + overdueMs;
    if (isPlausible && (known === undefined || time >= known)) this.#time = { told: time, at: this.#now() };
  }

  /** Exchange time now; undefined before the first report. In a simulation, it doesn't advance on its own. */
  get time(): number | undefined {
    if (this.#time === undefined) return undefined;
    return this.#time.told + (this.#isSimulation ? 0 : this.#now() - this.#time.at);
  }

  /** The part that has been unreadable for the longest time: the duration, ms, and the reason. */
  get blindness(): { ms: number; error: unknown } | undefined {
    const areFound = this.#priceWords.every((text) => this.#marketIds.has(text));
    const needs: ReadName[] = areFound ? [...this.#needs] : [...this.#needs, 'markets'];
    const failing = needs.flatMap((name) => {
      const { readAt, error } = this.#read.get(name) ?? {};
      return error === undefined ? [] : [{ readAt: Math.max(readAt!, this.#toldAt(name)), error }];
    });
    if (failing.length === 0) return undefined;
    const { readAt, error } = failing.reduce((one, other) => (other.readAt < one.readAt ? other : one));
    return { ms: this.#now() - Math.max(readAt, this.#begun), error };
  }

  /** Whether the credential was refused in every one of the last reads. */
  get isRefused(): boolean {
    return [...this.#needs].every((name) => {
      const { status } = (this.#read.get(name)?.error ?? {}) as { status?: unknown };
      return status === 401 || status === 403;
    });
  }

  /** Whether the last successful read of a part, if rules need it, began after this time. */
  wasReadAfter(name: ReadName, at: number): boolean {
    return !this.#needs.has(name) || (this.#read.get(name)?.readAt ?? Number.NEGATIVE_INFINITY) > at;
  }

  /** When a part was last read or reported; a stream reports no others. */
  #toldAt(name: ReadName): number {
    return name === 'account' || name === 'positions' ? asOf(this.#state.parts[name]) : Number.NEGATIVE_INFINITY;
  }

  /** Whether the positions are known as they were after the account's last known change. */
  get isCurrent(): boolean {
    return this.#isFresh('positions') && this.#isFresh('account');
  }

  #isFresh(name: 'positions' | 'account'): boolean {
    const told = this.#state.parts[name];
    return 'value' in told && told.asOf > this.#changedAt;
  }

  /**
   * Markets, as written in the rules or by id, whose marks the rules need but which are not known, or only old ones.
   */
  get unknownMarks(): string[] {
    const counting = this.prices.current;
    const isUnknown = (id: string | undefined) => id === undefined || !counting.has(id) || this.prices.isQuiet(id);
    const held = this.#needsHeldMarks ? [...(lastKnown(this.#state.parts.positions)?.values() ?? [])] : [];
    return [
      ...new Set([
        ...this.#priceWords.filter((text) => isUnknown(this.#marketIds.get(text))),
        ...held.filter(({ market_id }) => isUnknown(market_id)).map(({ symbol }) => symbol),
      ]),
    ];
  }

  /** Whether a stream hasn't reported a needed mark for a while. */
  get hasQuietMarkets(): boolean {
    return this.#neededMarkets().some((id) => this.prices.isQuiet(id));
  }

  /** The markets whose marks are needed now. Without the list of markets, their ids name what a stream needs. */
  get markets(): NamedMarket[] {
    const listed = new Map((this.#markets ?? []).map((market) => [market.market_id, market]));
    return this.#neededMarkets().map((market_id) => {
      const [provider = '', coin = ''] = market_id.split('|');
      return listed.get(market_id) ?? { market_id, provider, coin };
    });
  }

  /**
   * Reads every part separately; resolves when all have an answer or none will come. `knownFill` is the last reported
   * fill.
   */
  async look(follow: AccountFollow, knownFill: string | undefined): Promise<void> {
    const [session, account_id] = [this.#session, this.#account];
    const part = (name: PartName) => this.#reading(name, () => follow.read(name, account_id, knownFill));
    const [positions, working, parents] = [part('positions'), part('working'), part('parents')];
    const account = this.#reading('account', async () => {
      const at = await follow.read('account', account_id);
      // Reported by the account itself, so it may also be earlier than the known value.
      if (at !== undefined) this.#time = { told: at, at: this.#now() };
    });
    const markets = async () => {
      this.#markets = (await attempt(session, 'listMarkets', {})).data.filter(isMarket);
    };
    const reads = [
      ...[positions, account, part('fills'), part('policy')],
      this.#reading('closed', () => this.#readClosed()),
      ...(this.#markets === undefined ? [this.#reading('markets', markets)] : []),
      // New positions need marks, too.
      positions.then(() => this.prices.quoteQuiet(this.#neededMarkets())),
      // So do markets that orders would enter.
      Promise.all([positions, working, parents]).then(() => this.#quoteAll()),
    ];
    // Beside, because a stop can be moved later.
    positions.then(() => this.readTicks()).catch(() => {});
    await Promise.all(reads);
    await this.#noteRisk();
    this.#findListed();
    if (this.isCurrent) this.#unreadSince = undefined;
  }

  /** The known state; undefined before a first account, and while the first positions are being read. */
  view(): Omit<GuardView, 'plans' | 'silences' | 'exposed'> | undefined {
    const { parts } = this.#state;
    const account = lastKnown(parts.account) ?? this.#before.account;
    const time = this.time ?? this.#before.time ?? undefined;
    const positions = lastKnown(parts.positions);
    if (account === undefined || time === undefined) return undefined;
    if (positions === undefined && this.#read.get('positions')?.error === undefined) return undefined;
    const areRead = this.#needs.has('fills') && areFillsRead(this.#state);
    const fills = areRead ? (lastKnown(parts.fills) ?? new Map<string, Order>()) : undefined;
    const isOverdue = this.#unreadSince !== undefined && this.#now() - this.#unreadSince > overdueMs;
    return {
      time,
      account,
      ...this.#holdings(),
      policy: lastKnown(parts.policy) ?? undefined,
      books: this.prices.withTicks(this.#markets ?? []),
      closed: this.#closed ?? [],
      fills: [...(fills?.values() ?? [])].reverse(),
      marks: this.prices.current,
      markets: this.#marketIds,
      ticks: this.#ticks,
      counts: {
        positions: positions !== undefined,
        closed: this.#closed !== undefined,
        fills: fills !== undefined,
        marks: positions !== undefined && (isOverdue || this.isCurrent),
        host: this.#isFresh('account'),
      },
    };
  }

  /** The account's open positions, as last known. */
  #holdings(): Pick<GuardView, 'positions' | 'working' | 'twaps'> {
    const { positions, working, parents } = this.#state.parts;
    return {
      positions: [...(lastKnown(positions)?.values() ?? [])],
      working: [...(lastKnown(working)?.values() ?? [])],
      twaps: lastKnown(parents) ?? [],
    };
  }

  /** The loss at the first stops of positions, before any of them is moved. */
  async #noteRisk(): Promise<void> {
    if (!this.#needs.has('working')) return;
    const marks = this.prices.withTicks([]);
    await withOneR(this.#session, noOutlook, { ...this.#holdings(), marks }).catch(() => {});
  }

  #neededMarkets(): string[] {
    const { positions, working, twaps } = this.#holdings();
    const entries = working.filter((order) => !order.reduce_only);
    const own = [...positions, ...entries, ...twaps].map(({ market_id }) => market_id);
    return [...new Set([...this.#marketIds.values(), ...own])];
  }

  async #reading(name: ReadName, read: () => Promise<unknown>): Promise<void> {
    if (name !== 'markets' && !this.#needs.has(name)) return;
    const state = this.#read.get(name) ?? { readAt: Number.NEGATIVE_INFINITY, error: undefined };
    this.#read.set(name, state);
    const readAt = this.#now();
    try {
      await read();
      state.readAt = readAt;
      state.error = undefined;
    } catch (error) {
      // Refusals during an earlier run of the service don't apply to this one.
      if (this.#read.get(name) === state) state.error = error;
    }
  }

  async #readClosed(): Promise<void> {
    const day = tradingDayStart(this.time ?? this.#session.machine.now());
    const { run } = this.states;
    const closed = await closedSince(this.#session, this.#account, day, this.#closed ?? []);
    if (run === this.states.run) this.#closed = closed;
  }

  /** The price steps of the markets whose stops are trailed; without one, prices are not rounded. */
  async readTicks(): Promise<void> {
    if (!this.#needs.has('working')) return;
    const needed = new Set(this.#neededMarkets());
    const isUnknown = ({ market_id }: Market) => needed.has(market_id) && !this.#ticks.has(market_id);
    const unknown = (this.#markets ?? []).filter(isUnknown);
    const grids = await Promise.allSettled(unknown.map((market) => gridOf(this.#session, market)));
    for (const grid of grids)
      if (grid.status === 'fulfilled' && grid.value.tick !== undefined)
        this.#ticks.set(unknown[grids.indexOf(grid)]!.market_id, grid.value.tick);
  }

  /** Finds the markets in the rules in the list, if it could be read. */
  #findListed(): void {
    for (const text of this.#priceWords) {
      const market = this.#marketIds.has(text) ? undefined : matchMarket(text, this.#markets ?? []);
      if (market !== undefined) this.#marketIds.set(text, market.market_id);
    }
  }

  async #quoteAll(): Promise<void> {
    const exits = this.#needs.has('policy') ? this.prices.quoteExits(this.#holdings()) : undefined;
    await Promise.all([exits, this.prices.quoteQuiet(this.#neededMarkets())]);
  }
}

function isMarket(market: Market): boolean {
  return typeof (market as Market | null)?.market_id === 'string';
}
