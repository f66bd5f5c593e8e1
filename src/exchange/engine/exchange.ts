import { liquidationPoint } from '../../base/margin/liquidation-price.ts';
import { assert } from '../../base/terms/invariants.ts';
import { fundingOf } from './accounts/carry.ts';
import { type RiskSnapshot, riskOf } from './accounts/floors.ts';
import { equityOf, freshMarks, marginPool, poolMembers } from './accounts/margin.ts';
import type { Book } from './book/book.ts';
import type { Changes, Command, OpenState, Outcome } from './commands.ts';
import { indexCopyRoles } from './copy/copy-groups.ts';
import { defaultRates, type Rates } from './defaults.ts';
import { carryOut } from './dispatch.ts';
import { type QuoteRequest, type QuoteResult, quotedBook, quoteOf } from './fills/quote.ts';
import type { Account, Consumption, Environment, Money, Ms, Order, Position } from './model.ts';
import { consequences, type Pause, passTime, runPhases } from './moments.ts';
import { followsVenue } from './observed.ts';
import { follows, isArmed } from './orders/working-orders.ts';
import { textHash } from './random.ts';
import { restoreRiskBands } from './risk/account-risk.ts';
import type { MarketSource, VenueMarks } from './source.ts';
import { restoreTwapBands } from './strategies/twap.ts';
import { bringPositionsUpToDate, bringUpToDate } from './world/current-book.ts';
import { type Consequences, emptyChanges, marketOf, portfolioOf, triggersOf, World } from './world/world.ts';

export type { RiskSnapshot } from './accounts/floors.ts';
export type { Quote, QuoteEstimate, QuoteRequest, QuoteResult } from './fills/quote.ts';

/**
 * The simulated exchange: a fold over commands and market events. It reads no clock and draws no randomness from
 * outside: time comes in with `advance`, and the same open state, source and commands always give the same state
 * (simulation 1). Expected failures are values; an exception is a bug, after which this object must be discarded.
 */
export class Exchange {
  private readonly world: World;

  /** Continues from an open state; `rates` are the fees and carry of the simulation. */
  constructor(source: MarketSource, open: OpenState, rates: Rates = defaultRates) {
    this.world = openWorld(source, open, rates, consequences);
    // This only recomputes what the exchange waits for; it changes nothing.
    if (open.positions.length > 0) restoreRiskBands(this.world);
    if (open.twaps.length > 0) restoreTwapBands(this.world);
  }

  /** Exchange time, Unix ms. */
  get time(): Ms {
    return this.world.now;
  }

  /** The last number given to a record; ids and creation order follow from it. */
  get sequence(): number {
    return this.world.sequence;
  }

  /** The halts in force. */
  get halt(): Readonly<OpenState['halt']> {
    return this.world.halt;
  }

  /** Plays every market event and timer up to and including `to`. One step or many give the same result. */
  advance(to: Ms): void {
    assert(Number.isSafeInteger(to), 'time-whole', to);
    if (to < this.world.now) return;
    passTime(this.world, to);
  }

  /** Like `advance`, but stops at a pause; true if there may be more before `to`. */
  advanceUntil(to: Ms, pause: Pause): boolean {
    assert(Number.isSafeInteger(to), 'time-whole', to);
    return to >= this.world.now && passTime(this.world, to, pause);
  }

  /** Carries out one command now, and its immediate consequences. */
  execute(command: Command): Outcome {
    const outcome = carryOut(this.world, command);
    if (outcome.ok) runPhases(this.world, null);
    return copyOfOutcome(outcome);
  }

  /** The changes since the last call: copies for the store. */
  takeChanges(): Changes {
    return takeChangesOf(this.world);
  }

  /** An account's risk now; throws if there is no such account. */
  risk(accountId: string): RiskSnapshot {
    return riskOf(this.world, portfolioOf(this.world, accountId));
  }

  /** The equity of {@link risk} alone. */
  equity(accountId: string): Money | null {
    const portfolio = portfolioOf(this.world, accountId);
    bringPositionsUpToDate(this.world, portfolio);
    return equityOf(this.world, portfolio, freshMarks(this.world, portfolio));
  }

  /** Increases with every change of a record: while it is the same, there are no changes to take. */
  get revision(): number {
    return this.world.revision;
  }

  /** An account as it is now, not a copy; throws if there is no such account. */
  account(accountId: string): Readonly<Account> {
    return portfolioOf(this.world, accountId).account;
  }

  /** The same; undefined if there is no such account. */
  findAccount(accountId: string): Readonly<Account> | undefined {
    return this.world.portfolios.get(accountId)?.account;
  }

  /** The accounts of an environment, in order of creation; not copies. */
  accounts(environment: Environment): Readonly<Account>[] {
    const found: Account[] = [];
    for (const { account } of this.world.portfolios.values())
      if (account.environment === environment) found.push(account);
    return found;
  }

