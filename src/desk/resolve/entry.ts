import type { Quote } from '../../contract/markets.ts';
import type { CreateOrderRequest } from '../../contract/orders.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import { marketName } from '../../ground/text/market-name.ts';
import { orderKindOf } from '../../terms/order-types.ts';
import type { Session } from '../session/session.ts';
import type { Price } from '../values/prices.ts';
import { type Multiple, maybePrice, type PriceTerms } from './price.ts';
import { fetchQuote } from './quote.ts';

/** An order whose legs are relative to its entry. */
export interface Entry {
  type: CreateOrderRequest['type'];
  account_id: string;
  market_id: string;
  side: 'buy' | 'sell';
  size: number;
  limit: number | undefined;
  /** Mark of its own market that triggers it. */
  trigger: number | undefined;
  /** The price that it is expected to trade at, if finding its size has shown it. */
  expected?: number | undefined;
}

/**
 * The price that an order is expected to trade at: its limit, else its trigger, else, for a chase, the best price of its
 * own side, else the estimated fill of its size.
 */
export async function entryPrice(session: Session, entry: Entry): Promise<number> {
  const { type, market_id, side, size, account_id: account } = entry;
  const known = entry.expected ?? entry.limit ?? entry.trigger;
  if (known !== undefined) return known;
  const quote = await fetchQuote(session, market_id, { side, size, account });
  const price = orderKindOf(type)?.expects === 'best' ? (side === 'buy' ? quote.bid : quote.ask) : fillOf(quote, side);
  if (price !== null) return price;
  throw new Failure({
    exit: exitCodes.unavailable,
    code: 'no_price',
    message: `${marketName(market_id)} currently has no price for this order, and its exits are relative to that price.`,
    hint: 'Try again in a moment, or give the exits in USD.',
    retryable: true,
  });
}

function fillOf(quote: Quote, side: 'buy' | 'sell'): number | null {
  return quote.estimated_fill_price ?? (side === 'buy' ? quote.ask : quote.bid) ?? quote.mid;
}

/** The exits attached to an order; relative ones start from the price that the order is expected to trade at. */
export async function legPrices(
  session: Session,
  { takeProfit, stopLoss }: { takeProfit?: Price | undefined; stopLoss?: Price | undefined },
  order: Entry,
): Promise<Pick<CreateOrderRequest, 'take_profit_price' | 'stop_loss_price'>> {
  const entry = () => session.memory.once('entry', () => entryPrice(session, order));
  const stop = await maybePrice(session, stopLoss, legTerms(order, entry, 'stop'));
  const multiple = stop === undefined ? undefined : async () => multipleOf(session, order, await entry(), stop);
  return {
    take_profit_price: await maybePrice(session, takeProfit, { ...legTerms(order, entry, 'target'), multiple }),
    stop_loss_price: stop,
  };
}

/** What 1R is for an order with a stop. */
async function multipleOf(session: Session, order: Entry, entry: number, stop: number): Promise<Multiple> {
  const { market_id, side, size, account_id: account } = order;
  const quote = await fetchQuote(session, market_id, { side, size, account });
  const exitFeeRate = quote.estimated_fee === 0 ? 0 : (quote.fee_bps ?? 0) / 1e4;
  const entryFee = entry * exitFeeRate;
  const move = side === 'buy' ? entry - stop : stop - entry;
  return { risk: move + entryFee + stop * exitFeeRate, entryFee, exitFeeRate };
}

/** The context of a relative exit of an order. */
export function legTerms(
  { market_id, side }: Pick<Entry, 'market_id' | 'side'>,
  entry: () => number | Promise<number>,
  exit: 'stop' | 'target',
): PriceTerms {
  return {
    label: exit === 'stop' ? '--stop-loss' : '--take-profit',
    marketId: market_id,
    side: side === 'buy' ? 'sell' : 'buy',
    entry,
    from: 'entry',
    exit,
  };
}
