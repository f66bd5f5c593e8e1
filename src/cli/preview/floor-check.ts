import type { Market } from '../../contract/markets.ts';
import type { CreateOrderRequest } from '../../contract/orders.ts';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';
import { factsOf } from '../failure/report.ts';
import { beginPositions, openPositions } from '../resolve/position.ts';
import { fetchQuote } from '../resolve/quote.ts';
import { accountRisk } from '../resolve/risk.ts';
import type { Floor } from '../risk/breach.ts';
import { counted, quantity, roughPrice, stretch, usd, word } from '../text/format.ts';
import { largestFitting, type StopAt } from './largest-fitting.ts';
import { type Estimate, entriesBeside, estimateOrder, floorOf, isAgainst, type Prospect, reduces } from './prospect.ts';

/** A worst case that reaches a floor. */
export interface WorstCase {
  readonly prospect: Prospect;
  readonly text: string;
  readonly details: {
    readonly floor: Floor['name'];
    /** USD that the account may lose before it touches the floor. */
    readonly room: number;
    readonly loss: number;
    readonly at: 'stop' | 'liquidation';
    /** The largest size that fits, base asset; only if the order has a stop. */
    readonly largest_size?: number;
    /** Working orders of the same market and side whose loss is included. */
    readonly orders_beside?: readonly string[];
  };
}

/** The worst case of an order, if it reaches a floor of its account. */
export function worstCaseOf(prospect: Prospect, { worst }: Estimate): WorstCase | undefined {
  const floor = floorOf(prospect.account);
  if (worst === undefined || floor === undefined || worst.loss < floor.room) return undefined;
  const { loss, at, beside } = worst;
  const { positions, order } = prospect;
  const isAlone = !positions.some(({ market_id }) => market_id === order.market_id);
  const who = isAlone ? 'the order loses' : 'the position and the order together lose';
  const where = at === 'stop' ? `its stop ${quantity(worst.price)}` : `its liquidation near ${roughPrice(worst.price)}`;
  const others = beside.length === 0 ? '' : `, with ${counted(beside.length, 'working order')} of its side`;
  const left = `only ${usd(floor.room)} USD is left above ${usd(floor.at)}`;
  const text = `In the worst case, ${who} ${usd(loss)} USD at ${where}${others}, which would breach the ${floor.name} floor: ${left}.`;
  const ids = beside.length === 0 ? {} : { orders_beside: beside.map(({ id }) => id) };
  const details = { floor: floor.name, room: floor.room, loss, at, ...ids };
  return { prospect, text, details };
}

/** The same, with the largest size that fits, if the order has a stop. It takes several quotes, so it is found last. */
async function withLargest(
  context: Context,
  worst: WorstCase,
  judging: Pick<Judging, 'stopAt' | 'amends'>,
): Promise<WorstCase> {
  const { prospect, text, details } = worst;
  if (details.at !== 'stop') return worst;
  const largest = await largestFitting(context, prospect, judging);
  if (largest === undefined) return worst;
  const fits =
    largest > 0
      ? `The largest size that fits is ${quantity(largest)} ${word(prospect.market.symbol)}.`
      : `No size fits with this stop${prospect.beside.length === 0 ? '' : ' beside the other orders'}.`;
  return { ...worst, text: `${text} ${fits}`, details: { ...details, largest_size: largest } };
}

/** How an order is compared with the floors. */
export interface Judging {
  /** --force: no comparison. */
  readonly force: boolean;
  /** The working order that it replaces. */
  readonly amends?: string | undefined;
  /** Its stop, if it depends on its fill. */
  readonly stopAt?: StopAt | undefined;
  /** A way to make it fit: `Use a smaller size`. */
  readonly wayOut?: string | undefined;
}

/**
 * The consequence of a worst case that reaches a floor under `trade.floor_check`: a failure, or only a warning, with the
 * largest size that fits. A repeated request was checked when it was new.
 */
