import { toNumber } from '../../../base/terms/decimal.ts';
import type { RequestField, RequestName } from '../../../base/terms/order-fields.ts';
import { requestTypes } from '../../../base/terms/order-types.ts';
import { quantity } from '../../../base/text/format.ts';
import { onGrid, type PriceGrid, tickAt } from '../../../desk/resolve/grid.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import { type CreateOrderRequest, orderFieldIssues } from '../../../wire/contract/orders.ts';
import { largestNumber } from '../../../wire/contract/validate.ts';
import { type MarketFacts, type OrderRequest, StrategyError } from './define-strategy.ts';

/** Relative: the noise that binary fractions add to a decimal number, far less than any step of a grid. */
const noise = 1e-11;
const largestUnits = 2 ** 52;

/** A market with the grid of its sizes and prices. */
export interface GridMarket {
  readonly record: Market;
  readonly grid: PriceGrid;
  readonly facts: MarketFacts;
}

/** A market's record with its grid. */
export function gridMarket(record: Market): GridMarket {
  const { market_id, symbol, size_decimals: decimals, max_leverage, tick_size: tick } = record;
  const grid: PriceGrid = { market: record, tick, from: tick === undefined ? undefined : 'market' };
  const roundSize = (size: number, toward: 'down' | 'up' = 'down') => {
    const lots = size * 10 ** decimals;
    const near = Math.round(lots);
    const whole = isNoise(lots, near) ? near : toward === 'down' ? Math.floor(lots) : Math.ceil(lots);
    return toNumber(whole, decimals);
  };
  const facts: MarketFacts = {
    market: market_id,
    symbol,
    sizeStep: toNumber(1, decimals),
    priceStep: tick ?? null,
    maxLeverage: max_leverage,
    roundSize,
    roundPrice: (price, toward) => onGrid(grid, price, toward === 'down' ? 'buy' : 'sell'),
  };
  return { record, grid, facts: Object.freeze(facts) };
}

/**
 * The body of a request to place an order, without its account. Throws a StrategyError `request` that names the field.
 */
export function orderBody(
  asked: OrderRequest,
  clientId: string,
  market: GridMarket,
  triggerMarket: GridMarket,
): Omit<CreateOrderRequest, 'account_id'> {
  refuseUnknown(asked);
  const { side, type = asked.price === undefined ? 'market' : 'limit' } = asked;
  if (side !== 'buy' && side !== 'sell') throw wrong('side', `must be buy or sell, not ${String(side)}`);
  oneOf('type', type, requestTypes);
  oneOf('marginMode', asked.marginMode, ['cross', 'isolated']);
  oneOf('timeInForce', asked.timeInForce, ['ioc', 'fok', 'gtd']);
  oneOf('triggerDirection', asked.triggerDirection, ['above', 'below']);
  const body: Omit<CreateOrderRequest, 'account_id'> = {
    client_order_id: clientId,
    type,
    market_id: market.record.market_id,
    side,
    size: sizeOf(market, asked.size, 'size'),
    leverage: asked.leverage === undefined ? 1 : numberOf(asked.leverage, 'leverage'),
    margin_mode: asked.marginMode ?? 'cross',
    reduce_only: asked.reduceOnly === true,
  };
  if (asked.price !== undefined) body.limit_price = priceOf(market, asked.price, 'price');
  if (asked.triggerPrice !== undefined) body.trigger_price = priceOf(triggerMarket, asked.triggerPrice, 'triggerPrice');
  if (asked.takeProfit !== undefined) body.take_profit_price = priceOf(market, asked.takeProfit, 'takeProfit');
  if (asked.stopLoss !== undefined) body.stop_loss_price = priceOf(market, asked.stopLoss, 'stopLoss');
  if (asked.timeInForce !== undefined) body.time_in_force = asked.timeInForce;
  if (asked.expiresAt !== undefined) body.gtd_expires_at = numberOf(asked.expiresAt, 'expiresAt');
  if (asked.slippageBps !== undefined) body.slippage_tolerance_bps = numberOf(asked.slippageBps, 'slippageBps');
  if (asked.chaseOffset !== undefined) body.chase_offset = numberOf(asked.chaseOffset, 'chaseOffset', 0);
  if (asked.chaseLimit !== undefined) body.chase_cap_price = priceOf(market, asked.chaseLimit, 'chaseLimit');
  if (asked.triggerMarket !== undefined) body.trigger_market_id = triggerMarket.record.market_id;
  if (asked.triggerDirection !== undefined) body.trigger_direction = asked.triggerDirection;
  if (body.limit_price !== undefined && asked.postOnly !== true) body.marketable_limit_acknowledged = true;
  checkFields(body);
  return body;
}

