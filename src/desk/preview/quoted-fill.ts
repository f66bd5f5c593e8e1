import type { Market, Quote } from '../../contract/markets.ts';
import type { CreateOrderRequest } from '../../contract/orders.ts';
import { twapsBefore } from '../reading/prospects.ts';
import { accountId } from '../resolve/account.ts';
import { workingOrders } from '../resolve/order.ts';
import { openPositions } from '../resolve/position.ts';
import { accountRisk } from '../resolve/risk.ts';
import type { Floor } from '../risk/breach.ts';
import type { Computed } from '../risk/outlook.ts';
import type { Session } from '../session/session.ts';
import { noGap } from './gap.ts';
import { estimateOrder, exitQuoteOf, floorOf, waitingMarks } from './prospect.ts';

/** A quoted fill, and the account's breach price after it. */
interface QuotedFill {
  readonly quote: Quote;
  readonly computed: Computed;
  /** The floor that would be touched; undefined if none is in reach. */
  readonly floor: Floor | undefined;
}

/**
 * The breach price of the account after a quoted size has filled. Account and positions are read in parallel with the
 * quote; without them, only the quote is shown.
 */
export async function quotedFill(
  session: Session,
  market: Market,
  { side, size }: Pick<CreateOrderRequest, 'side' | 'size'>,
  reading: Promise<Quote>,
): Promise<QuotedFill> {
  const orNothing = () => undefined;
  const own = accountId(session);
  const [quote, account, positions, working, twaps] = await Promise.all([
    reading,
    accountRisk(session).catch(orNothing),
    openPositions(session).catch(orNothing),
    own.then((id) => workingOrders(session, id)).catch(orNothing),
    own.then((id) => twapsBefore(session, id)).catch(orNothing),
  ]);
  const { mid, estimated_notional: notional, time } = quote;
  const walk = mid === null || notional === undefined ? null : (side === 'buy' ? 1 : -1) * (size * mid - notional);
  const computed: Computed = {
    mark: mid,
    unrealized_pnl: walk === null ? null : Number(walk.toFixed(8)),
    breach_price: null,
    as_of: time,
  };
  if (account === undefined || positions === undefined || working === undefined || notional === undefined) {
    return { quote, computed, floor: undefined };
  }
  const isHere = ({ market_id }: { market_id: string }) => market_id === market.market_id;
  const held = positions.find(isHere) ?? working.find((one) => isHere(one) && !one.reduce_only);
  const order: CreateOrderRequest = {
    type: 'market',
    account_id: account.id,
    market_id: market.market_id,
    side,
    size,
    leverage: held?.leverage ?? session.settings.leverage ?? 1,
    margin_mode: held?.margin_mode ?? session.settings.marginMode ?? 'cross',
  };
  const prospect = {
    order,
    market,
    quote,
    account,
    policy: undefined,
    positions,
    marks: await waitingMarks(session, working, market.market_id).catch(() => new Map()),
    exitQuote: await exitQuoteOf(session, order, { positions, working, twaps }).catch(orNothing),
    working,
    twaps,
    gap: noGap,
  };
  const { end } = estimateOrder(prospect);
  if (end?.by !== 'floor') return { quote, computed, floor: undefined };
  return { quote, computed: { ...computed, breach_price: end.price }, floor: floorOf(account) };
}
