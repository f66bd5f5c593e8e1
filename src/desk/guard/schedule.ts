import { Temporal } from 'temporal-polyfill';
import { usageFailure } from '../../base/failure/failure.ts';
import { quoted } from '../../base/text/plain-text.ts';

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Hours of the week in local time. Weekdays are numbered from Monday, 1 to 7. A window may end on the next day. */
export interface Window {
  days: readonly number[];
  /** Minutes after midnight; the end is 1 to 1440. */
  from: number;
  to: number;
}

/** A time of day in local time: on weekdays, or on one date. */
export interface Moment {
  days: readonly number[];
  /** `2026-12-10`; `days` is then ignored. */
  date?: string;
  minute: number;
}

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** Checks an IANA zone; throws a usage failure. */
export function parseZone(text: string, label: string): string {
  if (text === 'local') return Temporal.Now.timeZoneId();
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    throw usageFailure(
      `${label} is ${quoted(text)}, not a time zone.`,
      "Write a name such as Europe/Berlin, or local for this machine's.",
    );
  }
}

/** Parses `22:00-02:00`, `Sat`, `Sat-Sun` or `Mon-Fri 16:00-24:00`. */
export function parseWindow(text: string, label: string): Window {
  const words = text.trim().split(/\s+/);
  const days = words.length > 1 || /^[a-z]/i.test(words[0]!) ? daysOf(words[0]!) : everyDay;
  const hours = words.length > 1 ? words[1]! : days === everyDay ? words[0]! : '00:00-24:00';
  const [from, to] = hours.split('-').map(minuteOf);
  if (words.length > 2 || days === undefined || from === undefined || to === undefined || from === to || from === 1440)
    throw usageFailure(
      `${label} is ${quoted(text)}, which is not a list of hours.`,
      'Write hours such as "22:00-02:00", "Sat-Sun" or "Mon-Fri 16:00-24:00".',
    );
  return { days, from, to: to === 0 ? 1440 : to };
}

/** Parses `16:55`, `Fri 16:55` or `2026-12-10 08:25`. */
export function parseMoment(text: string, label: string): Moment {
  const words = text.trim().split(/[\sT]+/);
  const minute = minuteOf(words.at(-1)!);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(words[0]!);
  const days = words.length === 1 || isDate ? everyDay : daysOf(words[0]!);
  if (
    words.length > 2 ||
    minute === undefined ||
    minute === 1440 ||
    days === undefined ||
    (isDate && !isReal(words[0]!))
  )
    throw usageFailure(
      `${label} is ${quoted(text)}, not a time.`,
      'Write a time such as "16:55", "Fri 16:55" or "2026-12-10 08:25".',
    );
  return isDate ? { days, date: words[0]!, minute } : { days, minute };
}

/** The window that contains `time`, Unix ms, from its start to its end (exclusive); undefined outside of it. */
export function windowAt(window: Window, time: number, zone: string): { start: number; end: number } | undefined {
  const today = dateAt(time, zone);
  for (const date of [today, today.subtract({ days: 1 })]) {
    if (!window.days.includes(date.dayOfWeek)) continue;
    const start = instantOf(date, window.from, zone);
    const end = instantOf(window.to > window.from ? date : date.add({ days: 1 }), window.to, zone);
    if (start <= time && time < end) return { start, end };
  }
  return undefined;
}

/** The latest occurrence at or before `time`, within the last two days; undefined if there is none. */
export function latestOccurrence(moment: Moment, time: number, zone: string): number | undefined {
  const today = dateAt(time, zone);
  for (const date of [0, 1, 2].map((days) => today.subtract({ days }))) {
    const isIt = moment.date === undefined ? moment.days.includes(date.dayOfWeek) : date.toString() === moment.date;
    const at = instantOf(date, moment.minute, zone);
    if (isIt && at <= time) return at;
  }
  return undefined;
}

function dateAt(time: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(time)).toZonedDateTimeISO(zone).toPlainDate();
}

/** A local time that does not exist becomes one hour later; if it exists twice, the first one counts. */
function instantOf(date: Temporal.PlainDate, minute: number, zone: string): number {
  const day = minute === 1440 ? date.add({ days: 1 }) : date;
  const plainTime = new Temporal.PlainTime(Math.floor((minute % 1440) / 60), minute % 60);
  return day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
}

/** `Mon`, `Mon-Fri`, `Sat,Sun`; undefined if it is not a list of days. */
function daysOf(text: string): number[] | undefined {
  const days = text.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map((name) => dayNames.indexOf(name.toLowerCase() as 'mon'));
    if (part.split('-').length > 2 || first === -1 || last === -1) return [0];
    const count = ((last! - first! + 7) % 7) + 1;
    return Array.from({ length: count }, (_, at) => ((first! + at) % 7) + 1);
  });
  return days.includes(0) ? undefined : days;
}

/** Minutes after midnight of `HH:MM`, up to 24:00; undefined if it is not a time. */
function minuteOf(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::00)?$/.exec(text);
  if (match === null) return undefined;
  const minute = Number(match[1]) * 60 + Number(match[2]);
  return Number(match[2]) < 60 && minute <= 1440 ? minute : undefined;
}

function isReal(date: string): boolean {
  try {
    Temporal.PlainDate.from(date);
    return true;
  } catch {
    return false;
  }
}
