import { toNumber, toUnits } from '../../../base/terms/decimal.ts';
import type { ExitGroup } from '../../../base/terms/order-types.ts';
import type { ExitOperation, Outcome, Refused, ReplaceExits } from '../commands.ts';
import type { Lots, Order, Position } from '../model.ts';
import { cancel, isArmed, rearm, reprice, repricedTrigger } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { exitSideOfMark, exitsOf, overAllocated } from '../rules/exit-rules.ts';
import { marketableLimit, pricePrecision, sizePrecision, wouldCross } from '../rules/rules.ts';
import { conflict, invalidRequest, notFound, refusal, type Violation, violation } from '../violation.ts';
import { bringUpToDate, isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { type Portfolio, type Seat, seatOf, type Ticket, type World } from '../world/world.ts';
import { draftExit, linkSiblings, placeExit, removeLegs } from './exits.ts';

/** One operation with its exit: a draft of a new one, a copy of a modified one. */
interface Planned {
  readonly operation: ExitOperation;
  /** The working exit that it names; null for a new one. */
  readonly existing: Order | null;
  /** The exit that will be working; null after a cancel. */
  readonly result: Order | null;
}

/**
 * Applies a batch to a position's exits if they are as its caller saw them, completely or not at all (simulation 4.3).
 */
export function replaceExits(world: World, command: ReplaceExits): Outcome {
  const position = world.positions.get(command.positionId);
  if (position === undefined) return notFound('open position', command.positionId);
  const seat = seatOf(world, position);
  const { portfolio, market } = seat;
  bringUpToDate(world, market);
  const exits = exitsOf(portfolio, position);
  const stale = staleRefusal(market, position, exits, command);
  if (stale !== null) return stale;
  const issues = batchIssues(command.operations);
  if (issues.length > 0) return invalidRequest(issues);
  const unknown = refusalOfTargets(exits, command.operations);
  if (unknown !== null) return unknown;
  const { sequence } = world;
  const plan = command.operations.map((operation) => planned(seat, position, exits, operation));
  const broken = planViolation(seat, position, exits, plan);
  if (broken !== null) {
    // The drafts are discarded, so their numbers are free again.
    world.sequence = sequence;
    return refusal(broken);
  }
  apply(world, market, plan);
  removeLegs(
    world,
    portfolio,
    plan.flatMap(({ existing, result }) => (existing !== null && result === null ? [existing] : [])),
  );
  return { ok: true, position };
}

/** An exit's price in the batch: its trigger, or without one its limit. */
function priceOf(market: Market, exit: Order): number {
  return exit.triggerPrice ?? toNumber(exit.limitPrice!, market.definition.priceDecimals);
}

/**
 * Refuses a batch whose expected size or exits are not the current ones, and names the stale fields; null if all match.
 */
function staleRefusal(
  market: Market,
  position: Position,
  exits: readonly Order[],
  command: ReplaceExits,
): Refused | null {
  const isOtherSize = toUnits(command.expectedPositionSize, market.definition.sizeDecimals).units !== position.size;
  const areOtherExits = differ(market, exits, command);
  if (!isOtherSize && !areOtherExits) return null;
  const stale = [...(isOtherSize ? ['expected_position_size'] : []), ...(areOtherExits ? ['expected_orders'] : [])];
  const changed = stale.length === 2 ? 'size and the exits' : isOtherSize ? 'size' : 'exits';
  const verb = isOtherSize && !areOtherExits ? 'has' : 'have';
  return {
    ok: false,
    code: 'stale_snapshot',
    message: `The ${changed} of the position ${verb} changed.`,
    details: { stale },
  };
}

function differ(market: Market, exits: readonly Order[], command: ReplaceExits): boolean {
  const { sizeDecimals } = market.definition;
  const expected = new Map(command.expectedOrders.map((order) => [order.orderId, order]));
  if (expected.size !== exits.length || command.expectedOrders.length !== exits.length) return true;
  return exits.some((exit) => {
    const seen = expected.get(exit.id);
    if (seen === undefined) return true;
    const execution = exit.limitPrice === null ? 'market' : 'limit';
    return (
      seen.price !== priceOf(market, exit) ||
      toUnits(seen.size, sizeDecimals).units !== exit.size ||
      (seen.executionType !== null && seen.executionType !== execution)
    );
  });
}

function refusalOfTargets(exits: readonly Order[], operations: readonly ExitOperation[]): Refused | null {
  for (const operation of operations) {
    if (operation.kind === 'place') continue;
    const exit = exits.find(({ id }) => id === operation.orderId);
    if (exit === undefined) return notFound('exit of this position', operation.orderId);
    if (operation.kind === 'modify' && exit.status === 'pending') {
      return conflict(`${exit.id} is on its way to the book and can't be changed.`);
    }
  }
  return null;
}

function planned(seat: Seat, position: Position, exits: readonly Order[], operation: ExitOperation): Planned {
  const { priceDecimals, sizeDecimals } = seat.market.definition;
  if (operation.kind === 'place') {
    const { group, executionType, price } = operation;
    const size = toUnits(operation.size, sizeDecimals).units;
    const result = draftExit(seat, position, { group, execution: executionType, price, size });
    return { operation, existing: null, result };
  }
  const existing = exits.find(({ id }) => id === operation.orderId)!;
  if (operation.kind === 'cancel') return { operation, existing, result: null };
  const size = operation.size === null ? existing.size : toUnits(operation.size, sizeDecimals).units;
  const result = isArmed(existing)
    ? repricedTrigger(seat.world, { ...existing, size }, operation.price)
    : { ...existing, size, limitPrice: toUnits(operation.price, priceDecimals).units };
  return { operation, existing, result };
}

function planViolation(
  seat: Seat,
  position: Position,
  exits: readonly Order[],
  plan: readonly Planned[],
): Violation | null {
  for (const { result } of plan) {
    const broken = result === null ? null : exitViolation({ ...seat, order: result }, position);
    if (broken !== null) return broken;
  }
  for (const group of ['tp', 'sl'] as const) {
    if (!plan.some(({ result }) => result?.exitGroup === group)) continue;
    const broken = overAllocated(seat.market, position, group, allocatedAfter(exits, plan, group));
    if (broken !== null) return broken;
  }
  return tooManyAfter(seat.portfolio, plan);
}

function exitViolation(ticket: Ticket, position: Position): Violation | null {
  const { market, order: exit } = ticket;
  const unsound = sizePrecision(ticket) ?? pricePrecision(ticket);
  if (unsound !== null || !isFresh(ticket)) return unsound;
  const isOnBook = exit.triggerPrice === null || exit.triggeredAt !== null;
  if (isOnBook) return wouldCross(ticket) ? marketableLimit(ticket) : null;
  return exitSideOfMark(ticket, reducingSide(position), exit.exitGroup!, priceOf(market, exit));
}

function allocatedAfter(exits: readonly Order[], plan: readonly Planned[], group: ExitGroup): Lots {
  const touched = new Set(plan.map(({ existing }) => existing));
  const after = [...exits.filter((exit) => !touched.has(exit)), ...plan.map(({ result }) => result)];
  return after.reduce((sum, exit) => sum + (exit?.exitGroup === group ? exit.size : 0), 0);
}

function tooManyAfter(portfolio: Portfolio, plan: readonly Planned[]): Violation | null {
  const maximum = portfolio.account.policy.limits.maxRestingOrders;
  let resting = 0;
  for (const { status } of portfolio.orders.values()) if (status === 'resting') resting += 1;
  for (const { existing, result } of plan) resting += (result === null ? 0 : 1) - (existing === null ? 0 : 1);
  if (resting <= maximum) return null;
  return violation('max-resting-orders', `The account would have more than ${maximum} resting orders.`, {
    max_resting_orders: maximum,
  });
}

function apply(world: World, market: Market, plan: readonly Planned[]): void {
  for (const { operation, existing, result } of plan) {
    if (operation.kind === 'cancel') cancel(world, existing!, null);
    else if (operation.kind === 'place') placeExit(world, market, result!);
    else if (isArmed(existing!)) rearm(world, existing!, result!);
    else reprice(world, market, existing!, result!);
  }
  for (const { operation, result } of plan) {
    if (operation.kind !== 'place' || operation.ocoPairWithOperationIndex === null) continue;
    const partner = plan[operation.ocoPairWithOperationIndex]!.result!;
    if (result!.ocoSiblingOrderId === null) linkSiblings(world, result!, partner);
  }
}

interface Issue {
  field: string;
  issue: string;
}

/** Issues within a batch of exit operations, by wire field (simulation 4.3): orders named twice, invalid OCO pairs. */
function batchIssues(operations: readonly ExitOperation[]): Issue[] {
  return [...repeatedTargets(operations), ...pairIssues(operations)];
}

function repeatedTargets(operations: readonly ExitOperation[]): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [at, operation] of operations.entries()) {
    if (operation.kind === 'place') continue;
    if (seen.has(operation.orderId)) {
      issues.push({ field: `operations[${at}].order_id`, issue: 'names an order that another operation also changes' });
    }
    seen.add(operation.orderId);
  }
  return issues;
}

