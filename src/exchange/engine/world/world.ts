import { assert } from '../../../base/terms/invariants.ts';
import type { Changes, OpenState, RecordKind, Records } from '../commands.ts';
import type { Rates } from '../defaults.ts';
import { BandWatch } from '../indexes/band-watch.ts';
import { isStop, OrderTimers, type Triggers } from '../indexes/triggers.ts';
import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Direction,
  Explanation,
  Lots,
  MarginMode,
  MarketDefinition,
  Money,
  Ms,
  Order,
  Position,
  ScaledOrder,
  Side,
  TwapOrder,
} from '../model.ts';
import { followsVenue } from '../observed.ts';
import type { MarketSource, Tape } from '../source.ts';
import { Market } from './market.ts';

/** An account with its open orders and positions. */
export interface Portfolio {
  readonly account: Account;
  /** Pending and resting, in order of creation. */
  readonly orders: Map<string, Order>;
  /** Open positions by market. */
  readonly positions: Map<string, Position>;
}

/** An account in a market. */
export interface Seat {
  readonly world: World;
  readonly portfolio: Portfolio;
  readonly market: Market;
}

/** An order of an account in its market. */
export interface Ticket extends Seat {
  readonly order: Order;
}

/** The effect of an execution on a position (simulation 5.1). */
export interface PositionEffect {
  readonly closedLots: Lots;
  readonly openedLots: Lots;
  /** null if nothing was closed. */
  readonly realizedPnl: Money | null;
  /** The position before, which may now be closed. */
  readonly before: Position | null;
  /** The position after. */
  readonly after: Position | null;
}

/** One execution of an order that was placed, for code that reacts to fills. */
export interface Fill extends PositionEffect, Ticket {
  /** The `filled` record: a child, or the order itself if this finished it. */
  readonly record: Order;
  readonly lots: Lots;
  readonly notional: Money;
}

/** A lead's fill that its followers have not copied yet; exists only within one moment. */
export interface LeadFill {
  readonly groupId: string;
  readonly marketId: string;
  readonly leadOrderId: string;
  readonly side: Side;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  /** Lots removed from the previous position: its direction, and its size before and after. */
  readonly reduced: { direction: Direction; before: Lots; after: Lots } | null;
  /** The position with this id grew: total lots added since it opened, including this fill. */
  readonly added: { positionId: string; cumulativeLots: Lots } | null;
}

/**
 * The immediate consequences of every fill and every end of an order. The modules that fill and end orders do not
 * import the modules that react to it: moments.ts, which imports all of them, sets these.
 */
export interface Consequences {
  ofFill(world: World, fill: Fill): void;
  ofEnd(world: World, order: Order): void;
}

