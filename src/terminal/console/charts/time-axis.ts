import { dayMs, hourMs } from '../../../base/terms/day.ts';

const minuteMs = 60_000;
/** Usual distances between two labels, ms. */
const distances = [
  ...[1_000, 5_000, 10_000, 15_000, 30_000],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 5, 10, 30, 90, 365].map((days) => days * dayMs),
];
/** Minimum columns for a label and the space after it. */
const minColumns = 9;

/** The times below a chart, in UTC: `14:00`, at midnight `Nov 21`. `columnOf` is the column of a candle. */
export function timeLabels(
  candles: readonly { openTime: number }[],
  columnOf: (index: number) => number,
  width: number,
): string {
  const [first, second] = candles;
  const interval = first === undefined || second === undefined ? minuteMs : second.openTime - first.openTime;
  const columns = candles.length < 2 ? 1 : columnOf(1) - columnOf(0);
  const distance = distances.find((one) => (one / interval) * columns >= minColumns) ?? distances.at(-1)!;
  let text = '';
  let slot = Number.NaN;
  for (const [index, { openTime }] of candles.entries()) {
    const its = Math.floor(openTime / distance);
    const isFirst = Number.isNaN(slot);
    if (its === slot) continue;
    slot = its;
    // A candle in the middle of a stretch doesn't have a round time.
    if (isFirst && openTime % distance !== 0) continue;
    const label = labelOf(its * distance, interval, distance);
    const column = columnOf(index);
    if (column < text.length + (text === '' ? 0 : 1) || column + label.length > width) continue;
    text = text.padEnd(column) + label;
  }
  return text.padEnd(width);
}

function labelOf(time: number, interval: number, distance: number): string {
  const iso = new Date(time).toISOString();
  const date = `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8, 10))}`;
  if (distance >= 300 * dayMs) return iso.slice(0, 4);
  if (interval >= dayMs || time % dayMs === 0) return date;
  return distance < minuteMs ? iso.slice(11, 19) : iso.slice(11, 16);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
