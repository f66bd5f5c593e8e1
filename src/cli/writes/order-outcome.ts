import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { Context } from '../context/context.ts';
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts';
import { usageFailure } from '../failure/failure.ts';
import { factsOf } from '../failure/report.ts';
import { type Block, blank, line, type Result, recordOf } from '../output/result.ts';
import { follow, isOver } from '../reading/follow-order.ts';
import { marksOf } from '../reading/marks.ts';
import { accountNow, prospectsOf } from '../reading/prospects.ts';
import { workingExits } from '../resolve/position.ts';
import { exitBlocks, orderBrief } from '../views/order-view.ts';
import { positionBrief } from '../views/position-view.ts';

/** How long to wait for a delayed market order in text output. */
const maxWaitMs = 3_000;

/**
 * The result of a new order: with `wait`, its final state, and in text output the resulting position. Stopping the wait
 * with Ctrl-C or --timeout exits 130 and leaves the order working.
 */
export async function placed(context: Context, order: Order, wait: boolean, queued = false): Promise<Result> {
  const forPeople = context.settings.output === 'table';
  const looksOnce = forPeople && order.status === 'pending' && order.mode === 'market';
  const forMs = wait ? (context.settings.waitMs ?? Number.POSITIVE_INFINITY) : looksOnce ? maxWaitMs : 0;
  const { order: settled, stopped } = await follow(context, order, forMs);
  const isUnfinished = wait && !isOver(settled);
  if (isUnfinished) {
    const why = stopped?.why ?? 'The --timeout has passed.';
    context.note(`${why} The order is still ${settled.status}; see perp order show ${settled.id}.`);
  }
  const position = forPeople && touchedPosition(settled) ? await positionBlocks(context, settled) : [];
  const queueLine = queued ? [line({ text: 'Queued behind an armed order.', tone: 'warn' as const })] : [];
  return recordOf(
    settled,
    () => [...orderBrief(settled, context.marketSource), ...queueLine, ...position],
    isUnfinished ? (stopped?.exit ?? exitCodes.interrupted) : exitOf(settled),
  );
}

/** Rejects --wait in a simulation with a manual clock. */
export async function checkWait(context: Context, wait: boolean): Promise<void> {
  if (!wait || context.settings.environment !== 'sim' || context.settings.dryRun) return;
  const { data } = await context.call('simStatus', {});
  if (data.clock !== 'manual') return;
  throw usageFailure(
    "--wait would never end, because this simulation's clock is manual.",
    'Omit --wait and use perp sim advance.',
  );
}

function exitOf(order: Order): ExitCode {
  return order.status === 'rejected' ? exitCodes.rejected : exitCodes.done;
}

function touchedPosition(order: Order): boolean {
  return order.status === 'filled' || (order.filled_size ?? 0) > 0;
}

/**
 * The resulting position and what ends it; omits what can't be read. The mark and the account are read in parallel with
 * the positions.
 */
async function positionBlocks(context: Context, order: Order): Promise<Block[]> {
  const { account_id, market_id } = order;
  const account = accountNow(context, account_id);
  const own = marksOf(context, [market_id]);
  for (const read of [account, own]) read.catch(() => {});
  const positions = await openPositions(context, order);
  if (positions === undefined) return [];
  const position = positions.find((open) => open.market_id === market_id);
  if (position === undefined) return [blank, line({ text: 'Position', tone: 'strong' }, `  flat in ${order.symbol}`)];
  const others = positions.filter((open) => open.market_id !== market_id);
  const { marks, outlook } = await prospectsOf(context, account, positions, others.length === 0 ? own : undefined);
  const exits = hasLegs(order) ? await exitsOf(context, position) : [];
  return [blank, ...positionBrief(position, marks.get(market_id)?.price, outlook), ...exitBlocks(exits)];
}

function hasLegs(order: Order): boolean {
  return order.attached_take_profit_price !== undefined || order.attached_stop_loss_price !== undefined;
}

/** The orders created from the legs. */
async function exitsOf(context: Context, position: Position): Promise<readonly Order[]> {
  try {
    return await workingExits(context, position);
  } catch (error) {
    context.note(`The exits can't be shown: ${factsOf(error).message}`);
    return [];
  }
}

async function openPositions(context: Context, { account_id }: Order): Promise<readonly Position[] | undefined> {
  try {
    return (await context.call('listOpenPositions', { query: { account_id } })).data;
  } catch (error) {
    context.note(`The position can't be shown: ${factsOf(error).message}`);
    return undefined;
  }
}
