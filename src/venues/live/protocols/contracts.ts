import { product } from '../../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import type { Missing, VenueMarket } from './venue.ts';

/** A size in base units, from one in contracts. */
export function baseSize({ contractSize }: VenueMarket, contracts: string): string {
  return contractSize === null || contractSize === '1' ? contracts : product(contracts, contractSize);
}

/** Levels with sizes in contracts, in the form of a recording. */
export function baseLevels(market: VenueMarket, levels: readonly (readonly [string, string])[]): string {
  return JSON.stringify(levels.map(([price, contracts]) => [price, baseSize(market, contracts)]));
}

/** A JSON number as a decimal, without an exponent: 1e-10 is 0.0000000001. */
export function plainDecimal(value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new LineProblem(`is not a number of a price or a size: ${quoted(value)}`);
  const text = String(value);
  const [, whole, fraction = '', exponent] = /^(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  return digits.padEnd(point, '0');
}

/** Like {@link plainDecimal}, with a sign: for rates. */
function signedDecimal(value: unknown): string {
  return typeof value === 'number' && value < 0 ? `-${plainDecimal(-value)}` : plainDecimal(value);
}

/** A JSON number that is a price or a rate, as a decimal; other values unchanged, for the caller to judge. */
export function decimalOf(value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(value) ? signedDecimal(value) : value;
}

/**
 * Whether trades reach back to a known trade, to a known number, or to before the time from which trades are missing.
 * Venues ask for older ones until then.
 */
export function hasReached(trades: readonly Trade[], { from, after, known }: Missing): boolean {
  return trades.some(
    ({ id, number, time }) => time < from || known.has(id) || (number !== null && number <= (after ?? -1)),
  );
}
