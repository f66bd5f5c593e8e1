import { usageFailure } from '../../base/failure/failure.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { nearest } from '../../wire/contract/nearest.ts';
import { decimal, positive } from './sizes.ts';

/** A price as typed: USD above zero, or relative to another price. */
export type Price = number | RelativePrice;

/** A price relative to another one: `entry`, `mark-1%`, `+150`. */
export interface RelativePrice {
  /** The price that it is relative to; if undefined, the option or argument decides. */
  base?: PriceBase | undefined;
  move?: Move | undefined;
  /** As typed. */
  text: string;
}

/** The prices that others may be relative to, with their meanings. */
export const priceBases = {
  entry: "the position's average entry price",
  mark: 'the mark',
  bid: 'the best bid',
  ask: 'the best ask',
} as const;

/** A word that stands for a price: the entry, the mark, the bid or the ask. */
export type PriceBase = keyof typeof priceBases;

/** The distance of a price from its base. */
export interface Move {
  /** Above zero is up. */
  amount: number;
  /** R: multiples of the position's loss per unit at its stop. */
  unit: 'usd' | '%' | 'bps' | 'R';
  /** Typed without a sign: the direction follows from the exit that it is for. */
  isUnsigned: boolean;
}

/**
 * A price after a move from its base: an unsigned one goes in this direction, and one in R by multiples of `risk` (NaN
 * without it).
 */
export function moved(base: number, move: Move | undefined, direction: 1 | -1, risk = Number.NaN): number {
  if (move === undefined) return base;
  const { unit, isUnsigned } = move;
  const amount = isUnsigned ? direction * move.amount : move.amount;
  if (unit === 'usd' || unit === 'R') return base + amount * (unit === 'R' ? risk : 1);
  const whole = unit === '%' ? 100 : 10_000;
  return (base * (whole + amount)) / whole;
}

const like = 'a price such as 61650.5, mark-1% or entry+150';

/**
 * Parses a price. A word (`entry`, `mark`, `bid`, `ask`) may be followed by a move (`+150`, `-1%`, `+10bps`), and a
 * move may be used alone. Only with `unsigned` may a percentage have no sign, and
 * a move be in R.
 */
export function parsePrice(text: string, label: string, { unsigned, also = '' }: Rules): Price {
  const word = /^[a-z]*/i.exec(text)![0];
  const rest = text.slice(word.length).trim();
  const base = word === '' ? undefined : baseOf(word, text, label);
  if (base !== undefined && rest === '') return { base, text };
  const [, sign = '', number = '', unit = ''] =
    /^([+-]?)\s*([\d.,_]+(?:e[+-]?\d+)?[km]?)\s*(%|bps|usd|r)?$/i.exec(rest) ?? [];
  if (number === '' || (base !== undefined && sign === '')) {
    const [, percent] = /^([+-]?[\d.]+)\s*(?:pct|percent)$/i.exec(text) ?? [];
    if (percent !== undefined) throw usageFailure(`${label} is ${quoted(text)}, not a price.`, `Write ${percent}%.`);
    if (base === undefined && word === '') return positive(text, label, `${like}${also}`);
    throw usageFailure(`${label} is ${quoted(text)}, not a price.`, `Write ${like}${also}.`);
  }
  // A number alone is a price, and so is one in USD where nothing is measured from an entry.
  const isDistance = /^(%|bps|r)$/i.test(unit) || (unsigned && /^usd$/i.test(unit));
  if (base === undefined && sign === '' && !isDistance) {
    return positive(number, label, `${like}${also}`);
  }
  if (/^r$/i.test(unit) && !unsigned) {
    throw usageFailure(
      `${label} is ${text}, but only the price of an exit can be a multiple of R.`,
      `Write ${like}${also}.`,
    );
  }
  if (sign === '' && !unsigned) {
    const [down, up] = ['-', '+'].map((way) => `${way}${number}${unit}`);
    throw usageFailure(`${label} is ${text}, which has no direction.`, `Write ${down} or ${up}.`);
  }
  const amount = decimal(number, label, 'a distance such as 150, 1% or 10bps', unit);
  const isUnsigned = sign === '';
  const move: Move = { amount: sign === '-' ? -amount : amount, unit: unitOf(unit), isUnsigned };
  return { base, move, text };
}

interface Rules {
  unsigned: boolean;
  /** Other accepted forms, for the suggestion. */
  also?: string;
}

function baseOf(word: string, text: string, label: string): PriceBase {
  const base = word.toLowerCase();
  if (Object.hasOwn(priceBases, base)) return base as PriceBase;
  const whole = meant.get(text.toLowerCase());
  const near = whole ?? meant.get(base) ?? nearest(base, Object.keys(priceBases));
  throw usageFailure(
    `${label} is ${quoted(text)}, not a price.`,
    whole !== undefined
      ? `Did you mean ${whole}?`
      : near === undefined
        ? `Write ${like}.`
        : `Did you mean ${near}${quotedRest(text.slice(word.length))}?`,
  );
}

/** Other tools' names for them. */
const meant: ReadonlyMap<string, PriceBase> = new Map([
  ['mid', 'mark'],
  ['last', 'mark'],
  ['market', 'mark'],
  ['be', 'entry'],
  ['breakeven', 'entry'],
  ['break-even', 'entry'],
  ['open', 'entry'],
  ['even', 'entry'],
  ['best-bid', 'bid'],
  ['best-ask', 'ask'],
]);

/** The rest of a suggestion, if it is plain. */
function quotedRest(rest: string): string {
  return /^[+-]?[\d.]*(%|bps)?$/i.test(rest) ? rest : '';
}

function unitOf(unit: string): Move['unit'] {
  const known = unit.toLowerCase();
  if (known === 'r') return 'R';
  return known === '%' || known === 'bps' ? known : 'usd';
}
