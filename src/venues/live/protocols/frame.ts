import { isJsonObject } from '../../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { LevelTexts } from '../../tape/live-book.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, jsonObject, levelsField, wholeField } from '../../tape/venue-events.ts';
import type { Missing, VenueMessage } from './venue.ts';

/**
 * Parses a frame without its level lists, which are most of its text: `"b":[...]` and `"a":[...]` are cut out as text,
 * and only the rest is parsed. In the result their fields are 0. Frames without both lists, or with spaces in them, are
 * parsed completely; `levels` is then null.
 */
export function cutLevels(frame: string): { fields: Fields; levels: LevelTexts | null } {
  const bids = listAt(frame, frame.indexOf('"b":['));
  const asks = listAt(frame, frame.indexOf('"a":['));
  if (bids === null || asks === null) return { fields: jsonObject(frame), levels: null };
  const [first, second] = bids.from < asks.from ? [bids, asks] : [asks, bids];
  const rest = `${frame.slice(0, first.from)}0${frame.slice(first.to, second.from)}0${frame.slice(second.to)}`;
  const levels = { bids: frame.slice(bids.from, bids.to), asks: frame.slice(asks.from, asks.to) };
  return { fields: jsonObject(rest), levels };
}

/** Both level lists of a parsed message, in the form of a recording. */
export function levelTexts(message: Fields, bids: string, asks: string): LevelTexts {
  return { bids: JSON.stringify(levelsField(message, bids)), asks: JSON.stringify(levelsField(message, asks)) };
}

/** Both sides of a book, each by its field. */
export function bothSides(side: (field: 'bids' | 'asks') => string): LevelTexts {
  return { bids: side('bids'), asks: side('asks') };
}

/** Levels given as objects, such as {px, sz}, or as pairs, in the form of a recording. */
export function objectLevels(side: unknown, price: readonly string[], size: readonly string[]): string {
  if (!Array.isArray(side)) throw new LineProblem(`a side of the book is not a list: ${quoted(side)}`);
  const pairs = side.map((level: unknown) => {
    if (Array.isArray(level) && level.length >= 2) return [decimal(level[0]), decimal(level[1])];
    if (!isJsonObject(level)) throw new LineProblem(`a level is not a price and a size: ${quoted(level)}`);
    return [decimal(firstOf(level, price)), decimal(firstOf(level, size))];
  });
  return JSON.stringify(pairs);
}

/** Checks that a value is a JSON object. */
export function objectIn(value: unknown, what = 'the answer'): Fields {
  if (!isJsonObject(value)) throw new LineProblem(`${what} must be a JSON object, not ${quoted(value)}`);
  return value;
}

/** The objects in a list. */
export function objectsIn(value: unknown, what: string): Fields[] {
  if (!Array.isArray(value) || !value.every(isJsonObject)) {
    throw new LineProblem(`${what} must be a list of JSON objects, not ${quoted(value)}`);
  }
  return value;
}

/** A field with text, or with a number that other messages write as text. */
export function decimalField(fields: Fields, ...names: readonly string[]): string {
  return decimal(firstOf(fields, names));
}

/** A time in Unix ms, whether the venue gives seconds, milliseconds or microseconds. */
export function timeField(fields: Fields, field: string): number {
  const time = wholeField(fields, field);
  if (time < 1e11) return time * 1000;
  return time < 1e14 ? time : Math.floor(time / 1000);
}

/** A whole number; null for anything else. */
export function wholeOrNull(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** The id of a request that the venue repeats as text; null for anything else. */
export function idIn(value: unknown): number | null {
  return /^\d+$/.test(textOf(value)) ? Number(value) : null;
}

/** A field that must hold true or false. */
export function truthField(fields: Fields, field: string): boolean {
  const value = fields[field];
  if (typeof value !== 'boolean') throw new LineProblem(`${field} must be true or false, not ${quoted(value)}`);
  return value;
}

/** The refusal of a subscription; one that already exists is a success. */
export function refusalOf(
  reason: string,
  topics: readonly string[],
  isKnown = /already subscribed/i.test(reason),
): VenueMessage {
  return isKnown ? { kind: 'confirmed', id: null, topics } : { kind: 'refused', id: null, topics, reason };
}

/** The time of a message whose data counts without it, Unix ms; 0 if it has no usable one. */
export function optionalTime(value: unknown): number {
  const time = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof time === 'number' && Number.isSafeInteger(time) && time > 0 ? time : 0;
}

function firstOf(fields: Fields, names: readonly string[]): unknown {
  const name = names.find((one) => fields[one] !== undefined);
  if (name === undefined) throw new LineProblem(`${names.join(' or ')} is missing from ${quoted(fields)}`);
  return fields[name];
}

function decimal(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new LineProblem(`is not a decimal: ${quoted(value)}`);
}

/** The text of the list after a field's name; levels contain no brackets except their own. */
function listAt(frame: string, field: number): { from: number; to: number } | null {
  if (field < 0) return null;
  const from = field + 4;
  if (frame.charCodeAt(from + 1) === 93) return { from, to: from + 2 };
  const end = frame.indexOf(']]', from);
  return end < 0 ? null : { from, to: end + 2 };
}

/** A venue's value as text, also for other types: `String` throws for an object whose `toString` is not a function. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
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
