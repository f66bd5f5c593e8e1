import { isReduction } from '../../base/terms/order-types.ts';
import type {
  CreateOrderRequest,
  ModifyOrderRequest,
  Order,
  UpdateAttachedExitsRequest,
} from '../../wire/contract/orders.ts';
import { allMarkets } from '../resolve/market.ts';
import { entryPrice, legTerms, resolvePrice } from '../resolve/price.ts';
import { resolveSize } from '../resolve/size.ts';
import type { Session } from '../session/session.ts';
import type { Price } from '../values/prices.ts';
import type { Size } from '../values/sizes.ts';
import { type Judging, ownTriggerOf } from './prospect.ts';

/** The changes of a working order. */
export interface Amendment {
  /** The new trigger price while it waits for its trigger, otherwise the new limit. */
  readonly price?: number | undefined;
  readonly size?: number | undefined;
  /** Null if there is no stop-loss anymore. */
  readonly stop?: number | null | undefined;
  /** Null if there is no take-profit anymore. */
  readonly target?: number | null | undefined;
}

/**
 * The judgment of a change to a working order: as if the order were new and the old one didn't exist. A change that
 * can't increase the loss isn't compared with the floors; undefined if it doesn't even change an exit.
 */
export function judgingOf(
  order: Order,
  amendment: Amendment,
  { force, farStop }: Pick<Judging, 'force' | 'farStop'>,
): Judging | undefined {
  const isCompared = losesMore(order, amendment);
  if (!isCompared && amendment.stop === undefined && amendment.target === undefined) return undefined;
  return {
    force: force || !isCompared,
    farStop,
    // A first stop reduces the loss, but may still be a slip.
    addsNothing: !isCompared && typeof amendment.stop !== 'number',
    amends: order.id,
    wayOut: 'change it by less',
  };
}

/** Whether the order still waits for its trigger, so that an amendment moves the trigger. */
function waitsForTrigger(order: Order): boolean {
  return order.trigger_price !== undefined && order.triggered_at === undefined;
}

function losesMore(order: Order, { price, size, stop }: Amendment): boolean {
  if (isReduction({ ...order, type: order.mode })) return false;
  if (size !== undefined && size > order.size) return true;
  const { attached_stop_loss_price: oldStop } = order;
  if (stop === null) return oldStop !== undefined;
  const newStop = stop ?? oldStop;
  if (newStop === undefined) return false;
  if (oldStop === undefined) return false;
  const sign = order.side === 'buy' ? 1 : -1;
  const oldPrice = movedPrice(order);
  const rise = price === undefined || oldPrice === undefined ? 0 : sign * (price - oldPrice);
  return rise > sign * (newStop - oldStop);
}

/** The price that an amendment changes, in the order's own market. */
function movedPrice(order: Order): number | undefined {
  if (!waitsForTrigger(order)) return order.limit_price;
  // A triggered limit order trades at its limit, which does not change.
  return order.limit_price === undefined ? ownTriggerOf(order) : undefined;
}

/** A working order after a change, as if it were new. */
export function amendedOrder(order: Order, { price, size, stop, target }: Amendment): CreateOrderRequest {
  const { account_id, market_id, side, leverage, margin_mode, trigger_market_id, reduce_only } = order;
  const { attached_stop_loss_price: oldStop, attached_take_profit_price: oldTarget } = order;
  const isWaiting = waitsForTrigger(order);
  const limit = isWaiting || order.limit_price === undefined ? order.limit_price : (price ?? order.limit_price);
  return {
    type: isWaiting ? (order.mode as CreateOrderRequest['type']) : 'limit',
    account_id,
    market_id,
    side,
    size: size ?? order.size,
    leverage,
    margin_mode,
    stop_loss_price: stop === null ? undefined : (stop ?? oldStop),
    take_profit_price: target === null ? undefined : (target ?? oldTarget),
    trigger_price: isWaiting ? (price ?? order.trigger_price) : undefined,
    trigger_market_id: isWaiting ? trigger_market_id : undefined,
    reduce_only,
    limit_price: limit,
  };
}

/** The request that changes the price of a working order, and its size. */
export async function draftAmendment(
  session: Session,
  order: Order,
  typed: { readonly price: Price; readonly size?: Size | undefined },
): Promise<ModifyOrderRequest> {
  const { market_id, side } = order;
  const isWaiting = waitsForTrigger(order);
  const marketId = isWaiting ? (order.trigger_market_id ?? market_id) : market_id;
  const price = await resolvePrice(session, typed.price, { label: '--price', marketId, side, isLimit: !isWaiting });
  if (typed.size === undefined) return { price };
  const known = (await allMarkets(session)).find((market) => market.market_id === market_id);
  const market = { ...order, size_decimals: known?.size_decimals ?? 8 };
  return { price, size: await resolveSize(session, typed.size, { market, side, ...pricesOf(order, price) }) };
}

/** The limit and trigger used to size a notional; another market's mark is not used. */
function pricesOf(order: Order, price: number): { price?: number | undefined; trigger?: number | undefined } {
  if (!waitsForTrigger(order)) return { price };
  return { price: order.limit_price, trigger: ownTriggerOf({ ...order, trigger_price: price }) };
}

/** The request that changes the legs of a working entry. */
export async function draftLegs(
  session: Session,
  order: Order,
  {
    takeProfit,
    stopLoss,
  }: { readonly takeProfit?: Price | null | undefined; readonly stopLoss?: Price | null | undefined },
): Promise<UpdateAttachedExitsRequest> {
  const body: UpdateAttachedExitsRequest = {};
  if (takeProfit !== undefined) body.take_profit_price = await legPrice(session, order, takeProfit, 'target');
  if (stopLoss !== undefined) body.stop_loss_price = await legPrice(session, order, stopLoss, 'stop');
  return body;
}

/** The price of a leg; a relative one starts from the price that the entry is expected to trade at. */
async function legPrice(session: Session, order: Order, price: Price | null, exit: 'stop' | 'target') {
  if (price === null) return null;
  const entry = () =>
    entryPrice(session, { ...order, type: undefined, limit: order.limit_price, trigger: ownTriggerOf(order) });
  return resolvePrice(session, price, legTerms(order, entry, exit));
}
