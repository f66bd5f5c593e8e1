/** The orders of the benchmarks. */
import { toNumber } from '../src/base/terms/decimal.ts';
import type { PlaceOrder } from '../src/exchange/engine/commands.ts';
import type { Side } from '../src/exchange/engine/model.ts';
import type { LiveMarkets } from '../src/venues/live/live-markets.ts';
import { plainOrder } from '../test/exchange/engine/scenario.ts';

/** A good-till-canceled limit order on BTC, leverage 1, cross. */
export function limitOrder(accountId: string, side: Side, size: number, price: number): PlaceOrder {
  return { ...plainOrder, accountId, marketId: 'binance|BTCUSDT', mode: 'limit', side, size, limitPrice: price };
}

/** The best bid of a live market now. */
export function bestBid(markets: LiveMarkets, marketId: string): number {
  const { source } = markets;
  const { priceDecimals } = source.definitions.find((market) => market.marketId === marketId)!;
  return toNumber(source.book(marketId, markets.time())!.bids[0]!, priceDecimals);
}

/** A market order on BTC, leverage 1, cross. */
export function marketOrder(accountId: string, side: Side, size: number): PlaceOrder {
  return { ...plainOrder, accountId, marketId: 'binance|BTCUSDT', side, size };
}

/** A stop-market order that triggers when the mark reaches `trigger`. */
export function stopOrder(accountId: string, side: Side, size: number, trigger: number): PlaceOrder {
  return { ...limitOrder(accountId, side, size, 0), mode: 'stop_market', limitPrice: null, triggerPrice: trigger };
}

/** The body of a small market order; sides alternate with the number, so the account never reaches a limit. */
export function marketOrderBody(accountId: string, number: number): string {
  return JSON.stringify({
    account_id: accountId,
    market_id: 'binance|BTCUSDT',
    side: number % 2 === 0 ? 'buy' : 'sell',
    size: 0.001,
    leverage: 1,
    margin_mode: 'cross',
    type: 'market',
  });
}
