import { powersOfTen } from '../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';

/**
 * Levels parsed from text: flat [price units, lots, ...]. The array is reused: `count` levels are valid until the next
 * parse.
 */
export class Levels {
  flat: number[] = [];
  count = 0;
  /** Whether prices are strictly ordered, so that none occurs twice. */
  isOrdered = true;
  /** Whether any level has size 0. */
  hasEmpty = false;
}

const quote = 34;
const comma = 44;
const point = 46;
const zero = 48;
const nine = 57;
const open = 91;
const close = 93;

/**
 * Parses levels as venues write them, `[["61800.20","2.909"],...]`, directly from the text, so no decimal is rounded to
 * a binary fraction. Prices are in units of 10^-priceDecimals, sizes in lots of 10^-sizeDecimals. Throws a LineProblem
 * for any other text, for a number finer than its unit, and for a price of 0.
 */
export function readLevels(text: string, priceDecimals: number, sizeDecimals: number, into: Levels): void {
  into.count = 0;
  into.isOrdered = true;
  into.hasEmpty = false;
  if (text === '[]') return;
  const reader = new LevelReader(text);
  let direction = 0;
  let before = 0;
  reader.expect(open);
  do {
    reader.expect(open);
    const price = reader.decimal(priceDecimals);
    reader.expect(comma);
    const size = reader.decimal(sizeDecimals);
    reader.expect(close);
    if (price === 0) throw new LineProblem('a level has price 0');
    if (size === 0) into.hasEmpty = true;
    if (into.count > 0) {
      const step = Math.sign(price - before);
      if (into.count === 1) direction = step;
      if (step === 0 || step !== direction) into.isOrdered = false;
    }
    before = price;
    into.flat[2 * into.count] = price;
    into.flat[2 * into.count + 1] = size;
    into.count += 1;
  } while (reader.isNext(comma));
  reader.expect(close);
  reader.end();
}

/** Parses a decimal in units of 10^-decimals; throws a LineProblem if it is invalid or finer. */
export function readDecimal(text: string, decimals: number): number {
  const reader = new LevelReader(`"${text}"`);
  const units = reader.decimal(decimals);
  reader.end();
  return units;
}

/** Writes units of 10^-decimals as a decimal: 618002 with one decimal is 61800.2. */
export function decimalText(units: number, decimals: number): string {
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

class LevelReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  expect(code: number): void {
    if (this.text.charCodeAt(this.at) !== code) throw this.problem();
    this.at += 1;
  }

  isNext(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  end(): void {
    if (this.at !== this.text.length) throw this.problem();
  }

  /** A decimal in quotes: digits, optionally a point and more digits. */
  decimal(decimals: number): number {
    this.expect(quote);
    const { text } = this;
    const start = this.at;
    let at = start;
    let units = 0;
    let code = text.charCodeAt(at);
    while (code >= zero && code <= nine) {
      units = units * 10 + (code - zero);
      at += 1;
      code = text.charCodeAt(at);
    }
    if (at === start) throw this.problem();
    let missing = decimals;
    if (code === point) {
      const fraction = at + 1;
      at = fraction;
      code = text.charCodeAt(at);
      while (code >= zero && code <= nine) {
        if (missing > 0) {
          units = units * 10 + (code - zero);
          missing -= 1;
        } else if (code !== zero) throw new LineProblem(`${quoted(text.slice(start, at + 1))} has too many decimals`);
        at += 1;
        code = text.charCodeAt(at);
      }
      if (at === fraction) throw this.problem();
    }
    if (code !== quote) throw this.problem();
    this.at = at + 1;
    units *= powersOfTen[missing]!;
    if (units > Number.MAX_SAFE_INTEGER) {
      throw new LineProblem(`${quoted(text.slice(start, at))} has too many digits to be exact`);
    }
    return units;
  }

  private problem(): LineProblem {
    return new LineProblem(
      `levels are not [["price","size"],...] at ${quoted(this.text.slice(this.at, this.at + 40))}`,
    );
  }
}
