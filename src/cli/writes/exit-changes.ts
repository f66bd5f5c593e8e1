import type { Order } from '../../contract/orders.ts';
import type { ExitOperation, ExitOrderBatchRequest, Position } from '../../contract/positions.ts';
import { exitNames, resizesOf, type Snapshot, stopsBeyond } from '../../desk/preview/exit-plan.ts';
import { legsBefore } from '../../desk/preview/lost-legs.ts';
import { beginAftermath, showsFigures } from '../../desk/reading/before.ts';
import { workingNow } from '../../desk/reading/prospects.ts';
import { workingExits, workingOrders } from '../../desk/resolve/holdings.ts';
import { exitPriceOf, exitsOf } from '../../desk/risk/cover.ts';
import { breachPriceOf } from '../../desk/risk/outlook.ts';
import {
  type Aftermath,
  changedAftermath,
  readAftermath,
  withoutCanceled,
  withPosition,
} from '../../desk/writes/aftermath.ts';
import { writeComputed } from '../../desk/writes/figures.ts';
import { type Failure, notFoundFailure } from '../../ground/failure/failure.ts';
import { dateTime, quantity, signedUsd, word } from '../../ground/text/format.ts';
import { exitExecutionOf, exitGroupOf } from '../../terms/order-types.ts';
import type { Console } from '../console/console.ts';
import { type Block, line, type Result, recordOf } from '../output/result.ts';
import { exitPreview } from '../preview/exit-preview.ts';
import { exitBlocks } from '../views/order-view.ts';
import { positionBlocks } from '../views/position-view.ts';
import { write } from './write.ts';

/** How often a change is recomputed because the position or its exits have changed. */
const maxAttempts = 3;

/** A change of a position's exits. */
export interface ExitChange {
  /** The operations that make the change, given the current exits; none if there is nothing to change. */
  plan(snapshot: Snapshot): Promise<ExitOperation[]>;
  /** `Move the stop-loss of long 0.05 BTC to 95000`. */
  question(snapshot: Snapshot, operations: readonly ExitOperation[]): string;
  /** Printed if there is nothing to change. */
  unchanged(snapshot: Snapshot): string;
}

/**
 * Changes the exits of a position. If the position or its exits change in the meantime, the change is recomputed from
 * their new state; if the position has been closed, that is reported.
 */
export async function changeExits(console: Console, position: Position, change: ExitChange): Promise<Result> {
  if (position.status === 'closed') throw closedFailure(position);
  beginAftermath(console, position);
  const working = await workingOrders(console, position.account_id);
  const snapshot: Snapshot = { position, exits: exitsOf(position, working) };
  const operations = await change.plan(snapshot);
  const result = async (
    data: Position,
    exits: readonly Order[] | undefined,
    says: () => Promise<readonly string[]>,
  ) => {
    const after = await aftermathOf(console, data, exits);
    const computed = after === undefined ? {} : { computed: writeComputed(data.market_id, after) };
    const said = await says();
    return recordOf({ ...data, ...computed }, () => [
      ...(after === undefined ? [] : shown(data, after)),
      ...said.map((text) => line({ text, tone: 'warn' })),
    ]);
  };
  if (operations.length === 0) {
    return result(position, working, async () => [`${change.unchanged(snapshot)} Nothing was sent.`]);
  }
  let isRecomputed = false;
  const plan: ExitChange['plan'] = (now) => {
    isRecomputed = true;
    return change.plan(now);
  };
  const lostLegs = await legsBefore(console, canceledBy(snapshot, operations));
  const request = { path: { position_id: position.id }, body: batch(snapshot, operations) };
  return write(console, 'replacePositionExitOrders', request, {
    preview: () => exitPreview(console, snapshot, operations),
    account: position.account_id,
    question: `${change.question(snapshot, operations)}?`,
    send: (keyed) => sendPlanned(console, keyed, { snapshot, operations }, plan),
    done: ({ data }) => result(data, isRecomputed ? undefined : changedBy(operations, working), lostLegs),
  });
}

/**
 * The account after the change: for people, as read; else from what was read before, with only the orders read again if
 * they are not known. Unknown in a batch, where it would be read for every line.
 */
async function aftermathOf(
  console: Console,
  position: Position,
  known: readonly Order[] | undefined,
): Promise<Aftermath | undefined> {
  if (console.memory.sharesReads) return undefined;
  const { account_id } = position;
  if (!showsFigures(console)) return readAftermath(console, position);
  const working = known ?? (await workingNow(console, account_id));
  const after = await changedAftermath(console, account_id, ({ positions }) => ({
    positions: withPosition(positions, position),
    working,
  }));
  return after ?? readAftermath(console, position);
}

