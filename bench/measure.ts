/**
 * Timing and printing shared by the benchmarks: every figure is a ratio of medians within one run, in which both sides
 * alternate.
 */

/** One printed line: what was measured, the figure, and the limit it must meet. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The figure must be at or below (atMost) or at or above (atLeast) this. */
  target?: { atMost: number } | { atLeast: number };
  /** The values behind the figure. */
  note?: string;
}

/** Median of numbers; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How long `work` took, ms. */
export function millisecondsOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Prints figures as one aligned table and says whether each meets its target. */
export function printFigures(figures: readonly Figure[]): void {
  for (const { name, value, unit, target, note } of figures) {
    const shown = value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
    console.log(
      `${verdict(value, target)}  ${name.padEnd(64)} ${`${shown} ${unit}`.padStart(20)}  ${goal(target)}${note ? `  (${note})` : ''}`,
    );
  }
}

function verdict(value: number, target: Figure['target']): string {
  if (!target) return '  --  ';
  const met = 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
  return met ? '  ok  ' : ' MISS ';
}

function goal(target: Figure['target']): string {
  if (!target) return '';
  return 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast.toLocaleString('en-US')}`;
}
