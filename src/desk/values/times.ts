import { usageFailure } from '../../base/failure/failure.ts';
import { isoMoment } from '../../base/terms/day.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { checkBounds } from './sizes.ts';

/** A time: absolute, or a duration after the exchange's current time. */
export type Time = { at: number } | { inMs: number };

/** A time in the past: absolute, a duration before the exchange's current time, or a challenge day. */
export type PastTime = { at: number } | { agoMs: number } | { day: 'today' | 'yesterday' };

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration to milliseconds: `45s`, `1h30m`. */
export function parseDuration(text: string, label: string): number {
  const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/iy;
  let total = 0;
  let end = 0;
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    const [, amount, unit = ''] = found;
    total += Number(amount) * unitMs[unit.toLowerCase() as keyof typeof unitMs];
    end = part.lastIndex;
  }
  if (end < text.length)
    throw usageFailure(`${label} is ${quoted(text)}, not a duration.`, `Write ${durationMeant(text)}.`);
  checkBounds(total, text, label);
  if (!Number.isSafeInteger(total) || total <= 0)
    throw usageFailure(`${label} is ${text}; it must be above zero and in whole milliseconds.`);
  return total;
}

/** The meaning of another spelling of a duration: `30min`, `1 hour`, `30`. */
export function durationMeant(text: string): string {
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?) ?([a-z]{0,7})$/i.exec(text) ?? [];
  const known = unit === undefined ? undefined : /^(ms|s|m|h|d)(?:ec|econd|in|inute|our|r|ay)?s?$/i.exec(unit)?.[1];
  if (known !== undefined) return `${amount}${known.toLowerCase()}`;
  return unit === '' ? `${amount}s, ${amount}m or ${amount}h` : 'a duration such as 45s, 30m, 1h30m or 2d';
}

/** A duration in ms; undefined for anything else. */
export function durationOf(text: string): number | undefined {
  return aDuration.test(text) ? parseDuration(text, '') : undefined;
}

const formats = 'Write 2026-11-21T10:00Z, Unix milliseconds, ';

/** Parses a time: ISO 8601 (UTC unless an offset is given), Unix milliseconds, or a duration from now. */
export function parseTime(text: string, label: string): Time {
  if (aDuration.test(text)) return { inMs: parseDuration(text, label) };
  return { at: momentIn(text, label, `${formats}or a duration from now, such as 30m.`) };
}

/** The same for a time in the past: a duration counts back, and `today` and `yesterday` are challenge days. */
export function parsePastTime(text: string, label: string): PastTime {
  const day = text.toLowerCase();
  if (day === 'today' || day === 'yesterday') return { day };
  if (aDuration.test(text)) return { agoMs: parseDuration(text, label) };
  return { at: momentIn(text, label, `${formats}today, yesterday, or a duration before now such as 7d.`) };
}

const aDuration = /^(\d+(\.\d+)?(ms|s|m|h|d))+$/i;

function momentIn(text: string, label: string, hint: string): number {
  checkDay(text, label);
  if (/^\d{10,16}$/.test(text)) {
    if (text.length < 13) {
      throw usageFailure(
        `${label} is ${text}, which looks like seconds.`,
        `Times are Unix milliseconds: write ${text}000.`,
      );
    }
    checkBounds(Number(text), text, label);
    return Number(text);
  }
  const at = isoMoment(text);
  if (Number.isNaN(at)) throw usageFailure(`${label} is ${quoted(text)}, not a time.`, hint);
  return at;
}

/** Rejects a day that its month does not have; Date.parse would roll it over into the next month. */
function checkDay(text: string, label: string): void {
  const [date, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  if (date === undefined) return;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || (Number(day) >= 1 && Number(day) <= lastDay)) return;
  throw usageFailure(
    `${label} is ${quoted(text)}, a day that does not exist.`,
    `${year}-${month} has the days 01 to ${lastDay}.`,
  );
}
