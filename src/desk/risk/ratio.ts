/** An exact fraction. JSON numbers are read as their shortest decimal form: 0.1 is exactly one tenth. */
export class Ratio {
  static readonly zero = new Ratio(0n, 1n);
  readonly #numerator: bigint;
  /** Above zero. */
  readonly #denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    this.#numerator = numerator;
    this.#denominator = denominator;
  }

  static of(value: number): Ratio {
    const [mantissa = '0', exponent = '0'] = String(value).split('e');
    const [whole = '0', decimals = ''] = mantissa.split('.');
    const scale = decimals.length - Number(exponent);
    const digits = BigInt(whole + decimals);
    return scale < 0 ? new Ratio(digits * 10n ** BigInt(-scale), 1n) : new Ratio(digits, 10n ** BigInt(scale));
  }

  /** So many units of 10^-decimals. */
  static ofUnits(units: bigint, decimals: number): Ratio {
    return new Ratio(units, 10n ** BigInt(decimals));
  }

  plus(other: Ratio): Ratio {
    if (this.#denominator === other.#denominator) {
      return new Ratio(this.#numerator + other.#numerator, this.#denominator);
    }
    return new Ratio(
      this.#numerator * other.#denominator + other.#numerator * this.#denominator,
      this.#denominator * other.#denominator,
    );
  }

  minus(other: Ratio): Ratio {
    return this.plus(other.negated());
  }

  negated(): Ratio {
    return new Ratio(-this.#numerator, this.#denominator);
  }

  times(other: Ratio): Ratio {
    return new Ratio(this.#numerator * other.#numerator, this.#denominator * other.#denominator);
  }

  /** The quotient; the divisor is not zero. */
  over(other: Ratio): Ratio {
    const sign = other.#numerator < 0n ? -1n : 1n;
    return new Ratio(sign * this.#numerator * other.#denominator, sign * other.#numerator * this.#denominator);
  }

  /** Negative, zero or positive, as this is less than, equal to or greater than the other. */
  compare(other: Ratio): number {
    const difference = this.#numerator * other.#denominator - other.#numerator * this.#denominator;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return this.#numerator < 0n ? -1 : this.#numerator > 0n ? 1 : 0;
  }

  get magnitude(): Ratio {
    return this.#numerator < 0n ? this.negated() : this;
  }

  /** The nearest multiple of 10^-decimals at or below. */
  floor(decimals: number): Ratio {
    const scale = 10n ** BigInt(decimals);
    const scaled = this.#numerator * scale;
    const quotient = scaled / this.#denominator;
    return new Ratio(scaled % this.#denominator < 0n ? quotient - 1n : quotient, scale);
  }

  /** The nearest multiple of 10^-decimals at or above. */
  ceil(decimals: number): Ratio {
    return this.negated().floor(decimals).negated();
  }

  /** The nearest multiple of 10^-decimals; halves are rounded away from zero. */
  round(decimals: number): Ratio {
    const half = new Ratio(1n, 2n * 10n ** BigInt(decimals));
    return this.#numerator < 0n ? this.minus(half).ceil(decimals) : this.plus(half).floor(decimals);
  }

  /** As units of 10^-decimals, rounded. */
  units(decimals: number): bigint {
    return this.round(decimals).#numerator;
  }

  /** As a JSON number with at most this many decimals. */
  toNumber(decimals: number): number {
    const { sign } = this;
    const scaled = this.magnitude.round(decimals).#numerator;
    return sign * Number(`${scaled}e-${decimals}`);
  }
}
