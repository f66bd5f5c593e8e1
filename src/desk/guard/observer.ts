import { tradingDayStart } from '../../base/terms/day.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import type { AccountFrame } from '../../wire/contract/streams.ts';
import { gridOf } from '../resolve/grid.ts';
import { matchMarket, resolveMarket } from '../resolve/market.ts';
import { attempt, rowsOf, type Session } from '../session/session.ts';
import { closedSince, latestFills, readAccount, readPolicy } from './account-reads.ts';
import { Books, quietMs } from './books.ts';
import type { GuardState } from './guard-state.ts';
import { Marks, type NamedMarket } from './marks-stream.ts';
import type { Need } from './rule.ts';
import { namedBy, needsOf, type Rules } from './rules.ts';
import type { GuardView } from './view.ts';

/** How long marks may stand in for positions and a balance that are being read again, ms. */
const overdueMs = 5_000;

/** One part of what is known: the last answer, and when the read of it began. */
interface Part<Value> {
  value: Value | undefined;
  readAt: number;
  error: unknown;
}

interface Parts {
  account: Part<Account>;
  positions: Part<readonly Position[]>;
  working: Part<readonly Order[]>;
  twaps: Part<readonly TwapOrder[]>;
  policy: Part<AccountTradingPolicy | 'none'>;
  closed: Part<readonly Position[]>;
  fills: Part<readonly Order[]>;
  markets: Part<readonly Market[]>;
}

type PartName = keyof Parts;

/** What is read for a need of a rule besides the account, its positions and marks. */
const partsOf: Readonly<Record<Need, readonly PartName[]>> = {
  positions: [],
  marks: [],
  equity: [],
  closed: ['closed'],
  fills: ['fills'],
  working: ['working'],
  stops: ['working'],
  outlook: ['working', 'twaps', 'policy'],
  silences: [],
  plans: [],
};

/**
 * Reads what the rules need to know about one account, and nothing more. The parts are read side by side and known
 * separately, so one that can't be read hides no other.
 */
export class Observer {
  readonly marks = new Marks();
  readonly #books: Books;
  readonly #session: Session;
  readonly #account: string;
  readonly #isSimulation: boolean;
  readonly #now: () => number;
  readonly #needs: ReadonlySet<PartName>;
  readonly #priceWords: readonly string[];
  /** Whether rules need the mark of every open position. */
  readonly #needsHeldMarks: boolean;
  readonly #marketIds = new Map<string, string>();
  readonly #ticks = new Map<string, number>();
  readonly #begun: number;
  readonly #parts: Parts;
  /** Exchange time as an earlier guard last knew it. */
  readonly #before: number | undefined;
  /** Exchange time as last told, and when that was. */
  #time: { told: number; at: number } | undefined;
  /** When the account last changed, as far as it is known, and since when there are changes that were not read. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #unreadSince: number | undefined;

  /** `before`: what an earlier guard knew. */
  constructor(
    session: Session,
    account: string,
    { rules }: Rules,
    { now, before }: { now: () => number; before: Pick<GuardState, 'markets' | 'account' | 'time'> },
  ) {
    const needs = [...needsOf({ rules })].flatMap((need) => partsOf[need]);
    this.#session = session;
    this.#account = account;
    this.#isSimulation = session.settings.environment === 'sim';
    this.#now = now;
    this.#books = new Books(session, this.marks, now);
    this.#begun = now();
    this.#needs = new Set<PartName>(['account', 'positions', ...needs]);
    this.#priceWords = rules.flatMap((rule) => namedBy(rule, 'market'));
    const needMarks = rules.filter((rule) => needsOf({ rules: [rule] }).has('marks'));
    this.#needsHeldMarks = needMarks.some((rule) => namedBy(rule, 'market').length === 0);
    const found = new Map(Object.entries(before.markets ?? {}));
    for (const text of this.#priceWords) if (found.has(text)) this.#marketIds.set(text, found.get(text)!);
    const part = () => ({ value: undefined, readAt: Number.NEGATIVE_INFINITY, error: undefined });
    this.#parts = {
      account: { ...part(), value: before.account },
      positions: part(),
      working: part(),
      twaps: part(),
      policy: part(),
      closed: part(),
      fills: part(),
      markets: part(),
    };
    this.#before = before.time ?? undefined;
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

  /** The account may have changed now: what was read before no longer counts. */
  changed(): void {
    this.#changedAt = this.#now();
    this.#unreadSince ??= this.#changedAt;
  }

  /** Takes over what the account stream says: positions and the account are known by whichever comes last. */
  take(frame: AccountFrame): void {
    const { account, positions } = this.#parts;
    const known = positions.value ?? [];
    if (frame.type === 'snapshot') {
      this.#set(account, frame.account);
      this.#set(positions, frame.positions);
    } else if (frame.type === 'account') this.#set(account, frame.account);
    else if (frame.type === 'position' && positions.value !== undefined) {
      const others = known.filter(({ id }) => id !== frame.position.id);
      this.#set(positions, frame.event === 'closed' ? others : [...others, frame.position]);
    } else if (frame.type === 'fill') this.changed();
    if ('time' in frame) this.told(frame.time);
  }

  #set<Value>(part: Part<Value>, value: Value): void {
    part.value = value;
    part.readAt = this.#now();
  }

