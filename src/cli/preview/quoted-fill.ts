import type { Market, Quote } from '../../contract/markets.ts';
import type { CreateOrderRequest } from '../../contract/orders.ts';
import { openPositions } from '../../desk/resolve/position.ts';
import { accountRisk } from '../../desk/resolve/risk.ts';
import type { Computed } from '../../desk/risk/outlook.ts';
import type { Context } from '../context/context.ts';
import type { Cell } from '../output/result.ts';
import { breachText } from '../views/end-view.ts';
import { estimateOrder, floorOf } from './prospect.ts';

/** A quoted fill, and the account's breach price after it. */
interface QuotedFill {
  readonly quote: Quote;
  readonly computed: Computed;
  /** As text; undefined if no floor is in reach. */
  readonly breach: Cell | undefined;
}

/**
 * The breach price of the account after a quoted size has filled. Account and positions are read in parallel with the
 * quote; without them, only the quote is shown.
 */
export async function quotedFill(
  context: Context,
  market: Market,
  { side, size }: Pick<CreateOrderRequest, 'side' | 'size'>,
  reading: Promise<Quote>,
): Promise<QuotedFill> {
  const orNothing = () => undefined;
  const [quote, account, positions] = await Promise.all([
    reading,
    accountRisk(context).catch(orNothing),
    openPositions(context).catch(orNothing),
  ]);
  const { mid, estimated_notional: notional, time } = quote;
  const walk = mid === null || notional === undefined ? null : (side === 'buy' ? 1 : -1) * (size * mid - notional);
  const computed: Computed = {
    mark: mid,
    unrealized_pnl: walk === null ? null : Number(walk.toFixed(8)),
    breach_price: null,
    as_of: time,
  };
  if (account === undefined || positions === undefined || notional === undefined) {
    return { quote, computed, breach: undefined };
  }
  const held = positions.find(({ market_id }) => market_id === market.market_id);
  const order: CreateOrderRequest = {
    type: 'market',
    account_id: account.id,
    market_id: market.market_id,
    side,
    size,
    leverage: held?.leverage ?? context.settings.leverage ?? 1,
    margin_mode: held?.margin_mode ?? context.settings.marginMode ?? 'cross',
  };
  const prospect = {
    order,
    market,
    quote,
    account,
    policy: undefined,
    positions,
    mids: new Map<string, number>(),
    beside: [],
    working: undefined,
  };
  const { breach } = estimateOrder(prospect);
  if (breach === undefined) return { quote, computed, breach: undefined };
  const text = breachText(breach, mid ?? undefined, floorOf(account));
  return { quote, computed: { ...computed, breach_price: breach }, breach: text };
}
