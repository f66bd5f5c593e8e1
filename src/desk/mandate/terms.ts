import { usageFailure } from '../../base/failure/failure.ts';
import { one as single, some, type Written } from '../../base/files/toml.ts';
import { quantity, usd } from '../../base/text/format.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { parseWindow, type Window } from '../guard/schedule.ts';
import { aboveZero } from '../values/sizes.ts';
import { parseTime } from '../values/times.ts';
import { parseValue } from '../values/values.ts';
import type { Mandate, Term } from './mandate.ts';

/** Which of two values of a term is tighter. */
export type Comparison = 'same' | 'tighter' | 'looser';

/** The properties of a mandate's field besides its effect. */
interface FieldFacts<Value> {
  /** Its key in a mandate's file. */
  readonly key: string;
  /** The value as it is written in a file; throws a usage failure that mentions `label`. */
  readonly parse: (written: Written, label: string) => Value;
  /** As in the file. */
  readonly written: (value: Value) => string | number | readonly (string | number)[];
  /** In words. */
  readonly says: (value: Value) => string;
  /** The combination of both values: what both allow. */
  readonly both: (one: Value, other: Value) => Value;
  readonly isOptional?: true;
}

type Fields = { readonly [Field in keyof Required<Mandate>]: FieldFacts<NonNullable<Mandate[Field]>> };

const inUsd = (value: number) => (value === Number.POSITIVE_INFINITY ? 'any' : `${value}usd`);
const inPercent = (share: number) => `${Number((share * 100).toPrecision(12))}%`;
const list = {
  written: (values: readonly string[]) => values,
  says: (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(', ')),
  both: <T>(one: readonly T[], other: readonly T[]) => one.filter((value) => other.includes(value)),
};
const inUtc = (at: number) => new Date(at).toISOString();

/** A term with a number, of which the smaller one is tighter. */
const limit = (term: Omit<FieldFacts<number>, 'both'>): FieldFacts<number> => ({ ...term, both: Math.min });
const usdTerm = (key: string, says: (amount: string) => string) =>
  limit({ key, parse: usdOf, written: inUsd, says: (value) => says(usd(value)) });
const countTerm = (key: string, maximum: number, says: (count: string) => string) =>
  limit({
    key,
    parse: (written, label) => parseValue('count', single(written, label), label, { maximum }),
    written: (value) => value,
    says: (value) => says(quantity(value)),
  });
const roomTerm = (key: string) =>
  optional(
    limit({
      ...{ key, parse: shareOf, written: inPercent },
      says: (share) => `may lose up to ${inPercent(share)} of the room to the floor`,
    }),
  );

function optional<Value>(field: FieldFacts<Value>): FieldFacts<Value> {
  return { ...field, isOptional: true };
}

