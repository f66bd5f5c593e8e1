import { toNumber } from '../../../base/terms/decimal.ts';
import { defaultClose, defaultOrder } from '../../../base/terms/order-fields.ts';
import type { CancelOrder, ClosePosition, ContinueBulk, Outcome, StartBulk } from '../commands.ts';
import { removeLegs } from '../exits/exits.ts';
import type { BulkOperation, BulkResult } from '../model.ts';
import { cancel, isArmed, isForced } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { conflict, copyManaged, notFound } from '../violation.ts';
import { idOf, marketOf, nextSequence, type Portfolio, portfolioOf, touch, type World } from '../world/world.ts';
import { placeOrder } from './place-order.ts';

/** Maximum size of an operation's snapshot, and how much of it one call does (simulation 8.5). */
const bounds = {
  cancel_all_orders: { targets: 200, perCall: 50 },
  close_all_positions: { targets: 100, perCall: 1 },
} as const;
/** The tolerance of each close (contract: 2.5% maximum). */
const closeToleranceBps = 250;

/** Fixes the snapshot of targets to cancel or close, oldest first, and does the first part. */
export function startBulk(world: World, command: StartBulk): Outcome {
  const portfolio = world.portfolios.get(command.accountId);
  if (portfolio === undefined) return notFound('account', command.accountId);
  const sequence = nextSequence(world);
  const operation: BulkOperation = {
    id: idOf('blk', sequence),
    sequence,
    kind: command.operation,
    accountId: portfolio.account.id,
    owner: portfolio.account.owner,
    status: 'running',
    targets: snapshot(portfolio, command.operation).slice(0, bounds[command.operation].targets),
    results: [],
    createdAt: world.now,
    completedAt: null,
  };
  world.operations.set(operation.id, operation);
  return proceed(world, operation, command.perCall);
}

/** Does the next part of an operation's snapshot, no matter what has happened since. */
export function continueBulk(world: World, command: ContinueBulk): Outcome {
  const operation = world.operations.get(command.operationId);
  if (operation === undefined) return notFound('running operation', command.operationId);
  return proceed(world, operation, command.perCall);
}

/** Resting and armed orders, but not those on their way to the book; or every open position. */
function snapshot(portfolio: Portfolio, kind: BulkOperation['kind']): string[] {
  if (kind === 'cancel_all_orders') {
    return [...portfolio.orders.values()].filter(({ status }) => status === 'resting').map(({ id }) => id);
  }
  return [...portfolio.positions.values()].sort((a, b) => a.sequence - b.sequence).map(({ id }) => id);
}

function proceed(world: World, operation: BulkOperation, perCall = Number.POSITIVE_INFINITY): Outcome {
  const done = operation.results.length;
  for (const targetId of operation.targets.slice(done, done + Math.min(perCall, bounds[operation.kind].perCall))) {
    const act = operation.kind === 'cancel_all_orders' ? cancelTarget : closeTarget;
    operation.results.push(act(world, targetId));
  }
  if (operation.results.length === operation.targets.length) {
    operation.status = 'completed';
    operation.completedAt = world.now;
    world.operations.delete(operation.id);
  }
  touch(world, 'operations', operation);
  return { ok: true, operation };
}

function cancelTarget(world: World, orderId: string): BulkResult {
  // It was working when the snapshot was taken, so it has ended since then.
  if (!world.orders.has(orderId)) return failure(orderId, orderId, 'order_terminal');
  const outcome = cancelOrder(world, { kind: 'cancel_order', orderId });
  if (!outcome.ok) return failure(orderId, orderId, outcome.code, outcome.ruleId);
  const status = outcome.queued === true ? 'queued' : 'canceled';
  return { targetId: orderId, status, orderId, failureCode: null, ruleId: null };
}

function failure(
  targetId: string,
  orderId: string | null,
  failureCode: string,
  ruleId: string | null = null,
): BulkResult {
  return { targetId, status: 'failed', orderId, failureCode, ruleId };
}

function closeTarget(world: World, positionId: string): BulkResult {
  const outcome = closePosition(world, {
    ...defaultClose,
    kind: 'close_position',
    positionId,
    type: 'market',
    slippageToleranceBps: closeToleranceBps,
  });
  const orderId = outcome.order?.id ?? null;
  if (outcome.ok) return { targetId: positionId, status: 'submitted', orderId, failureCode: null, ruleId: null };
  return failure(positionId, orderId, outcome.code, outcome.ruleId);
}

/**
 * Cancels a working order; an armed one answers `queued` (simulation 4.2). Copied orders belong to their group,
 * forced ones to the exchange.
 */
export function cancelOrder(world: World, command: CancelOrder): Outcome {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return notFound('working order', command.orderId);
  if (order.copyConfigId !== null) return copyManaged();
  if (isForced(order)) return conflict('The exchange itself is closing the position with this order.');
  const queued = isArmed(order);
  order.cancelRequestedAt = world.now;
  cancel(world, order, null);
  removeLegs(world, portfolioOf(world, order.accountId), [order]);
  return queued ? { ok: true, order, queued } : { ok: true, order };
}

/**
 * Closes a position, or part of it, with a reduce-only order on its opposite side, with its leverage and margin mode.
 */
export function closePosition(world: World, command: ClosePosition): Outcome {
  const { kind: _, positionId, type: mode, size, ...asked } = command;
  const position = world.positions.get(positionId);
  if (position === undefined) return notFound('open position', positionId);
  const { definition } = marketOf(world, position.marketId);
  return placeOrder(world, {
    ...defaultOrder,
    ...asked,
    kind: 'place_order',
    accountId: position.accountId,
    marketId: position.marketId,
    mode,
    side: reducingSide(position),
    size: size ?? toNumber(position.size, definition.sizeDecimals),
    leverage: position.leverage,
    marginMode: position.marginMode,
    reduceOnly: true,
  });
}
