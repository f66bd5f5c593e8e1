import { divideRounded, moneyDecimals } from '../terms/decimal.ts';

/** Integer multiple of the market's price unit, 10^-priceDecimals in the quote currency. */
export type Price = number;
/** Twice a price: a midpoint of two integer prices is always an integer of these. */
export type HalfPrice = number;
/** Integer multiple of the market's lot, 10^-sizeDecimals of the base asset. */
export type Lots = number;
/** Integer multiple of 1e-8 USD. */
export type Money = bigint;
/** The effect of an order in its market. */
export type Side = 'buy' | 'sell';
/** Whether a position shares its account's margin or has its own. */
export type MarginMode = 'cross' | 'isolated';
/** Whether a position gains when the price rises or when it falls. */
export type Direction = 'long' | 'short';

/** The units of a market: decimals of its price unit and of its lot. */
export interface Grid {
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

/** Basis points are exact to a ten-thousandth, so rates such as 0.25 bps are integers. */
const rateScale = 100_000_000n;

/** price x lots in a market's finest units, as a double if that is exact. */
export function priceTimesLots(price: Price, lots: Lots): number | bigint {
  const product = price * lots;
  return product <= Number.MAX_SAFE_INTEGER ? product : BigInt(price) * BigInt(lots);
}

/** A sum of price x lots as money, rounded half away from zero once (simulation 1). */
export function toNotional(grid: Grid, sum: number | bigint): Money {
  const spare = moneyDecimals - grid.priceDecimals - grid.sizeDecimals;
  if (spare >= 0) return BigInt(sum) * powerOfTen(spare);
  return divideRounded(BigInt(sum), powerOfTen(-spare));
}

/** Value of lots at one price. */
export function notionalAt(grid: Grid, price: Price, lots: Lots): Money {
  return toNotional(grid, priceTimesLots(price, lots));
}

/** Value of lots at a mark, which may be halfway between two price units. */
export function notionalAtMark(grid: Grid, mark: HalfPrice, lots: Lots): Money {
  const spare = moneyDecimals - grid.priceDecimals - grid.sizeDecimals;
  const doubled = BigInt(mark) * BigInt(lots);
  if (spare >= 0) return divideRounded(doubled * powerOfTen(spare), 2n);
  return divideRounded(doubled, 2n * powerOfTen(-spare));
}

/** The value that one half price more adds to lots; null: values of the market are rounded. */
export function moneyPerHalfPrice(grid: Grid, lots: Lots): Money | null {
  const spare = moneyDecimals - grid.priceDecimals - grid.sizeDecimals;
  return spare >= 1 ? BigInt(lots) * 5n * powerOfTen(spare - 1) : null;
}

/** A rate in basis points of an amount, rounded half away from zero. */
export function basisPointsOf(amount: Money, bps: number): Money {
  return divideRounded(amount * BigInt(Math.round(bps * 10_000)), rateScale);
}

/** The fraction part / whole of an amount, rounded half away from zero. */
export function shareOf(amount: Money, part: Lots, whole: Lots): Money {
  return divideRounded(amount * BigInt(part), BigInt(whole));
}

const powers = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10 to the power of a whole exponent >= 0. */
export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/** The gain of a value over its cost, for the side that holds it. */
export function gain(side: 'long' | 'short', value: Money, cost: Money): Money {
  return side === 'long' ? value - cost : cost - value;
}

/** Proceeds and costs of trading; fees and funding are positive if paid, bankruptcy if received. */
interface Result {
  readonly realizedPnl: Money;
  readonly fees: Money;
  readonly funding: Money;
  /** Losses beyond the margin, which the account did not have to pay. */
  readonly bankruptcy: Money;
}

/** Realized profit minus fees and carry: the effect on the balance. */
export function netOf({ realizedPnl, fees, funding, bankruptcy }: Result): Money {
  return realizedPnl - fees - funding + bankruptcy;
}
