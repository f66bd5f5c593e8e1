import { usageFailure } from '../../base/failure/failure.ts';
import { quoted, withoutEnd } from '../../base/text/plain-text.ts';

/** Larger numbers are typos, and a JSON number can't hold them to the cent. */
const largestNumber = 1e15;

/**
 * Parses a decimal that a JSON number represents exactly, so what is sent is what was typed: up to 15 digits, or the
 * digits that JSON itself uses for that number. `unit` is appended to the suggestion.
 */
export function decimal(typed: string, label: string, like: string, unit = ''): number {
  const text = writtenOut(typed);
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) {
    throw usageFailure(`${label} is ${quoted(text)}, not a number.`, otherReadings(text, unit) ?? `Write ${like}.`);
  }
  if (/^[+-]?0\d/.test(text)) {
    throw usageFailure(`${label} is ${quoted(text)}: a number can't have leading zeros.`, `Write ${like}.`);
  }
  const value = Number(text);
  checkBounds(value, text, label, `Write ${like}.`);
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[+\-.]/g, '').replace(/^0+/, '');
  if (digits.length > 15 && significant(digits).length > 15 && significant(shortest(value)) !== significant(digits)) {
    throw usageFailure(`${label} has more digits than the API's numbers can hold: 15, or 17 as perp prints them.`);
  }
  if (value === 0 && digits !== '') throw usageFailure(`${label} is ${text}, which is too small.`);
  return value;
}

/** Throws a usage failure for a number beyond ±1e15, which no field of the API takes. */
export function checkBounds(value: number, text: string, label: string, hint?: string): void {
  if (Math.abs(value) <= largestNumber) return;
  throw usageFailure(`${label} is ${text}; it must be between -1e15 and 1e15.`, hint);
}

/** A number without what has only one meaning: `1,234.5` in groups of three, `10k`. */
function writtenOut(text: string): string {
  const isGrouped =
    /^[+-]?[1-9]\d{0,2}(?:,\d{3})+\.\d+k?$/i.test(text) || /^[+-]?[1-9]\d{0,2}(?:,\d{3}){2,4}$/.test(text);
  const number = isGrouped ? text.replaceAll(',', '') : text;
  return /^[+-]?\d+(?:\.\d+)?k$/i.test(number) ? `${number.slice(0, -1)}e3` : number;
}

/** Possible readings of a number with other separators or units: one repair, or both. */
function otherReadings(text: string, unit: string): string | undefined {
  if (/^[1-9]\d{0,2}(?:[_']\d{3})+(?:\.\d+)?$/.test(text)) return `Write ${text.replace(/[_']/g, '')}${unit}.`;
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return `Write ${text.replaceAll('.', '').replace(',', '.')}${unit}.`;
  const [, whole, part] = /^(\d{1,9}),(\d{1,9})$/.exec(text) ?? [];
  if (whole !== undefined)
    return `Write ${Number(`${whole}${part}`)}${unit} if the comma separates thousands, or ${Number(`${whole}.${part}`)}${unit} if it is a decimal point.`;
  const [, number] = /^(\d{1,6}(?:\.\d{1,6})?)m$/i.exec(text) ?? [];
  if (number !== undefined)
    return `Write ${quantityOf(Number(number) * 1e6)}${unit} for millions, or ${quantityOf(Number(number) / 1e3)}${unit} for thousandths.`;
  return text.includes(',') ? 'Use a decimal point and no thousands separators.' : undefined;
}

const quantityOf = (value: number) => String(Number(value.toPrecision(12)));

/** A decimal number above zero; throws a usage failure for anything else. */
export function positive(text: string, label: string, like: string, unit = ''): number {
  return aboveZero(decimal(text, label, like, unit), text, label);
}

/** A number that a person wrote as `text`, if it is above zero; a usage failure otherwise. */
export function aboveZero(value: number, text: string, label: string): number {
  if (!(value > 0)) throw usageFailure(`${label} is ${text}; it must be above zero.`);
  return value;
}

/** A percentage that a person wrote as `text`, if it is below 100; a usage failure otherwise. */
export function belowAll(percent: number, text: string, label: string, hint?: string): number {
  if (percent >= 100) throw usageFailure(`${label} is ${text}; it must be below 100%.`, hint);
  return percent;
}

/** A number that a person wrote as `text`, if it isn't negative; a usage failure otherwise. */
export function notNegative(value: number, text: string, label: string): number {
  if (value < 0) throw usageFailure(`${label} is ${text}; it can't be negative.`);
  return value;
}

