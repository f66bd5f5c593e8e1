import type { Holding } from '../../../../src/base/margin/holding.ts';
import { PathPositions } from '../../../../src/base/margin/path/positions.ts';
import { PathState } from '../../../../src/base/margin/path/state.ts';
import type { PathAccount, PathMarket, PathOrder } from '../../../../src/base/margin/path/terms.ts';

/** The market of these tests: whole dollars and whole lots, a mark of 100, no fees, a book without end at the mark. */
export const market: PathMarket = {
  grid: { priceDecimals: 0, sizeDecimals: 0 },
  mark: 200,
  feeBps: 0,
  depth: { buy: null, sell: null },
  toleranceBps: 250,
  gapBps: 0,
};

/** Dollars as money. */
export const dollars = (usd: number) => BigInt(usd) * 100_000_000n;

/** Lots bought or sold at 100, at 10x. */
export function position(direction: 'long' | 'short', size: number, more: Partial<Holding> = {}): Holding {
  const cost = dollars(100 * size);
  return { direction, size, cost, leverage: 10, marginMode: 'cross', isolatedMarginExtra: 0n, ...more };
}

/** An order to buy 10 lots at the market, at 10x; prices are half dollars. */
export function order(id: string, more: Partial<PathOrder> = {}): PathOrder {
  return {
    id,
    marketId: 'M',
    side: 'buy',
    size: 10,
    leverage: 10,
    marginMode: 'cross',
    reduceOnly: false,
    limit: null,
    trigger: null,
    exit: null,
    siblingId: null,
    stopLoss: null,
    takeProfit: null,
    replacesExits: false,
    isUncertain: false,
    ...more,
  };
}

/** An exit of a long position. */
export const exit = (kind: 'sl' | 'tp', id: string, size: number, more: Partial<PathOrder> = {}) =>
  order(id, {
    side: 'sell',
    size,
    reduceOnly: true,
    exit: kind,
    trigger: { marketId: 'M', at: kind === 'sl' ? 180 : 220, above: kind === 'tp' },
    ...more,
  });

/** An account of 100,000 dollars without limits and without a floor. */
export function account(more: Partial<PathAccount> = {}): PathAccount {
  return {
    balance: dollars(100_000),
    floor: null,
    maintenanceRatioBps: 50,
    liquidationFeeBps: 0,
    maxOpenPositions: null,
    maxPositionValue: null,
    maxTotalNotional: null,
    markets: new Map([
      ['M', market],
      ['N', market],
    ]),
    positions: new Map(),
    orders: [],
    first: null,
    closedBy: null,
    ...more,
  };
}

/** Where a path of the account begins; its market falls. */
export function state(of: PathAccount, { stopsSoon = false } = {}): PathState {
  const pace = new Map([['M', -1]]);
  return new PathState(new PathPositions(of, pace), of.orders, { stopsSoon, fillsLate: false });
}
