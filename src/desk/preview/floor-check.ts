import { exitCodes, Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { isReduction, takesAtOnce } from '../../base/terms/order-types.ts';
import { percentText, quantity, usd, word } from '../../base/text/format.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { isWorking } from '../account/means.ts';
import { type Ending, endingOf } from '../reading/endings.ts';
import { recentPolicy, twapsBefore } from '../reading/prospects.ts';
import { accountRisk } from '../resolve/account.ts';
import { expectedPositions, positionsOf, workingOrders } from '../resolve/holdings.ts';
import { resolveMarket } from '../resolve/market.ts';
import { recentQuote, sizedQuote } from '../resolve/quote.ts';
import { filledSizeOf, type Trade } from '../risk/trade.ts';
import { answered, type Session } from '../session/session.ts';
import { amendedOrder } from './amendment.ts';
import { type Breach, type Judged, judged, lossOf, stopAfter } from './judged.ts';
import {
  type Drafted,
  exitQuoteOf,
  floorOf,
  isAgainst,
  type Judging,
  look,
  noGap,
  otherMarks,
  type Prospect,
  priceOf,
  without,
} from './prospect.ts';
import { checkProtection, idleStop, onlyReduces } from './protection.ts';

/** Why an order is refused: a worst case that reaches a floor or, without details, a stop that protects nothing. */
type Refused = Pick<Breach, 'text'> & Partial<Breach>;

/**
 * The consequence of a worst case that reaches a floor under `trade.floor_check`, or of a stop that protects nothing
 * under `trade.require_stop`: a failure that gives the largest size that fits, or only a warning. The one place that
 * refuses an order for its size before it is sent. A repeated request was checked when it was new.
 */
async function enforce(session: Session, seen: Judged, judging: Judging): Promise<Breach | undefined> {
  const { order, breach } = seen;
  const idle = idleStop(session, seen);
  if (idle !== undefined) throw await refusal(session, seen, judging, { text: idle });
  if (breach === undefined || session.settings.floorCheck === 'off') return undefined;
  if (await isRepeated(session, order)) return breach;
  if (!judging.force && session.settings.floorCheck === 'refuse') throw await refusal(session, seen, judging, breach);
  if (breach.details.at !== 'stop') return breach;
  const { otherSizes } = await import('./risk-size.ts');
  const { text, largest } = await otherSizes(session, seen, { ...judging, force: false });
  return { text: `${breach.text} ${text}`, details: { ...breach.details, largest_size: largest } };
}

async function refusal(session: Session, seen: Judged, judging: Judging, why: Refused): Promise<Failure> {
  const { text, details } = why;
  const { otherSizes } = await import('./risk-size.ts');
  const { text: sizes, largest, hint } = await otherSizes(session, seen, judging);
  const ways = waysOut(seen, judging, details, largest === 0);
  return new Failure({
    code: details === undefined ? 'stop_required' : 'worst_case_breach',
    message: `${text} ${sizes} Nothing was sent.`,
    details: { ...details, largest_size: largest },
    hint: hint ?? `${ways.slice(0, 1).toUpperCase()}${ways.slice(1)}.`,
  });
}

/** The change to make instead: the size, only if one fits. */
function waysOut({ order }: Judged, { wayOut }: Judging, details: Refused['details'], isNone: boolean): string {
  const { stop_loss_price: stop } = order;
  const isAtStop = stop !== undefined && (details === undefined || details.at === 'stop');
  const ways = [
    !isNone && (wayOut ?? 'use a smaller size'),
    wayOut === undefined && stop === undefined && 'add a --stop-loss',
    wayOut === undefined && isAtStop && 'use a closer --stop-loss',
    details?.orders_beside !== undefined && 'cancel the orders that fill on the way',
    details !== undefined && 'add --force to go ahead anyway',
  ].filter((way) => way !== false);
  return [...ways.slice(0, -2), ways.slice(-2).join(', or ')].join(', ');
}

/** An order as shown before it is sent. */
export interface OrderPreview extends Judged {
  /** The stop of the resulting position in words; undefined without one. */
  readonly stop: ReturnType<typeof stopAfter>;
  /** How the account has ended; undefined while it is active. */
  readonly ending: Ending | undefined;
}

/**
 * Previews an order. Throws a failure if its worst case reaches a floor, unless that is allowed. Missing data is only a
 * reason why there is no preview: the user decides.
 */
export async function previewOrder(session: Session, drafted: Drafted): Promise<OrderPreview | { unknown: string }> {
  const { order, market, judging } = drafted;
  if (judging.addsNothing !== true) await checkProtection(session, drafted);
  try {
    const positions = await positionsOf(session, order.account_id);
    const held = positions.find(({ market_id }) => market_id === market.market_id);
    const seen = judged(await look(session, clipped(order, held), market, positions, judging.amends));
    const breach = await enforce(session, seen, judging);
    const stop = stopAfter(seen, judging.stops ?? session.settings.stops);
    return { ...seen, breach, stop, ending: await endingOf(session, seen.account) };
  } catch (error) {
    const { exit, message } = factsOf(error);
    if (error instanceof Failure || exit === exitCodes.bug || session.signal.aborted) throw error;
    return { unknown: `The effect of the order can't be shown or checked against the floors: ${message}` };
  }
}

/**
 * The possible loss of a working order, USD, as its preview would show it; undefined if that is unknown, or it has
 * ended.
 */
export async function riskOfOrder(session: Session, order: Order): Promise<number | undefined> {
  const { account_id, market_id, mode, reduce_only, id } = order;
  if (isReduction({ reduce_only, type: mode })) return 0;
  if (!isWorking(order)) return filledSizeOf(order) === 0 ? 0 : undefined;
  const [market, positions] = await Promise.all([resolveMarket(session, market_id), positionsOf(session, account_id)]);
  return lossOf(judged(await look(session, amendedOrder(order, {}), market, positions, id)));
}

/** A reducing order, capped at the size of the position. */
function clipped(order: CreateOrderRequest, held: Position | undefined): CreateOrderRequest {
  if (!isReduction(order) || held === undefined || !isAgainst(order, held)) return order;
  return { ...order, size: Math.min(order.size, held.size) };
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
export async function checkFloors(session: Session, drafted: Drafted): Promise<void> {
  const { order, judging } = drafted;
  if (judging.addsNothing !== true && !session.settings.dryRun) await checkProtection(session, drafted);
  const isCompared = !judging.force && isChecked(session, order);
  const needsStop = session.settings.requireStop && order.stop_loss_price !== undefined && !session.settings.dryRun;
  if (!isCompared && !needsStop) return;
  const lookNow = () => answered(seenNew(session, drafted), Math.min(5_000, session.settings.timeoutMs));
  let found: Awaited<ReturnType<typeof seenNew>>;
  try {
    found = await lookNow();
    const { siblings } = session.memory;
    if (isCompared && found.seen?.breach !== undefined && siblings !== undefined) {
      // Unanswered lines of a batch count only where that is worse. Their effect decides.
      await siblings.itsTurn();
      session.memory.forget();
      found = await lookNow();
    }
  } catch (error) {
    if (session.signal.aborted) throw error;
    session.note(`The order is sent without a floor check: ${factsOf(error).message}`);
    return;
  }
  const { trade, seen } = found;
  const breach = seen && (await enforce(session, seen, judging));
  if (!isCompared) return;
  if (breach !== undefined) session.note(breach.text);
  // Only an order that is sent can trade.
  if (trade !== undefined) session.memory.siblings?.expects(trade);
}

async function seenNew(
  session: Session,
  { order, market, judging: { amends } }: Drafted,
): Promise<{ readonly trade?: Trade | undefined; readonly seen?: Judged }> {
  const hasStop = order.stop_loss_price !== undefined;
  const seeing = hasStop
    ? look(session, order, market, expectedPositions(session, order), amends)
    : lookUnstopped(session, order, market, amends);
  seeing.catch(() => {});
  const [account, positions] = await Promise.all([accountRisk(session), expectedPositions(session, order)]);
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  if (onlyReduces(order, held) || (floorOf(account) === undefined && !session.settings.requireStop))
    return { trade: expectedTrade(order, market, held?.entry_price ?? order.limit_price ?? 0) };
  const seen = judged(await seeing);
  if (!hasStop && seen.breach === undefined) await noteUnstopped(session, seen);
  return { seen, trade: seen.price === undefined ? undefined : expectedTrade(order, market, seen.price) };
}

/** The next lines of a batch are checked as if this order had traded, if it takes from the book. */
function expectedTrade(order: CreateOrderRequest, market: Market, price: number): Trade {
  const { account_id, side, size, leverage = 1, margin_mode = 'cross' } = order;
  const { market_id, provider, symbol, coin } = market;
  const status = takesAtOnce(order.type) ? 'filled' : 'resting';
  const terms = { leverage, margin_mode, status, fill_price: price, requested_at: 0 } as const;
  return { account_id, market_id, provider, symbol, coin, side, size, ...terms };
}

/** Inputs for the worst case of an order without a stop; the lines of a batch read them at most once a second. */
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

/** The prospect of an order without a stop, with only the reads that its worst case needs. */
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
  // Only the quote of its size includes its fee and its walk of the book.
  const [policy, quote] = await Promise.all([recentPolicy(session, order.account_id), sizedQuote(session, order)]);
  return { ...seen, policy, quote };
}

/**
 * Whether a position without a stop could be liquidated before its market has moved by 100%; not with half of the
 * equity at stake.
 */
function mayBeLiquidated({ order, quote, account, positions }: Omit<Prospect, 'policy'>): boolean {
  const isIsolated = order.margin_mode === 'isolated' || positions.some((one) => one.margin_mode === 'isolated');
  const { gross_exposure: exposure, equity } = account.risk ?? {};
  const price = priceOf(order, quote);
  if (isIsolated || typeof exposure !== 'number' || typeof equity !== 'number' || price === undefined) return true;
  // In a batch, the account was read before its latest orders.
  const held = positions.reduce((sum, { size, entry_price }) => sum + size * entry_price, 0);
  return Math.max(exposure, held) + order.size * price > equity / 2;
}

/** Reports once the possible loss of an order without a stop, if its market can reach the floor at all. */
async function noteUnstopped(session: Session, seen: Judged): Promise<void> {
  const { end, atRisk, floor, market, quote, order } = seen;
  if (floor === undefined || end?.by !== 'floor') return;
  const { price: breach } = end;
  const move = quote.mid === null ? '' : ` (${percentText(((breach - quote.mid) / quote.mid) * 100)})`;
  const beside = atRisk === 0 ? '' : ` Other positions may lose ${usd(atRisk)} USD of it.`;
  const { stops } = session.settings;
  // The uncovered part of a market order is reported once it has filled, but not in a batch.
  const waits = !takesAtOnce(order.type) || session.memory.sharesReads;
  const covered = waits || stops === 'follow' ? stopAfter(seen, stops) : undefined;
  // A stop that follows will cover all of it.
  if (covered?.grows === true) return;
  const stop = (waits ? covered?.text : undefined) ?? 'none';
  const has = stop === 'none' ? '' : ` Once it fills, the stop is ${stop}.`;
  const text = `No --stop-loss: ${word(market.symbol)} would touch the ${floor.name} floor, ${usd(floor.room)} USD away, at ${quantity(breach)}${move}.${beside}${has}`;
  await session.memory.recent('an order without a stop', async () => session.note(text));
}
