import { counted } from '../../base/text/format.ts';
import { comparison } from '../../desk/statistics/bootstrap.ts';
import { luckOf, overfittingOf } from '../../desk/statistics/overfitting.ts';
import {
  deflatedSharpe,
  type Estimate,
  expectedBest,
  momentsOf,
  periodsPerYear,
  probabilisticSharpe,
  sharpeOf,
} from '../../desk/statistics/sharpe.ts';
import { isMeasured, type ReturnTable, returnTable, type Variant, variantsOf } from './returns.ts';
import type { Trial } from './trial.ts';

/**
 * A result that luck alone reaches in at most this share of sweeps is a find: of 100 sweeps over pure noise, 95 are
 * then called luck with a probability of 0.98.
 */
const luckLevel = 0.02;
/** The probability that the best variant's own Sharpe ratio is above zero, given skew and fat tails. */
const leastProbability = 0.95;
/** Fewer periods in which the equity changed say nothing. */
const leastPeriods = 20;
/**
 * The number of parts into which the periods are cut for the probability of overfitting, and the minimum periods of
 * each.
 */
const mostParts = 16;
const leastInPart = 4;

/** The joint verdict of a file's trials on the best of them. */
export interface Verdict {
  readonly trials: number;
  readonly failed: number;
  /** The number of candidates: strategies with parameter values. */
  readonly variants: number;
  readonly best: Best | null;
  /** Whether the best is distinguishable from luck. */
  readonly isFound: boolean;
  /** The probability that luck alone gives the best of all variants a result like the best one's. */
  readonly luck: number | null;
  /**
   * The Sharpe ratio a year that the best of all variants reaches by luck with probability `luckLevel`; null: nothing
   * traded.
   */
  readonly needed: number | null;
  /** The effective number of independent variants. */
  readonly independent: number | null;
  /** Deflated Sharpe Ratio, with all variants as trials. */
  readonly deflated: number | null;
  /** The Sharpe ratio a year that luck is expected to give the best of as many independent variants. */
  readonly expected: number | null;
  /**
   * Probability of backtest overfitting, the variants compared for it, the parts of the time, and the first periods,
   * which are in none.
   */
  readonly overfitting: {
    readonly probability: number;
    readonly variants: number;
    readonly parts: number;
    readonly unused: number;
  } | null;
  readonly periods: number;
  readonly periodMs: number;
  /** Why it isn't found, beyond luck; null if there is no other reason. */
  readonly missing: string | null;
}

/** The best variant. */
type Best = ReturnType<typeof bestOf>;

/** Judges the trials of a file: all of them, of every run, including failed ones. */
export function verdictOf(trials: readonly Trial[]): Verdict {
  // In a walk-forward sweep, choices are judged out of sample.
  const variants = variantsOf(trials.filter(({ spec }) => spec.fold?.sample !== 'in'));
  const table = returnTable(variants);
  const counts = {
    trials: trials.length,
    failed: trials.filter((trial) => !isMeasured(trial)).length,
    variants: variants.length,
    periods: table.periods,
    periodMs: table.periodMs,
  };
  if (table.variants.length === 0 || table.periods === 0) return { ...counts, ...nothing, missing: whyNothing(trials) };
  const luck = luckOf(table.columns, luckLevel);
  const best = bestOf(table, luck.best);
  // Failed variants were tried, too: each might have been the best.
  const tried = variants.length / table.variants.length;
  const probability = 1 - (1 - luck.probability) ** tried;
  const missing = missingOf(best, table);
  const yearly = Math.sqrt(periodsPerYear(table.periodMs));
  return {
    ...counts,
    best,
    isFound: missing === null && probability <= luckLevel && best.probabilistic! >= leastProbability,
    luck: best.changes === 0 ? null : probability,
    needed: luck.needed === 0 ? null : (yearly * luck.needed) / Math.sqrt(table.periods),
    independent: luck.independent * tried,
    ...deflation(table, luck.best, variants.length),
    overfitting: overfitting(table),
    missing,
  };
}

const nothing = {
  best: null,
  isFound: false,
  luck: null,
  needed: null,
  independent: null,
  deflated: null,
  expected: null,
  overfitting: null,
};

function whyNothing(trials: readonly Trial[]): string {
  if (trials.length === 0) return 'there are no trials';
  if (trials.every(({ result }) => result.status === 'failed')) return 'every trial failed';
  return 'no variant has a measured result: trials failed, or equity fell to zero or below';
}

function bestOf({ variants, columns, periodMs }: ReturnTable, at: number) {
  const moments = momentsOf(columns[at]!);
  const sharpe = sharpeOf(moments);
  return {
    variant: variants[at]!,
    /** A year; null if its returns don't vary. */
    sharpe: sharpe === null ? null : sharpe * Math.sqrt(periodsPerYear(periodMs)),
    /** Probability that its true Sharpe ratio is above zero, as if it were the only variant; null without a Sharpe ratio. */
    probabilistic: sharpe === null ? null : probabilisticSharpe({ ...moments, sharpe }, 0),
    /** Periods in which its equity changed. */
    changes: columns[at]!.reduce((count, value) => count + (value === 0 ? 0 : 1), 0),
  };
}

