import { usageFailure } from '../../base/failure/failure.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { type Price, parsePrice } from '../values/prices.ts';

/** The condition that `perp wait` waits for. */
export type Condition = PriceCondition | FlatCondition | OrderCondition;

/** A price of a market beyond a bound. */
export interface PriceCondition {
  readonly kind: 'price';
  readonly market: string;
  readonly price: WatchedPrice;
  readonly operator: Operator;
  readonly bound: Price;
}

/** No open position: in a market, or in the account. */
export interface FlatCondition {
  readonly kind: 'flat';
  readonly market: string | undefined;
}

/** An order that has filled, or that has ended in any way. */
export interface OrderCondition {
  readonly kind: 'order';
  readonly order: string;
  readonly state: 'filled' | 'ended';
}

/** Prices that the market stream reports at every change. */
const watchedPrices = ['mark', 'last', 'mid'] as const;
/** Which price of a market. */
type WatchedPrice = (typeof watchedPrices)[number];

const operators = ['<=', '>=', '<', '>'] as const;
type Operator = (typeof operators)[number];

const examples = "Write 'BTC < 95000', 'BTC last >= 97000', flat, 'ETH flat' or 'order ID filled'.";

/** Parses a condition; a usage failure says how one is written. */
export function parseCondition(text: string): Condition {
  const words = text.trim().split(/\s+/);
  const operator = operators.find((one) => text.includes(one));
  if (operator !== undefined) return priceCondition(text, operator);
  const last = words.at(-1)!.toLowerCase();
  if (last === 'flat' && words.length <= 2) return { kind: 'flat', market: words.length === 2 ? words[0] : undefined };
  if (words[0]!.toLowerCase() === 'order' && words.length === 3 && (last === 'filled' || last === 'ended'))
    return { kind: 'order', order: words[1]!, state: last };
  throw usageFailure(`${quoted(text)} is not a condition.`, examples);
}

function priceCondition(text: string, operator: Operator): PriceCondition {
  const at = text.indexOf(operator);
  const [market = '', price = 'mark', ...more] = text.slice(0, at).trim().split(/\s+/);
  const bound = text.slice(at + operator.length).trim();
  if (market === '' || bound === '' || more.length > 0)
    throw usageFailure(`${quoted(text)} is not a condition.`, examples);
  if (!isWatched(price))
    throw usageFailure(`${quoted(price)} is not a price to wait for.`, `Use ${watchedPrices.join(', ')}.`);
  return { kind: 'price', market, price, operator, bound: parsePrice(bound, 'The bound', { unsigned: false }) };
}

function isWatched(word: string): word is WatchedPrice {
  return (watchedPrices as readonly string[]).includes(word);
}

/** Whether a price is beyond the bound. */
export function isBeyond(operator: Operator, price: number, bound: number): boolean {
  if (operator === '<') return price < bound;
  if (operator === '>') return price > bound;
  return operator === '<=' ? price <= bound : price >= bound;
}