  /** Exchange time, as a stream or an answer told it. */
  told(time: number): void {
    if (!Number.isFinite(time)) return;
    const known = this.time;
    // A host's time passes like ours: a frame can't take it far ahead.
    const isPlausible = known === undefined || this.#isSimulation || time <= known + overdueMs;
    if (isPlausible && (known === undefined || time >= known)) this.#time = { told: time, at: this.#now() };
  }

  /** Exchange time now; undefined before it was told. That of a simulation does not pass by itself. */
  get time(): number | undefined {
    if (this.#time === undefined) return undefined;
    return this.#time.told + (this.#isSimulation ? 0 : this.#now() - this.#time.at);
  }

  /** The part that has been unreadable for the longest time: for how long, ms, and why. */
  get blindness(): { ms: number; error: unknown } | undefined {
    const areFound = this.#priceWords.every((text) => this.#marketIds.has(text));
    const needs: PartName[] = areFound ? [...this.#needs] : [...this.#needs, 'markets'];
    const failing = needs.map((name) => this.#parts[name]).filter(({ error }) => error !== undefined);
    if (failing.length === 0) return undefined;
    const { readAt, error } = failing.reduce((one, other) => (other.readAt < one.readAt ? other : one));
    return { ms: this.#now() - Math.max(readAt, this.#begun), error };
  }

  /** Whether the credential was refused in every one of the last reads. */
  get isRefused(): boolean {
    return [...this.#needs].every((name) => {
      const { status } = (this.#parts[name].error ?? {}) as { status?: unknown };
      return status === 401 || status === 403;
    });
  }

  /** Whether the positions were read after the account's last known change. */
  get isCurrent(): boolean {
    return this.#parts.positions.readAt > this.#changedAt && this.#parts.account.readAt > this.#changedAt;
  }

  /** Markets, as written in the rules or by id, whose marks the rules need but which are not known, or only old ones. */
  get unknownMarks(): string[] {
    const counting = this.marks.current;
    const isUnknown = (id: string | undefined) =>
      id === undefined || !counting.has(id) || this.marks.ageOf(id, this.#now()) > quietMs;
    const held = this.#needsHeldMarks ? (this.#parts.positions.value ?? []) : [];
    return [
      ...new Set([
        ...this.#priceWords.filter((text) => isUnknown(this.#marketIds.get(text))),
        ...held.filter(({ market_id }) => isUnknown(market_id)).map(({ symbol }) => symbol),
      ]),
    ];
  }

  /** Whether a mark that is needed has not been told by a stream for a while. */
  get hasQuietMarkets(): boolean {
    return this.#neededMarkets().some((id) => this.marks.ageOf(id, this.#now()) > quietMs);
  }

  /** The markets whose marks are needed now. Without the list of markets, their ids name what a stream needs. */
  get markets(): NamedMarket[] {
    const listed = new Map((this.#parts.markets.value ?? []).map((market) => [market.market_id, market]));
    return this.#neededMarkets().map((market_id) => {
      const [provider = '', coin = ''] = market_id.split('|');
      return listed.get(market_id) ?? { market_id, provider, coin };
    });
  }

  /**
   * Reads every part, each on its own; resolves when all have an answer or none will come. `knownFill` is the last
   * reported fill.
   */
  async look(knownFill: string | undefined): Promise<void> {
    const [session, account_id] = [this.#session, this.#account];
    const rows = async <Row extends { id: string }>(answer: Promise<{ data: readonly Row[] }>) =>
      rowsOf((await answer).data);
    const positions = this.#read('positions', () =>
      rows(attempt(session, 'listOpenPositions', { query: { account_id } })),
    );
    const working = this.#read('working', () =>
      rows(attempt(session, 'listOrders', { query: { account_id, status: 'working' } })),
    );
    const twaps = this.#read('twaps', () => rows(attempt(session, 'listActiveTwapOrders', { query: { account_id } })));
    const reads = [
      positions,
      this.#read('account', () => this.#readAccount()),
      this.#read('closed', () => this.#readClosed()),
      this.#read('fills', () => latestFills(session, account_id, knownFill)),
      ...(this.#parts.markets.value === undefined
        ? [this.#read('markets', async () => (await attempt(session, 'listMarkets', {})).data.filter(isMarket))]
        : []),
      this.#read('policy', () => readPolicy(session, account_id)),
      // New positions need marks, too.
      positions.then(() => this.#books.quoteQuiet(this.#neededMarkets())),
      // So do markets that orders would enter.
      Promise.all([positions, working, twaps]).then(() => this.#quoteAll()),
    ];
    // Beside, because a stop can be moved later.
    positions.then(() => this.readTicks()).catch(() => {});
    await Promise.all(reads);
    this.#findListed();
    if (this.isCurrent) this.#unreadSince = undefined;
  }

  /** What is known; undefined before a first account, and while the first positions are being read. */
  view(): Omit<GuardView, 'plans' | 'silences' | 'exposed'> | undefined {
    const { account, positions, working, twaps, policy, closed, fills, markets } = this.#parts;
    const time = this.time ?? this.#before;
    const arePositionsKnown = positions.value !== undefined;
    if (account.value === undefined || time === undefined) return undefined;
    if (!arePositionsKnown && positions.error === undefined) return undefined;
    const isFresh = ({ readAt }: { readAt: number }) => readAt > this.#changedAt;
    const isOverdue = this.#unreadSince !== undefined && this.#now() - this.#unreadSince > overdueMs;
    return {
      time,
      account: account.value,
      positions: positions.value ?? [],
      working: working.value ?? [],
      twaps: twaps.value ?? [],
      policy: policy.value === 'none' ? undefined : policy.value,
      books: this.#books.withTicks(markets.value ?? []),
      closed: closed.value ?? [],
      fills: fills.value ?? [],
      marks: this.marks.current,
      markets: this.#marketIds,
      ticks: this.#ticks,
      counts: {
        positions: arePositionsKnown,
        closed: closed.value !== undefined,
        fills: fills.value !== undefined,
        marks: arePositionsKnown && (isOverdue || (isFresh(account) && isFresh(positions))),
        host: isFresh(account),
      },
    };
  }

  #neededMarkets(): string[] {
    const { positions, working, twaps } = this.#parts;
    const entries = (working.value ?? []).filter((order) => !order.reduce_only);
    const own = [...(positions.value ?? []), ...entries, ...(twaps.value ?? [])].map(({ market_id }) => market_id);
    return [...new Set([...this.#marketIds.values(), ...own])];
  }

  async #read<Name extends PartName>(
    name: Name,
    read: () => Promise<NonNullable<Parts[Name]['value']>>,
  ): Promise<void> {
    if (name !== 'markets' && !this.#needs.has(name)) return;
    const part: Part<unknown> = this.#parts[name];
    const readAt = this.#now();
    try {
      part.value = await read();
      part.readAt = readAt;
      part.error = undefined;
    } catch (error) {
      part.error = error;
    }
  }

  async #readAccount(): Promise<Account> {
    const { account, time } = await readAccount(this.#session, this.#account);
    // Told by the account itself, so it may also be earlier than what is known.
    this.#time = { told: time, at: this.#now() };
    return account;
  }

  async #readClosed(): Promise<readonly Position[]> {
    const day = tradingDayStart(this.time ?? this.#session.machine.now());
    return await closedSince(this.#session, this.#account, day, this.#parts.closed.value ?? []);
  }

  /** The price steps of the markets whose stops are trailed; without one, prices are not rounded. */
  async readTicks(): Promise<void> {
    if (!this.#needs.has('working')) return;
    const needed = new Set(this.#neededMarkets());
    const isUnknown = ({ market_id }: Market) => needed.has(market_id) && !this.#ticks.has(market_id);
    const unknown = (this.#parts.markets.value ?? []).filter(isUnknown);
    const grids = await Promise.allSettled(unknown.map((market) => gridOf(this.#session, market)));
    for (const grid of grids)
      if (grid.status === 'fulfilled' && grid.value.tick !== undefined)
        this.#ticks.set(unknown[grids.indexOf(grid)]!.market_id, grid.value.tick);
  }

  /** Finds the markets in the rules in the list, if it could be read. */
  #findListed(): void {
    for (const text of this.#priceWords) {
      const market = this.#marketIds.has(text) ? undefined : matchMarket(text, this.#parts.markets.value ?? []);
      if (market !== undefined) this.#marketIds.set(text, market.market_id);
    }
  }

  async #quoteAll(): Promise<void> {
    const { positions, working, twaps } = this.#parts;
    const holdings = { positions: positions.value ?? [], working: working.value, twaps: twaps.value };
    const exits = this.#needs.has('policy') ? this.#books.quoteExits(holdings) : undefined;
    await Promise.all([exits, this.#books.quoteQuiet(this.#neededMarkets())]);
  }
}

function isMarket(market: Market): boolean {
  return typeof (market as Market | null)?.market_id === 'string';
}
