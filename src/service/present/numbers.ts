import { moneyDecimals, moneyToNumber, toNumber } from '../../base/terms/decimal.ts';
import type { Lots, Money, Price } from '../../exchange/engine/model.ts';

const moneyScale = 10 ** moneyDecimals;
const averageDecimals = 24;

/*
 * Engine units as JSON numbers with the same decimal value. IEEE 754 rounds the quotient of two exactly representable
 * integers correctly, just as when reading the decimal; other numbers use the slow way.
 */

/** Money as USD. */
export function usd(money: Money): number {
  const units = Number(money);
  return Number.isSafeInteger(units) ? units / moneyScale : moneyToNumber(money);
}

/**
 * Lots or price units with this many decimals; a rejected order's off-grid number is returned as it was sent. States of
 * older versions may have a rejected order with a number beyond all doubles.
 */
export function decimal(units: Lots | Price, decimals: number): number {
  if (Number.isSafeInteger(units)) return units / 10 ** decimals;
  return Number.isFinite(units) ? toNumber(units, decimals) : Number.MAX_VALUE;
}

/** Notional divided by size, exact to more digits than a JSON number has. `lots` must be positive. */
export function averagePrice(notional: Money, lots: Lots, sizeDecimals: number): number {
  const units = Number(notional);
  const divisor = lots * 10 ** (moneyDecimals - sizeDecimals);
  const isExact = sizeDecimals <= moneyDecimals && Number.isSafeInteger(units) && Number.isSafeInteger(divisor);
  if (isExact) return units / divisor;
  const scaled = notional * 10n ** BigInt(sizeDecimals + averageDecimals - moneyDecimals);
  return Number(`${scaled / BigInt(lots)}e-${averageDecimals}`);
}
