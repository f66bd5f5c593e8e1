import { isJsonObject, parsedJson } from '../../base/terms/json-object.ts';
import type { MarketProvider } from '../../base/terms/venues.ts';
import type { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';

/** A price and a size as the venue wrote them. */
export type Level = readonly [price: string, size: string];

/** An event of a venue's file, in one form for all formats: exchange time in Unix ms, decimals still as text. */
export type VenueEvent = ShownEvent | VenueTouch | VenueLoss;

/** An event that a recording has a line for. */
export type ShownEvent = VenueBook | VenuePrint | VenueMarks;

/** A full book or changed levels, as a venue wrote them. */
export interface VenueBook {
  kind: 'book' | 'delta';
  time: number;
  bids: readonly Level[];
  asks: readonly Level[];
  /** The venue's id of the resulting book, if its best prices carry such ids, too. */
  id?: number;
}

/** A part of the book is missing from here on, until the next full book. */
interface VenueLoss {
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

/** A trade, as a venue wrote it. */
export interface VenuePrint {
  kind: 'print';
  time: number;
  price: string;
  size: string;
  /** The taker's side. */
  side: 'buy' | 'sell';
  /** The venue's id, empty if the file has none: a print of the same id, time, price and size is the same. */
  id: string | number;
}

/** The venue's own prices, as it wrote them; null where it did not. */
export interface VenueMarks {
  kind: 'marks';
  time: number;
  mark: string | null;
  index: string | null;
  /** Unix ms. */
  nextFundingAt: number | null;
}

/** A file's venue and market. The venue is null if perp has no name for it; the user then names the market. */
export interface Subject {
  readonly provider: MarketProvider | null;
  /** The venue's name of the market; null if neither the file nor its name says it. */
  readonly coin: string | null;
  /** The unit of its sizes. */
  readonly unit: Unit;
}

/** A format that can be imported. */
export interface VenueFormat {
  /** Shown in reports and errors. */
  readonly name: string;
  /** Columns that its tables must have. */
  readonly columns?: readonly string[];
  /**
   * The subject of a file, from its first lines and its name; null if it has another format. Throws a LineProblem for
   * markets that perp does not have.
   */
  identify(head: readonly string[], name: string): Subject | null;
  /**
   * Events of one coin (null: of the only one in the file) in the file's order, with sizes as the venue wrote them;
   * books and deltas follow the venue's own sequence rules. Omissions are counted in `tally`. Throws a LineProblem for
   * an invalid line.
   */
  read(file: LineFile, coin: string | null, tally: Tally): AsyncGenerator<VenueEvent>;
}

/** Counts an importer's omissions and changes, by reason. */
export class Tally {
  readonly dropped = new Map<string, number>();
  readonly noticed = new Map<string, number>();
  /** Events whose time was wrong, and by how much at most, ms. */
  readonly moved = { events: 0, mostMs: 0 };
  readonly notes: string[] = [];

  /** Counts something left out. */
  add(reason: string, count = 1): void {
    if (count > 0) this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + count);
  }

  /** Counts something that the recording has in another form than the file, or that the file lacks. */
  notice(reason: string, count = 1): void {
    if (count > 0) this.noticed.set(reason, (this.noticed.get(reason) ?? 0) + count);
  }

  /** Counts an event that got the time of its neighbors. */
  move(ms: number): void {
    this.moved.events += 1;
    this.moved.mostMs = Math.max(this.moved.mostMs, ms);
  }

  /** Adds a sentence to the notes, up to twenty. */
  note(sentence: string): void {
    if (this.notes.length < 20) this.notes.push(sentence);
  }
}

/** The fields of one line of a venue's file. */
export type Fields = Record<string, unknown>;

/**
 * A line of this length can't nest so deeply that it takes time: most lines of a file need no look at their brackets.
 */
const shortLine = 4_096;

/** A JSON object on one line; throws a LineProblem for anything else. */
export function jsonObject(text: string): Fields {
  let value: unknown;
  try {
    value = text.length <= shortLine ? JSON.parse(text) : parsedJson(text);
  } catch (error) {
    throw new LineProblem(`is not JSON: ${quoted(text)}${nestingIn(error)}`);
  }
  if (!isJsonObject(value)) throw new LineProblem(`is not a JSON object: ${quoted(text)}`);
  return value;
}

/** Says so if a text was refused for its nesting. */
function nestingIn(error: unknown): string {
  const { message } = error as Error;
  return message.startsWith('it nests') ? `; ${message}` : '';
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

/** The side of a trade, by the venue's words for it; `what` names the field in errors. */
export function sideIn(value: unknown, what = 'side', buy = 'buy', sell = 'sell'): 'buy' | 'sell' {
  if (value !== buy && value !== sell)
    throw new LineProblem(`${what} must be ${[buy, sell].sort().join(' or ')}, not ${quoted(value)}`);
  return value === buy ? 'buy' : 'sell';
}

/** A field that must hold [price, size] pairs of text. */
export function levelsField(fields: Fields, field: string): Level[] {
  const value = fields[field];
  const good = Array.isArray(value) && value.every((level) => Array.isArray(level) && level.length >= 2);
  if (!good) throw new LineProblem(`${field} must be a list of [price, size], not ${quoted(value)}`);
  const levels = value as [string, string][];
  return levels.every(({ length }) => length === 2) ? levels : levels.map(([price, size]) => [price, size]);
}

/**
 * The unit of the sizes in a venue's file: the base asset; contracts, of so many base units each (null: perp does not
 * know how many); the currency of the price, for inverse contracts; or the venue's own, which perp does not know.
 */
export type Unit =
  | { readonly kind: 'base' }
  | { readonly kind: 'contracts'; readonly size: string | null }
  | { readonly kind: 'inverse' }
  | { readonly kind: 'unknown' };

/** Sizes in the base asset. */
export const base: Unit = { kind: 'base' };
/** Sizes in a unit that perp does not know. */
export const unknownUnit: Unit = { kind: 'unknown' };

/** OKX's contract sizes (`ctVal`), in the base asset, as of this day. */
export const okxContracts = {
  asOf: 'November 2026',
  sizes: { 'BTC-USDT-SWAP': '0.01', 'ETH-USDT-SWAP': '0.1' } as Partial<Record<string, string>>,
};

/** The pattern of a venue's inverse contract names. */
const inverse: Partial<Record<MarketProvider, RegExp>> = {
  binance: /USD_(PERP|\d{6})$/,
  bybit: /USD([FGHJKMNQUVXZ]\d\d)?$/,
  okx: /-USD-/,
  kraken: /^[FP]I_/,
};

/** The unit of a venue's market, by its name there. */
export function unitOf(provider: MarketProvider, coin: string): Unit {
  if (inverse[provider]?.test(coin) === true) return { kind: 'inverse' };
  if (provider === 'okx') return { kind: 'contracts', size: okxContracts.sizes[coin] ?? null };
  return base;
}
