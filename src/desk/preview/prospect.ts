import type { Account, AccountTradingPolicy } from '../../contract/accounts.ts';
import type { Market, Quote } from '../../contract/markets.ts';
import type { CreateOrderRequest, Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { limitFill } from '../../desk/preview/limit-fill.ts';
import { afterTrade, type Exposure, isolatedPool, liquidationPrice } from '../../desk/preview/liquidation.ts';
import { exposureOf } from '../../desk/preview/trade.ts';
import { marksOf, type recentQuote } from '../../desk/reading/marks.ts';
import { workingOrders } from '../../desk/resolve/order.ts';
import { fetchQuote } from '../../desk/resolve/quote.ts';
import { breachPrice, type Floor, nearestFloor } from '../../desk/risk/breach.ts';
import { coverOf, lossAtExits } from '../../desk/risk/cover.ts';
import { Ratio } from '../../desk/risk/ratio.ts';
import { lossAtStop, lossOfEntries, type StoppedOrder, type WaitingEntry } from '../../desk/risk/worst-case.ts';
import { factsOf } from '../../ground/failure/report.ts';
import { defaultType, type Expects, isReduction, orderKindOf } from '../../terms/order-types.ts';
import type { Session } from '../session/session.ts';

/** Everything known before an order is sent: the market, and the account's balance, positions and limits. */
export interface Prospect {
  order: CreateOrderRequest;
  market: Market;
  quote: Quote;
  account: Account;
  /** Undefined if not read, or if the host has none. */
  policy: AccountTradingPolicy | undefined;
  positions: readonly Position[];
  /** Mids of the markets of isolated positions and, for an order without a stop, of all positions. */
  mids: ReadonlyMap<string, number>;
  /** All working orders of the account, for the cover of its positions; undefined if not read. */
  working: readonly Order[] | undefined;
  /** Working orders that count in the worst case at the order's stop; none without a stop. */
  beside: readonly Order[];
}

/** The effect of an order: exact for the fill, an estimate for the liquidation price. */
export interface Estimate {
  /** Expected price; undefined if unknown. */
  price: number | undefined;
  notional: number | undefined;
  fee: number | undefined;
  /** The resulting position; null if flat, undefined if unknown. */
  after: Exposure | null | undefined;
  liquidation: number | undefined;
  /** The mark at which the account touches a floor after the order has filled; undefined if out of reach. */
  breach: number | undefined;
  /** Where the loss would end: at the stop, or else at the liquidation; undefined if neither is in reach. */
  worst: { at: 'stop' | 'liquidation'; price: number; loss: number; beside: readonly Order[] } | undefined;
  /**
   * USD that the positions in other markets may still lose at their stops or, without one, at a liquidation within
   * reach. It counts for an order without a stop, and is 0 for any other.
   */
  atRisk: number;
  /** The part of it at stops, without positions that could reach the floor on their own. */
  atStops: number;
}

const unknown: Estimate = {
  price: undefined,
  notional: undefined,
  fee: undefined,
  after: undefined,
  liquidation: undefined,
  breach: undefined,
  worst: undefined,
  atRisk: 0,
  atStops: 0,
};

/** Reads in parallel what the preview of an order needs. Without a policy, there is no liquidation price. */
export async function look(
  session: Session,
  order: CreateOrderRequest,
  market: Market,
  positions: readonly Position[],
  amends?: string,
): Promise<Prospect> {
  const { account_id, side, size } = order;
  const path = { account_id };
  const hasStop = order.stop_loss_price !== undefined;
  const [quote, account, policy, mids, beside, working] = await Promise.all([
    fetchQuote(session, market.market_id, { side, size, account: account_id }),
    session.call('getAccount', { path }).then((answer) => answer.data),
    policyOf(session, account_id),
    midsOf(session, hasStop ? positions.filter(isIsolated) : positions),
    hasStop ? entriesBeside(session, order, amends) : [],
    workingOrders(session, account_id),
  ]);
  return { order, market, quote, account, policy, positions, mids, beside, working };
}

/**
 * The working orders that would open or add to the same position as an order: the entries of its market and side.
 * `amends` is the order that it replaces, which does not count.
 */
export async function entriesBeside(
  session: Session,
  { account_id, market_id, side }: Pick<CreateOrderRequest, 'account_id' | 'market_id' | 'side'>,
  amends?: string,
): Promise<readonly Order[]> {
  return (await workingOrders(session, account_id)).filter(
    (one) =>
      one.market_id === market_id &&
      one.side === side &&
      one.id !== amends &&
      !one.reduce_only &&
      one.cancel_requested_at === undefined,
  );
}

/** The account's policy; undefined, with a note, if it can't be read. */
export async function policyOf(session: Session, account_id: string): Promise<AccountTradingPolicy | undefined> {
  try {
    return (await session.call('getAccountTradingPolicy', { path: { account_id } })).data;
  } catch (error) {
    if (session.signal.aborted) throw error;
    session.note(`The trading policy could not be fetched: ${factsOf(error).message}`);
    return undefined;
  }
}

function isIsolated({ margin_mode }: Position): boolean {
  return margin_mode === 'isolated';
}

/** The mids of the markets of these positions; omits those without a price. `quoteOf` reads their quotes. */
export async function midsOf(
  session: Session,
  positions: readonly Position[],
  quoteOf?: typeof recentQuote,
): Promise<Map<string, number>> {
  const marks = await marksOf(session, new Set(positions.map(({ market_id }) => market_id)), quoteOf);
  return new Map([...marks].map(([id, { price }]) => [id, price]));
}

/** Whether an order's side reduces this position. */
export function isAgainst({ side }: Pick<CreateOrderRequest, 'side'>, held: Position): boolean {
  return (side === 'sell') === (held.side === 'long');
}

/** Computes the effect of an order. */
export function estimateOrder(prospect: Prospect): Estimate {
  const { order, quote, positions } = prospect;
  const price = priceOf(order, quote);
  if (price === undefined) return unknown;
  const atMarket = price === quote.estimated_fill_price;
  const notional = atMarket ? (quote.estimated_notional ?? price * order.size) : price * order.size;
  const feeBps = feeBpsOf(prospect);
  const fee = atMarket ? quote.estimated_fee : feeBps === undefined ? undefined : (notional * feeBps) / 1e4;
  const held = positions.find((position) => position.market_id === order.market_id);
  const before = exposureOf(held);
  const signed = order.side === 'buy' ? order.size : -order.size;
  const trade = { size: signed, price, leverage: order.leverage, marginMode: order.margin_mode };
  const isIdle = isReduction(order) && (held === undefined || !isAgainst(order, held));
  const after = isIdle ? before : afterTrade(before, trade);
  const liquidation = after === null ? undefined : liquidationOf(prospect, after, fee ?? 0);
  const breach = after === null || isIdle ? undefined : breachOf(prospect, after, notional, fee ?? 0);
  const { atRisk, atStops } =
    isIdle || isReduction(order) || order.stop_loss_price !== undefined ? unknown : atRiskElsewhere(prospect);
  const worst = worstOf(prospect, { after, liquidation, price, notional, fee: fee ?? 0, atRisk });
  return { price, notional, fee, after, liquidation, breach, worst, atRisk, atStops };
}

/** The commission of a fill, bps. */
export function feeBpsOf({ policy, quote }: Pick<Prospect, 'policy' | 'quote'>): number | undefined {
  return policy?.fee_exempt === true ? 0 : quote.fee_bps;
}

/** The expected price of an order; a stop's slippage from its trigger is assumed to be that of walking the book now. */
export function priceOf(order: CreateOrderRequest, quote: Quote): number | undefined {
  const waits = order.trigger_price !== undefined;
  if (order.limit_price !== undefined)
    return waits ? order.limit_price : limitFill(order.side, order.limit_price, quote);
  const { expects = 'trigger' } = orderKindOf(order.type ?? defaultType) ?? {};
  return expectedPrice[expects](order, quote);
}

/** The price of an order without a limit price, by its kind; undefined if the order or the book lacks it. */
const expectedPrice: Readonly<Record<Expects, (order: CreateOrderRequest, quote: Quote) => number | undefined>> = {
  book: (_, { estimated_fill_price: walked, mid }) => walked ?? mid ?? undefined,
  trigger: (order, quote) => order.trigger_price ?? expectedPrice.book(order, quote),
  best: ({ side }, { bid, ask }) => (side === 'buy' ? bid : ask) ?? undefined,
};

/** An order with a stop, in the form that its worst case needs; undefined without a stop or a price. */
export function stoppedOrder(prospect: Omit<Prospect, 'account' | 'mids'>): StoppedOrder | undefined {
  const { order, quote, positions } = prospect;
  const { side, size, stop_loss_price: stop } = order;
  const price = priceOf(order, quote);
  if (stop === undefined || price === undefined) return undefined;
  const isWalked = price === quote.estimated_fill_price && quote.estimated_notional !== undefined;
  const held = positions.find((position) => position.market_id === order.market_id);
  return {
    side,
    size,
    notional: isWalked ? quote.estimated_notional! : price * size,
    stop,
    mark: quote.mid ?? price,
    feeBps: feeBpsOf(prospect) ?? 0,
    held: held === undefined ? 0 : held.side === 'long' ? held.size : -held.size,
  };
}

/** The account's nearest floor; undefined if it has none or no longer trades. */
export function floorOf({ status, risk }: Account): Floor | undefined {
  return status === 'active' ? nearestFloor(risk) : undefined;
}

/** The breach price of the resulting position: the room is reduced by slippage and commission. */
function breachOf(
  { account, order, quote, market }: Prospect,
  after: Exposure,
  notional: number,
  fee: number,
): number | undefined {
  const floor = floorOf(account);
  if (floor === undefined || quote.mid === null) return undefined;
  const walk = (order.side === 'buy' ? 1 : -1) * (notional - order.size * quote.mid);
  const position = {
    market_id: order.market_id,
    side: after.size > 0 ? 'long' : 'short',
    size: Math.abs(after.size),
    entry_price: after.entry,
    leverage: after.leverage,
    margin_mode: after.marginMode,
    isolated_margin_extra: after.extraMargin,
  } as const;
  const room = Number((floor.room - fee - walk).toFixed(8));
  const price = breachPrice({ position, mark: quote.mid, tick: market.tick_size }, room);
  // As with a liquidation: a rise of more than 100% is out of reach.
  return price !== undefined && price < 2 * quote.mid ? price : undefined;
}

function liquidationOf(
  { account, policy, positions, mids, order, quote }: Prospect,
  after: Exposure,
  fee: number,
): number | undefined {
  const mark = quote.mid;
  const { risk } = account;
  if (mark === null || policy === undefined) return undefined;
  const ratio = policy.limits.maintenance_margin_ratio_bps / 1e4;
  if (after.marginMode === 'isolated') return liquidationPrice(after, mark, ratio, isolatedPool(after, mark, ratio));
  if (risk?.equity === null || risk?.equity === undefined || risk.gross_exposure === null) return undefined;
  let equity = risk.equity - fee;
  let exposure = risk.gross_exposure;
  for (const position of positions) {
    const held = exposureOf(position)!;
    const mid = position.market_id === order.market_id ? mark : mids.get(position.market_id);
    if (position.market_id === order.market_id) exposure -= Math.abs(held.size) * mark;
    if (held.marginMode === 'cross') continue;
    if (mid === undefined) return undefined;
    equity -= isolatedPool(held, mid, ratio).equity;
    if (position.market_id !== order.market_id) exposure -= Math.abs(held.size) * mid;
  }
  const maintenance = (exposure + Math.abs(after.size) * mark) * ratio;
  return liquidationPrice(after, mark, ratio, { equity, maintenance });
}

function worstOf(
  prospect: Prospect,
  fill: Pick<Estimate, 'liquidation' | 'atRisk'> & {
    after: Exposure | null;
    price: number;
    notional: number;
    fee: number;
  },
): Estimate['worst'] {
  const { after, liquidation, price, fee, atRisk } = fill;
  if (after === null || isReduction(prospect.order)) return undefined;
  const stopped = stoppedOrder(prospect);
  if (stopped !== undefined) {
    const loss = Ratio.of(lossAtStop(stopped))
      .plus(Ratio.of(lossBeside(prospect, stopped)))
      .toNumber(8);
    return { at: 'stop', price: stopped.stop, loss: Math.max(0, loss), beside: prospect.beside };
  }
  if (liquidation === undefined) return undefined;
  const loss = Number((Math.max(0, (price - liquidation) * after.size) + fee + atRisk).toFixed(8));
  return { at: 'liquidation', price: liquidation, loss, beside: [] };
}

/** What the positions in other markets may still lose, USD: a simple sum. */
function atRiskElsewhere({ order, account, positions, mids, working }: Prospect): Pick<Estimate, 'atRisk' | 'atStops'> {
  const sum = { atStops: 0, atRisk: 0 };
  const room = floorOf(account)?.room ?? 0;
  for (const position of positions) {
    const mid = mids.get(position.market_id);
    if (position.market_id === order.market_id || mid === undefined || working === undefined) continue;
    const { atStops, atLiquidation } = lossAtExits(position, coverOf(position, working), mid);
    if (atStops < room) sum.atStops += atStops;
    sum.atRisk += atStops + atLiquidation;
  }
  return { atStops: Number(sum.atStops.toFixed(8)), atRisk: Number(sum.atRisk.toFixed(8)) };
}

/** The loss of the other working entries if they fill, too, USD. */
export function lossBeside({ beside, quote }: Pick<Prospect, 'beside' | 'quote'>, stopped: StoppedOrder): number {
  const entries = beside.map((one): WaitingEntry => {
    const price = ownPriceOf(one) ?? quote.mid ?? stopped.mark;
    return { size: one.size, price, stop: one.attached_stop_loss_price };
  });
  return lossOfEntries(entries, stopped);
}

/** The price that a working order has: its limit, or else its trigger in its own market. */
export function ownPriceOf(order: Order): number | undefined {
  const isOwn = order.trigger_market_id === undefined || order.trigger_market_id === order.market_id;
  return order.limit_price ?? (isOwn ? order.trigger_price : undefined);
}