  /** An account's open position in a market, not a copy; null if there is none. */
  position(accountId: string, marketId: string): Readonly<Position> | null {
    return portfolioOf(this.world, accountId).positions.get(marketId) ?? null;
  }

  /** The book of a market now, not a copy; it has no levels while it is unknown. */
  book(marketId: string): Readonly<Pick<Book, 'bids' | 'asks' | 'time' | 'sequence'>> {
    const market = marketOf(this.world, marketId);
    bringUpToDate(this.world, market);
    return market.book;
  }

  /** The accounts of an environment that have failed or passed, in order of creation; not copies. */
  endedAccounts(environment: Environment): readonly Readonly<Account>[] {
    return this.accounts(environment).filter(({ status }) => status !== 'active');
  }

  /**
   * Whether readers that name no account see the venue's own marks: the first account with any observed behavior does.
   */
  get showsVenueMarks(): boolean {
    for (const { account } of this.world.portfolios.values())
      if (account.policy.observed !== undefined) return followsVenue(account.policy);
    return false;
  }

  /**
   * The book of which a quote without an account shows the best prices, not a copy; null if there would be no quote.
   */
  quotedBook(marketId: string): Readonly<Pick<Book, 'bids' | 'asks' | 'time'>> | null {
    return quotedBook(this.world, marketId);
  }

  /**
   * A market's own prices as last told: those of its venue, else its fresh midpoint, on synthetic markets with the
   * carry as their funding. Null if there is none.
   */
  marks(marketId: string): VenueMarks | null {
    const book = quotedBook(this.world, marketId);
    const { marks } = marketOf(this.world, marketId).book;
    if (marks !== null || book === null || Number.isNaN(book.mid)) return marks;
    return { time: book.time, mark: book.mid, index: null, ...fundingOf(this.world, marketId) };
  }

  /** A quote now; with side and size, the fill that an order would get (simulation 3.2). */
  quote(marketId: string, request: Partial<QuoteRequest> = {}): QuoteResult {
    return quoteOf(this.world, marketId, { side: null, size: null, accountId: null, ...request });
  }

  /**
   * The mark, in price units of its market, at which an open position is liquidated if other marks are unchanged; null
   * if there is none, the position is not open, or a mark is missing (simulation 5.2).
   */
  liquidationPrice(positionId: string): number | null {
    const position = this.world.positions.get(positionId);
    if (position === undefined) return null;
    const portfolio = portfolioOf(this.world, position.accountId);
    bringPositionsUpToDate(this.world, portfolio);
    const members = poolMembers(portfolio, position);
    const pool = marginPool(this.world, portfolio, members, freshMarks(this.world, portfolio));
    return pool === null ? null : (liquidationPoint(pool, members.indexOf(position))?.price ?? null);
  }

  /** Everything open, as a copy: enough to continue from. */
  openState(): OpenState {
    return openStateOf(this.world);
  }

  /** Equal for equal open states. */
  stateHash(): string {
    return hashOf(this.openState());
  }
}

/** A hash of a state: the same for equal states, whatever the order of their records. 106 bits, in hex. */
function hashOf(state: OpenState): string {
  const text = JSON.stringify(state, canonical);
  return hex(textHash(text, 0x9e3779b9)) + hex(textHash(text, 0x85ebca6b));
}

/** Objects by sorted keys, money as text. */
function canonical(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries);
}

function hex(hash: number): string {
  return hash.toString(16).padStart(14, '0');
}

/** The state of a new simulation, with nothing open. `seed` is for the engine's random draws. */
export function emptyState(seed: number, time: Ms): OpenState {
  return {
    time,
    sequence: 0,
    settleSequence: 0,
    ledgerSequence: 0,
    seed,
    halt: { platform: false, categories: [] },
    accounts: [],
    orders: [],
    positions: [],
    consumption: [],
    twaps: [],
    scaled: [],
    copyGroups: [],
    operations: [],
  };
}

/** The world of an open state: copies of its records, with all indexes. */
export function openWorld(source: MarketSource, open: OpenState, rates: Rates, consequences: Consequences): World {
  const world = new World(source, open, rates, consequences);
  const copy = copyOfState(open);
  for (const account of copy.accounts) {
    world.portfolios.set(account.id, { account, orders: new Map(), positions: new Map() });
  }
  for (const position of bySequence(copy.positions)) {
    world.positions.set(position.id, position);
    portfolioOf(world, position.accountId).positions.set(position.marketId, position);
  }
  for (const taken of copy.consumption) restoreConsumption(world, taken);
  for (const order of bySequence(copy.orders)) restoreOrder(world, order);
  for (const twap of bySequence(copy.twaps)) world.twaps.set(twap.id, twap);
  for (const scaled of bySequence(copy.scaled)) world.scaled.set(scaled.id, scaled);
  for (const group of bySequence(copy.copyGroups)) world.copyGroups.set(group.id, group);
  // Create every market with a position or a strategy now, so that it is iterated before its price is first needed.
  for (const { marketId } of [...copy.positions, ...copy.twaps]) marketOf(world, marketId);
  if (world.copyGroups.size > 0) indexCopyRoles(world);
  for (const operation of bySequence(copy.operations)) world.operations.set(operation.id, operation);
  return world;
}