/** A size on the market's grid: unchanged, or without the noise of binary fractions. */
export function sizeOf({ record, facts }: GridMarket, size: unknown, field: string): number {
  const value = numberOf(size, field);
  const lots = value * 10 ** record.size_decimals;
  const near = Math.round(lots);
  if (near >= 1 && near <= largestUnits && isNoise(lots, near)) return toNumber(near, record.size_decimals);
  if (near > largestUnits) throw wrong(field, `is ${value}, more than any order can have`);
  const { sizeStep, symbol } = facts;
  const below = facts.roundSize(value);
  const hint = below > 0 ? `; roundSize gives ${quantity(below)}` : '';
  throw wrong(field, `is ${value}, not a whole multiple of ${quantity(sizeStep)} ${symbol}${hint}`);
}

/** A price on the market's grid: unchanged, or without the noise of binary fractions. */
export function priceOf(market: GridMarket, price: unknown, field: string): number {
  const value = numberOf(price, field);
  const { grid, facts } = market;
  if (grid.tick === undefined) return value;
  const ticks = value / tickAt(grid, value);
  const near = Math.round(ticks);
  if (near >= 1 && near <= largestUnits && isNoise(ticks, near))
    return Number((near * tickAt(grid, value)).toPrecision(15));
  if (near > largestUnits) throw wrong(field, `is ${value}, more than any price can be`);
  const [below, above] = [facts.roundPrice(value, 'down'), facts.roundPrice(value, 'up')];
  const hint =
    below > 0 ? `the nearest are ${quantity(below)} and ${quantity(above)}` : `the lowest is ${quantity(above)}`;
  throw wrong(field, `is ${value}, not a price of ${facts.symbol}: ${hint} (roundPrice)`);
}

function numberOf(value: unknown, field: string, least?: 0): number {
  if (typeof value !== 'number') throw wrong(field, `must be a number, not ${value === null ? 'null' : typeof value}`);
  const isEnough = least === undefined ? value > 0 : value >= least;
  if (isEnough && value <= largestNumber) return value;
  if (value > largestNumber) throw wrong(field, `is ${value}; it must be at most ${largestNumber}`);
  throw wrong(field, `is ${value}; it must be ${least === undefined ? 'above zero' : 'zero or more'}`);
}

/** A strategy's name for each field of a request; null if it has no use for it. */
const ownNames = {
  account_id: null,
  market_id: 'market',
  type: 'type',
  side: 'side',
  size: 'size',
  expected_price: null,
  leverage: 'leverage',
  margin_mode: 'marginMode',
  reduce_only: 'reduceOnly',
  replace_overlapping_exits: null,
  marketable_limit_acknowledged: 'postOnly',
  client_order_id: 'clientId',
  limit_price: 'price',
  time_in_force: 'timeInForce',
  trigger_price: 'triggerPrice',
  take_profit_price: 'takeProfit',
  stop_loss_price: 'stopLoss',
  slippage_tolerance_bps: 'slippageBps',
  target_position_id: null,
  gtd_expires_at: 'expiresAt',
  trigger_market_id: 'triggerMarket',
  trigger_direction: 'triggerDirection',
  chase_offset: 'chaseOffset',
  chase_cap_price: 'chaseLimit',
} as const satisfies Readonly<Record<RequestName<RequestField>, keyof OrderRequest | null>>;

const ownNameOf: ReadonlyMap<string, string | null> = new Map(Object.entries(ownNames));
const known: ReadonlySet<string> = new Set(Object.values(ownNames).filter((name) => name !== null));

/** A misspelled stop would be an order without one. */
function refuseUnknown(asked: object): void {
  for (const name in asked) {
    if (known.has(name)) continue;
    const near = nearest(name, known);
    throw wrong(name, `is not a field of an order${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
}

function checkFields(body: object): void {
  const [first] = orderFieldIssues(body as Record<string, unknown>);
  if (first === undefined) return;
  throw wrong(ownNameOf.get(first.field) ?? first.field, first.issue);
}

function oneOf(field: string, value: string | undefined, words: readonly string[]): void {
  if (value !== undefined && !words.includes(value)) throw wrong(field, `must be one of ${words.join(', ')}`);
}

function isNoise(value: number, near: number): boolean {
  return Math.abs(value - near) <= noise * Math.max(1, near);
}

function wrong(field: string, issue: string): StrategyError {
  return new StrategyError('request', `${field} ${issue}${issue.endsWith('?') ? '' : '.'}`, { field });
}
