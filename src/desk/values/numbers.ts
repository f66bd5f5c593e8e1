import { usageFailure } from '../../ground/failure/failure.ts';
import { quoted } from '../../ground/text/quoted.ts';

/** Larger numbers are typos, and a JSON number can't hold them to the cent. */
const largestNumber = 1e15;

/**
 * Parses a decimal that a JSON number represents exactly, so what is sent is what was typed: up to 15 digits, or the
 * digits that JSON itself uses for that number. `unit` is appended to the suggestion.
 */
export function decimal(text: string, label: string, like: string, unit = ''): number {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) {
    throw usageFailure(`${label} is ${quoted(text)}, not a number.`, separatedHint(text, unit) ?? `Write ${like}.`);
  }
  if (/^[+-]?0\d/.test(text)) {
    throw usageFailure(`${label} is ${quoted(text)}: a number can't have leading zeros.`, `Write ${like}.`);
  }
  const value = Number(text);
  checkBounds(value, text, label, `Write ${like}.`);
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[+\-.]/g, '').replace(/^0+/, '');
  if (significant(digits).length > 15 && significant(shortest(value)) !== significant(digits)) {
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

/** A suggestion for a number with separators; only strict groups of three make clear which number is meant. */
function separatedHint(text: string, unit: string): string | undefined {
  if (/^[1-9]\d{0,2}([,_']\d{3})+(\.\d+)?$/.test(text)) return `Write ${text.replace(/[,_']/g, '')}${unit}.`;
  return text.includes(',') ? 'Use a decimal point and no thousands separators.' : undefined;
}

/** A decimal number above zero; throws a usage failure for anything else. */
export function positive(text: string, label: string, like: string, unit = ''): number {
  const value = decimal(text, label, like, unit);
  if (value <= 0) throw usageFailure(`${label} is ${text}; it must be above zero.`);
  return value;
}

/** The digits that JSON uses for a number. */
function shortest(value: number): string {
  const [mantissa = ''] = String(Math.abs(value)).split('e');
  return mantissa.replace('.', '').replace(/^0+/, '');
}

function significant(digits: string): string {
  return digits.replace(/(?<!0)0+$/, '');
}
