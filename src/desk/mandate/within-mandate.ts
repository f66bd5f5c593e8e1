import { isReduction } from '../../base/terms/order-types.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Effect, Exposed, GateWrite, Mandate } from './mandate.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The conditions of every write that a mandate allows, written down a second time, from the account's own lists and
 * with certain prices: a write that meets them may still be refused.
 */
export function isWithin(mandate: Mandate, exposed: Exposed, write: GateWrite, effect: Effect, now: number): boolean {
  if (!mandate.accounts.includes(write.account) || now >= mandate.until) return false;
  const { adds } = effect;
  if (adds === undefined) return write.operation !== 'createTwapOrder' || write.body?.reduce_only === true;
  const { market, side, size } = adds;
  if (!mandate.markets.includes(market) || !mandate.sides.includes(side) || !isOpen(mandate, now)) return false;
  if (!(Number(exposed.lostUsd) < mandate.lossPerDayUsd) && mandate.lossPerDayUsd !== Number.POSITIVE_INFINITY)
    return false;
  const amended = exposed.working?.find(({ id }) => id === write.path?.order_id);
  const price = leastPrice(exposed, market, side, { limit_price: amended?.limit_price, ...write.body });
  const order = size * price;
  const others = othersUsd(exposed, write, market, side);
  const leverage = Number(write.body?.leverage ?? 0);
  return (
    order <= Math.max(mandate.largestOrderUsd, wasWorth(exposed, amended)) * loose &&
    (write.operation === 'modifyOrder' || order + others <= mandate.largestPositionUsd * loose) &&
    leverage <= (mandate.largestLeverage ?? Number.POSITIVE_INFINITY) &&
    hasOwnStop(mandate, write, side, price)
  );
}

/** Both formulas compute with doubles. */
const loose = 1 + 1e-9;

/** The largest value of an order before it was amended: it may keep that. */
function wasWorth({ marks }: Exposed, amended: Order | undefined): number {
  if (amended === undefined) return 0;
  const { market_id, size, limit_price = 0, trigger_price = 0 } = amended;
  return size * Math.max(marks.get(market_id)!.price, limit_price, trigger_price) * widest;
}

/** The widest tolerance of any account. */
const widest = 1.1;

/**
 * A price that surely doesn't understate the order's value: its limit if it buys, otherwise the lower of limit and
 * mark.
 */
function leastPrice({ marks }: Exposed, market: string, side: string, body: Fields): number {
  const mark = marks.get(market)!.price;
  const prices = [body.limit_price, body.price, body.start_price, body.end_price, body.chase_cap_price].filter(
    (one): one is number => typeof one === 'number',
  );
  const least = Math.min(mark, ...prices);
  return side === 'buy' && body.price === undefined && typeof body.limit_price === 'number' ? body.limit_price : least;
}

/** Holdings and working orders on a side, at the lower of mark and limit. */
function othersUsd(
  { positions = [], working = [], marks, pending }: Exposed,
  write: GateWrite,
  market: string,
  side: string,
) {
  const mark = marks.get(market)!.price;
  let sum = 0;
  for (const held of positions)
    if (held.market_id === market && (held.side === 'long') === (side === 'buy')) sum += held.size * mark;
  for (const order of working) {
    const isOwn = order.id === write.path?.order_id || order.twap_order_id !== undefined;
    if (order.market_id !== market || order.side !== side || isOwn || isReduction(order)) continue;
    sum += order.size * Math.min(mark, order.limit_price ?? mark);
  }
  for (const { operation, account, body = {} } of pending) {
    const adds = operation === 'createOrder' && account === write.account && !isReduction(body);
    if (adds && body.market_id === market && body.side === side)
      sum += Number(body.size) * Math.min(mark, Number(body.limit_price ?? mark));
  }
  return sum;
}

function isOpen({ hours }: Mandate, now: number): boolean {
  if (hours === undefined) return true;
  const date = new Date(now);
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes();
  const today = ((date.getUTCDay() + 6) % 7) + 1;
  const yesterday = today === 1 ? 7 : today - 1;
  return hours.some(({ days, from, to }) => {
    if (to > from) return days.includes(today) && minute >= from && minute < to;
    return (days.includes(today) && minute >= from) || (days.includes(yesterday) && minute < to);
  });
}

function hasOwnStop(
  { stopWithin }: Mandate,
  { operation, body = {} }: GateWrite,
  side: string,
  price: number,
): boolean {
  if (stopWithin === undefined || operation === 'modifyOrder') return true;
  const stop = body.stop_loss_price;
  if (operation !== 'createOrder' || typeof stop !== 'number') return false;
  const isElsewhere = body.trigger_market_id !== undefined && body.trigger_market_id !== body.market_id;
  const named = body.limit_price ?? body.chase_cap_price ?? (isElsewhere ? undefined : body.trigger_price);
  const at = typeof named === 'number' ? named : price;
  return (side === 'buy' ? at - stop : stop - at) <= at * (stopWithin + 1e-8);
}
