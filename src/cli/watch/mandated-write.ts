import type { KnownOperationId } from '../../contract/operations.ts';
import type { CreateOrderRequest, ModifyOrderRequest } from '../../contract/orders.ts';
import type { Proposed } from '../../desk/mandate/mandate.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import { displayedQuote } from '../../desk/watch/ticket.ts';
import { isReduction } from '../../terms/order-types.ts';

/** Writes that only close, cancel, or place exits. */
const reducing: ReadonlySet<KnownOperationId> = new Set<KnownOperationId>([
  'closePosition',
  'replacePositionExitOrders',
  'cancelOrder',
  'cancelAllAccountOrders',
  'closeAllAccountPositions',
  'cancelTwapOrder',
  'cancelScaledOrder',
]);

/** A request of a write. */
export interface Written {
  readonly path?: { readonly order_id?: string };
  readonly body?: Partial<CreateOrderRequest> & Partial<ModifyOrderRequest>;
}

/** A write as a mandate judges it, and the order that it replaces; undefined if armed keys don't send such. */
export function mandatedWrite(
  id: KnownOperationId,
  { path, body = {} }: Written,
  model: LiveModel,
): { order: Proposed; replaces?: string } | undefined {
  const { chosen, accountId: account = '' } = model;
  const mid = model.mid(chosen.market_id) ?? Number.NaN;
  if (id === 'createOrder') {
    const { side = 'buy', size = Number.NaN, account_id = '', market_id = '' } = body;
    const reduces = isReduction(body);
    const price = body.limit_price ?? (reduces ? mid : worstPrice(model, market_id, side, size, mid));
    return { order: { account: account_id, market: market_id, side, size, price, reduces } };
  }
  if (id === 'modifyOrder') {
    const order = model.account?.orders.get(path?.order_id ?? '');
    if (order === undefined) return undefined;
    const { account_id, market_id, side } = order;
    const [size, price] = [body.size ?? order.size, body.price ?? Number.NaN];
    const amended = { account: account_id, market: market_id, side, size, price, reduces: isReduction(order) };
    return { order: amended, replaces: order.id };
  }
  if (!reducing.has(id)) return undefined;
  return { order: { account, market: chosen.market_id, side: 'sell', size: 1, price: mid, reduces: true } };
}

/**
 * The worst price at which the streamed book fills a size, or the midpoint if that is more; none if the book does not
 * fill it, which no mandate allows.
 */
function worstPrice({ book, chosen }: LiveModel, market: string, side: 'buy' | 'sell', size: number, mid: number) {
  if (book === undefined || market !== chosen.market_id) return mid;
  const { worst_price: worst = Number.NaN } = displayedQuote(book, chosen, { side, size, feeBps: undefined });
  return Math.max(worst, mid);
}
