import { luckLevel, type Verdict } from './verdict.ts';

/** A share as a percentage: `37%`, `0.4%`, `less than 0.1%`. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return 'less than 0.1%';
  return `${Math.abs(value) >= 10 ? Math.round(value) : Number(value.toPrecision(2))}%`;
}

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A ratio with two decimals; a dash if it is undefined. */
export function ratioText(value: number | null): string {
  return value === null ? '-' : twoDecimals.format(value);
}

/** The verdict as a sentence or two, for people: it begins with whether the best is distinguishable from luck. */
export function verdictSentence(verdict: Verdict): string {
  const { best, isFound, luck, needed, missing, variants } = verdict;
  const opening = isFound ? 'Distinguishable from luck' : 'Not distinguishable from luck';
  if (missing !== null || best === null) return `${opening}: ${missing ?? 'nothing was measured'}.`;
  const of = variants === 1 ? 'the only variant' : `the best of ${variants} variants`;
  const has = `${of} has a Sharpe ratio of ${ratioText(best.sharpe)} a year`;
  const same = variants === 1 ? 'luck alone does as well' : 'luck alone gives the best of them as much';
  const often = `${same} in ${percent(luck!)} of sweeps`;
  if (isFound) return `${opening}: ${has}, and ${often}.`;
  if (luck! > luckLevel)
    return `${opening}: ${has}, and ${often}. ${percent(luckLevel)} or less is needed, which takes a Sharpe ratio of ${ratioText(needed)} here.`;
  return `${opening}: ${has}, but its returns are so uneven that it is above zero with a probability of only ${percent(best.probabilistic!)}.`;
}

/** What choosing among the variants is worth, as a sentence; undefined if that can't be said. */
export function overfittingSentence({ overfitting }: Verdict): string | undefined {
  if (overfitting === null) return undefined;
  const { probability, variants, parts, unused } = overfitting;
  const periods = unused === 1 ? 'first period is' : `first ${unused} periods are`;
  const left = unused === 0 ? '' : ` (${parts} equal parts; the ${periods} left out)`;
  const fact = `in ${percent(probability)} of the ways to split the time${left}, the best of ${variants} variants in one half is at or below their median in the other`;
  if (probability >= 0.5) return `Choosing by these results is worth nothing: ${fact}.`;
  if (probability > 0.1) return `Choosing by these results is worth little: ${fact}.`;
  return `Choosing by these results holds up: ${fact}.`;
}
