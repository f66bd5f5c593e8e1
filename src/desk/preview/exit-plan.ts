import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { defaultExecution, type ExitGroup, exitGroupOf, exitKinds, orderKinds } from '../../base/terms/order-types.ts';
import { quantity } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../wire/contract/positions.ts';
import { exitPriceOf, isEndedBefore, withoutCanceled } from '../account/means.ts';
import type { End } from '../risk/breach.ts';

/** The two kinds of exits in words. */
export const exitNames: Readonly<Record<ExitGroup, string>> = { sl: 'stop-loss', tp: 'take-profit' };

/** A position and its working exits, from one answer. */
export interface Snapshot {
  readonly position: Position;
  readonly exits: readonly Order[];
}

/** For each stop that the mark can't reach before the account or the position ends, that end. */
export function stopsBeyond(position: Position, exits: readonly Order[], end: End | undefined): string[] {
  if (end === undefined) return [];
  const what = end.by === 'floor' ? 'The account fails' : 'The position is liquidated';
  return exits.flatMap((exit) => {
    const isIdle = exitGroupOf(exit.type) === 'sl' && isEndedBefore(position, { from: exitPriceOf(exit) }, end.price);
    return isIdle ? [`${what} at ${quantity(end.price)}, before the stop-loss at ${quantity(exitPriceOf(exit))}.`] : [];
  });
}

/** An account's working orders after the operations. */
export function ordersAfter(
  { position }: Snapshot,
  operations: readonly ExitOperation[],
  working: readonly Order[],
): readonly Order[] {
  const left = withoutCanceled(working, ({ id }) => changeOf(operations, id)?.kind === 'cancel').map((order) => {
    const change = changeOf(operations, order.id);
    return change?.kind === 'modify' ? movedTo(order, change.price, change.size) : order;
  });
  return [
    ...left,
    ...operations.flatMap((one, at) => (one.kind === 'place' ? [placedExit(position, one, `new ${at}`)] : [])),
  ];
}

/** The operation that changes an order; undefined if it stays as it is. */
function changeOf(operations: readonly ExitOperation[], id: string) {
  return operations.find((one) => one.kind !== 'place' && one.order_id === id);
}

/** A position's exits after the operations. */
export function exitsAfter(exits: readonly Order[], operations: readonly ExitOperation[]): PlannedExit[] {
  const left = exits.flatMap((exit): PlannedExit[] => {
    const { id, size } = exit;
    const change = changeOf(operations, id);
    if (change?.kind === 'cancel') return [];
    const kept = { group: exitGroupOf(exit.type), price: exitPriceOf(exit), size, was: undefined, id };
    return [change === undefined ? kept : { ...kept, was: kept.price, price: change.price, size: change.size ?? size }];
  });
  const placed = operations.flatMap((one): PlannedExit[] =>
    one.kind === 'place' ? [{ group: one.group, price: one.price, size: one.size, was: undefined, id: undefined }] : [],
  );
  return [...left, ...placed];
}

function movedTo(order: Order, price: number, size = order.size): Order {
  const trigger = order.trigger_price === undefined ? {} : { trigger_price: price };
  const limit = order.limit_price === undefined ? {} : { limit_price: price };
  return { ...order, ...trigger, ...limit, size };
}

/** An exit as the exchange will place it, and the part of the position it covers. */
function placedExit(
  { account_id, market_id, provider, symbol, coin, side, leverage, margin_mode, id: target_position_id }: Position,
  { group, execution_type = defaultExecution, price, size }: Extract<ExitOperation, { kind: 'place' }>,
  id: string,
): Order {
  const type = exitKinds[group][execution_type];
  return {
    ...{ id, account_id, market_id, provider, symbol, coin, type, mode: type, size, leverage, margin_mode },
    ...{
      side: side === 'long' ? 'sell' : 'buy',
      reduce_only: true,
      status: 'pending',
      requested_at: 0,
      expected_price: price,
      target_position_id,
    },
    ...(orderKinds[type].fires === null ? {} : { trigger_price: price }),
    ...(orderKinds[type].meets === 'rests' ? { limit_price: price } : {}),
  };
}