/** Everything open, as copies, in an order that does not depend on its history. */
function openStateOf(world: World): OpenState {
  return copyOfState({
    time: world.now,
    sequence: world.sequence,
    settleSequence: world.settleSequence,
    ledgerSequence: world.ledgerSequence,
    seed: world.seed,
    halt: world.halt,
    accounts: [...world.portfolios.values()].map(({ account }) => account).sort((a, b) => (a.id < b.id ? -1 : 1)),
    orders: bySequence([...world.orders.values()]),
    positions: bySequence([...world.positions.values()]),
    consumption: consumptionOf(world),
    twaps: bySequence([...world.twaps.values()]),
    scaled: bySequence([...world.scaled.values()]),
    copyGroups: bySequence([...world.copyGroups.values()]),
    operations: bySequence([...world.operations.values()]),
  });
}

/** The changes since the last call, as copies, and the moment of the last one; then starts a new set. */
export function takeChangesOf(world: World): Changes {
  const { changes, sequence, settleSequence, ledgerSequence, changedAt: time } = world;
  for (const { id, balance } of changes.accounts.values()) assert(balance === world.booked.get(id), 'ledger-sum', id);
  world.changes = emptyChanges();
  const { accounts, orders, positions, twaps, scaled, copyGroups, operations } = changes;
  for (const records of [accounts, orders, positions]) replaceByCopies<object>(records, copyOfFlat);
  for (const records of [twaps, scaled, copyGroups, operations]) replaceByCopies<object>(records, structuredClone);
  return { ...changes, time, sequence, settleSequence, ledgerSequence };
}

/** A copy of a result that later changes do not affect. */
function copyOfOutcome(outcome: Outcome): Outcome {
  const { order } = outcome;
  if (order === undefined) return structuredClone(outcome);
  // Most records are orders, which are flat and usually come one at a time: copy them the fast way.
  const isAlone = Object.values(outcome).every((value) => value === order || typeof value !== 'object');
  if (isAlone) return { ...outcome, order: copyOfFlat(order) };
  return { ...structuredClone({ ...outcome, order: undefined }), order: copyOfFlat(order) } as Outcome;
}

function replaceByCopies<T>(records: Map<string, T>, copyOf: (record: T) => T): void {
  for (const [id, record] of records) records.set(id, copyOf(record));
}

function copyOfState(open: OpenState): OpenState {
  const { halt, twaps, scaled, copyGroups, operations } = open;
  return {
    ...open,
    ...structuredClone({ halt, twaps, scaled, copyGroups, operations }),
    accounts: open.accounts.map(copyOfFlat),
    orders: open.orders.map(copyOfFlat),
    positions: open.positions.map(copyOfFlat),
    consumption: open.consumption.map(copyOfFlat),
  };
}

/** For records whose nested values are replaced, never mutated. */
function copyOfFlat<T extends object>(record: T): T {
  return { ...record };
}

/** Puts a working order back into the indexes of its state. */
function restoreOrder(world: World, order: Order): void {
  world.orders.set(order.id, order);
  portfolioOf(world, order.accountId).orders.set(order.id, order);
  const market = marketOf(world, order.marketId);
  if (order.timeInForce === 'gtd' && order.gtdExpiresAt !== null) world.expiries.add(order.gtdExpiresAt, order);
  if (order.status === 'pending') {
    if (order.executeAt === null) market.unfinished.set(order.id, order);
    else world.executions.add(order.executeAt, order);
  } else if (isArmed(order)) {
    triggersOf(world, order).add(order);
  } else {
    // The current book shows whether its level is visible.
    bringUpToDate(world, market);
    market.resting(order.side).add(order);
    if (follows(order)) market.chases.set(order.id, order);
  }
}

function restoreConsumption(world: World, taken: Consumption): void {
  const market = marketOf(world, taken.marketId);
  bringUpToDate(world, market);
  (taken.bookSide === 'ask' ? market.consumedAsks : market.consumedBids).restore(taken);
}

function consumptionOf(world: World): Consumption[] {
  const all = [...world.markets.values()].flatMap((market) => [
    ...market.consumedBids.all(),
    ...market.consumedAsks.all(),
  ]);
  const keyOf = (one: Consumption) => `${one.accountId} ${one.marketId} ${one.bookSide}`;
  return all.sort((a, b) => (keyOf(a) === keyOf(b) ? a.price - b.price : keyOf(a) < keyOf(b) ? -1 : 1));
}

function bySequence<T extends { sequence: number }>(records: T[]): T[] {
  return records.sort((a, b) => a.sequence - b.sequence);
}
