import { quantity, usd } from '../../base/text/format.ts';
import type { Window } from '../guard/schedule.ts';
import type { Mandate, Term } from './mandate.ts';

/** Which of two values of a term is tighter. */
export type Comparison = 'same' | 'tighter' | 'looser';

/** The properties of a mandate's field besides its effect. */
interface FieldFacts<Value> {
  /** Its key in a mandate's file. */
  readonly key: string;
  /** As in the file. */
  readonly written: (value: Value) => string | number | readonly (string | number)[];
  /** In words. */
  readonly says: (value: Value) => string;
  /** The combination of both values: what both allow. */
  readonly both: (one: Value, other: Value) => Value;
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
const limit = (
  key: string,
  written: (value: number) => string | number,
  says: (value: number) => string,
): FieldFacts<number> => ({ key, both: Math.min, written, says });
const usdTerm = (key: string, says: (amount: string) => string) => limit(key, inUsd, (value) => says(usd(value)));
const countTerm = (key: string, says: (count: string) => string) =>
  limit(
    key,
    (value) => value,
    (value) => says(quantity(value)),
  );
const roomTerm = (key: string) =>
  limit(key, inPercent, (share) => `may lose up to ${inPercent(share)} of the room to the floor`);

/** Every field of a mandate, in the order in which a file has them. */
export const fields: Fields = {
  name: { key: 'name', written: (name) => name, says: (name) => name, both: (one) => one },
  accounts: { key: 'accounts', ...list },
  markets: { key: 'markets', ...list },
  sides: {
    key: 'sides',
    ...list,
    says: (sides) => (sides.length === 0 ? 'none: only reductions' : sides.join(' and ')),
  },
  largestOrderUsd: usdTerm('largest-order', (most) => `up to ${most} USD`),
  largestOrderRoom: roomTerm('largest-order-room'),
  largestPositionUsd: usdTerm('largest-position', (most) => `up to ${most} USD, including orders that may add to it`),
  largestPositionRoom: roomTerm('largest-position-room'),
  largestLeverage: countTerm('largest-leverage', (most) => `up to ${most}x`),
  lossPerDayUsd: usdTerm('loss-per-day', (most) => `no new exposure after a loss of ${most} USD`),
  ordersPerMinute: countTerm('orders-per-minute', (most) => `up to ${most}`),
  stopWithin: limit(
    'stop-within',
    (share) => (share === Number.POSITIVE_INFINITY ? 'any' : inPercent(share)),
    (share) =>
      share === Number.POSITIVE_INFINITY ? 'a stop at any distance' : `a stop within ${inPercent(share)} of the entry`,
  ),
  roomLeftUsd: {
    ...usdTerm('room-left', (least) => `at least ${least} USD above the floor in the worst case`),
    both: Math.max,
  },
  hours: {
    key: 'hours',
    written: (windows) => windows.map(windowText),
    says: (windows) => (windows.length === 0 ? 'none' : `${windows.map(windowText).join(', ')} UTC`),
    both: bothHours,
  },
  until: limit('until', inUtc, inUtc),
  approveAboveUsd: usdTerm('approve-above', (most) => `orders above ${most} USD wait for you`),
  approvalBps: limit(
    'approval-within',
    (bps) => inPercent(bps / 1e4),
    (bps) => `an approval is void after the mark moves ${inPercent(bps / 1e4)}`,
  ),
};

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
