import type { Order } from '../../contract/orders.ts';
import type { ExitOperation, Position } from '../../contract/positions.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';
import { quantity } from '../text/format.ts';

export type ExitGroup = 'tp' | 'sl';

export const exitNames: Readonly<Record<ExitGroup, string>> = { sl: 'stop-loss', tp: 'take-profit' };

/** A position and its working exits, from one answer. */
export interface Snapshot {
  readonly position: Position;
  readonly exits: readonly Order[];
}

/** The stops that the mark can't reach before the account touches a floor. */
export function stopsBeyond({ side }: Position, exits: readonly Order[], breach: number | undefined): readonly Order[] {
  if (breach === undefined) return [];
  return exits.filter(
    (exit) => groupOf(exit) === 'sl' && (side === 'long' ? exitPriceOf(exit) <= breach : exitPriceOf(exit) >= breach),
  );
}

/** The wanted price of the exits of one kind. */
export interface Aim {
  readonly group: ExitGroup;
  /** USD; null for no exit of this kind. */
  readonly price: number | null;
  /** Base asset: places another exit of this size. Without it, the exits of this kind cover the whole position. */
  readonly size?: number | undefined;
}

/** Whether an exit takes profits or stops losses. */
export function groupOf({ type }: Pick<Order, 'type'>): ExitGroup {
  return type.startsWith('stop') ? 'sl' : 'tp';
}

/** An exit's price: its trigger, or without one its limit (simulation 4.3). */
export function exitPriceOf(exit: Order): number {
  return exit.trigger_price ?? exit.limit_price ?? 0;
}

/**
 * The operations that bring a position's exits to the wanted prices: existing ones are moved and together cover the
 * whole position, or else one is placed. `given` are operations of the caller, which come first; the exits that they
 * change are not moved. With `paired`, a fill of one exit cancels the other; existing exits that are not such a pair
 * are replaced. Throws a failure if exits of one kind would exceed the position.
 */
export function planExits(
  { position, exits }: Snapshot,
  aims: readonly Aim[],
  { given = [], paired = false }: { given?: readonly ExitOperation[]; paired?: boolean } = {},
): ExitOperation[] {
  const changed = new Set(given.flatMap((operation) => (operation.kind === 'place' ? [] : [operation.order_id])));
  const movable = exits.filter(({ id }) => !changed.has(id));
  const isPair = paired && isPairAlready(movable, aims);
  const operations = [...given];
  for (const aim of aims) {
    const own = movable.filter((exit) => groupOf(exit) === aim.group);
    const isPlaced = aim.size !== undefined || own.length === 0 || (paired && !isPair);
    if (aim.price === null || (isPlaced && aim.size === undefined)) operations.push(...own.map(cancellation));
    if (aim.price === null) continue;
    const taken = sizeAfter(exits, operations, aim.group) - (isPlaced ? 0 : sum(own.map(({ size }) => size)));
    if (isPlaced) operations.push(placement(aim, aim.size ?? rounded(position.size - taken)));
    else operations.push(...moves(own, aim.price, rounded(position.size - taken)));
  }
  for (const { group } of aims) checkAllocation(position, exits, operations, group);
  return paired && !isPair ? linked(operations) : operations;
}

function isPairAlready(exits: readonly Order[], aims: readonly Aim[]): boolean {
  const [one, other] = exits;
  const areAlone = exits.length === 2 && aims.every(({ size }) => size === undefined);
  return areAlone && one!.oco_sibling_order_id === other!.id;
}

function cancellation({ id }: Order): ExitOperation {
  return { kind: 'cancel', order_id: id };
}

function placement({ group, price }: Aim, size: number): ExitOperation {
  return { kind: 'place', group, execution_type: 'market', price: price!, size };
}

/** Moves every exit to the price; the first one also grows by the size that none of them covers. */
function moves(exits: readonly Order[], price: number, whole: number): ExitOperation[] {
  const uncovered = rounded(whole - sum(exits.map(({ size }) => size)));
  return exits.flatMap((exit, at): ExitOperation[] => {
    const isLarger = at === 0 && uncovered > 0;
    if (!isLarger && exitPriceOf(exit) === price) return [];
    const size = isLarger ? { size: rounded(exit.size + uncovered) } : {};
    return [{ kind: 'modify', order_id: exit.id, price, ...size }];
  });
}

/** The total size of the exits of one kind after the operations. */
function sizeAfter(exits: readonly Order[], operations: readonly ExitOperation[], group: ExitGroup): number {
  const sizes = new Map(exits.filter((exit) => groupOf(exit) === group).map(({ id, size }) => [id, size]));
  let placed = 0;
  for (const operation of operations) {
    if (operation.kind === 'place') placed += operation.group === group ? operation.size : 0;
    else if (operation.kind === 'cancel') sizes.delete(operation.order_id);
    else if (operation.size !== undefined && sizes.has(operation.order_id))
      sizes.set(operation.order_id, operation.size);
  }
  return rounded(placed + sum([...sizes.values()]));
}

function checkAllocation(
  position: Position,
  exits: readonly Order[],
  operations: readonly ExitOperation[],
  group: ExitGroup,
): void {
  const total = sizeAfter(exits, operations, group);
  const placed = operations.filter((one) => one.kind === 'place' && one.group === group);
  if (total <= position.size && placed.every((one) => one.kind === 'place' && one.size > 0)) return;
  const existing = exits.filter((exit) => groupOf(exit) === group).map(({ id, size }) => `${id} (${quantity(size)})`);
  throw new Failure({
    exit: exitCodes.rejected,
    code: 'exit_conflict',
    ruleId: 'exit-allocation',
    message:
      `The ${exitNames[group]} orders would cover ${quantity(total)} ${position.symbol}, but the position has ` +
      `${quantity(position.size)}: there ${existing.length === 1 ? 'is' : 'are'} already ${existing.join(', ')}. Nothing was sent.`,
    hint: `Omit --size to move ${existing.length === 1 ? 'it' : 'them'}, or add --cancel ORDER.`,
  });
}

/** Pairs the one placed take-profit with the one placed stop-loss. */
function linked(operations: readonly ExitOperation[]): ExitOperation[] {
  const at = (group: ExitGroup) => operations.findIndex((one) => one.kind === 'place' && one.group === group);
  const other = { tp: at('sl'), sl: at('tp') };
  return operations.map((one) =>
    one.kind === 'place' ? { ...one, oco_pair_with_operation_index: other[one.group] } : one,
  );
}

function sum(sizes: readonly number[]): number {
  return rounded(sizes.reduce((total, size) => total + size, 0));
}

/** Removes binary rounding noise. */
function rounded(size: number): number {
  return Number(size.toPrecision(14));
}
