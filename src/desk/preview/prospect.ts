import { orderKindOf } from '../../base/terms/order-types.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { closingOf, exitMarks, recentPolicy, twapsBefore } from '../reading/prospects.ts';
import { accountId, accountRisk } from '../resolve/account.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { limitFill, marksOf, recentQuote, sizedQuote } from '../resolve/quote.ts';
import { type Floor, nearestFloor } from '../risk/breach.ts';
import type { Marks } from '../risk/path-account.ts';
import type { Session, StopGrowth } from '../session/session.ts';
import { type Gap, gapOf, noGap } from './gap.ts';

/**
 * An order as it would be sent, and how it is judged. Adds the facts read about its surroundings, and its expected
 * effect.
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
 * An order with everything that is known before it is sent: its market, and its account's balance, positions, orders
 * and limits.
 */
export interface Prospect extends Omit<Drafted, 'judging'> {
  readonly quote: Quote;
  /** The price that closing the resulting position would get now; undefined for an order without a stop. */
  readonly exitQuote: Quote | undefined;
  readonly account: Account;
  /** Undefined if not read, or if the host has none. */
  readonly policy: AccountTradingPolicy | undefined;
  readonly positions: readonly Position[];
  /** Marks of the other markets that matter: all of them for an order without a stop. */
  readonly marks: Marks;
  /** All working orders of the account but the one that it replaces; undefined if not read. */
  readonly working: readonly Order[] | undefined;
  /** Running TWAPs of the account; undefined if not read. */
  readonly twaps: readonly TwapOrder[] | undefined;
  /** How far beyond its trigger a stop may find the market. */
  readonly gap: Gap;
}

/**
 * Reads in parallel what an order is judged by: for its preview, for the largest size and, if it has a stop, in
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