export async function enforce(
  context: Context,
  found: WorstCase,
  order: Pick<CreateOrderRequest, 'account_id' | 'client_order_id'>,
  judging: Judging,
): Promise<WorstCase> {
  const { force, wayOut } = judging;
  if (await isRepeated(context, order)) return found;
  const worst = await withLargest(context, found, judging);
  const { text, details } = worst;
  if (force || context.settings.floorCheck !== 'refuse') return worst;
  throw new Failure({
    exit: exitCodes.rejected,
    code: 'worst_case_breach',
    message: text,
    details,
    hint: `${wayOut ?? `Use a smaller size or ${details.at === 'stop' ? 'a closer --stop-loss' : 'add a --stop-loss'}`}, or add --force to go ahead anyway.`,
  });
}

/** Whether the exchange already has this order, under a key that the user has chosen. */
async function isRepeated(
  context: Context,
  { client_order_id }: Pick<CreateOrderRequest, 'client_order_id'>,
): Promise<boolean> {
  if (context.settings.idempotencyKey === undefined || client_order_id === undefined) return false;
  try {
    return (await context.call('listOrders', { query: { client_order_id } })).data.length > 0;
  } catch {
    return false;
  }
}

/** Starts reading what {@link checkFloors} needs, in parallel with the other reads of a new order. */
export function beginFloorCheck(context: Context, order: Checked, force: boolean): void {
  if (force || !isChecked(context, order)) return;
  accountRisk(context).catch(() => {});
  beginPositions(context);
}

type Checked = Pick<CreateOrderRequest, 'reduce_only' | 'type'>;

function isChecked(context: Context, order: Checked): boolean {
  return context.settings.floorCheck !== 'off' && !context.settings.dryRun && !context.isInteractive && !reduces(order);
}

/**
 * Compares an order's worst case at its own stop with the floors of its account, where there is no preview: in scripts
 * and batches. Without a stop, it notes that nothing was compared. If data can't be read, that is a note, and the order
 * is sent.
 */
export async function checkFloors(
  context: Context,
  order: CreateOrderRequest,
  market: Market,
  judging: Judging,
): Promise<void> {
  if (judging.force || !isChecked(context, order)) return;
  let worst: WorstCase | undefined;
  try {
    worst = await inTime(context, worstAtStop(context, order, market, judging.amends));
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.note(`The order is sent without the floor check: ${factsOf(error).message}`);
    return;
  }
  if (worst === undefined) return;
  context.note((await enforce(context, worst, order, judging)).text);
}

/** The check must not delay an order for as long as a read is retried. */
const maxWaitMs = 5_000;

async function inTime<T>(context: Context, reading: Promise<T>): Promise<T> {
  const { setTimeout: delay } = await import('node:timers/promises');
  const done = new AbortController();
  const forMs = Math.min(maxWaitMs, context.settings.timeoutMs);
  const late = delay(forMs, undefined, { signal: done.signal }).then(() => {
    throw new Failure({
      exit: exitCodes.unavailable,
      code: 'no_answer',
      message: `no answer within ${stretch(forMs)}.`,
    });
  });
  late.catch(() => {});
  reading.catch(() => {});
  try {
    return await Promise.race([reading, late]);
  } finally {
    done.abort();
  }
}

async function worstAtStop(
  context: Context,
  order: CreateOrderRequest,
  market: Market,
  amends: string | undefined,
): Promise<WorstCase | undefined> {
  const { account_id, side, size, stop_loss_price: stop } = order;
  const reading =
    stop === undefined
      ? undefined
      : Promise.all([
          fetchQuote(context, order.market_id, { side, size, account: account_id }),
          entriesBeside(context, order, amends),
        ]);
  reading?.catch(() => {});
  const [account, positions] = await Promise.all([accountRisk(context), openPositions(context)]);
  const floor = floorOf(account);
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  const onlyReduces = held !== undefined && isAgainst(order, held) && size <= held.size;
  if (floor === undefined || onlyReduces) return undefined;
  if (reading === undefined) {
    const text = `The order has no --stop-loss, so its worst case was not compared with the floors: ${usd(floor.room)} USD is left above the ${floor.name} floor.`;
    await context.recent('an order without a stop', async () => context.note(text));
    return undefined;
  }
  const [quote, beside] = await reading;
  const prospect = { order, market, quote, account, policy: undefined, positions, mids: new Map(), beside };
  return worstCaseOf(prospect, estimateOrder(prospect));
}
