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
  /** docs/performance.md quotes it. */
  isQuoted?: true;
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
  for (const figure of figures) {
    const { name, note } = figure;
    console.log(
      `${verdict(figure)}  ${name.padEnd(64)} ${valueText(figure).padStart(20)}  ${goalText(figure)}${note ? `  (${note})` : ''}`,
    );
  }
}

/** The figure with its unit: `1.53 x`. */
export function valueText({ value, unit }: Figure): string {
  const shown = value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
  return `${shown} ${unit}`.trim();
}

/** The limit: `<= 1.5`; empty without one. */
export function goalText({ target }: Figure): string {
  if (!target) return '';
  return 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast.toLocaleString('en-US')}`;
}

/** Whether the figure meets its limit, if it has one. */
export function meetsGoal({ value, target }: Figure): boolean {
  return !target || ('atMost' in target ? value <= target.atMost : value >= target.atLeast);
}

function verdict(figure: Figure): string {
  if (!figure.target) return '  --  ';
  return meetsGoal(figure) ? '  ok  ' : ' MISS ';
}
