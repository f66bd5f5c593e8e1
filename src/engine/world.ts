import { Market } from './book/market.ts';
import type { Changes, OpenState } from './commands.ts';
import type { LeadFill } from './copy/copy.ts';
import type { Rates } from './defaults.ts';
import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Explanation,
  Ms,
  Order,
  Position,
  ScaledOrder,
  TwapOrder,
} from './model.ts';
import { BandWatch } from './risk/band-watch.ts';
import type { MarketSource, Tape } from './source.ts';
import { OrderTimers } from './time/timers.ts';

/** An account with what it has open. */
export interface Desk {
  readonly account: Account;
  /** Pending and resting, in order of creation. */
  readonly orders: Map<string, Order>;
  /** Open positions by market. */
  readonly positions: Map<string, Position>;
}

/** Everything the exchange knows while it runs: open records, what indexes them, and what changed since last asked. */
export interface World {
  now: Ms;
  /**
   * Every timer at or before this time has run: what comes back by the clock (carry, day starts) is next due after it,
   * not after `now`, which market events of the same millisecond reach first.
   */
  timersDone: Ms;
  sequence: number;
  settleSequence: number;
  ledgerSequence: number;
  readonly seed: number;
  readonly halt: OpenState['halt'];
  readonly desks: Map<string, Desk>;
  readonly orders: Map<string, Order>;
  readonly positions: Map<string, Position>;
  readonly markets: Map<string, Market>;
  readonly twaps: Map<string, TwapOrder>;
  readonly scaled: Map<string, ScaledOrder>;
  readonly copyGroups: Map<string, CopyGroup>;
  readonly operations: Map<string, BulkOperation>;
  /** When orders good till a date expire. */
  readonly expiries: OrderTimers;
  /** When delayed orders meet the book. */
  readonly executions: OrderTimers;
  /** Which accounts' floors and liquidations must be looked at. */
  readonly riskWatch: BandWatch;
  /** Accounts whose risk is looked at once all events of this millisecond are in. */
  readonly lateRisks: Set<string>;
  /** Orders armed in this moment, whose condition may be met as it is. */
  readonly newlyArmed: Order[];
  /** Conditionals that fire once all events of this millisecond are in. */
  readonly lateTriggers: Order[];
  /** Which strategies' triggers and price limits must be looked at. */
  readonly twapWatch: BandWatch;
  /** Enabled copy groups by lead and by follower. */
  readonly copyRoles: { readonly leads: Map<string, CopyGroup>; readonly followers: Map<string, CopyGroup> };
  /** Fills that followers have yet to mirror within this moment. */
  readonly leadFills: LeadFill[];
  readonly rates: Rates;
  readonly source: MarketSource;
  readonly tape: Tape;
  changes: Changes;
  /** Grows with every change of a record: who derives from records sees whether to derive anew. */
  revision: number;
}

/** An empty world of a source's markets, at the time and numbers of an open state. */
export function emptyWorld(source: MarketSource, open: OpenState, rates: Rates): World {
  const world: World = {
    now: open.time,
    timersDone: open.time,
    sequence: open.sequence,
    settleSequence: open.settleSequence,
    ledgerSequence: open.ledgerSequence,
    seed: open.seed,
    halt: { platform: open.halt.platform, categories: [...open.halt.categories] },
    desks: new Map(),
    orders: new Map(),
    positions: new Map(),
    markets: new Map(),
    twaps: new Map(),
    scaled: new Map(),
    copyGroups: new Map(),
    operations: new Map(),
    expiries: new OrderTimers(),
    executions: new OrderTimers(),
    riskWatch: new BandWatch(),
    lateRisks: new Set(),
    newlyArmed: [],
    lateTriggers: [],
    twapWatch: new BandWatch(),
    copyRoles: { leads: new Map(), followers: new Map() },
    leadFills: [],
    rates,
    source,
    tape: source.open(open.time),
    changes: emptyChanges(),
    revision: 0,
  };
  for (const definition of source.definitions) {
    const market = new Market(definition, (entry) => touchConsumption(world, entry));
    world.markets.set(market.id, market);
  }
  return world;
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

/** The next number for a record; ids are made of it, so that they sort as created. */
export function nextSequence(world: World): number {
  world.sequence += 1;
  return world.sequence;
}

/** `ord_0000000z`: a record's id from its number, in fixed width so that ids sort as numbers do. */
export function idOf(prefix: string, sequence: number): string {
  return `${prefix}_${sequence.toString(36).padStart(9, '0')}`;
}

/** The number that `idOf` made an id from; of any other text NaN, or a number whose record has another id. */
export function sequenceOf(id: string): number {
  return Number.parseInt(id.slice(id.indexOf('_') + 1), 36);
}

export function deskOf(world: World, accountId: string): Desk {
  return world.desks.get(accountId)!;
}

export function marketOf(world: World, marketId: string): Market {
  return world.markets.get(marketId)!;
}

/** Marks an account as changed. */
export function touchAccount(world: World, account: Account): void {
  world.revision += 1;
  world.riskWatch.noteChange(account.id);
  world.changes.accounts.set(account.id, account);
}

/** Marks an order as changed. */
export function touchOrder(world: World, order: Order): void {
  world.revision += 1;
  world.changes.orders.set(order.id, order);
}

/** Marks a position as changed. */
export function touchPosition(world: World, position: Position): void {
  world.revision += 1;
  world.riskWatch.noteChange(position.accountId);
  world.changes.positions.set(position.id, position);
}

/** Marks a TWAP or VWAP as changed. */
export function touchTwap(world: World, twap: TwapOrder): void {
  world.revision += 1;
  world.twapWatch.noteChange(twap.id);
  world.changes.twaps.set(twap.id, twap);
}

/** Marks a scaled order as changed. */
export function touchScaled(world: World, scaled: ScaledOrder): void {
  world.revision += 1;
  world.changes.scaled.set(scaled.id, scaled);
}

/** Marks a copy group as changed. */
export function touchCopyGroup(world: World, group: CopyGroup): void {
  world.revision += 1;
  world.changes.copyGroups.set(group.id, group);
}

/** Marks a bulk operation as changed. */
export function touchOperation(world: World, operation: BulkOperation): void {
  world.revision += 1;
  world.changes.operations.set(operation.id, operation);
}

/** Notes why something happened to an order (`perp order explain`). */
export function explain(world: World, order: Order, kind: string, detail: Explanation['detail']): void {
  world.changes.explanations.push({ orderId: order.id, sequence: nextSequence(world), time: world.now, kind, detail });
}

function touchConsumption(world: World, entry: Consumption): void {
  world.revision += 1;
  world.changes.consumption.set(`${entry.accountId} ${entry.marketId} ${entry.bookSide} ${entry.price}`, entry);
}