/** Every field of a mandate, in the order in which a file has them. */
export const fields: Fields = {
  name: {
    key: 'name',
    parse: (written, label) => botNameOf(single(written, label), label),
    written: (name) => name,
    says: (name) => name,
    both: (one) => one,
  },
  accounts: { key: 'accounts', parse: idsOf, ...list },
  markets: {
    key: 'markets',
    parse: (written, label) => {
      const ids = idsOf(written, label);
      const bad = ids.find((id) => !/^[a-z]+\|[^|]+$/.test(id));
      if (bad === undefined) return ids;
      throw usageFailure(
        `${label} contains ${quoted(bad)}, not the id of a market.`,
        'Write ids such as "binance|BTCUSDT": a symbol could mean another market elsewhere.',
      );
    },
    ...list,
  },
  sides: {
    key: 'sides',
    parse: (written, label) => {
      const sides = [...some(written)];
      const bad = sides.find((side) => side !== 'buy' && side !== 'sell');
      if (bad !== undefined) throw usageFailure(`${label} contains ${quoted(bad)}.`, 'Write "buy", "sell" or both.');
      return distinct(sides, label) as Mandate['sides'];
    },
    ...list,
    says: (sides) => (sides.length === 0 ? 'none: only reductions' : sides.join(' and ')),
  },
  largestOrderUsd: usdTerm('largest-order', (most) => `up to ${most} USD`),
  largestOrderRoom: roomTerm('largest-order-room'),
  largestPositionUsd: usdTerm('largest-position', (most) => `up to ${most} USD, including orders that may add to it`),
  largestPositionRoom: roomTerm('largest-position-room'),
  largestLeverage: optional(countTerm('largest-leverage', 1_000, (most) => `up to ${most}x`)),
  lossPerDayUsd: usdTerm('loss-per-day', (most) => `no new exposure after a loss of ${most} USD`),
  ordersPerMinute: countTerm('orders-per-minute', 100_000, (most) => `up to ${most}`),
  stopWithin: limit({
    key: 'stop-within',
    isOptional: true,
    parse: (text, label) => (single(text, label) === 'any' ? Number.POSITIVE_INFINITY : shareOf(text, label)),
    written: (share) => (share === Number.POSITIVE_INFINITY ? 'any' : inPercent(share)),
    says: (share) =>
      share === Number.POSITIVE_INFINITY ? 'a stop at any distance' : `a stop within ${inPercent(share)} of the entry`,
  }),
  roomLeftUsd: {
    ...optional(usdTerm('room-left', (least) => `at least ${least} USD above the floor in the worst case`)),
    both: Math.max,
  },
  hours: {
    key: 'hours',
    isOptional: true,
    parse: (written, label) => some(written).map((text) => parseWindow(text, label)),
    written: (windows) => windows.map(windowText),
    says: (windows) => (windows.length === 0 ? 'none' : `${windows.map(windowText).join(', ')} UTC`),
    both: bothHours,
  },
  until: limit({
    key: 'until',
    parse: (written, label) => {
      const time = parseTime(single(written, label), label);
      if ('at' in time) return time.at;
      throw usageFailure(`${label} is a duration.`, 'Write a moment such as 2026-12-31T18:00Z.');
    },
    written: inUtc,
    says: inUtc,
  }),
  approveAboveUsd: optional(usdTerm('approve-above', (most) => `orders above ${most} USD wait for you`)),
  approvalBps: limit({
    key: 'approval-within',
    isOptional: true,
    parse: (written, label) => Number((shareOf(written, label) * 1e4).toPrecision(12)),
    written: (bps) => inPercent(bps / 1e4),
    says: (bps) => `an approval is void after the mark moves ${inPercent(bps / 1e4)}`,
  }),
};

/** Whether a text can be the name of a bot. */
export function isBotName(text: string): boolean {
  return /^[a-z0-9-]{1,24}$/.test(text);
}

/** The name of a bot; a usage failure that mentions `label` for any other text. */
export function botNameOf(text: string, label: string): string {
  if (isBotName(text)) return text;
  throw usageFailure(`${label} is ${quoted(text)}.`, 'Write 1 to 24 of a to z, 0 to 9 and -.');
}

/** Ids are compared character by character, so a letter that only looks like another doesn't match. */
function idsOf(written: Written, label: string): readonly string[] {
  const ids = some(written);
  if (ids.length === 0) throw usageFailure(`${label} is empty, so the bot could do nothing.`);
  const bad = ids.find((id) => !/^[\x21-\x7e]{1,200}$/.test(id));
  if (bad !== undefined)
    throw usageFailure(`${label} contains ${quoted(bad)}.`, 'An id has ASCII letters, digits and punctuation.');
  return distinct(ids, label);
}

function distinct(values: readonly string[], label: string): readonly string[] {
  const twice = values.find((value, at) => values.indexOf(value) !== at);
  if (twice !== undefined) throw usageFailure(`${label} contains ${quoted(twice)} twice.`, 'Remove one of them.');
  return values;
}

function usdOf(written: Written, label: string): number {
  const text = single(written, label);
  const amount = /^([^a-z]+)usd$/i.exec(text)?.[1];
  if (amount === undefined)
    throw usageFailure(`${label} is ${quoted(text)}, without a unit.`, 'Write an amount with its unit: "500usd".');
  return aboveZero(parseValue('amount', amount.trim(), label), text, label);
}

function shareOf(written: Written, label: string): number {
  const text = single(written, label);
  if (!text.endsWith('%'))
    throw usageFailure(`${label} is ${quoted(text)}, not a percentage.`, 'Write one such as "2%".');
  const value = parseValue('amount', text.slice(0, -1), label);
  if (!(value > 0 && value <= 100)) throw usageFailure(`${label} is ${text}; it must be above 0% and at most 100%.`);
  return Number((value / 100).toPrecision(15));
}

/** The fields in the order of a file. */
export const fieldNames = Object.keys(fields) as (keyof Fields)[];

