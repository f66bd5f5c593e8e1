/** Integer multiple of 1e-8 USD. */
type Money = bigint;

/** A number of units, and whether the number given is a whole number of them (simulation 1). */
interface Units {
  /** Fractional if off the grid: the requested number, for the record. */
  readonly units: number;
  readonly exact: boolean;
}

/** Decimals of money: integers of 1e-8 USD. */
export const moneyDecimals = 8;

/**
 * A JSON number as integer units of 10^-decimals. The number is read as its shortest decimal notation, which is what
 * its sender meant, so 0.1 with one decimal is exactly 1.
 */
export function toUnits(value: number, decimals: number): Units {
  const near = Math.round(value * 10 ** decimals);
  if (isPlain(near, decimals) && near / 10 ** decimals === value) return { units: near, exact: true };
  const { digits, exponent } = decimalOf(value);
  const shifted = exponent + decimals;
  const units = Number(`${digits}e${shifted}`);
  return { units, exact: (shifted >= 0 || digits === '0') && Number.isSafeInteger(units) };
}

/** Integer units of 10^-decimals as the JSON number with the same decimal value. */
export function toNumber(units: number, decimals: number): number {
  if (isPlain(units, decimals)) return units / 10 ** decimals;
  const { digits, exponent } = decimalOf(units);
  return Number(`${digits}e${exponent - decimals}`);
}

/** The decimals of most prices and sizes. */
const usualDecimals = 8;

/** Below this many units, the one nearest to a product of doubles is that of their decimals. */
const surelyNear = 2 ** 49;

/** Below this many units, neighboring doubles are closer together than two units. */
const plainlyExact = 2 ** 52;

/**
 * Whether a division suffices: both numbers are exact as doubles, so that the quotient is rounded like a parsed
 * decimal. Not for zero, which has a sign.
 */
function isPlain(units: number, decimals: number): boolean {
  return Number.isInteger(units) && units !== 0 && Math.abs(units) < plainlyExact && decimals >= 0 && decimals <= 22;
}

/** USD as money, rounded half away from zero beyond eight decimals. */
export function toMoney(value: number): Money {
  return roundedUnits(value, moneyDecimals);
}

/**
 * A JSON number as integer units of 10^-decimals, rounded half away from zero; read as its shortest decimal notation.
 */
export function roundedUnits(value: number, decimals: number): bigint {
  const near = Math.round(value * 10 ** decimals);
  const isOnGrid = Math.abs(near) < plainlyExact && decimals >= 0 && decimals <= 22 && near / 10 ** decimals === value;
  if (isOnGrid) return BigInt(near);
  const { digits, exponent } = decimalOf(value);
  const shifted = exponent + decimals;
  if (shifted >= 0) return BigInt(digits) * 10n ** BigInt(shifted);
  return divideRounded(BigInt(digits), 10n ** BigInt(-shifted));
}

/** A sum or product of doubles without their binary noise. */
export function exact(value: number): number {
  return Number(value.toPrecision(15));
}

/** Money as the nearest JSON number of USD. */
export function moneyToNumber(money: Money): number {
  return Number(`${money}e-${moneyDecimals}`);
}

/** The number of decimals in a JSON number: 0.25 has two, 100 none. */
export function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0;
  for (let decimals = 1; decimals <= usualDecimals; decimals++) {
    const near = Math.round(value * 10 ** decimals);
    if (Math.abs(near) < surelyNear && near / 10 ** decimals === value) return decimals;
  }
  return Math.max(0, -decimalOf(value).exponent);
}

/** The number of significant figures in a JSON number: 123400 has four. */
export function significantFiguresOf(value: number): number {
  return decimalOf(value).digits.replace('-', '').length;
}

/** numerator / denominator, rounded half away from zero; the denominator is positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const doubled = numerator < 0n ? -2n * numerator : 2n * numerator;
  const magnitude = (doubled + denominator) / (2n * denominator);
  return numerator < 0n ? -magnitude : magnitude;
}

/** Compares left/10^leftDecimals with a JSON number exactly: negative, zero or positive. */
export function compareUnits(left: number, leftDecimals: number, right: number): number {
  const scaled = toUnits(right, leftDecimals);
  if (left !== scaled.units || scaled.exact) return left - scaled.units;
  // Both are beyond the range of doubles: treat them as equal.
  if (!Number.isFinite(left)) return 0;
  const { digits, exponent } = decimalOf(right);
  const shift = exponent + leftDecimals;
  const difference =
    shift < 0
      ? BigInt(left) * 10n ** BigInt(-shift) - BigInt(digits)
      : BigInt(left) - BigInt(digits) * 10n ** BigInt(shift);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The shortest decimal notation, as digits without trailing zeros and a power of ten. */
function decimalOf(value: number): { digits: string; exponent: number } {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const point = mantissa.indexOf('.');
  const whole = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  const places = point < 0 ? 0 : mantissa.length - point - 1;
  const sign = whole.startsWith('-') ? '-' : '';
  const figures = whole.slice(sign.length).replace(/^0+/, '');
  let end = figures.length;
  while (figures[end - 1] === '0') end--;
  const digits = figures.slice(0, end);
  if (digits === '') return { digits: '0', exponent: 0 };
  return { digits: sign + digits, exponent: Number(power) - places + figures.length - digits.length };
}
