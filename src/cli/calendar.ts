import { usageFailure } from './failure.ts';
import { quoted } from './quoted.ts';

/** Refuses a time whose day its month does not have: what reads dates would go on counting into the next month. */
export function checkDay(text: string, label: string): void {
  const [date, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  if (date === undefined) return;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || (Number(day) >= 1 && Number(day) <= lastDay)) return;
  throw usageFailure(
    `${label} is ${quoted(text)}, a day that does not exist.`,
    `${year}-${month} has the days 01 to ${lastDay}.`,
  );
}