function missingOf({ sharpe, changes }: Best, { columns }: ReturnTable): string | null {
  const hasTraded = columns.some((column) => column.some((value) => value !== 0));
  if (changes === 0) return hasTraded ? 'no variant that traded made a gain' : 'no variant traded';
  if (sharpe === null) return 'the returns of the best variant are all the same, so it has no Sharpe ratio';
  if (changes < leastPeriods) return `equity changed in only ${counted(changes, 'period')}; ${leastPeriods} are needed`;
  return null;
}

function deflation({ columns, periodMs }: ReturnTable, best: number, tried: number) {
  const estimates = columns.map((column): Estimate | null => {
    const moments = momentsOf(column);
    const sharpe = sharpeOf(moments);
    return sharpe === null ? null : { ...moments, sharpe };
  });
  const sharpes = estimates.flatMap((estimate) => (estimate === null ? [] : [estimate.sharpe]));
  const variance = sharpes.length < 2 ? 0 : momentsOf(sharpes).deviation ** 2;
  const estimate = estimates[best]!;
  return {
    deflated: estimate === null ? null : deflatedSharpe(estimate, tried, variance),
    expected: expectedBest(tried, variance) * Math.sqrt(periodsPerYear(periodMs)),
  };
}

/** Only variants that ran the whole time can be compared; null with fewer than two of them or too little time. */
function overfitting({ columns, runs, periods }: ReturnTable): Verdict['overfitting'] {
  const isWhole = (at: number) => runs[at]!.every((count) => count > 0);
  const whole = columns.filter((column, at) => isWhole(at) && column.some((value) => value !== 0));
  const parts = Math.min(mostParts, 2 * Math.floor(periods / leastInPart / 2));
  if (whole.length < 2 || parts < 4) return null;
  const { probability } = overfittingOf(whole, parts);
  return { probability, variants: whole.length, parts, unused: periods % parts };
}

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

/** The verdict in a sentence or two, for people: it begins with whether the best is distinguishable from luck. */
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

/** The value of choosing among the variants, in a sentence; undefined if it is unknown. */
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

type Better = 'first' | 'second' | null;

/** Fewer common periods say nothing. */
const leastCommon = 20;

/**
 * Compares two variants over the periods in which both ran: the difference of the mean returns of a period and of the
 * Sharpe ratios a year, with 95 % intervals, and the better one, null if undecided. A sentence instead if they can't be
 * compared.
 */
export function compareVariants(first: Variant, second: Variant, names: readonly [string, string]) {
  const table = returnTable([first, second]);
  if (table.columns.length < 2) {
    const missing = table.variants.includes(first) ? names[1] : names[0];
    return `${missing} has no measured result: a trial of it failed, or its equity fell to zero or below.`;
  }
  const both = Array.from({ length: table.periods }, (_, at) => at).filter((at) =>
    table.runs.every((runs) => runs[at]! > 0),
  );
  if (both.length < leastCommon)
    return `They ran together in only ${counted(both.length, 'period')}; ${leastCommon} are needed.`;
  const [one, other] = table.columns.map((column) => Float64Array.from(both, (at) => column[at]!));
  if (one!.every((value, at) => value === other![at])) return 'Both did exactly the same.';
  const { mean, sharpe, draws, block } = comparison(one!, other!);
  const yearly = Math.sqrt(periodsPerYear(table.periodMs));
  const scaled = sharpe && { value: sharpe.value * yearly, low: sharpe.low * yearly, high: sharpe.high * yearly };
  const judged = scaled ?? mean;
  const better: Better = judged.low > 0 ? 'first' : judged.high < 0 ? 'second' : null;
  const figures = { mean, sharpe: scaled, periods: both.length, periodMs: table.periodMs, block, draws };
  return { ...figures, better, sentence: sentenceOf({ ...figures, better }, names) };
}

function sentenceOf(
  { mean, sharpe, better }: Pick<ReturnType<typeof comparison>, 'mean' | 'sharpe'> & { better: Better },
  [first, second]: readonly [string, string],
): string {
  const turned = better === 'second' ? -1 : 1;
  const opening =
    better === null
      ? `It is unclear whether ${first} or ${second} is better`
      : `${better === 'first' ? first : second} is better than ${better === 'first' ? second : first}`;
  const { value, low, high } = sharpe ?? mean;
  const ends = turned > 0 ? [low, high] : [-high, -low];
  const text = (one: number) => (sharpe === null ? percent(one) : ratioText(one));
  const away = (one: number) => `${text(Math.abs(one))} ${one < 0 ? 'lower' : 'higher'}`;
  const what = sharpe === null ? 'mean return of a period' : 'Sharpe ratio a year';
  const whose = better === null ? `the ${what} of ${first}` : `its ${what}`;
  return `${opening}: ${whose} is ${away(turned * value)}, with a 95% interval from ${away(ends[0]!)} to ${away(ends[1]!)}.`;
}
