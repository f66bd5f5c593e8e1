import { Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { isReduction, takesAtOnce } from '../../base/terms/order-types.ts';
import { percentText, quantity, stretch, usd, word } from '../../base/text/format.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import { recentPolicy, twapsBefore } from '../reading/prospects.ts';
import { accountRisk } from '../resolve/account.ts';
import { expectedPositions, workingOrders } from '../resolve/holdings.ts';
import { recentQuote, sizedQuote } from '../resolve/quote.ts';
import type { Trade } from '../risk/trade.ts';
import { inTime, type Session } from '../session/session.ts';
import { noGap } from './gap.ts';
import type { StopAt } from './largest-size.ts';
import { type WorstCase, worstCaseOf } from './order-worst-case.ts';
import {
  type Estimate,
  estimateOrder,
  exitQuoteOf,
  floorOf,
  look,
  otherMarks,
  type Prospect,
  priceOf,
  without,
} from './prospect.ts';
import { checkProtection, type FarStop, onlyReduces, requireReached, stopAfter } from './protection.ts';
import { largestFitting } from './risk-size.ts';

/** The same, with the largest size that fits. It takes several quotes, so it is found last. */
async function withLargest(
  session: Session,
  worst: WorstCase,
  judging: Pick<Judging, 'stopAt' | 'amends'>,
): Promise<WorstCase> {
  const { prospect, text, details } = worst;
  const largest = await largestFitting(session, prospect, judging);
  if (largest === undefined) return worst;
  const { size, smallest, limit } = largest;
  const fits =
    size > 0
      ? `The largest size that fits is ${quantity(size)} ${word(prospect.market.symbol)}.`
      : `No size fits: ${smallest} would exceed ${limit}.`;
  return { ...worst, text: `${text} ${fits}`, details: { ...details, largest_size: size } };
}

/** How an order is compared with the floors. */
export interface Judging {
  /** --force: no comparison. */
  readonly force: boolean;
  /** The working order that it replaces. */
  readonly amends?: string | undefined;
  /** Its stop, if it depends on its fill. */
  readonly stopAt?: StopAt | undefined;
  /** A change of an order that can't lose more than before. */
  readonly addsNothing?: boolean | undefined;
  /** What happens to a stop that is far away; default: it is allowed. */
  readonly farStop?: FarStop | undefined;
  /** A way to make it fit: `Use a smaller size`. */
  readonly wayOut?: string | undefined;
}

/**
 * The consequence of a worst case that reaches a floor under `trade.floor_check`: a failure, or only a warning, with the
 * largest size that fits. A repeated request was checked when it was new.
 */
export async function enforce(
  session: Session,
  found: WorstCase,
  order: Pick<CreateOrderRequest, 'account_id' | 'client_order_id'>,
  judging: Judging,
): Promise<WorstCase> {
  const { force, wayOut } = judging;
  if (await isRepeated(session, order)) return found;
  const isRefused = !force && session.settings.floorCheck === 'refuse';
  const worst = isRefused || found.details.at === 'stop' ? await withLargest(session, found, judging) : found;
  const { text, details } = worst;
  if (!isRefused) return worst;
  throw new Failure({
    code: 'worst_case_breach',
    message: `${text} Nothing was sent.`,
    details,
    hint: `${wayOut ?? wayOutOf(worst)}, or add --force to go ahead anyway.`,
  });
}

function wayOutOf({ prospect, details }: WorstCase): string {
  if (details.at === 'stop') return 'Use a smaller size or a closer --stop-loss';
  if (prospect.order.stop_loss_price === undefined) return 'Use a smaller size or add a --stop-loss';
  return `Use a smaller size${details.orders_beside === undefined ? '' : ', cancel what fills on the way'}`;
}

/** Whether the exchange already has this order, under a key that the user has chosen. */
async function isRepeated(
  session: Session,
  { client_order_id }: Pick<CreateOrderRequest, 'client_order_id'>,
): Promise<boolean> {
  if (session.settings.idempotencyKey === undefined || client_order_id === undefined) return false;
  try {
    return (await session.call('listOrders', { query: { client_order_id } })).data.length > 0;
  } catch {
    return false;
  }
}

type Placed = Pick<CreateOrderRequest, 'account_id' | 'market_id' | 'side'>;
type Checked = Pick<CreateOrderRequest, 'reduce_only' | 'type'>;

/** Whether an order is compared with the floors where there is no preview. */
export function isChecked(session: Session, order: Checked): boolean {
  return session.settings.floorCheck !== 'off' && !session.settings.dryRun && !isReduction(order);
}

/**
 * Checks an order where there is no preview: in scripts and batches. Compares its worst case with the floors of its
 * account: at its stop or, without one, at its liquidation; if that is out of reach, a note says where it would touch
 * the floor. If data can't be read, that is a note, and the order is sent.
 */
export async function checkFloors(
  session: Session,
  order: CreateOrderRequest,
  market: Market,
  judging: Judging,
): Promise<void> {
  if (judging.addsNothing !== true && !session.settings.dryRun) await checkProtection(session, order, judging);
  const isCompared = !judging.force && isChecked(session, order);
  const needsStop = session.settings.requireStop && order.stop_loss_price !== undefined && !session.settings.dryRun;
  if (!isCompared && !needsStop) return;
  let found: Awaited<ReturnType<typeof worstOfNew>>;
  try {
    found = await inTimeOf(session, worstOfNew(session, order, market, judging.amends));
  } catch (error) {
    if (session.signal.aborted) throw error;
    session.note(`The order is sent without the floor check: ${factsOf(error).message}`);
    return;
  }
  const { worst, trade, seen } = found;
  if (seen !== undefined) requireReached(session, ...seen);
  if (!isCompared) return;
  if (worst !== undefined) session.note((await enforce(session, worst, order, judging)).text);
  // Only an order that is sent may trade.
  if (trade !== undefined) session.memory.siblings?.expects(trade);
}

/** The check must not delay an order for as long as a read is retried. */
const maxWaitMs = 5_000;

async function inTimeOf<T extends object>(session: Session, reading: Promise<T>): Promise<T> {
  const forMs = Math.min(maxWaitMs, session.settings.timeoutMs);
  const known = await inTime(reading, forMs);
  if (known !== undefined) return known;
  const message = `no answer within ${stretch(forMs)}.`;
  throw new Failure({ code: 'no_answer', message });
}

async function worstOfNew(
  session: Session,
  order: CreateOrderRequest,
  market: Market,
  amends: string | undefined,
): Promise<{
  readonly worst?: WorstCase | undefined;
  readonly trade?: Trade | undefined;
  readonly seen?: readonly [Prospect, Estimate];
}> {
  const hasStop = order.stop_loss_price !== undefined;
  const seeing = hasStop
    ? look(session, order, market, expectedPositions(session, order), amends)
    : lookUnstopped(session, order, market, amends);
  seeing.catch(() => {});
  const [account, positions] = await Promise.all([accountRisk(session), expectedPositions(session, order)]);
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  if (onlyReduces(order, held) || (floorOf(account) === undefined && !session.settings.requireStop))
    return { trade: expectedTrade(order, market, held?.entry_price ?? order.limit_price ?? 0) };
  const prospect = await seeing;
  const price = priceOf(order, prospect.quote);
  const estimate = estimateOrder(prospect);
  const worst = worstCaseOf(prospect, estimate);
  if (!hasStop && worst === undefined) await noteUnstopped(session, prospect, estimate);
  return {
    worst,
    seen: [prospect, estimate],
    trade: price === undefined ? undefined : expectedTrade(order, market, price),
  };
}

/** The next lines of a batch are checked as if this order had traded, if it takes from the book. */
function expectedTrade(order: CreateOrderRequest, market: Market, price: number): Trade {
  const { account_id, side, size, leverage = 1, margin_mode = 'cross' } = order;
  const { market_id, provider, symbol, coin } = market;
  const status = takesAtOnce(order.type) ? 'filled' : 'resting';
  const terms = { leverage, margin_mode, status, fill_price: price, requested_at: 0 } as const;
  return { account_id, market_id, provider, symbol, coin, side, size, ...terms };
}

/** What the worst case of an order without a stop needs; the lines of a batch read it at most once a second. */
export async function readUnstopped(
  session: Session,
  { account_id, market_id, side }: Placed,
): Promise<Pick<Prospect, 'quote' | 'marks' | 'twaps' | 'gap'> & { readonly working: readonly Order[] }> {
  const [quote, marks, working, twaps] = await Promise.all([
    recentQuote(session, market_id),
    expectedPositions(session, { market_id, side }).then((positions) => otherMarks(session, positions, market_id)),
    session.memory.recent(`orders of ${account_id}`, () => workingOrders(session, account_id)),
    twapsBefore(session, account_id),
  ]);
  return { quote, marks, working, twaps, gap: noGap };
}

/** The prospect of an order without a stop, with no more reads than its worst case needs. */
async function lookUnstopped(
  session: Session,
  order: CreateOrderRequest,
  market: Market,
  amends: string | undefined,
): Promise<Prospect> {
  const [{ working: all, ...read }, account, positions] = await Promise.all([
    readUnstopped(session, order),
    accountRisk(session),
    expectedPositions(session, order),
  ]);
  const working = without(all, amends);
  const exitQuote = await exitQuoteOf(session, order, { positions, working, twaps: read.twaps });
  const seen = { order, market, exitQuote, account, policy: undefined, positions, working, ...read };
  if (!mayBeLiquidated(seen)) return seen;
  // Only the quote of its size tells its fee and its walk of the book.
  const [policy, quote] = await Promise.all([recentPolicy(session, order.account_id), sizedQuote(session, order)]);
  return { ...seen, policy, quote };
}

/** Whether a position without a stop could be liquidated before its market has moved by 100%; not with half of the equity at stake. */
function mayBeLiquidated({ order, quote, account, positions }: Omit<Prospect, 'policy'>): boolean {
  const isIsolated = order.margin_mode === 'isolated' || positions.some((one) => one.margin_mode === 'isolated');
  const { gross_exposure: exposure, equity } = account.risk ?? {};
  const price = priceOf(order, quote);
  if (isIsolated || typeof exposure !== 'number' || typeof equity !== 'number' || price === undefined) return true;
  // In a batch, the account was read before its latest orders.
  const held = positions.reduce((sum, { size, entry_price }) => sum + size * entry_price, 0);
  return Math.max(exposure, held) + order.size * price > equity / 2;
}

/** Says once what an order without a stop may lose, if its market can reach the floor at all. */
async function noteUnstopped(session: Session, prospect: Prospect, estimate: Estimate): Promise<void> {
  const { end, atRisk } = estimate;
  const floor = floorOf(prospect.account);
  if (floor === undefined || end?.by !== 'floor') return;
  const { price: breach } = end;
  const { market, quote } = prospect;
  const move = quote.mid === null ? '' : ` (${percentText(((breach - quote.mid) / quote.mid) * 100)})`;
  const beside = atRisk === 0 ? '' : ` Other positions may lose ${usd(atRisk)} USD of it.`;
  const { stops } = session.settings;
  // What a market order leaves uncovered is said once it has filled, but not in a batch.
  const waits = !takesAtOnce(prospect.order.type) || session.memory.sharesReads;
  const covered = waits || stops === 'follow' ? stopAfter(prospect, estimate, stops) : undefined;
  // A stop that follows will cover all of it.
  if (covered?.grows === true) return;
  const stop = (waits ? covered?.text : undefined) ?? 'none';
  const has = stop === 'none' ? '' : ` Once it fills, the stop is ${stop}.`;
  const text = `No --stop-loss: ${word(market.symbol)} would touch the ${floor.name} floor, ${usd(floor.room)} USD away, at ${quantity(breach)}${move}.${beside}${has}`;
  await session.memory.recent('an order without a stop', async () => session.note(text));
}
