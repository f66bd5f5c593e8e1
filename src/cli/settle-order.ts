import type { Order } from '../contract/orders.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { usageFailure } from './failure.ts';
import { type Block, blank, line, type Result, recordOf } from './output/result.ts';
import { orderBrief } from './views/order-view.ts';
import { positionBrief } from './views/position-view.ts';

const firstPauseMs = 100;
const longestPauseMs = 1_000;
/** A person looks at what came of a market order: a delayed one is given this long. */
const patienceMs = 3_000;

/** What came of an order just placed: with `wait` its end, and for a person the position it made. */
export async function placed(context: Context, order: Order, wait: boolean, queued = false): Promise<Result> {
  const forPeople = context.settings.output === 'table';
  const settled = wait
    ? await followed(context, order, Number.POSITIVE_INFINITY)
    : forPeople && order.status === 'pending' && order.mode === 'market'
      ? await followed(context, order, patienceMs)
      : order;
  const position = forPeople && touchedPosition(settled) ? await positionBlocks(context, settled) : [];
  const queueLine = queued ? [line({ text: 'Queued behind an armed order.', tone: 'warn' as const })] : [];
  return recordOf(
    settled,
    () => [...orderBrief(settled, context.marketSource), ...queueLine, ...position],
    exitOf(settled),
  );
}

/** Refuses to wait where time does not pass by itself. */
export async function checkWait(context: Context, wait: boolean): Promise<void> {
  if (!wait || context.settings.environment !== 'sim' || context.settings.dryRun) return;
  const { data } = await context.call('simStatus', {});
  if (data.clock !== 'manual') return;
  throw usageFailure(
    '--wait would wait for ever: the clock of this simulation is manual.',
    'Leave it out, and move time with perp sim advance.',
  );
}

function exitOf(order: Order): ExitCode {
  return order.status === 'rejected' ? exitCodes.rejected : exitCodes.done;
}

function isOver(order: Order): boolean {
  return order.status !== 'pending' && order.status !== 'resting';
}

function touchedPosition(order: Order): boolean {
  return order.status === 'filled' || (order.filled_size ?? 0) > 0;
}

async function followed(context: Context, order: Order, forMs: number): Promise<Order> {
  let current = order;
  let pauseMs = firstPauseMs;
  const begun = performance.now();
  return context.during('Waiting for the order', async () => {
    while (!isOver(current) && performance.now() - begun < forMs) {
      await context.sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
      current = (await context.call('getOrder', { path: { order_id: order.id } })).data;
    }
    return current;
  });
}

async function positionBlocks(context: Context, order: Order): Promise<Block[]> {
  const { data } = await context.call('listOpenPositions', { query: { account_id: order.account_id } });
  const position = data.find(({ market_id }) => market_id === order.market_id);
  if (position === undefined) return [blank, line({ text: 'Position', tone: 'strong' }, `  flat in ${order.symbol}`)];
  return [blank, ...positionBrief(position)];
}
