import { arrivalOf, defaultType, type Expects, isReduction, orderKindOf } from '../../base/terms/order-types.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { coverOf, lossAtExits } from '../account/means.ts';
import { closingOf, exitMarks, recentPolicy, twapsBefore } from '../reading/prospects.ts';
import { accountRisk } from '../resolve/account.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { limitFill, markOf, marksOf, recentQuote, sizedQuote } from '../resolve/quote.ts';
import { type End, type Floor, isMarked, nearestFloor, roomAt } from '../risk/breach.ts';
import type { Mark, Marks } from '../risk/path-account.ts';
import { afterTrade, type Exposure, exposureOf } from '../risk/trade.ts';
import { type ExpectedFill, type Loss, outcomeOf } from '../risk/worst-case.ts';
import type { Session } from '../session/session.ts';
import { type Gap, gapOf, noGap } from './gap.ts';

/** Everything known before an order is sent: the market, and the account's balance, positions, orders and limits. */
export interface Prospect {
  order: CreateOrderRequest;
  market: Market;
  quote: Quote;
  /** What closing the resulting position would get now; undefined for an order without a stop. */
  exitQuote: Quote | undefined;
  account: Account;
  /** Undefined if not read, or if the host has none. */
  policy: AccountTradingPolicy | undefined;
  positions: readonly Position[];
  /** Marks of the other markets that matter: all of them for an order without a stop. */
  marks: Marks;
  /** All working orders of the account but the one that it replaces; undefined if not read. */
  working: readonly Order[] | undefined;
  /** Running TWAPs of the account; undefined if not read. */
  twaps: readonly TwapOrder[] | undefined;
  /** How far beyond its trigger a stop may find the market. */
  gap: Gap;
}

/** The effect of an order: exact for the fill, and for what its market does to the account afterward. */
export interface Estimate {
  /** Expected price; undefined if unknown. */
  price: number | undefined;
  notional: number | undefined;
  fee: number | undefined;
  /** The resulting position; null if flat, undefined if unknown. */
  after: Exposure | null | undefined;
  /** What ends the account or the resulting position first; undefined if nothing in reach does. */
  end: End | undefined;
  /** Where the loss would end: at the stop, or else at the liquidation; undefined if neither is in reach. */
  worst: Loss | undefined;
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
  end: undefined,
  worst: undefined,
  atRisk: 0,
  atStops: 0,
};

/**
 * Reads in parallel what an order is judged by: for its preview, for the largest size and, if it has a stop, in scripts.
 * Without a policy, there is no liquidation price.
 */
export async function look(
  session: Session,
  order: CreateOrderRequest,
  market: Market,
  holding: readonly Position[] | Promise<readonly Position[]>,
  amends?: string,
): Promise<Prospect> {
  const { account_id } = order;
  const hasStop = order.stop_loss_price !== undefined;
  const reading = Promise.all([holding, workingOrders(session, account_id), twapsBefore(session, account_id)]).then(
    ([positions, all, twaps]) => ({ positions, working: without(all, amends), twaps }),
  );
  const [quote, exitQuote, account, policy, others, waiting, holdings, gap] = await Promise.all([
    sizedQuote(session, order),
    reading.then((holdings) => exitQuoteOf(session, order, holdings)),
    accountRisk(session),
    recentPolicy(session, account_id),
    Promise.resolve(holding).then((all) =>
      otherMarks(session, hasStop ? all.filter(isIsolated) : all, market.market_id),
    ),
    reading.then((holdings) => waitingMarks(session, holdings, market.market_id)),
    reading,
    hasStop ? gapOf(session, market) : noGap,
  ]);
  return {
    order,
    market,
    quote,
    exitQuote,
    account,
    policy,
    ...holdings,
    marks: new Map([...others, ...waiting]),
    gap,
  };
}

/** Working orders without the one that an order replaces. */
export function without(working: readonly Order[], amends: string | undefined): readonly Order[] {
  return amends === undefined ? working : working.filter(({ id }) => id !== amends);
}

/**
 * What closing all that an order and the other entries of its side lead to would get; undefined if nothing would take
 * from the book.
 */
export async function exitQuoteOf(
  session: Session,
  order: CreateOrderRequest,
  holdings: Pick<Prospect, 'positions' | 'working' | 'twaps'>,
): Promise<Quote | undefined> {
  const { account_id, market_id } = order;
  const closing = closingAfter(order, holdings);
  return closing && sizedQuote(session, { market_id, account_id, ...closing });
}

/**
 * What closing the position would take that an order and the other entries of its side lead to; undefined if nothing
 * would take it from the book: the order has no stop, no other order of its market waits for one, and no TWAP runs there.
 */
export function closingAfter(
  { market_id, side, size, stop_loss_price }: CreateOrderRequest,
  { positions, working = [], twaps = [] }: Pick<Prospect, 'positions' | 'working' | 'twaps'>,
): { side: 'buy' | 'sell'; size: number } | undefined {
  const own = working.filter((one) => one.market_id === market_id);
  const rests = twaps.filter((one) => one.market_id === market_id);
  const isTaken = rests.length > 0 || own.some((one) => one.trigger_price ?? one.attached_stop_loss_price);
  if (stop_loss_price === undefined && !isTaken) return undefined;
  const held = positions.find((position) => position.market_id === market_id);
  const before = held === undefined ? 0 : held.side === 'long' ? held.size : -held.size;
  const after = Number((before + (side === 'buy' ? size : -size)).toPrecision(15));
  if (after === 0) return undefined;
  const position = { market_id, side: after > 0 ? ('long' as const) : ('short' as const), size: Math.abs(after) };
  return closingOf(market_id, { positions: [position], working: own, twaps: rests });
}

