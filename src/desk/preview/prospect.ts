import { orderKindOf } from '../../base/terms/order-types.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { type CandleEvent, maxHistoryPage } from '../../wire/contract/streams.ts';
import { readCandles } from '../reading/candle-history.ts';
import { closingOf, exitMarks, recentPolicy, twapsBefore } from '../reading/prospects.ts';
import { accountId, accountRisk } from '../resolve/account.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { limitFill, marksOf, recentQuote, sizedQuote } from '../resolve/quote.ts';
import { clockSpeed } from '../resolve/time.ts';
import { type Floor, nearestFloor } from '../risk/breach.ts';
import type { Marks } from '../risk/path-account.ts';
import { inTime, type Session, type StopGrowth } from '../session/session.ts';

/**
 * An order as it would be sent, and its judgment. Adds the facts read about its surroundings, and its expected effect.
 */
export interface Drafted {
  readonly order: CreateOrderRequest;
  readonly market: Market;
  readonly judging: Judging;
}

/** How an order is judged. */
export interface Judging {
  /** --force: it is not compared with the floors. */
  readonly force: boolean;
  /** The treatment of the stop of a position that it adds to; default: as the settings say. */
  readonly stops?: StopGrowth | undefined;
  /** The working order that it replaces. */
  readonly amends?: string | undefined;
  /** Its stop, if it depends on its fill. */
  readonly stopAt?: StopAt | undefined;
  /** A change of an order that can't lose more than before. */
  readonly addsNothing?: boolean | undefined;
  /** The treatment of a stop that is far away; allowed by default. */
  readonly farStop?: FarStop | undefined;
  /** The way to make it fit: `use a smaller size`. */
  readonly wayOut?: string | undefined;
}

/** The stop of an order that trades at this price. */
type StopAt = (entry: number) => Promise<number>;

/** The treatment of a stop further than a fifth from the price that it protects: perhaps a slip of the unit. */
export type FarStop = 'ask' | 'allow' | 'refuse';

/**
 * An order with the facts known before it is sent: its market, and its account's balance, positions, orders and limits.
 */
export interface Prospect extends Omit<Drafted, 'judging'> {
  readonly quote: Quote;
  /** The price that closing the resulting position would get now; undefined for an order without a stop. */
  readonly exitQuote: Quote | undefined;
  readonly account: Account;
  /** Undefined if not read, or if the host has none. */
  readonly policy: AccountTradingPolicy | undefined;
  readonly positions: readonly Position[];
  /** Marks of the other relevant markets: all of them for an order without a stop. */
  readonly marks: Marks;
  /** All working orders of the account but the one that it replaces; undefined if not read. */
  readonly working: readonly Order[] | undefined;
  /** Running TWAPs of the account; undefined if not read. */
  readonly twaps: readonly TwapOrder[] | undefined;
  /** The assumed slippage of a stop beyond its trigger. */
  readonly gap: Gap;
}

/**
 * Reads in parallel the inputs for judging an order: for its preview, for the largest size and, if it has a stop, in
 * scripts. Without a policy, there is no liquidation price.
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
    riskOfAccount(session, account_id),
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

/** The account of an order: usually the one in use, which may have been read already. */
async function riskOfAccount(session: Session, account_id: string): Promise<Account> {
  const used = await accountId(session).catch(() => undefined);
  return accountRisk(session, used === account_id ? session.settings.account : account_id);
}

/** Working orders without the one that an order replaces. */
export function without(working: readonly Order[], amends: string | undefined): readonly Order[] {
  return amends === undefined ? working : working.filter(({ id }) => id !== amends);
}

/**
 * The price of closing everything that an order and the other entries of its side lead to; undefined if nothing would
 * take from the book.
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
 * The size to close of the position that an order and the other entries of its side lead to; undefined if nothing would
 * take it from the book: the order has no stop, no other order of its market waits for one, and no TWAP runs there.
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

/** The marks of the other markets whose orders wait for the mark of this one, with their expected fills. */
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

/** The commission of a fill, bps. */
export function feeBpsOf({ policy, quote }: Pick<Prospect, 'policy' | 'quote'>): number | undefined {
  return policy?.fee_exempt === true ? 0 : quote.fee_bps;
}

/**
 * The mark of its own market that triggers an order; undefined for one that waits for none, or for another market's.
 */
export function ownTriggerOf(
  order: Pick<CreateOrderRequest, 'market_id' | 'trigger_price' | 'trigger_market_id'>,
): number | undefined {
  return (order.trigger_market_id ?? order.market_id) === order.market_id ? order.trigger_price : undefined;
}

/** The price at which an order is expected to trade: its limit, its trigger, its side's best, or a walk of the book. */
export function priceOf(order: CreateOrderRequest, quote: Quote): number | undefined {
  const { side, limit_price: limit, type } = order;
  if (limit !== undefined) return order.trigger_price === undefined ? limitFill(side, limit, quote) : limit;
  const { estimated_fill_price: walked, requested_size: asked, bid, ask, mid } = quote;
  if (orderKindOf(type)?.meets === 'follows') return (side === 'buy' ? bid : ask) ?? undefined;
  // Without a size, a quote knows only the best prices.
  const best = asked === undefined ? (side === 'buy' ? ask : bid) : null;
  return ownTriggerOf(order) ?? walked ?? best ?? mid ?? undefined;
}

