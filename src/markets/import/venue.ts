import type { LineFile } from '../recorded/lines.ts';
import { LineProblem, quoted } from '../recorded/recording-error.ts';

/** A price and a size as the venue wrote them. */
export type Level = readonly [price: string, size: string];

/** What a venue's file says, one format like the other: exchange time in Unix ms, decimals still as text. */
export type VenueEvent = VenueBook | VenuePrint | VenueTouch | VenueLoss;

export interface VenueBook {
  kind: 'book' | 'delta';
  time: number;
  bids: readonly Level[];
  asks: readonly Level[];
  /** The venue's number of the book that it leads to, where its best prices have such numbers, too. */
  id?: number;
}

/** Something of the book is missing from here on, until the next full one. */
export interface VenueLoss {
  kind: 'loss';
  time: number;
}

/** The best prices at a moment, numbered like the books. */
export interface VenueTouch {
  kind: 'touch';
  time: number;
  id: number;
  bid: Level;
  ask: Level;
}

export interface VenuePrint {
  kind: 'print';
  time: number;
  price: string;
  size: string;
  /** The aggressor's. */
  side: 'buy' | 'sell';
}

/** A format that can be imported. */
export interface VenueFormat {
  /** For people, in reports and errors. */
  readonly name: string;
  /** It tells no books. */
  readonly printsOnly?: true;
  /** What the first lines of a file of this format are about; null: it is none. */
  identify(head: readonly string[]): { provider: string | null; coin: string } | null;
  /**
   * Events of one coin in the file's order, but books and deltas by the venue's own sequence rules. What is left out is
   * counted in `tally`. Throws a LineProblem for a line that makes no sense.
   */
  read(file: LineFile, coin: string, tally: Tally): AsyncGenerator<VenueEvent>;
}

/** What an importer left out or changed, by reason. */
export class Tally {
  readonly counts = new Map<string, number>();
  readonly notes: string[] = [];

  /** Counts something left out or changed. */
  add(reason: string, count = 1): void {
    if (count > 0) this.counts.set(reason, (this.counts.get(reason) ?? 0) + count);
  }

  /** Says something in a sentence; beyond twenty the counts must do. */
  note(sentence: string): void {
    if (this.notes.length < 20) this.notes.push(sentence);
  }
}

export type Fields = Record<string, unknown>;

/** A JSON object on one line; throws a LineProblem for anything else. */
export function jsonObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LineProblem(`is not JSON: ${quoted(text)}`);
  }
  if (!isObject(value)) throw new LineProblem(`is not a JSON object: ${quoted(text)}`);
  return value;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that must hold a whole number. */
export function wholeField(fields: Fields, field: string): number {
  const value = fields[field];
  if (!Number.isSafeInteger(value)) throw new LineProblem(`${field} must be a whole number, not ${quoted(value)}`);
  return value as number;
}

/** A field that must hold text. */
export function textField(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string') throw new LineProblem(`${field} must be text, not ${quoted(value)}`);
  return value;
}

/** A field that must hold [price, size] pairs of text. */
export function levelsField(fields: Fields, field: string): Level[] {
  const value = fields[field];
  const good = Array.isArray(value) && value.every((level) => Array.isArray(level) && level.length >= 2);
  if (!good) throw new LineProblem(`${field} must be a list of [price, size], not ${quoted(value)}`);
  return (value as string[][]).map((level) => [level[0]!, level[1]!]);
}