function isIsolated({ margin_mode }: Position): boolean {
  return margin_mode === 'isolated';
}

/** The marks of the other markets of these positions as of this command; omits those without a price. */
export async function otherMarks(
  session: Session,
  positions: readonly Pick<Position, 'market_id'>[],
  marketId: string,
): Promise<Marks> {
  const ids = positions.map(({ market_id }) => market_id).filter((id) => id !== marketId);
  return marksOf(session, new Set(ids), recentQuote);
}

/** The marks of the other markets whose orders wait for the mark of this one, with what they would get. */
export function waitingMarks(
  session: Session,
  { positions, working = [], twaps = [] }: Pick<Prospect, 'positions' | 'working' | 'twaps'>,
  marketId: string,
): Promise<Marks> {
  const waiting = working.filter(
    ({ trigger_market_id, market_id }) => trigger_market_id === marketId && market_id !== marketId,
  );
  const ids = new Set(waiting.map(({ market_id }) => market_id));
  const isThere = ({ market_id }: { market_id: string }) => ids.has(market_id);
  return exitMarks(session, {
    positions: positions.filter(isThere),
    working: working.filter(isThere),
    twaps: twaps.filter(isThere),
  });
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
  if (isIdle || after === null) return { ...unknown, price, notional, fee, after };
  const { end, worst } = outcomeOf(sceneOf(prospect), fillOf(prospect, price, notional));
  const isCounted = positions.length > 0 && !isReduction(order) && order.stop_loss_price === undefined;
  const { atRisk, atStops } = isCounted ? atRiskElsewhere(prospect) : unknown;
  const loss = worst && { ...worst, loss: Number((Math.max(0, worst.loss) + atRisk).toFixed(8)) };
  const isStopped = order.stop_loss_price !== undefined || worst?.at === 'liquidation';
  return {
    price,
    notional,
    fee,
    after,
    end,
    worst: isReduction(order) || !isStopped ? undefined : loss,
    atRisk,
    atStops,
  };
}

function sceneOf(prospect: Prospect): Parameters<typeof outcomeOf>[0] {
  const { account, positions, working = [], twaps, policy, gap } = prospect;
  const marks = allMarks(prospect);
  const floor = floorOf(account);
  const isExact = isMarked(positions, marks);
  const unrealized = account.risk?.unrealized_pnl ?? null;
  const room = floor && (isExact ? roomAt(positions, marks, floor.room, unrealized) : floor.room);
  return { standing: { account, positions, working, twaps, policy }, room, marks, gap };
}

/** The marks of the other markets, and what the quotes say about the order's own. */
function allMarks({ quote, exitQuote, marks, market, policy }: Prospect): Marks {
  const entry = markOf(quote, market.tick_size);
  if (entry === undefined) return marks;
  const exit = exitQuote && markOf(exitQuote, market.tick_size);
  const feeBps = feeBpsOf({ policy, quote });
  const own: Mark = { ...entry, feeBps, depth: (exit ?? entry).depth };
  return new Map([...marks, [market.market_id, own]]);
}

function fillOf({ order, quote }: Prospect, price: number, notional: number): ExpectedFill {
  return {
    market_id: order.market_id,
    side: order.side,
    size: order.size,
    notional,
    waitsAt: price === quote.estimated_fill_price || arrivalOf(order.type) === 'takes' ? undefined : price,
    leverage: order.leverage,
    margin_mode: order.margin_mode,
    reduceOnly: isReduction(order),
    stop: order.stop_loss_price,
    target: order.take_profit_price,
    replacesExits: order.replace_overlapping_exits === true,
  };
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
  // Without a size, a quote knows only the best prices.
  book: ({ side }, { estimated_fill_price: walked, bid, ask, mid, requested_size: asked }) =>
    walked ?? (asked === undefined ? (side === 'buy' ? ask : bid) : null) ?? mid ?? undefined,
  trigger: (order, quote) => order.trigger_price ?? expectedPrice.book(order, quote),
  best: ({ side }, { bid, ask }) => (side === 'buy' ? bid : ask) ?? undefined,
};

/** The account's nearest floor; undefined if it has none or no longer trades. */
export function floorOf({ status, risk }: Account): Floor | undefined {
  return status === 'active' ? nearestFloor(risk) : undefined;
}

/** What the positions in other markets may still lose, USD: a simple sum. */
function atRiskElsewhere({
  order,
  account,
  positions,
  marks,
  working,
}: Prospect): Pick<Estimate, 'atRisk' | 'atStops'> {
  const sum = { atStops: 0, atRisk: 0 };
  const room = floorOf(account)?.room ?? 0;
  for (const position of positions) {
    const mid = marks.get(position.market_id)?.price;
    if (position.market_id === order.market_id || mid === undefined || working === undefined) continue;
    const { atStops, atLiquidation } = lossAtExits(position, coverOf(position, working), mid);
    if (atStops < room) sum.atStops += atStops;
    sum.atRisk += atStops + atLiquidation;
  }
  return { atStops: Number(sum.atStops.toFixed(8)), atRisk: Number(sum.atRisk.toFixed(8)) };
}

/** The price that a working order has: its limit, or else its trigger in its own market. */
export function ownPriceOf(order: Order): number | undefined {
  const isOwn = order.trigger_market_id === undefined || order.trigger_market_id === order.market_id;
  return order.limit_price ?? (isOwn ? order.trigger_price : undefined);
}