/** The account's nearest floor; undefined if it has none or no longer trades. */
export function floorOf({ status, risk }: Account): Floor | undefined {
  return status === 'active' ? nearestFloor(risk) : undefined;
}

/** The price that a working order has: its limit, or else its trigger in its own market. */
export function ownPriceOf(order: Order): number | undefined {
  return order.limit_price ?? ownTriggerOf(order);
}

/** The assumed slippage of a stop beyond its trigger, bps, and the source of the figure. */
export interface Gap {
  readonly bps: number;
  /** The multiple of the current book's walk that counts: by then, the book may be thinner. */
  readonly walks: number;
  readonly from: 'none' | 'setting' | 'market' | 'assumed';
}

/** An order without a stop needs no allowance. */
export const noGap: Gap = { bps: 0, walks: 1, from: 'none' };

/** The number of latest seconds that count: those of one answer. */
const seconds = maxHistoryPage;
/** A book that is half as deep as now. */
const walksOfHalf = 2;
/** The allowance where no bars show a market's moves, bps. */
const assumedBps = 10;
/** The check must not delay an order for long. */
const maxWaitMs = 2_000;

/** How long it takes to type a size that perp has named. */
const typingSeconds = 60;
/** The move until then where no bars show a market's moves, bps. */
const assumedTypingBps = 100;

/**
 * The gap allowance of a market: from `trade.gap_allowance`, otherwise the market's largest move within one second of
 * the last 25 minutes, read once a second in a batch, and a book that is half as deep.
 */
export function gapOf(session: Session, market: Market): Promise<Gap> {
  return session.memory.recent(`gap of ${market.market_id}`, () =>
    gapNow(session, market, recentBars(session, market)),
  );
}

/** The same, read now. */
export async function gapNow(session: Session, market: Market, reading = barsNow(session, market)): Promise<Gap> {
  const { gapAllowanceBps } = session.settings;
  if (gapAllowanceBps !== undefined) return { bps: gapAllowanceBps, walks: 1, from: 'setting' };
  const bps = await largestMove(reading, 1);
  const walks = walksOfHalf;
  return bps === undefined ? { bps: assumedBps, walks, from: 'assumed' } : { bps, walks, from: 'market' };
}

/**
 * How far a mark may move until a size that perp names is typed back, as a share of it: as far as it has within any
 * minute of the last 25. 0 where the clock stands still.
 */
export async function moveUntilTyped(session: Session, market: Market): Promise<number> {
  const speed = await clockSpeed(session);
  if (speed === 0) return 0;
  const bars = Math.min(seconds, Math.ceil(typingSeconds * speed));
  return ((await largestMove(recentBars(session, market), bars)) ?? assumedTypingBps) / 1e4;
}

/** The same as text: `3.2 bps, the largest move within a second of the last 25 minutes, in half the book`. */
export function gapText({ bps, from }: Gap): string | undefined {
  const amount = `${Number(bps.toPrecision(2))} bps`;
  if (from === 'none') return undefined;
  if (from === 'setting') return `${amount}, set by trade.gap_allowance`;
  if (from === 'market') return `${amount}, the largest move within a second of the last 25 minutes, in half the book`;
  return `${amount} assumed, in half the book: this host has no bars`;
}

type Bar = Pick<CandleEvent, 'high' | 'low' | 'close'>;

/** The market's latest seconds; undefined if there are none, or they can't be read. */
function barsNow(session: Session, market: Market): Promise<readonly Bar[] | undefined> {
  return readCandles(session, market, { interval: '1s', limit: seconds }, true).catch(() => undefined);
}

function recentBars(session: Session, market: Market): Promise<readonly Bar[] | undefined> {
  return session.memory.recent(`seconds of ${market.market_id}`, () => barsNow(session, market));
}

async function largestMove(reading: Promise<readonly Bar[] | undefined>, bars: number): Promise<number | undefined> {
  const candles = await inTime(reading, maxWaitMs);
  return candles === undefined || candles.length === 0 ? undefined : largestOf(candles, bars);
}

/** The largest move within so many bars, or from the end of one into them, bps. */
export function largestOf(candles: readonly Bar[], bars = 1): number {
  const moves = candles.map((_, at) => {
    const within = candles.slice(Math.max(0, at - bars + 1), at + 1);
    const before = candles[at - bars] === undefined ? [] : [Number(candles[at - bars]!.close)];
    const from = Math.min(...before, ...within.map(({ low }) => Number(low)));
    return ((Math.max(...before, ...within.map(({ high }) => Number(high))) - from) / from) * 1e4;
  });
  return Number(Math.max(...moves.filter(Number.isFinite), 0).toFixed(4));
}