/** Everything the exchange knows while it runs: open records, their indexes, and the changes since the last call. */
export class World {
  now: Ms;
  /**
   * Every timer at or before this time has run. Events that recur by the clock (carry, day starts) are next due after
   * it rather than after `now`, which market events of the same millisecond reach first.
   */
  timersDone: Ms;
  sequence: number;
  settleSequence: number;
  ledgerSequence: number;
  readonly seed: number;
  readonly halt: OpenState['halt'];
  readonly portfolios = new Map<string, Portfolio>();
  /** The sum of each account's ledger. */
  readonly booked: Map<string, Money>;
  readonly orders = new Map<string, Order>();
  readonly positions = new Map<string, Position>();
  /** The definitions of all markets. */
  readonly definitions: ReadonlyMap<string, MarketDefinition>;
  /** Markets requested so far: unused ones cost nothing, because nothing depends on them. */
  readonly markets = new Map<string, Market>();
  readonly twaps = new Map<string, TwapOrder>();
  readonly scaled = new Map<string, ScaledOrder>();
  readonly copyGroups = new Map<string, CopyGroup>();
  readonly operations = new Map<string, BulkOperation>();
  /** When orders good till a date expire. */
  readonly expiries = new OrderTimers();
  /** When delayed orders reach the book. */
  readonly executions = new OrderTimers();
  /** Which accounts' floors and liquidations must be checked. */
  readonly riskWatch = new BandWatch();
  /** Accounts whose risk is checked once all events of this millisecond have been applied. */
  readonly lateRisks = new Set<string>();
  /** Orders armed in this moment, whose condition may already be met. */
  readonly newlyArmed: Order[] = [];
  /** Conditionals that trigger once all events of this millisecond have been applied. */
  readonly lateTriggers: Order[] = [];
  /** Which strategies' triggers and price limits must be checked. */
  readonly twapWatch = new BandWatch();
  /** Enabled copy groups by lead and by follower. */
  readonly copyRoles = { leads: new Map<string, CopyGroup>(), followers: new Map<string, CopyGroup>() };
  /** Fills that followers have not copied yet within this moment. */
  readonly leadFills: LeadFill[] = [];
  readonly rates: Rates;
  readonly consequences: Consequences;
  readonly source: MarketSource;
  readonly tape: Tape;
  changes = emptyChanges();
  /** Increases with every change of a record, so that derived data knows when to update. */
  revision = 0;
  /** The moment of the last change that the store keeps. */
  changedAt: Ms;

  /** Of a source's markets, without records, at the time and numbers of an open state. */
  constructor(source: MarketSource, open: OpenState, rates: Rates, consequences: Consequences) {
    this.now = this.timersDone = this.changedAt = open.time;
    this.sequence = open.sequence;
    this.settleSequence = open.settleSequence;
    this.ledgerSequence = open.ledgerSequence;
    this.seed = open.seed;
    this.halt = structuredClone(open.halt);
    this.booked = new Map(open.accounts.map(({ id, balance }) => [id, balance]));
    this.definitions = new Map(source.definitions.map((definition) => [definition.marketId, definition]));
    this.rates = rates;
    this.consequences = consequences;
    this.source = source;
    this.tape = source.open(open.time);
  }
}

/** The next number for a record; ids are made from it, so they sort by creation. */
export function nextSequence(world: World): number {
  world.sequence += 1;
  return world.sequence;
}

/** An account with its positions and orders; it must be known. */
export function portfolioOf(world: World, accountId: string): Portfolio {
  const portfolio = world.portfolios.get(accountId);
  assert(portfolio !== undefined, 'known-account', accountId);
  return portfolio;
}

/** The market with this id as it is defined now, created when it is first asked for; undefined if there is none. */
export function findMarket(world: World, marketId: string): Market | undefined {
  const made = world.markets.get(marketId);
  if (made !== undefined) {
    followDefinition(world, made);
    return made;
  }
  const definition = world.definitions.get(marketId);
  if (definition === undefined) return undefined;
  const market = new Market(definition, (taken) => touchConsumption(world, taken));
  followDefinition(world, market);
  world.markets.set(marketId, market);
  return market;
}

/** The market is defined as of now. */
export function followDefinition({ source, now }: World, market: Market): void {
  if (source.definitionAt !== undefined) market.definition = source.definitionAt(market.id, now);
}

/** The market with this id; it must be known. */
export function marketOf(world: World, marketId: string): Market {
  const market = findMarket(world, marketId);
  assert(market !== undefined, 'known-market', marketId);
  return market;
}

/** The account and the market of an order, a position or a strategy. */
export function seatOf(world: World, { accountId, marketId }: { accountId: string; marketId: string }): Seat {
  return { world, portfolio: portfolioOf(world, accountId), market: marketOf(world, marketId) };
}

/** An order with its account and market. */
export function ticketOf(world: World, order: Order): Ticket {
  return { ...seatOf(world, order), order };
}

/** The market whose mark an order waits for: its own, or for a conditional another one. */
export function triggerMarketOf(world: World, order: Order): Market {
  return marketOf(world, order.triggerMarketId ?? order.marketId);
}

