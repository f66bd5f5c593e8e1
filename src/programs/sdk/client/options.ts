import { types } from 'node:util';
import { nearest } from '../../../wire/contract/nearest.ts';
import { ownError } from './errors.ts';

/** The fault in an option's value; null if there is none. */
export type OptionCheck = (value: unknown) => string | null;

const aKind =
  (kind: 'string' | 'function' | 'object', what: string): OptionCheck =>
  (value) =>
    typeof value === kind && value !== null ? null : `must be ${what}`;

/** A date of any realm: Jest gives each test its own globals. */
export const isDate = types.isDate;

/** A text. */
export const aText = aKind('string', 'a text');
/** A function. */
export const aFunction = aKind('function', 'a function');
/** An object. */
export const anObject = aKind('object', 'an object');

/** A time: Unix ms or a valid date. */
export const aMoment: OptionCheck = (value) =>
  Number.isSafeInteger(isDate(value) ? value.getTime() : value) ? null : 'must be Unix ms or a valid Date';

/** A whole number in these bounds. */
export function aWholeNumber(least: number, most: number): OptionCheck {
  const isRight = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return (value) => (isRight(value) ? null : `must be a whole number from ${least} to ${most}`);
}

/** Time for one attempt, ms: what a timer can wait. */
export const attemptMs = aWholeNumber(1, 2 ** 31 - 1);

/** Any seed. */
export const aSeed: OptionCheck = (value) => (Number.isSafeInteger(value) ? null : 'must be a whole number');

/** One of some texts. */
export function oneOf(...words: readonly string[]): OptionCheck {
  return (value) => (words.includes(value as string) ? null : `must be one of ${words.join(', ')}`);
}

/** Values that something else checks later, with more knowledge. */
export const anything: OptionCheck = () => null;

/**
 * Throws a PerpError `usage` that names every option that is unknown, missing or wrong; `undefined` is as if omitted.
 */
export function checkOptions(
  message: string,
  given: unknown,
  known: Readonly<Record<string, OptionCheck>>,
  required: readonly string[] = [],
): void {
  const options = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
  const missing = required.filter((name) => options[name] === undefined);
  const issues = missing.map((field) => ({ field, issue: 'is required' }));
  for (const [field, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const issue = Object.hasOwn(known, field) ? known[field]!(value) : unknownIssue(field, Object.keys(known));
    if (issue !== null) issues.push({ field, issue });
  }
  if (issues.length > 0) throw ownError({ code: 'usage', message, issues });
}

function unknownIssue(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? `is not known; known: ${names.join(', ')}` : `is not known; did you mean ${near}?`;
}