/**
 * Mutual and forward references are fine; pairing with itself, the same group, a third leg or an existing order is not.
 */
function pairIssues(operations: readonly ExitOperation[]): Issue[] {
  const partners = new Map<number, number>();
  const issues: Issue[] = [];
  for (const [at, operation] of operations.entries()) {
    if (operation.kind !== 'place' || operation.ocoPairWithOperationIndex === null) continue;
    const issue = pairIssue(operations, at, operation.ocoPairWithOperationIndex, partners);
    if (issue !== null) issues.push({ field: `operations[${at}].oco_pair_with_operation_index`, issue });
  }
  return issues;
}

function pairIssue(
  operations: readonly ExitOperation[],
  at: number,
  other: number,
  partners: Map<number, number>,
): string | null {
  if (other === at) return 'pairs the operation with itself';
  const partner = operations[other];
  if (partner === undefined) return 'does not name an operation of the batch';
  if (partner.kind !== 'place') return 'names an operation that places no exit';
  const self = operations[at]!;
  if (self.kind === 'place' && partner.group === self.group) return 'pairs two legs of the same group';
  const isTaken = (partners.get(at) ?? other) !== other || (partners.get(other) ?? at) !== at;
  if (isTaken) return 'adds a third leg to a pair';
  partners.set(at, other);
  partners.set(other, at);
  return null;
}