/** The name of a term in files, and wherever a person or a program reads it. */
export function termKey(term: Term | keyof Fields): string {
  return term === 'writes' ? term : fields[term].key;
}

/** A value of a field as a file has it: TOML. */
export function tomlOf<Field extends keyof Fields>(field: Field, value: NonNullable<Mandate[Field]>): string {
  const { written } = fields[field] as FieldFacts<NonNullable<Mandate[Field]>>;
  return JSON.stringify(written(value)).replaceAll('","', '", "');
}

/** A value of a field in words; undefined: no limit. */
export function wordsOf<Field extends keyof Fields>(field: Field, value: Mandate[Field]): string {
  const { says } = fields[field] as FieldFacts<NonNullable<Mandate[Field]>>;
  return value === undefined ? 'no limit' : says(value as NonNullable<Mandate[Field]>);
}

/** The values that both allow; undefined allows everything. */
export function bothOf<Field extends keyof Fields>(
  field: Field,
  one: Mandate[Field],
  other: Mandate[Field],
): Mandate[Field] {
  const { both } = fields[field] as FieldFacts<NonNullable<Mandate[Field]>>;
  return one === undefined || other === undefined
    ? (one ?? other)
    : both(one as NonNullable<Mandate[Field]>, other as NonNullable<Mandate[Field]>);
}

/** How one value of a field compares with another: tighter if the other one allows everything it allows, too. */
export function compared<Field extends keyof Fields>(
  field: Field,
  value: Mandate[Field],
  other: Mandate[Field],
): Comparison {
  const text = (of: Mandate[Field]) => {
    if (of === undefined) return '';
    if (field === 'hours') return JSON.stringify(minutesOf(of as readonly Window[]));
    const { written } = fields[field] as FieldFacts<NonNullable<Mandate[Field]>>;
    const found = written(of as NonNullable<Mandate[Field]>);
    return JSON.stringify(Array.isArray(found) ? [...found].sort() : found);
  };
  if (text(value) === text(other)) return 'same';
  return text(bothOf(field, value, other)) === text(value) ? 'tighter' : 'looser';
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const dayMinutes = 1_440;
const weekMinutes = 7 * dayMinutes;

/** `Mon-Fri 08:00-20:00`. */
function windowText({ days, from, to }: Window): string {
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const isRun = days.length > 2 && days.every((day, at) => at === 0 || day === days[at - 1]! + 1);
  const named = days.map((day) => dayNames[day - 1]);
  const words = days.length === 7 ? '' : `${isRun ? `${named[0]}-${named.at(-1)}` : named.join(',')} `;
  return `${words}${clock(from)}-${clock(to)}`;
}

/** Which minutes of the week windows contain. */
function minutesOf(windows: readonly Window[]): Uint8Array {
  const has = new Uint8Array(weekMinutes);
  for (const { days, from, to } of windows) {
    for (const day of days) {
      const begin = (day - 1) * dayMinutes + from;
      const length = to > from ? to - from : to + dayMinutes - from;
      for (let minute = begin; minute < begin + length; minute += 1) has[minute % weekMinutes] = 1;
    }
  }
  return has;
}

/** The minutes of the week that are set, as stretches from one to another. */
function stretchesOf(has: Uint8Array): [from: number, to: number][] {
  const found: [from: number, to: number][] = [];
  for (let minute = 0; minute < weekMinutes; minute += 1) {
    if (has[minute] === 0) continue;
    const last = found.at(-1);
    // Each day has its own: a window is of days.
    if (last !== undefined && last[1] === minute && minute % dayMinutes !== 0) last[1] = minute + 1;
    else found.push([minute, minute + 1]);
  }
  return found;
}

function bothHours(one: readonly Window[], other: readonly Window[]): Window[] {
  const second = minutesOf(other);
  const both = minutesOf(one).map((has, minute) => has & second[minute]!);
  const byTime = new Map<string, Window>();
  for (const [from, to] of stretchesOf(both)) {
    const day = Math.floor(from / dayMinutes);
    const window = { from: from - day * dayMinutes, to: to - day * dayMinutes };
    const known = byTime.get(`${window.from} ${window.to}`);
    byTime.set(`${window.from} ${window.to}`, { ...window, days: [...(known?.days ?? []), day + 1] });
  }
  return [...byTime.values()];
}
