import { assert } from '../../base/terms/invariants.ts';
import type { Changes, OpenState, Outcome } from './commands.ts';
import { indexCopyRoles } from './copy/copy-groups.ts';
import type { Rates } from './defaults.ts';
import type { Consumption, Ms, Order } from './model.ts';
import { follows, isArmed } from './orders/working-orders.ts';
import type { MarketSource } from './source.ts';
import { bringUpToDate } from './world/current-book.ts';
import { type Consequences, emptyChanges, marketOf, portfolioOf, triggersOf, World } from './world/world.ts';

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
export function openStateOf(world: World): OpenState {
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
export function copyOfOutcome(outcome: Outcome): Outcome {
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
