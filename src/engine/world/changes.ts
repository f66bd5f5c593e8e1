import { assert } from '../../terms/invariants.ts';
import type { Changes } from '../commands.ts';
import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Explanation,
  Order,
  Position,
  ScaledOrder,
  TwapOrder,
} from '../model.ts';
import { nextSequence, type World } from './world.ts';

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

/** Notes that what the store keeps changes at this moment. */
export function noteChange(world: World): void {
  assert(world.now >= world.changedAt, 'time-forward', world.now);
  world.revision += 1;
  world.changedAt = world.now;
}

/** Marks an account as changed. */
export function touchAccount(world: World, account: Account): void {
  noteChange(world);
  world.riskWatch.noteChange(account.id);
  world.changes.accounts.set(account.id, account);
}

/** Marks an order as changed. */
export function touchOrder(world: World, order: Order): void {
  noteChange(world);
  world.changes.orders.set(order.id, order);
}

/** Marks a position as changed. */
export function touchPosition(world: World, position: Position): void {
  noteChange(world);
  world.riskWatch.noteChange(position.accountId);
  world.changes.positions.set(position.id, position);
}

/** Marks a TWAP or VWAP as changed. */
export function touchTwap(world: World, twap: TwapOrder): void {
  noteChange(world);
  world.twapWatch.noteChange(twap.id);
  world.changes.twaps.set(twap.id, twap);
}

/** Marks a scaled order as changed. */
export function touchScaled(world: World, scaled: ScaledOrder): void {
  noteChange(world);
  world.changes.scaled.set(scaled.id, scaled);
}

/** Marks a copy group as changed. */
export function touchCopyGroup(world: World, group: CopyGroup): void {
  noteChange(world);
  world.changes.copyGroups.set(group.id, group);
}

/** Marks a bulk operation as changed. */
export function touchOperation(world: World, operation: BulkOperation): void {
  noteChange(world);
  world.changes.operations.set(operation.id, operation);
}

/** Records why something happened to an order (`perp order explain`). */
export function explain(world: World, order: Order, kind: string, detail: Explanation['detail']): void {
  world.changedAt = world.now;
  world.changes.explanations.push({ orderId: order.id, sequence: nextSequence(world), time: world.now, kind, detail });
}

/** Marks an account's consumption of a level as changed. */
export function touchConsumption(world: World, taken: Consumption): void {
  noteChange(world);
  world.changes.consumption.set(`${taken.accountId} ${taken.marketId} ${taken.bookSide} ${taken.price}`, taken);
}