/**
 * The price that triggers an order: the midpoint, the last print, or the venue's own mark or index (simulation 6.3).
 */
export function awaitedPrice(world: World, order: Order): 'mid' | 'last' | 'mark' | 'index' {
  const { policy } = portfolioOf(world, order.accountId).account;
  const stopPrice = isStop(order) ? policy.observed?.stopPrice : undefined;
  if (stopPrice === 'last' || stopPrice === 'index') return stopPrice;
  return followsVenue(policy) ? 'mark' : 'mid';
}

/** Whether a print triggers an order: a stop of an account with that policy (simulation 6.3). */
export function waitsForPrint(world: World, order: Order): boolean {
  return awaitedPrice(world, order) === 'last';
}

/** Where an armed order waits for its trigger. */
export function triggersOf(world: World, order: Order): Triggers {
  const market = triggerMarketOf(world, order);
  const price = awaitedPrice(world, order);
  if (price === 'mid') return market.triggers;
  return price === 'last' ? market.lastPriceStops : market.venueTriggers[price];
}

/** Nothing changed; the numbers are filled in when the changes are taken. */
export function emptyChanges(): Changes {
  return {
    time: 0,
    sequence: 0,
    settleSequence: 0,
    ledgerSequence: 0,
    halt: null,
    accounts: new Map(),
    orders: new Map(),
    positions: new Map(),
    twaps: new Map(),
    scaled: new Map(),
    copyGroups: new Map(),
    deletedCopyGroups: new Set(),
    operations: new Map(),
    ledger: [],
    consumption: new Map(),
    explanations: [],
  };
}

/** Notes that stored data changes at this moment. */
export function noteChange(world: World): void {
  assert(world.now >= world.changedAt, 'time-forward', world.now);
  world.revision += 1;
  world.changedAt = world.now;
}

/** Marks a record as changed. */
export function touch<Kind extends RecordKind>(world: World, kind: Kind, record: Records[Kind]): void {
  noteChange(world);
  (world.changes[kind] as Map<string, Records[Kind]>).set(record.id, record);
}

/** Marks an account as changed. */
export function touchAccount(world: World, account: Account): void {
  world.riskWatch.changed.add(account.id);
  touch(world, 'accounts', account);
}

/** Marks an order as changed. */
export function touchOrder(world: World, order: Order): void {
  noteChange(world);
  world.changes.orders.set(order.id, order);
}

/** Marks a position as changed. */
export function touchPosition(world: World, position: Position): void {
  world.riskWatch.changed.add(position.accountId);
  touch(world, 'positions', position);
}

/** Marks a TWAP or VWAP as changed. */
export function touchTwap(world: World, twap: TwapOrder): void {
  world.twapWatch.changed.add(twap.id);
  touch(world, 'twaps', twap);
}

/** Records why something happened to an order (`perp order explain`). */
export function explain(world: World, order: Order, kind: string, detail: Explanation['detail']): void {
  world.changedAt = world.now;
  world.changes.explanations.push({ orderId: order.id, sequence: nextSequence(world), time: world.now, kind, detail });
}

/** Marks an account's consumption of a level as changed. */
function touchConsumption(world: World, taken: Consumption): void {
  noteChange(world);
  world.changes.consumption.set(`${taken.accountId} ${taken.marketId} ${taken.bookSide} ${taken.price}`, taken);
}

/** `ord_0000000z`: a record's id from its number, with a fixed width, so that ids sort like numbers. */
export function idOf(prefix: string, sequence: number): string {
  return `${prefix}_${sequence.toString(36).padStart(9, '0')}`;
}

/** The number that `idOf` made an id from; for any other text NaN, or a number whose record has another id. */
export function sequenceOf(id: string): number {
  return Number.parseInt(id.slice(id.indexOf('_') + 1), 36);
}