/** The wanted price of the exits of one kind. */
export interface Aim {
  readonly group: ExitGroup;
  /** USD; null for no exit of this kind. */
  readonly price: number | null;
  /** Base asset. Without it, a stop-loss covers the whole position, and a take-profit keeps its size. */
  readonly size?: number | undefined;
  /** Places another exit beside those of this kind; its default size is the remaining part of the position. */
  readonly adds?: boolean | undefined;
}

/** The exits whose size the operations change, with their old and new sizes. */
export function resizesOf(
  exits: readonly Order[],
  operations: readonly ExitOperation[],
): { exit: Order; was: number; size: number }[] {
  return operations.flatMap((one) => {
    const exit = one.kind === 'modify' ? exits.find(({ id }) => id === one.order_id) : undefined;
    const size = one.kind === 'modify' ? one.size : undefined;
    return exit === undefined || size === undefined || size === exit.size ? [] : [{ exit, was: exit.size, size }];
  });
}

/**
 * The operations that bring a position's exits to the wanted prices: existing ones are moved, or else one is placed for
 * the whole position. Moved stops grow until they cover the position; take-profits keep their sizes. `given` are
 * operations of the caller, which come first; the exits that they change are not moved. With `paired`, a fill of one
 * exit takes its size from the other; existing exits that are not such a pair are replaced. Throws a failure if exits
 * of one kind would exceed the position.
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
    const own = movable.filter((exit) => exitGroupOf(exit.type) === aim.group);
    const isPlaced = aim.adds === true || own.length === 0 || (paired && !isPair);
    if (aim.price === null || (isPlaced && aim.adds !== true))
      operations.push(...own.map(({ id }) => ({ kind: 'cancel' as const, order_id: id })));
    if (aim.price === null) continue;
    const taken = sizeAfter(exits, operations, aim.group) - (isPlaced ? 0 : sum(own.map(({ size }) => size)));
    const rest = rounded(position.size - taken);
    if (isPlaced) operations.push(placement(aim, aim.size ?? leftFor(aim, position, rest)));
    else operations.push(...moves(own, aim, rest));
  }
  for (const { group } of aims) checkAllocation(position, exits, operations, group);
  return paired && !isPair ? linked(operations) : operations;
}

function isPairAlready(exits: readonly Order[], aims: readonly Aim[]): boolean {
  const [one, other] = exits;
  const areAlone = exits.length === 2 && aims.every(({ size }) => size === undefined);
  return areAlone && one!.oco_sibling_order_id === other!.id;
}

function placement({ group, price }: Aim, size: number): ExitOperation {
  return { kind: 'place', group, execution_type: 'market', price: price!, size };
}

/** The size that exits of a kind leave for another exit. */
function leftFor({ group, adds }: Aim, { symbol, size }: Position, rest: number): number {
  if (adds !== true || rest > 0) return rest;
  throw new Failure({
    code: 'exit_conflict',
    ruleId: 'exit-allocation',
    message: `The ${exitNames[group]} orders already cover all of the ${quantity(size)} ${symbol}. Nothing was sent.`,
    hint: 'Omit --add to move them, or make one smaller with --size first.',
  });
}

/** Moves every exit to the price; the first stop-loss also grows by the size that none of them covers. */
function moves(exits: readonly Order[], { group, price, size: wanted }: Aim, whole: number): ExitOperation[] {
  if (wanted !== undefined && exits.length > 1) throw severalExits(exits, group);
  const uncovered = group === 'sl' ? rounded(whole - sum(exits.map(({ size }) => size))) : 0;
  return exits.flatMap((exit, at): ExitOperation[] => {
    const size = wanted ?? (at === 0 && uncovered > 0 ? rounded(exit.size + uncovered) : exit.size);
    if (size === exit.size && exitPriceOf(exit) === price) return [];
    return [{ kind: 'modify', order_id: exit.id, price: price!, ...(size === exit.size ? {} : { size }) }];
  });
}

