import { divideRounded, moneyDecimals } from '../terms/decimal.ts';
import type { Grid, HalfPrice, Lots, Money, Price } from './units.ts';

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

/** A rate in basis points of an amount, rounded half away from zero. */
export function basisPointsOf(amount: Money, bps: number): Money {
  return divideRounded(amount * BigInt(Math.round(bps * 10_000)), rateScale);
}

/** The fraction part / whole of an amount, rounded half away from zero. */
export function shareOf(amount: Money, part: Lots, whole: Lots): Money {
  return divideRounded(amount * BigInt(part), BigInt(whole));
}

const powers = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}
