import { isJsonObject } from '../../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { LevelTexts } from '../../tape/live-book.ts';
import { type Fields, jsonObject, levelsField, wholeField } from '../../tape/venue-events.ts';
import type { UnknownRows, VenueList, VenueMarket } from './venue.ts';

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

/**
 * Reads a venue's list row by row. Invalid rows, and those whose kind is unknown, are left out and counted, so that one
 * bad market does not make the whole venue fail, and none is missing without a word.
 */
export class ListReader {
  private readonly markets: VenueMarket[] = [];
  private readonly unknown = new Map<string, UnknownRows>();
  private readonly name: string;
  private problem: LineProblem | null = null;
  private isPartial = false;

  /** `name`: the field with a row's name. */
  constructor(name: string) {
    this.name = name;
  }

  /**
   * Whether a field has one of the values that are wanted; a value that is not known to be unwanted either is noted.
   */
  has(row: Fields, field: string, wanted: readonly unknown[], unwanted: readonly unknown[]): boolean {
    if (wanted.includes(row[field])) return true;
    if (!unwanted.includes(row[field])) this.note(row, `${field} ${quoted(row[field])}`);
    return false;
  }

  /** Notes something unknown of a row. */
  note(row: Fields, what: string): void {
    const { rows, example } = this.unknown.get(what) ?? { rows: 0, example: textOf(row[this.name]) };
    this.unknown.set(what, { what, rows: rows + 1, example });
  }

  /** Reads those rows that are wanted. */
  read(rows: readonly Fields[], isWanted: (row: Fields) => boolean, read: (row: Fields) => VenueMarket | null): void {
    for (const row of rows) {
      if (!isWanted(row)) continue;
      try {
        const market = read(row);
        if (market !== null) this.markets.push(market);
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        this.problem = error;
        this.isPartial = true;
        this.note(row, 'unreadable');
      }
    }
  }

  /** Records that a whole part is missing. */
  miss(what: string, example: string): void {
    this.isPartial = true;
    this.unknown.set(what, { what, rows: 1, example });
  }

  /** The list. Throws a LineProblem if all rows are invalid. */
  list(): VenueList {
    if (this.problem !== null && this.markets.length === 0) throw this.problem;
    return {
      markets: this.markets,
      unknown: [...this.unknown.values()],
      isPartial: this.isPartial || this.markets.length === 0,
    };
  }
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

/** The time of a message whose data counts without it, Unix ms; 0 if it has none that can be used. */
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
