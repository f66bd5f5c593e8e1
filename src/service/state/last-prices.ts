import { moneyDecimals } from '../../base/terms/decimal.ts';
import type { OpenState } from '../../exchange/engine/commands.ts';
import { firesAbove } from '../../exchange/engine/indexes/triggers.ts';
import type { Lots, MarketDefinition, Money, Ms, Price } from '../../exchange/engine/model.ts';
import { isArmed } from '../../exchange/engine/orders/working-orders.ts';
import { profileOf } from '../../exchange/markets/synthetic/profile.ts';
import type { LastTouch } from '../../exchange/markets/synthetic/start.ts';

/** Prices, in price units, between which a market stays without filling or triggering what is open. */
interface Fence {
  low: number;
  high: number;
}

/** The last fill in a market: its value, size and time. */
interface LastFill {
  notional: Money;
  size: Lots;
  time: Ms;
}

/**
 * The best prices from which a market of a state continues when its older prices can no longer be computed, at `time`:
 * around the last price that the state knows, moved just so far that no open order fills or triggers. `start` is where
 * the market itself continued from. Null for a market of which the state knows no price.
 */
export function lastKnownTouch(
  market: MarketDefinition,
  known: { open: OpenState; time: Ms; fill: LastFill | null; start: LastTouch | null },
): LastTouch | null {
  const { open, time } = known;
  const fence = fenceOf(open, market);
  const price = lastPrice(market, known) ?? (fence.low > 0 ? fence.low : fence.high);
  if (!Number.isFinite(price)) return null;
  const step = market.tick ?? profileOf(market, price / 10 ** market.priceDecimals).gridTick;
  const least = Math.ceil(fence.low / step) * step;
  const most = Math.floor(fence.high / step) * step - step;
  const bid: Price = Math.max(step, least, Math.min(most, Math.floor(price / step) * step));
  return { marketId: market.marketId, time, bid, ask: bid + step };
}

/** The price of the last fill, or of a later change of versions, or at which the newest open order was accepted. */
function lastPrice(
  { marketId, priceDecimals, sizeDecimals }: MarketDefinition,
  { open, fill, start }: { open: OpenState; fill: LastFill | null; start: LastTouch | null },
): number | null {
  if (fill !== null && !(start !== null && start.time > fill.time))
    return Number(fill.notional) / fill.size / 10 ** (moneyDecimals - priceDecimals - sizeDecimals);
  if (start !== null) return (start.bid + start.ask) / 2;
  const newest = open.orders.filter((order) => order.marketId === marketId).sort((a, b) => b.sequence - a.sequence)[0];
  return newest === undefined ? null : newest.expectedPrice * 10 ** priceDecimals;
}

function fenceOf({ orders, twaps }: OpenState, { marketId, priceDecimals }: MarketDefinition): Fence {
  const fence = { low: 0, high: Number.POSITIVE_INFINITY };
  const keep = (isAbove: boolean, price: number) => {
    if (isAbove) fence.high = Math.min(fence.high, price);
    else fence.low = Math.max(fence.low, price);
  };
  for (const order of orders) {
    if (isArmed(order)) {
      if ((order.triggerMarketId ?? order.marketId) !== marketId) continue;
      keep(firesAbove(order), order.triggerPrice! * 10 ** priceDecimals);
    } else if (order.marketId === marketId && order.status === 'resting' && order.limitPrice !== null)
      keep(order.side === 'sell', order.limitPrice);
  }
  for (const twap of twaps) {
    if (twap.marketId !== marketId || twap.triggerFrom === null || twap.activatedAt !== null) continue;
    keep(twap.triggerFrom === 'below', twap.triggerPrice! * 10 ** priceDecimals);
  }
  return fence;
}
