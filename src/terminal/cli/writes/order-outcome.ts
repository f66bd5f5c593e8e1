import { exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { takesAtOnce } from '../../../base/terms/order-types.ts';
import { averageOf, exitsOf, isFilledInParts } from '../../../desk/account/means.ts';
import { follow, isOver, type WholeOrder, wholeOrder } from '../../../desk/reading/account-changes.ts';
import { beginAccount, beginAftermath, showsFigures } from '../../../desk/reading/before.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { resolveOrder } from '../../../desk/resolve/holdings.ts';
import { filledSizeOf } from '../../../desk/risk/trade.ts';
import { type Aftermath, expectedAftermath, readAftermath } from '../../../desk/writes/aftermath.ts';
import type { Growth } from '../../../desk/writes/stop-growth.ts';
import { orderFigures } from '../../../desk/writes/write-figures.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Console } from '../../console/console.ts';
import { type Blocks, blank, line, type RecordResult, type Result, recordOf } from '../../console/output/result.ts';
import { exitBlocks, orderBrief } from '../../console/views/order-view.ts';
import { positionBrief } from '../../console/views/position-view.ts';
import { placedQuestion } from './write.ts';

/** How long to wait for a delayed market order in text output. */
const maxWaitMs = 3_000;

/**
 * The result of a new order: with `wait`, its final state, and the resulting position. Stopping the wait
 * with Ctrl-C or --timeout exits 130 and leaves the order working.
 */
export async function placed(console: Console, order: Order, wait: boolean, queued = false): Promise<Result> {
  const forPeople = console.settings.output === 'table';
  const looksOnce = forPeople && order.status === 'pending' && takesAtOnce(order.mode);
  const forMs = wait ? (console.settings.waitMs ?? Number.POSITIVE_INFINITY) : looksOnce ? maxWaitMs : 0;
  const { order: latest, stopped } =
    forMs === 0 ? { order } : await console.person.during('Waiting for the order', () => follow(console, order, forMs));
  const isUnfinished = wait && !isOver(latest);
  if (isUnfinished) {
    const why = stopped?.why ?? 'The --timeout has passed.';
    console.note(`${why} The order is still ${latest.status}; see perp order show ${latest.id}.`);
  }
  // Ctrl-C and --timeout end the reading, too.
  const seen = isUnfinished ? undefined : await aftermathOf(console, order, latest);
  const { after, exit } = await grown(console, latest, seen);
  const whole = await wholeOf(console, latest);
  const queueLine = queued ? line({ text: 'Queued behind an armed order.', tone: 'warn' }) : undefined;
  return recordOf(
    forPeople ? latest : { ...latest, computed: { ...orderFigures(console, whole.order, after), ...whole.computed } },
    () => [
      orderBrief(whole.order, console.memory.marketSource),
      queueLine,
      after && touchedPosition(latest) ? positionBlocks(latest, after) : undefined,
    ],
    isUnfinished
      ? (stopped?.exit ?? exitCodes.interrupted)
      : (exit ?? (latest.status === 'rejected' ? exitCodes.rejected : exitCodes.done)),
  );
}

/**
 * The account after an order: for people, as read, if the order has filled; otherwise computed from earlier reads, or
 * read if they aren't enough. The lines of a batch read it only if a stop may have to follow.
 */
async function aftermathOf(console: Console, order: Order, latest: Order): Promise<Aftermath | undefined> {
  const isTouched = touchedPosition(latest);
  if (console.settings.output === 'table') return isTouched ? readAftermath(console, latest) : undefined;
  if (console.memory.sharesReads) {
    return isTouched && console.settings.stops === 'follow' ? readAftermath(console, latest) : undefined;
  }
  // An order that was followed to its end may include several changes.
  const expected = order === latest ? await expectedAftermath(console, latest) : undefined;
  return expected ?? readAftermath(console, latest);
}

/** The account once a stop has followed the order; loaded only for an order that may have added to a position. */
async function grown(console: Console, order: Order, after: Aftermath | undefined): Promise<Growth> {
  const mayGrow = after?.working?.some((one) => one.reduce_only && one.market_id === order.market_id) === true;
  if (!mayGrow || !touchedPosition(order)) return { after };
  const { growStop } = await import('../../../desk/writes/stop-growth.ts');
  return growStop(
    console,
    order,
    after,
    console.person.isInteractive ? (question) => isWanted(console, question) : undefined,
  );
}

async function isWanted(console: Console, question: string): Promise<boolean> {
  try {
    await console.person.confirm(await placedQuestion(console, question, undefined));
    return true;
  } catch (error) {
    if (console.signal.aborted) throw error;
    return false;
  }
}

/** Rejects --wait and other waits in a simulation with a manual clock. */
export async function checkWait(console: Console, what = '--wait'): Promise<void> {
  if (console.settings.environment !== 'sim' || console.settings.dryRun) return;
  const { data } = await console.call('simStatus', {});
  if (data.clock !== 'manual') return;
  throw usageFailure(
    `${what} would never end, because this simulation's clock is manual.`,
    `Omit ${what} and use perp sim advance.`,
  );
}

function touchedPosition(order: Order): boolean {
  return order.status === 'filled' || (order.filled_size ?? 0) > 0;
}

/** The resulting position, the limit that ends it, and any exits that the order has placed. */
function positionBlocks(order: Order, { positions, working, marks, outlook }: Aftermath): Blocks {
  if (positions === undefined) return [];
  const position = positions.find((open) => open.market_id === order.market_id);
  if (position === undefined) return [blank, line({ text: 'Position', tone: 'strong' }, `  flat in ${order.symbol}`)];
  const hasLegs = order.attached_take_profit_price !== undefined || order.attached_stop_loss_price !== undefined;
  const exits = hasLegs ? exitBlocks(exitsOf(position, working ?? [])) : undefined;
  const seen = { mark: marks.get(order.market_id), outlook, working };
  return [blank, positionBrief(position, seen), exits];
}

/** An order with the figures of all of its fills. */
async function wholeOf(console: Console, order: Order): Promise<WholeOrder> {
  if (!isFilledInParts(order)) return { order, computed: averageOf(order, touchedPosition(order) ? [order] : []) };
  return wholeOrder(console, order);
}

/** Finds the order that a command changes, and starts reading what its result needs. */
export async function toAmend(console: Console, text: string): Promise<Order> {
  beginAccount(console);
  const order = ofChosenAccount(console, await resolveOrder(console, text));
  beginAftermath(console, order);
  return order;
}

/** The result of a changed order: its own blocks, and whether the change is queued. */
export async function amended(
  console: Console,
  was: Order,
  order: Order,
  queued: boolean | undefined,
  blocks: (whole: Order) => Blocks,
): Promise<RecordResult> {
  const expected = await expectedAftermath(console, order, filledSizeOf(was));
  const after = expected ?? (showsFigures(console) ? await readAftermath(console, order) : undefined);
  const whole = await wholeOf(console, order);
  return recordOf({ ...order, computed: { ...orderFigures(console, whole.order, after), ...whole.computed } }, () => [
    blocks(whole.order),
    queued === true ? line({ text: 'Queued behind the armed order.', tone: 'warn' }) : undefined,
  ]);
}
