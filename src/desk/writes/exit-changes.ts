import { type Failure, notFoundFailure } from '../../base/failure/failure.ts';
import { exitExecutionOf, exitGroupOf } from '../../base/terms/order-types.ts';
import { dateTime, quantity, signedUsd, word } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { ExitOperation, ExitOrderBatchRequest, Position } from '../../wire/contract/positions.ts';
import { exitPriceOf } from '../account/means.ts';
import { exitNames, ordersAfter, resizesOf, type Snapshot } from '../preview/exit-plan.ts';
import { showsFigures } from '../reading/before.ts';
import { workingNow } from '../reading/prospects.ts';
import { workingExits } from '../resolve/holdings.ts';
import type { Session } from '../session/session.ts';
import { type Aftermath, changedAftermath, readAftermath, withPosition } from './aftermath.ts';

/** How often a change is recomputed because the position or its exits have changed. */
const maxAttempts = 3;

/** The operations that make a change, given the current exits; none if there is nothing to change. */
export type ExitPlanner = (snapshot: Snapshot) => Promise<ExitOperation[]>;

/** Sends a change of exits without a question; recomputes it while its snapshot is stale. */
export async function sendExits(session: Session, snapshot: Snapshot, plan: ExitPlanner): Promise<void> {
  const operations = await plan(snapshot);
  if (operations.length === 0) return;
  const request = { path: { position_id: snapshot.position.id }, body: exitBatch(snapshot, operations) };
  await sendPlanned(session, request, { snapshot, operations }, plan);
}

/** A batch of changes of a position's exits. */
type ExitRequest = { path: { position_id: string }; body: ExitOrderBatchRequest };

/** Sends the batch; recomputes it while its snapshot is stale. */
export async function sendPlanned<R extends ExitRequest>(
  session: Session,
  request: R,
  first: Planned,
  plan: ExitPlanner,
) {
  const { path } = request;
  let { body } = request;
  let planned = first;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await session.call('replacePositionExitOrders', { ...request, body });
      noteResizes(session, planned);
      return answer;
    } catch (error) {
      if (!isConflict(error)) throw error;
      const answer = await session.call('getPosition', { path });
      if (answer.data.status === 'closed') throw closedFailure(answer.data);
      if (error.code !== 'stale_snapshot' || attempt === maxAttempts) throw error;
      const snapshot: Snapshot = { position: answer.data, exits: await workingExits(session, answer.data) };
      const operations = await plan(snapshot);
      if (operations.length === 0) return { ...answer, body: { data: answer.data } };
      session.note('The position or its exits have changed in the meantime; the change was recomputed.');
      planned = { snapshot, operations };
      body = exitBatch(snapshot, operations);
    }
  }
}

/** Operations, and the exits for which they were computed. */
interface Planned {
  readonly snapshot: Snapshot;
  readonly operations: readonly ExitOperation[];
}

function noteResizes(session: Session, { snapshot: { position, exits }, operations }: Planned): void {
  for (const { exit, was, size } of resizesOf(exits, operations)) {
    const verb = size > was ? 'grew' : 'shrank';
    const name = exitNames[exitGroupOf(exit.type)];
    session.note(`The ${name} ${exit.id} ${verb} from ${quantity(was)} to ${quantity(size)} ${word(position.symbol)}.`);
  }
}

/** The request that makes the operations, if the exits are still those of the snapshot. */
export function exitBatch({ position, exits }: Snapshot, operations: ExitOperation[]): ExitOrderBatchRequest {
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

/** The exits that the operations cancel. */
export function canceledBy({ exits }: Snapshot, operations: readonly ExitOperation[]): Order[] {
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

/** A position that has been closed has no exits. */
export function closedFailure({ id, side, size, symbol, closed_at, exit_price, realized_pnl }: Position): Failure {
  const at = exit_price === undefined ? '' : ` at ${quantity(exit_price)}`;
  const when = closed_at === undefined ? '' : ` ${dateTime(closed_at)}`;
  const profit = realized_pnl === undefined ? '' : `, realizing ${signedUsd(realized_pnl)} USD`;
  return notFoundFailure(
    `The position is closed: ${word(side)} ${quantity(size)} ${word(symbol)} ended${when}${at}${profit}. Its exits ended with it.`,
    `perp positions show ${id} shows it.`,
  );
}

/**
 * The account after the change: for people, as read; otherwise from earlier reads, with only unknown orders read again.
 * Unknown in a batch, which would read it for every line.
 */
export async function exitAftermath(
  session: Session,
  position: Position,
  known: readonly Order[] | undefined,
): Promise<Aftermath | undefined> {
  if (session.memory.sharesReads) return undefined;
  const { account_id } = position;
  if (!showsFigures(session)) return readAftermath(session, position);
  const working = known ?? (await workingNow(session, account_id));
  const after = await changedAftermath(session, account_id, ({ positions }) => ({
    positions: withPosition(positions, position),
    working,
  }));
  return after ?? readAftermath(session, position);
}

/** The working orders after a batch; undefined if it places exits, because only a read shows their ids. */
export function changedBy(
  snapshot: Snapshot,
  operations: readonly ExitOperation[],
  working: readonly Order[],
): readonly Order[] | undefined {
  if (operations.some(({ kind }) => kind === 'place')) return undefined;
  return ordersAfter(snapshot, operations, working);
}