/** The working orders after a batch; undefined if it places exits, because only a read tells their ids. */
function changedBy(operations: readonly ExitOperation[], working: readonly Order[]): readonly Order[] | undefined {
  if (operations.some(({ kind }) => kind === 'place')) return undefined;
  const changes = new Map(operations.flatMap((one) => (one.kind === 'place' ? [] : [[one.order_id, one] as const])));
  return withoutCanceled(working, ({ id }) => changes.get(id)?.kind === 'cancel').map((order) => {
    const change = changes.get(order.id);
    return change?.kind === 'modify' ? movedTo(order, change.price, change.size) : order;
  });
}

function movedTo(order: Order, price: number, size = order.size): Order {
  const trigger = order.trigger_price === undefined ? {} : { trigger_price: price };
  const limit = order.limit_price === undefined ? {} : { limit_price: price };
  return { ...order, ...trigger, ...limit, size };
}

/** Sends a change of exits without a question; recomputes it while its snapshot is stale. */
export async function sendExits(console: Console, snapshot: Snapshot, plan: ExitChange['plan']): Promise<void> {
  const operations = await plan(snapshot);
  if (operations.length === 0) return;
  const request = { path: { position_id: snapshot.position.id }, body: batch(snapshot, operations) };
  await sendPlanned(console, request, { snapshot, operations }, plan);
}

/** As text: the position, what ends it, and its exits. */
function shown(position: Position, { working, marks, outlook }: Aftermath): readonly Block[] {
  const exits = exitsOf(position, working ?? []);
  const breach = breachPriceOf(position, outlook);
  const unreached = stopsBeyond(position, exits, breach).map((exit) =>
    line({
      text: `The account fails at ${quantity(breach!)}, before the stop-loss at ${quantity(exitPriceOf(exit))}.`,
      tone: 'bad',
    }),
  );
  const seen = { mark: marks.get(position.market_id), outlook, working };
  return [...positionBlocks(position, seen), ...exitBlocks(exits), ...unreached];
}

type Request = { path: { position_id: string }; body: ExitOrderBatchRequest };

/** Sends the batch; recomputes it while its snapshot is stale. */
async function sendPlanned<R extends Request>(console: Console, request: R, first: Planned, plan: ExitChange['plan']) {
  const { path } = request;
  let { body } = request;
  let planned = first;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await console.call('replacePositionExitOrders', { ...request, body });
      noteResizes(console, planned);
      return answer;
    } catch (error) {
      if (!isConflict(error)) throw error;
      const answer = await console.call('getPosition', { path });
      if (answer.data.status === 'closed') throw closedFailure(answer.data);
      if (error.code !== 'stale_snapshot' || attempt === maxAttempts) throw error;
      const snapshot: Snapshot = { position: answer.data, exits: await workingExits(console, answer.data) };
      const operations = await plan(snapshot);
      if (operations.length === 0) return { ...answer, body: { data: answer.data } };
      console.note('The position or its exits have changed in the meantime; the change was recomputed.');
      planned = { snapshot, operations };
      body = batch(snapshot, operations);
    }
  }
}

/** Operations, and the exits for which they were computed. */
interface Planned {
  readonly snapshot: Snapshot;
  readonly operations: readonly ExitOperation[];
}

function noteResizes(console: Console, { snapshot: { position, exits }, operations }: Planned): void {
  for (const { exit, was, size } of resizesOf(exits, operations)) {
    const verb = size > was ? 'grew' : 'shrank';
    const name = exitNames[exitGroupOf(exit.type)];
    console.note(`The ${name} ${exit.id} ${verb} from ${quantity(was)} to ${quantity(size)} ${word(position.symbol)}.`);
  }
}

function batch({ position, exits }: Snapshot, operations: ExitOperation[]): ExitOrderBatchRequest {
  return {
    expected_position_size: position.size,
    expected_orders: exits.map((exit) => ({
      order_id: exit.id,
      execution_type: exitExecutionOf(exit.type),
      price: exitPriceOf(exit),
      size: exit.size,
    })),
    operations,
  };
}

function canceledBy({ exits }: Snapshot, operations: readonly ExitOperation[]): Order[] {
  const ids = new Set(operations.flatMap((one) => (one.kind === 'cancel' ? [one.order_id] : [])));
  return exits.filter(({ id }) => ids.has(id));
}

/**
 * A 404 or 409: the position or an exit is gone, or not as expected. Compared by name, because the client is not loaded
 * here.
 */
function isConflict(error: unknown): error is Error & { code: string } {
  const { name, status } = error as { name?: string; status?: number };
  return name === 'ApiError' && (status === 404 || status === 409);
}

function closedFailure({ id, side, size, symbol, closed_at, exit_price, realized_pnl }: Position): Failure {
  const at = exit_price === undefined ? '' : ` at ${quantity(exit_price)}`;
  const when = closed_at === undefined ? '' : ` ${dateTime(closed_at)}`;
  const profit = realized_pnl === undefined ? '' : `, realizing ${signedUsd(realized_pnl)} USD`;
  return notFoundFailure(
    `The position is closed: ${word(side)} ${quantity(size)} ${word(symbol)} ended${when}${at}${profit}. Its exits ended with it.`,
    `perp positions show ${id} shows it.`,
  );
}
