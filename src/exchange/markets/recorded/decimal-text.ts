import { LineProblem, quoted } from './recording-error.ts';

/** Powers of ten that a double holds exactly. */
export const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

const decimalForm = /^(\d+)(?:\.(\d+))?$/;

/** Maximum decimals of a price or size in a recording. */
export const maxDecimals = 15;

/**
 * Parses a decimal as venues write it: digits, optionally a point and more digits; no sign or exponent. The value is
 * `digits` x 10^-`decimals`, without trailing zeros after the point.
 */
export class DecimalText {
  digits = 0;
  decimals = 0;

  /** Reads `text`; throws a LineProblem that calls it `what`. */
  read(text: unknown, what: string): void {
    if (typeof text !== 'string') throw new LineProblem(`${what} must be a decimal in a string, not ${quoted(text)}`);
    const { length } = text;
    const point = text.indexOf('.');
    if (length === 0 || point === 0 || point === length - 1) throw notDecimal(text, what);
    let end = length;
    if (point > 0) {
      while (text.charCodeAt(end - 1) === 48) end -= 1;
      if (end === point + 1) end = point;
    }
    let digits = 0;
    for (let i = 0; i < end; i += 1) {
      const code = text.charCodeAt(i);
      if (code >= 48 && code <= 57) digits = digits * 10 + (code - 48);
      else if (i !== point) throw notDecimal(text, what);
    }
    const decimals = point > 0 && end > point ? end - point - 1 : 0;
    if (digits > Number.MAX_SAFE_INTEGER || decimals > maxDecimals) {
      throw new LineProblem(`${what} has too many digits to be exact: ${quoted(text)}`);
    }
    this.digits = digits;
    this.decimals = decimals;
  }

  /** The value in units of 10^-unitDecimals; throws a LineProblem when it is finer or too large. */
  units(unitDecimals: number, what: string): number {
    if (this.decimals > unitDecimals) throw new LineProblem(`${what} has more than ${unitDecimals} decimals`);
    const units = this.digits * powersOfTen[unitDecimals - this.decimals]!;
    if (units > Number.MAX_SAFE_INTEGER) throw new LineProblem(`${what} is too large to be exact`);
    return units;
  }
}

/** The exact product of two decimals, as a decimal: sizes in contracts times contract size give base units. */
export function product(one: string, other: string): string {
  const [first, second] = [unitsOf(one), unitsOf(other)];
  const decimals = first.decimals + second.decimals;
  const digits = String(first.units * second.units).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

function unitsOf(decimal: string): { units: bigint; decimals: number } {
  const [, whole, fraction = ''] = decimalForm.exec(decimal) ?? [];
  if (whole === undefined) throw new LineProblem(`is not a decimal: ${quoted(decimal)}`);
  return { units: BigInt(whole + fraction), decimals: fraction.length };
}

function notDecimal(text: string, what: string): LineProblem {
  return new LineProblem(`${what} is not a plain decimal: ${quoted(text)}`);
}
