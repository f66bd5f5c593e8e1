/** Unix milliseconds, or a length of time in milliseconds. */
type Ms = number;

/** Milliseconds of an hour. */
export const hourMs: Ms = 3_600_000;
/** Milliseconds of 24 hours; a trading day has 23 to 25 of them. */
export const dayMs: Ms = 24 * hourMs;

/** The latest midnight of America/New_York at or before `time`: the start of its trading day (simulation 6.1). */
export function tradingDayStart(time: Ms): Ms {
  if (time >= latest.start && time < latest.next) return latest.start;
  const localDay = Math.floor((time - hoursBehindUtc(time) * hourMs) / dayMs);
  const daylightMidnight = localDay * dayMs + 4 * hourMs;
  return hoursBehindUtc(daylightMidnight) === 4 ? daylightMidnight : daylightMidnight + hourMs;
}

/** The first midnight of America/New_York after `time`. */
export function nextTradingDayStart(time: Ms): Ms {
  if (time >= latest.start && time < latest.next) return latest.next;
  const start = tradingDayStart(time);
  // A day has 23 to 25 hours, so 26 hours after a midnight is inside the next day.
  latest = { start, next: tradingDayStart(start + 26 * hourMs) };
  return latest.next;
}

/** Cache of the last requested day, because the exchange requests it with every event. */
let latest: { readonly start: Ms; readonly next: Ms } = { start: 0, next: 0 };

/** The latest full UTC hour at or before `time`. */
export function hourStart(time: Ms): Ms {
  return Math.floor(time / hourMs) * hourMs;
}

/** The first full UTC hour after `time`: when carry is next due (simulation 5.6). */
export function nextHourStart(time: Ms): Ms {
  return hourStart(time) + hourMs;
}

/**
 * New York's offset from UTC: 4 hours during daylight saving time, else 5. Both changes happen at 02:00 local time,
 * which is 07:00 UTC in spring and 06:00 UTC in autumn.
 */
function hoursBehindUtc(time: Ms): 4 | 5 {
  const year = new Date(time).getUTCFullYear();
  return time >= daylightBegins(year) + 7 * hourMs && time < daylightEnds(year) + 6 * hourMs ? 4 : 5;
}

/** The UTC midnight of the date on which daylight saving time starts, by the law in force that year. */
function daylightBegins(year: number): Ms {
  if (year >= 2007) return sundayFrom(year, 2, 8);
  if (year >= 1987) return sundayFrom(year, 3, 1);
  if (year === 1974) return Date.UTC(1974, 0, 6);
  if (year === 1975) return Date.UTC(1975, 1, 23);
  return sundayFrom(year, 3, 24);
}

function daylightEnds(year: number): Ms {
  return year >= 2007 ? sundayFrom(year, 10, 1) : sundayFrom(year, 9, 25);
}

/** The first Sunday on or after a date. April's last Sunday is from April 24 to 30, October's from October 25 to 31. */
function sundayFrom(year: number, month: number, day: number): Ms {
  const date = Date.UTC(year, month, day);
  return date + ((7 - new Date(date).getUTCDay()) % 7) * dayMs;
}

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/i;

/** Unix ms of a date or time in ISO 8601, also with a space: UTC unless it has an offset. NaN for anything else. */
export function isoMoment(text: string): number {
  const [, date, clock = '00:00', offset = 'Z'] = iso.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  const midnight = Date.parse(`${date}T00:00Z`);
  // Date.parse would roll February 30 over into March.
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  return exists ? Date.parse(`${date}T${clock}${offset.toUpperCase()}`) : Number.NaN;
}
