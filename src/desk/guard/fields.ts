import { usageFailure } from '../../base/failure/failure.ts';
import { one, some, type Written } from '../../base/files/toml.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { belowAll } from '../values/sizes.ts';
import { parseValue } from '../values/values.ts';
import type { Amount } from './plans.ts';
import { type Moment, parseMoment, parseWindow, type Window } from './schedule.ts';

/** One field of a rule: how its value is read, and whether it names something to watch. */
export interface Field<Value = unknown> {
  /** Throws a usage failure that mentions `label`. */
  readonly parse: (written: Written, label: string) => Value;
  readonly optional?: true;
  readonly names?: 'market' | 'file';
}

/** A whole number up to 1,000. */
export const count: Field<number> = {
  parse: (written, label) => parseValue('count', one(written, label), label, { maximum: 1000 }),
};
/** A price above zero, in the quote currency. */
export const price: Field<number> = { parse: (written, label) => aboveZero(one(written, label), label) };
/** A percentage, such as `2%`. */
export const percent: Field<number> = { parse: (written, label) => parsePercent(one(written, label), label) };
/** `2%`, or `500usd`. */
export const loss: Field<Amount> = { parse: (written, label) => parseAmount(one(written, label), label, 'usd') };
/** `1.5%`, or a distance in price. */
export const distance: Field<Amount> = { parse: (written, label) => parseAmount(one(written, label), label, '') };
/** A duration such as `30m`, in ms. */
export const duration: Field<number> = {
  parse: (written, label) => parseValue('duration', one(written, label), label),
};
/** Windows of the day, such as `22:00-06:00`. */
export const hours: Field<readonly Window[]> = {
  parse: (written, label) => some(written).map((text) => parseWindow(text, label)),
};
/** Times of the day or the week, such as `fri 16:00`. */
export const times: Field<readonly Moment[]> = {
  parse: (written, label) => some(written).map((text) => parseMoment(text, label)),
};
/** A market; the guard finds it and follows its mark. */
export const market = { parse: one, names: 'market' } as const satisfies Field<string>;
/** A file; the guard notes when it is touched. */
export const file = { parse: one, names: 'file' } as const satisfies Field<string>;

/** The same field, which a rule may omit. */
export function optional<F extends Field>(field: F): F & { readonly optional: true } {
  return { ...field, optional: true };
}

function parseAmount(text: string, label: string, unit: 'usd' | ''): Amount {
  if (text.endsWith('%')) return { unit: 'percent', amount: parsePercent(text, label) };
  const isMoney = /^[^a-z]*usd$/i.test(text);
  if (isMoney !== (unit === 'usd'))
    throw usageFailure(
      `${label} is ${quoted(text)}.`,
      unit === 'usd' ? 'Write 2% or 500usd.' : 'Write 1.5%, or a distance in price such as 200.',
    );
  return { unit: 'absolute', amount: aboveZero(isMoney ? text.slice(0, -3) : text, label) };
}

function parsePercent(text: string, label: string): number {
  if (!text.endsWith('%'))
    throw usageFailure(`${label} is ${quoted(text)}, not a percentage.`, 'Write one such as 2%.');
  return belowAll(aboveZero(text.slice(0, -1), label), text, label);
}

function aboveZero(text: string, label: string): number {
  const amount = parseValue('amount', text, label);
  if (amount === 0) throw usageFailure(`${label} is 0; it must be above zero.`);
  return amount;
}