function severalExits(exits: readonly Order[], group: ExitGroup): Failure {
  const listed = exits.map((exit) => `${exit.id} (${quantity(exit.size)} at ${quantity(exitPriceOf(exit))})`);
  return usageFailure(
    `--size is for one ${exitNames[group]}, but there are ${exits.length}: ${listed.join(', ')}.`,
    'Add --add for another one, or cancel some of them first: perp order cancel ORDER.',
  );
}

/** The total size of the exits of one kind after the operations. */
function sizeAfter(exits: readonly Order[], operations: readonly ExitOperation[], group: ExitGroup): number {
  return sum(exitsAfter(exits, operations).flatMap((exit) => (exit.group === group ? [exit.size] : [])));
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
  const existing = exits
    .filter((exit) => exitGroupOf(exit.type) === group)
    .map(({ id, size }) => `${id} (${quantity(size)})`);
  throw new Failure({
    code: 'exit_conflict',
    ruleId: 'exit-allocation',
    message:
      `The ${exitNames[group]} orders would cover ${quantity(total)} ${position.symbol}, but the position has ` +
      `${quantity(position.size)}: there ${existing.length === 1 ? 'is' : 'are'} already ${existing.join(', ')}. Nothing was sent.`,
    hint: `Use a smaller size, or omit it to move ${existing.length === 1 ? 'it' : 'them'}.`,
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

/** The target of the exits: a position, or the expected position of an order. */
export interface Closed {
  readonly side: 'long' | 'short';
  /** Average, USD. */
  readonly entry: number;
  /** Commission of the exits, bps of their notional. */
  readonly feeBps: number;
  /** Commission still to be paid for the entry, USD per unit. */
  readonly entryFee: number;
  /** Commission paid for the entry, USD per unit: R includes it. */
  readonly paid?: number | undefined;
  /** 1R, USD per unit; null if unknown. Undefined: the loss at the stops. */
  readonly oneR?: number | null | undefined;
}

/** An exit as it will be placed or moved. */
export interface PlannedExit {
  readonly group: ExitGroup;
  readonly price: number;
  /** Base asset. */
  readonly size: number;
  /** Its current price, if it moves. */
  readonly was?: number | undefined;
  /** Undefined if it will be placed. */
  readonly id?: string | undefined;
}

/** The result of an exit that fills at its price, after the unpaid commissions, USD. */
export function profitAt({ side, entry, feeBps, entryFee }: Closed, { price, size }: PlannedExit): number {
  const move = side === 'long' ? price - entry : entry - price;
  return size * (move - entryFee - (price * feeBps) / 1e4);
}

/** 1R, USD per unit: of an order, its loss at its stops; undefined if it is unknown or they don't lose. */
export function riskPerUnit(closed: Closed, exits: readonly PlannedExit[]): number | undefined {
  if (closed.oneR !== undefined) return closed.oneR ?? undefined;
  const stops = exits.filter(({ group }) => group === 'sl');
  const size = stops.reduce((total, stop) => total + stop.size, 0);
  const profit = stops.reduce((total, stop) => total + wholeProfit(closed, stop), 0);
  return size > 0 && profit < 0 ? -profit / size : undefined;
}

/** The result of an exit in multiples of R; undefined if R is unknown. */
export function multipleAt(closed: Closed, exits: readonly PlannedExit[], exit: PlannedExit): number | undefined {
  const risk = riskPerUnit(closed, exits);
  return risk && wholeProfit(closed, exit) / exit.size / risk;
}

/** With all commissions. */
function wholeProfit(closed: Closed, exit: PlannedExit): number {
  return profitAt(closed, exit) - (closed.paid ?? 0) * exit.size;
}
