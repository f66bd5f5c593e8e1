import type { Cell } from '../output/result.ts';
import { timeLabels } from './time-axis.ts';

/** A value that applies from a time on, until the next one. */
interface Sample {
  readonly time: number;
  readonly value: number;
}

/** The size and the characters of a chart. */
interface LineChart {
  readonly width: number;
  readonly height: number;
  /** Braille and block characters; otherwise ASCII. */
  readonly isUnicode: boolean;
  /** A value as its axis shows it. */
  readonly label: (value: number) => string;
  /** The label below a place that isn't a time; written where it fits. */
  readonly places?: (at: number) => string;
}

/** The dots of a braille character, by column and row from the top. */
const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const rowsPerCell = 4;
/** Empty, then from an eighth of a character to a full one. */
const blocks = [' ', ...Array.from({ length: 8 }, (_, eighths) => String.fromCodePoint(0x2581 + eighths))];

/** A curve with its axis on the left and times below: `height` rows plus one of labels, each `width` wide. */
export function lineChart(
  samples: readonly Sample[],
  { width, height, isUnicode, label, places }: LineChart,
): Cell[][] {
  const values = samples.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const labels = [label(high), label(low)];
  const axis = Math.max(...labels.map((text) => text.length)) + 1;
  const columns = width - axis;
  if (columns < 8 || samples.length < 2) return [];
  const [across, down] = isUnicode ? [2 * columns, rowsPerCell * height] : [columns, height];
  const heights = held(samples, across).map((value) =>
    high === low ? down >> 1 : Math.round(((high - value) / (high - low)) * (down - 1)),
  );
  const grid = isUnicode ? braille(heights, columns, height) : stars(heights, columns, height);
  const rows = grid.map((text, at): Cell[] => {
    const name = at === 0 ? labels[0]! : at === height - 1 && high !== low ? labels[1]! : '';
    return [{ text: `${name.padStart(axis - 1)} `, tone: 'faint' }, text];
  });
  const step = (samples.at(-1)!.time - samples[0]!.time) / columns;
  const times = Array.from({ length: columns }, (_, at) => ({ openTime: samples[0]!.time + at * step }));
  const below = places === undefined ? timeLabels(times, (at) => at, columns) : placeLabels(samples, columns, places);
  return [...rows, [{ text: `${' '.repeat(axis)}${below}`.trimEnd(), tone: 'faint' }]];
}

/** One row that shows a curve from 0 up, by how full each character is. */
export function barRow(samples: readonly Sample[], columns: number, isUnicode: boolean): string {
  const marks = isUnicode ? blocks : ' .:-=+*#@';
  const values = held(samples, columns);
  const most = Math.max(...values);
  return values.map((value) => marks[most > 0 ? Math.ceil((value / most) * (marks.length - 1)) : 0]).join('');
}

/** The values at equal distances in time. */
function held(samples: readonly Sample[], count: number): number[] {
  const [first, last] = [samples[0]!.time, samples.at(-1)!.time];
  let at = 0;
  return Array.from({ length: count }, (_, column) => {
    const time = first + ((last - first) * column) / (count - 1);
    while (at + 1 < samples.length && samples[at + 1]!.time <= time) at += 1;
    return samples[at]!.value;
  });
}

function braille(heights: readonly number[], columns: number, height: number): string[] {
  const cells = new Uint8Array(columns * height);
  for (const [x, y] of heights.entries()) {
    const before = heights[x - 1] ?? y;
    for (let dot = Math.min(y, before); dot <= Math.max(y, before); dot++) {
      const cell = Math.floor(dot / rowsPerCell) * columns + (x >> 1);
      cells[cell]! |= dots[(x & 1) as 0 | 1][(dot % rowsPerCell) as 0]!;
    }
  }
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const bits = cells[row * columns + column]!;
      return bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits);
    }).join(''),
  );
}

function stars(heights: readonly number[], columns: number, height: number): string[] {
  const rows = Array.from({ length: height }, () => Array.from({ length: columns }, () => ' '));
  for (const [x, y] of heights.entries()) rows[y]![x] = '*';
  return rows.map((row) => row.join(''));
}

/** The names of the samples, each at its place; left out where it would overlap the one before it. */
function placeLabels(samples: readonly Sample[], columns: number, nameOf: (at: number) => string): string {
  const [first, last] = [samples[0]!.time, samples.at(-1)!.time];
  let row = '';
  for (const { time } of samples) {
    const name = nameOf(time);
    const begin = Math.round(((time - first) / (last - first)) * (columns - name.length));
    if (begin >= row.length + (row === '' ? 0 : 2)) row = row.padEnd(begin) + name;
  }
  return row;
}
