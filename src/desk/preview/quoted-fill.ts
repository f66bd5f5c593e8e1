import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import { recentPolicy, twapsBefore } from '../reading/prospects.ts';
import { accountId, accountRisk } from '../resolve/account.ts';
import { openPositions, workingOrders } from '../resolve/holdings.ts';
import { marksOf, withTicks } from '../resolve/quote.ts';
import type { Floor } from '../risk/breach.ts';
import { accountLater, type Computed } from '../risk/outlook.ts';
import type { Session } from '../session/session.ts';
import { judged } from './judged.ts';
import { exitQuoteOf, noGap, type Prospect, waitingMarks } from './prospect.ts';

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
  { side, size, within }: Pick<CreateOrderRequest, 'side' | 'size'> & { readonly within?: number | undefined },
  reading: Promise<Quote>,
): Promise<QuotedFill> {
  const orNothing = () => undefined;
  const own = accountId(session);
  const [quote, now, positions, working, twaps, policy] = await Promise.all([
    reading,
    accountRisk(session).catch(orNothing),
    openPositions(session).catch(orNothing),
    own.then((id) => workingOrders(session, id)).catch(orNothing),
    own.then((id) => twapsBefore(session, id)).catch(orNothing),
    own.then((id) => recentPolicy(session, id)).catch(orNothing),
  ]);
  const { mid, estimated_notional: notional, time } = quote;
  const walk = mid === null || notional === undefined ? null : (side === 'buy' ? 1 : -1) * (size * mid - notional);
  const computed: Computed = {
    mark: mid,
    unrealized_pnl: walk === null ? null : Number(walk.toFixed(8)),
    breach_price: null,
    as_of: time,
  };
  if (now === undefined || positions === undefined || working === undefined || notional === undefined) {
    return { quote, computed, floor: undefined };
  }
  const isHere = ({ market_id }: { market_id: string }) => market_id === market.market_id;
  const held = positions.find(isHere) ?? working.find((one) => isHere(one) && !one.reduce_only);
  const order: CreateOrderRequest = {
    type: 'market',
    account_id: now.id,
    market_id: market.market_id,
    side,
    size,
    leverage: held?.leverage ?? session.settings.leverage ?? 1,
    margin_mode: held?.margin_mode ?? session.settings.marginMode ?? 'cross',
  };
  const seen = { order, market, quote, account: now, positions };
  const later = within === undefined ? undefined : await laterAfter(session, seen, within).catch(orNothing);
  const shown: Computed = { ...computed, ...(later && { within: later.ahead }) };
  const prospect = {
    ...seen,
    account: later?.account ?? now,
    policy,
    marks: await waitingMarks(session, { positions, working, twaps }, market.market_id).catch(() => new Map()),
    exitQuote: await exitQuoteOf(session, order, { positions, working, twaps }).catch(orNothing),
    working,
    twaps,
    gap: noGap,
  };
  const { end, floor } = judged(prospect);
  if (end?.by !== 'floor') return { quote, computed: shown, floor: undefined };
  return { quote, computed: { ...shown, breach_price: end.price }, floor };
}

/** The account after the fill and a time. */
async function laterAfter(
  session: Session,
  {
    order,
    account,
    positions,
    market,
    quote,
  }: Omit<Prospect, 'exitQuote' | 'policy' | 'marks' | 'working' | 'twaps' | 'gap'>,
  within: number,
): Promise<ReturnType<typeof accountLater>> {
  const { market_id, side, size } = order;
  const others = positions.filter((position) => position.market_id !== market_id);
  const signed = positions.reduce(
    (sum, one) => (one.market_id === market_id ? sum + (one.side === 'long' ? one.size : -one.size) : sum),
    side === 'buy' ? size : -size,
  );
  const marks = await withTicks(
    session,
    marksOf(
      session,
      others.map((one) => one.market_id),
    ),
  );
  const own = { price: quote.mid ?? 0, at: quote.time, category: market.category };
  const held = [...others, { market_id, size: Math.abs(signed) }];
  return accountLater(account, held, new Map([...marks, [market_id, own]]), within);
}
