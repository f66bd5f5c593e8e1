import { exact } from '../../base/terms/decimal.ts';
import { isReduction } from '../../base/terms/order-types.ts';
import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { BookEvent } from '../../wire/contract/streams.ts';
import { type Judged, judged } from '../preview/judged.ts';
import { closingAfter, gapOf } from '../preview/prospect.ts';
import { policyOf, twapsNow } from '../reading/prospects.ts';
import type { Mark } from '../risk/path-account.ts';
import type { Session } from '../session/session.ts';
import { carryAhead } from './challenge.ts';
import type { LiveModel } from './live-model.ts';

/** Ticket values that no stream carries: read when trading begins, and periodically after that. */
export type TicketFacts = Awaited<ReturnType<typeof readTicketFacts>>;

/** The effect of an order at the prices on the screen. Unknown values are undefined. */
export interface Ticket extends Judged {
  /** USD that the resulting positions pay until the next trading day, at these prices. */
  readonly carry: number | undefined;
  /** The gain at the target in multiples of the loss at the stop, without fees. */
  readonly r: number | undefined;
}

/** The effect of an order, from the streamed book and the account's frames alone; undefined before they are known. */
export function ticketOf(model: LiveModel, facts: TicketFacts, order: CreateOrderRequest): Ticket | undefined {
  const { account: state, book } = model;
  const market = model.market(order.market_id);
  const isOfChosen = order.market_id === model.chosen.market_id && order.market_id === facts.market;
  if (state === undefined || book === undefined || market === undefined || !isOfChosen) return undefined;
  if (order.account_id !== model.accountId || facts.account !== order.account_id) return undefined;
  const { feeBps, policy, twaps, gap } = facts;
  const walk = { feeBps: policy?.fee_exempt === true ? 0 : feeBps };
  const positions = [...state.positions.values()];
  const working = [...state.orders.values()];
  const quote = displayedQuote(book, market, { side: order.side, size: order.size, ...walk });
  const closing = closingAfter(order, { positions, working, twaps });
  const exit = closing && displayedQuote(book, market, { ...closing, ...walk });
  const seen = judged({
    order,
    market,
    quote,
    // Sizes beyond the streamed levels are unknown, which isn't the same as zero.
    exitQuote: exit?.fillable === true ? exit : undefined,
    account: state.account,
    policy,
    positions,
    marks: model.marks([...positions, ...working].filter(({ market_id }) => market_id !== order.market_id)),
    working,
    twaps,
    gap,
  });
  return { ...seen, carry: carryOf(seen, model), r: multipleOf(seen) };
}

/** The fill of a size in the streamed levels of a book, in the terms of the service's quote. */
export function displayedQuote(
  book: BookEvent,
  { market_id, provider, symbol, coin }: Market,
  { side, size, feeBps }: { side: 'buy' | 'sell'; size: number; feeBps: number | undefined },
): Quote {
  const [bid, ask] = [priceOf(book.bids), priceOf(book.asks)];
  const mid = bid === null || ask === null ? null : exact((bid + ask) / 2);
  const best = { status: 'ok' as const, market_id, provider, symbol, coin, bid, ask, mid, time: book.time };
  const asked = {
    ...best,
    requested_side: side,
    requested_size: size,
    ...(feeBps !== undefined && { fee_bps: feeBps }),
  };
  let left = size;
  let notional = 0;
  let worst: number | undefined;
  for (const { px, sz } of side === 'buy' ? book.asks : book.bids) {
    const taken = Math.min(left, Number(sz));
    if (!(taken > 0)) continue;
    notional += taken * Number(px);
    worst = Number(px);
    left = exact(left - taken);
    if (left <= 0) break;
  }
  if (left > 0 || worst === undefined) return { ...asked, fillable: false, unfillable_reason: 'insufficient_depth' };
  return {
    ...asked,
    fillable: true,
    estimated_fill_price: exact(notional / size),
    worst_price: worst,
    estimated_notional: exact(notional),
    ...(feeBps !== undefined && { estimated_fee: exact((notional * feeBps) / 1e4) }),
  };
}

function priceOf(levels: readonly { px: string }[]): number | null {
  return levels[0] === undefined ? null : Number(levels[0].px);
}

/** The carry of all positions, the resulting one included. */
function carryOf({ after, account, positions, order, market, quote, marks }: Judged, model: LiveModel) {
  if (quote.mid === null || after === undefined) return undefined;
  const others = positions.filter(({ market_id }) => market_id !== order.market_id);
  const own = after === null ? [] : [{ market_id: order.market_id, size: Math.abs(after.size) }];
  const mark: Mark = { price: quote.mid, at: model.time, category: market.category };
  return carryAhead(account, [...others, ...own], new Map([...marks, [order.market_id, mark]]), model);
}

function multipleOf({ order, price }: Judged): number | undefined {
  const { stop_loss_price: stop, take_profit_price: target } = order;
  if (price === undefined || stop === undefined || target === undefined || isReduction(order)) return undefined;
  const sign = order.side === 'buy' ? 1 : -1;
  const [loss, gain] = [(price - stop) * sign, (target - price) * sign];
  return loss > 0 && gain > 0 ? Number((gain / loss).toFixed(2)) : undefined;
}

/** Reads the ticket's values that no stream carries. */
export async function readTicketFacts(session: Session, account: string, market: Market) {
  const { market_id, min_size, size_decimals } = market;
  // Only the quote of a size includes the commission.
  const size = Math.max(min_size ?? 0, 10 ** -size_decimals);
  const [policy, twaps, gap, quote] = await Promise.all([
    policyOf(session, account),
    twapsNow(session, account),
    gapOf(session, market),
    session
      .call('getMarketQuote', { path: { market_id }, query: { side: 'buy', size } })
      .then(({ data }) => data)
      .catch(() => undefined),
  ]);
  /** `feeBps`: the commission of a fill; undefined if the host doesn't report it. */
  return { account, market: market_id, policy, twaps, gap, feeBps: quote?.fee_bps };
}
