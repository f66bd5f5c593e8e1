import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { Context } from '../context/context.ts';
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts';
import { usageFailure } from '../failure/failure.ts';
import { factsOf } from '../failure/report.ts';
import { type Block, blank, line, type Result, recordOf } from '../output/result.ts';
import { follow, isOver } from '../reading/follow-order.ts';
import { orderBrief } from '../views/order-view.ts';
import { positionBrief } from '../views/position-view.ts';

/** A person looks at what came of a market order: a delayed one is given this long. */
const patienceMs = 3_000;

/**
 * What came of an order just placed: with `wait` its end, and for a person the position it made. Whatever stops the
 * waiting leaves the order as it is: Ctrl-C and the time given with --timeout end with 130.
 */
export async function placed(context: Context, order: Order, wait: boolean, queued = false): Promise<Result> {
  const forPeople = context.settings.output === 'table';
  const looksOnce = forPeople && order.status === 'pending' && order.mode === 'market';
  const forMs = wait ? (context.settings.waitMs ?? Number.POSITIVE_INFINITY) : looksOnce ? patienceMs : 0;
  const { order: settled, stopped } = await follow(context, order, forMs);
  const isUnfinished = wait && !isOver(settled);
  if (isUnfinished) {
    const why = stopped?.why ?? 'The time to wait is up.';
    context.note(`${why} The order stays as it is: ${settled.status}. perp order show ${settled.id} tells more.`);
  }
  const position = forPeople && touchedPosition(settled) ? await positionBlocks(context, settled) : [];
  const queueLine = queued ? [line({ text: 'Queued behind an armed order.', tone: 'warn' as const })] : [];
  return recordOf(
    settled,
    () => [...orderBrief(settled, context.marketSource), ...queueLine, ...position],
    isUnfinished ? (stopped?.exit ?? exitCodes.interrupted) : exitOf(settled),
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

function touchedPosition(order: Order): boolean {
  return order.status === 'filled' || (order.filled_size ?? 0) > 0;
}

/** The position that an order made; where it can't be read, the order alone is shown. */
async function positionBlocks(context: Context, order: Order): Promise<Block[]> {
  const positions = await openPositions(context, order);
  if (positions === undefined) return [];
  const position = positions.find(({ market_id }) => market_id === order.market_id);
  if (position === undefined) return [blank, line({ text: 'Position', tone: 'strong' }, `  flat in ${order.symbol}`)];
  return [blank, ...positionBrief(position)];
}

async function openPositions(context: Context, { account_id }: Order): Promise<readonly Position[] | undefined> {
  try {
    return (await context.call('listOpenPositions', { query: { account_id } })).data;
  } catch (error) {
    context.note(`The position can't be shown: ${factsOf(error).message}`);
    return undefined;
  }
}