/** The digits that JSON uses for a number. */
function shortest(value: number): string {
  const [mantissa = ''] = String(Math.abs(value)).split('e');
  return mantissa.replace('.', '').replace(/^0+/, '');
}

function significant(digits: string): string {
  return withoutEnd(digits, '0');
}

/** A size as typed: in the base asset, as a notional in USD, or as a share of the position. */
export interface Size {
  unit: 'base' | 'usd' | 'percent';
  amount: number;
  /** As typed. */
  text: string;
}

/** A size as typed for an order: a {@link Size}, or the largest size that loses no more than this at its stop. */
export type OrderSize = Size | RiskSize | MaxSize;

/** The largest that margin, limits and floors allow. */
interface MaxSize {
  unit: 'max';
  text: string;
}

/** A size by what the order may lose at its stop. */
export interface RiskSize {
  unit: 'risk';
  /** USD, percent of the equity, or percent of the room to the nearest floor. */
  amount: number;
  of: 'usd' | 'equity' | 'room';
  text: string;
}

/** Parses a size of an order: `risk:200usd`, `risk:0.5%` of the equity, `risk:10%room`, `max`, or a {@link Size}. */
export function parseOrderSize(text: string, label: string): OrderSize {
  if (!riskWord.test(text)) return parseSize(text, label);
  if (text.toLowerCase() === 'max') return { unit: 'max', text };
  const like = 'a risk such as risk:200usd, risk:0.5% (of the equity) or risk:10%room';
  const [, number, unit = ''] = /^risk:([+-]?[\d.,_]+(?:e[+-]?\d+)?k?)\s*(usd|%|%room)$/i.exec(text) ?? [];
  const [, meant] = /^risk[=:\s]?([\d.]+%)$/i.exec(text) ?? [];
  if (number === undefined)
    throw usageFailure(
      `${label} is ${quoted(text)}, not a risk.`,
      `Write ${meant === undefined ? like : `risk:${meant}`}.`,
    );
  const amount = positive(number, label, like, unit);
  const known = unit.toLowerCase();
  if (known === 'usd') return { unit: 'risk', amount, of: 'usd', text };
  if (amount > 100) throw usageFailure(`${label} is ${text}; the maximum is 100%.`, `Write ${like}.`);
  return { unit: 'risk', amount, of: known === '%' ? 'equity' : 'room', text };
}

const riskWord = /^(risk\b|max$)/i;
const sizeWords: ReadonlyMap<string, string> = new Map([
  ['all', '100% (of the position) or, for an order that opens, max'],
  ['half', '50%'],
  ['quarter', '25%'],
]);

const quoteAssets = /^(usdt|usdc|dollars?|\$)$/i;

/** Parses a size in the base asset, in USD, or as a share of the position. */
export function parseSize(text: string, label: string): Size {
  if (riskWord.test(text)) {
    throw usageFailure(
      `${label} is ${text}, which only perp order place accepts.`,
      'Write a size such as 0.05, 500usd or 50%.',
    );
  }
  const match = /^(\$?)([+-]?[\d.,_]+(?:e[+-]?\d+)?[km]?)\s*([a-z$%]*)$/i.exec(text);
  const like = 'a size such as 0.05, 500usd or 50%';
  const meant = sizeWords.get(text.toLowerCase()) ?? like;
  if (match === null) throw usageFailure(`${label} is ${quoted(text)}, not a size.`, `Write ${meant}.`);
  const [, dollar, typed, unit] = match as unknown as [string, string, string, string];
  const number = /^[\d.]+k$/i.test(typed) ? quantityOf(Number(typed.slice(0, -1)) * 1e3) : typed;
  const isNotional = dollar === '$' || /^usd$/i.test(unit) || quoteAssets.test(unit);
  const amount = positive(number, label, like, isNotional ? 'usd' : unit === '%' ? '%' : '');
  if (dollar === '$' || quoteAssets.test(unit)) {
    throw usageFailure(
      `${label} is ${quoted(text)}: is that a notional?`,
      `Write ${number}usd for a notional of ${number} USD, or ${number} for ${number} of the base asset.`,
    );
  }
  if (unit === '') return { unit: 'base', amount, text };
  if (unit.toLowerCase() === 'usd') return { unit: 'usd', amount, text };
  if (unit === '%') {
    if (amount > 100) throw usageFailure(`${label} is ${text}; the maximum is 100% of the position.`);
    return { unit: 'percent', amount, text };
  }
  throw usageFailure(
    `${label} is ${quoted(text)}: the only units of a size are usd and %.`,
    `Write ${number} for ${number} of the base asset, or ${number}usd for a notional.`,
  );
}
