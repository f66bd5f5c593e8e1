import { roundedUnits } from '../terms/decimal.ts';
import { marketProviders } from '../terms/venues.ts';
import { asReceived, withoutEnd } from './plain-text.ts';

/*
 * Hosts may send anything instead of a number. These functions never throw: a value of another type is shown as
 * received.
 */

/** A number as people write it: no exponent, no grouping, at most nine significant digits of a fraction. */
export function quantity(value: number): string {
  if (!isShownAsNumber(value)) return asReceived(value);
  if (Number.isInteger(value)) return String(roundedUnits(value, 0));
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(12).split('.');
  const leading = whole === '0' ? fraction.length - fraction.replace(/^0+/, '').length : 0;
  const digits = Math.max(0, Math.min(12, leading + 9 - (whole === '0' ? 0 : whole.length)));
  const text = value.toFixed(digits);
  return text.includes('.') ? withoutEnd(withoutEnd(text, '0'), '.') : text;
}

/** A value as text, or nothing if there is no value. */
export function maybe<V, T>(value: V | null | undefined, show: (value: V) => T): T | undefined {
  return value === undefined || value === null ? undefined : show(value);
}

/** A word or a count for use in a sentence. */
export function word(value: string | number | undefined): string {
  return typeof value === 'string' ? value : asReceived(value);
}

/** A price with six significant digits, for values that don't need more, such as a liquidation price. */
export function roughPrice(value: number): string {
  if (!isShownAsNumber(value)) return asReceived(value);
  return quantity(Number(value.toPrecision(6)));
}

/** USD with thousands separated and two decimals: `-1,234.50`. */
export function usd(value: number): string {
  if (!isShownAsNumber(value)) return asReceived(value);
  const cents = roundedUnits(value, 2);
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  const fraction = digits.slice(-2);
  // Not toLocaleString(): loading the locale's data takes 5 ms, a tenth of a command.
  return `${cents < 0n ? '-' : ''}${grouped(digits.slice(0, -2))}.${fraction}`;
}

/** The same with its unit: `-1,234.50 USD`. */
export function dollars(value: number): string {
  return `${usd(value)} USD`;
}

/** Digits in groups of three. */
function grouped(digits: string): string {
  const groups = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/** The same with a plus or minus sign, for profit and loss. */
export function signedUsd(value: number): string {
  const text = usd(value);
  return typeof value === 'number' && value > 0 && text !== '0.00' ? `+${text}` : text;
}

let isUtc = false;

/** Shows times in UTC from now on, as --utc asks, or otherwise in the time zone of this machine. */
export function showTimesInUtc(utc: boolean): void {
  isUtc = utc;
}

/** A time to the second, which can be given to perp as it is: `2026-11-20 22:10:03Z`, `2026-11-20 23:10:03+01:00`. */
export function dateTime(ms: number): string {
  if (!isMoment(ms)) return asReceived(ms);
  const { text, zone } = zoned(ms);
  return `${text.slice(0, 19).replace('T', ' ')}${zone}`;
}

/** Its time of day with milliseconds: `22:10:03.125Z`. */
export function timeOfDay(ms: number): string {
  if (!isMoment(ms)) return asReceived(ms);
  const { text, zone } = zoned(ms);
  return `${text.slice(11)}${zone}`;
}

/** The time on a clock here, and the distance of that clock from UTC. */
function zoned(ms: number): { text: string; zone: string } {
  const ahead = isUtc ? 0 : -new Date(ms).getTimezoneOffset();
  const local = ms + ahead * 60_000;
  const text = new Date(isMoment(local) ? local : ms).toISOString().slice(0, -1);
  if (ahead === 0 || !isMoment(local)) return { text, zone: 'Z' };
  const minutes = Math.abs(ahead);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return { text, zone: `${ahead < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}` };
}

/** A duration: `1h 30m`, `45s`. */
export function stretch(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const;
  if (!isMoment(ms)) return asReceived(ms);
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const parts: string[] = [];
  let left = ms;
  for (const [unit, length] of units) {
    const count = Math.floor(left / length);
    if (count > 0) parts.push(`${count}${unit}`);
    left -= count * length;
  }
  return parts.slice(0, 2).join(' ');
}

/** `1 order`, `2 orders`. */
export function counted(count: number, noun: string): string {
  return `${word(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A share as a percentage, rounded down: only all of it is 100%. */
export function shareText(share: number): string {
  return `${quantity(Math.floor(share * 10_000) / 100)}%`;
}

/** False for numbers too large to show without an exponent. */
function isShownAsNumber(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < 1e22;
}

/** Whether a JavaScript date can hold it. */
function isMoment(ms: unknown): boolean {
  return typeof ms === 'number' && Math.abs(ms) <= 8.64e15;
}

/** A market id that needs no shell quoting. */
export function shellSafe(marketId: string): string {
  return marketId.replace('|', ':');
}

/** A move with its sign, in percent with one decimal, or enough to show that it isn't zero. */
export function percentText(percent: number): string {
  const size = Math.abs(percent);
  const text = size >= 0.05 || size === 0 ? size.toFixed(1) : size.toPrecision(1);
  return `${percent < 0 ? '-' : '+'}${text}%`;
}

/** Distance of a price from mid in basis points. */
export function bpsFrom(price: number, mid: number): string {
  return quantity(Number(((Math.abs(price - mid) / mid) * 1e4).toFixed(2)));
}

/**
 * Turns a lower layer's message into a sentence: capitalized and ended. A leading id or field name is left unchanged.
 */
export function sentence(message: string): string {
  return /^\S*[_|:\d]/.test(message) ? ended(message) : ended(message.charAt(0).toUpperCase() + message.slice(1));
}

/** Adds a period unless the text already ends in punctuation. */
export function ended(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** Writes the markets in a sentence from the service, such as `binance|BTCUSDT`, by their names. */
export function withMarketNames(text: string): string {
  return text.replace(/\b([a-z]+)\|\w+(?:[:.-]\w+)*/g, (id, provider: string) =>
    marketProviders.has(provider) ? marketName(id) : id,
  );
}

/** A market's id and symbol. */
type Known = readonly [id: string, symbol: string];

let knownMarkets: () => readonly Known[] = () => [];
let known: { readonly symbols: ReadonlyMap<string, string>; readonly owners: ReadonlyMap<string, string> } | undefined;

/** The markets among which names must be unique, read when the first name is needed. */
export function nameMarketsAmong(markets: () => readonly Known[]): void {
  knownMarkets = markets;
  known = undefined;
}

/**
 * A market as text shows it everywhere: the shortest name that perp accepts for it. That is its symbol, or its id where
 * another known market has the same symbol or coin.
 */
export function marketName(id: string, symbol?: string): string {
  known ??= { symbols: new Map(knownMarkets()), owners: ownersAmong(knownMarkets()) };
  const name = symbol ?? known.symbols.get(id);
  const owner = typeof name === 'string' ? (known.owners.get(name.toLowerCase()) ?? id) : undefined;
  return name === undefined || (owner !== undefined && owner !== id) ? shellSafe(word(id)) : word(name);
}

/** The market that each symbol or coin means; empty text if it means several. */
function ownersAmong(markets: readonly Known[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const [id, symbol] of markets) {
    for (const name of [symbol, id.slice(id.indexOf('|') + 1)]) {
      const key = name.toLowerCase();
      owners.set(key, (owners.get(key) ?? id) === id ? id : '');
    }
  }
  return owners;
}
