import type { Order } from '../../contract/orders.ts';
import type { ExitOperation, ExitOrderBatchRequest, Position } from '../../contract/positions.ts';
import type { Context } from '../context/context.ts';
import { type Failure, notFoundFailure } from '../failure/failure.ts';
import { type Block, line, type Result, recordOf } from '../output/result.ts';
import { exitPriceOf, type Snapshot, stopsBeyond } from '../preview/exit-plan.ts';
import { exitPreview } from '../preview/exit-preview.ts';
import { legsBefore } from '../preview/lost-legs.ts';
import { accountNow, prospectsOf } from '../reading/prospects.ts';
import { workingExits } from '../resolve/position.ts';
import { dateTime, quantity, signedUsd, word } from '../text/format.ts';
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
export async function changeExits(context: Context, position: Position, change: ExitChange): Promise<Result> {
  if (position.status === 'closed') throw closedFailure(position);
  const snapshot: Snapshot = { position, exits: await workingExits(context, position) };
  const operations = await change.plan(snapshot);
  if (operations.length === 0) return unchanged(context, snapshot, change);
  const lostLegs = await legsBefore(context, canceledBy(snapshot, operations));
  const request = { path: { position_id: position.id }, body: batch(snapshot, operations) };
  return write(context, 'replacePositionExitOrders', request, {
    preview: () => exitPreview(context, snapshot, operations),
    account: position.account_id,
    question: `${change.question(snapshot, operations)}?`,
    send: (keyed) => sendPlanned(context, keyed, change),
    done: async ({ data }) => recordOf(data, await shown(context, data, lostLegs)),
  });
}

/** As text: the position, what ends it, its exits, and which entries lost a leg. */
async function shown(
  context: Context,
  position: Position,
  lostLegs: () => Promise<Block[]>,
): Promise<() => readonly Block[]> {
  if (context.settings.output !== 'table') return () => [];
  const { account_id, market_id } = position;
  const reading = accountNow(context, account_id);
  reading.catch(() => {});
  const { data: open } = await context.call('listOpenPositions', { query: { account_id } });
  const [exits, { marks, outlook }, lost] = await Promise.all([
    workingExits(context, position),
    prospectsOf(context, reading, open),
    lostLegs(),
  ]);
  const breach = outlook.breachPrices.get(market_id);
  const unreached = stopsBeyond(position, exits, breach).map((exit) =>
    line({
      text: `The account fails at ${quantity(breach!)}, before the stop-loss at ${quantity(exitPriceOf(exit))}.`,
      tone: 'bad',
    }),
  );
  return () => [
    ...positionBlocks(position, marks.get(market_id)?.price, outlook),
    ...exitBlocks(exits),
    ...unreached,
    ...lost,
  ];
}

type Request = { path: { position_id: string }; body: ExitOrderBatchRequest };

/** Sends the batch; recomputes it while its snapshot is stale. */
async function sendPlanned<R extends Request>(context: Context, request: R, change: ExitChange) {
  const { path } = request;
  let { body } = request;
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.call('replacePositionExitOrders', { ...request, body });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const answer = await context.call('getPosition', { path });
      if (answer.data.status === 'closed') throw closedFailure(answer.data);
      if (error.code !== 'stale_snapshot' || attempt === maxAttempts) throw error;
      const snapshot: Snapshot = { position: answer.data, exits: await workingExits(context, answer.data) };
      const operations = await change.plan(snapshot);
      if (operations.length === 0) return { ...answer, body: { data: answer.data } };
      context.note('The position or its exits have changed in the meantime; the change was recomputed.');
      body = batch(snapshot, operations);
    }
  }
}

function batch({ position, exits }: Snapshot, operations: ExitOperation[]): ExitOrderBatchRequest {
  return {
    expected_position_size: position.size,
    expected_orders: exits.map((exit) => ({
      order_id: exit.id,
      execution_type:
        exit.type === 'limit' || exit.type === 'stop_limit' || exit.type === 'take_limit' ? 'limit' : 'market',
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

async function unchanged(context: Context, snapshot: Snapshot, change: ExitChange): Promise<Result> {
  const says = line({ text: `${change.unchanged(snapshot)} Nothing was sent.`, tone: 'warn' });
  const blocks = await shown(context, snapshot.position, async () => []);
  return recordOf(snapshot.position, () => [says, ...blocks()]);
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
