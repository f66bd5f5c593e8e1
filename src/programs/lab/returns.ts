import { netOfTrip } from '../../desk/risk/profit.ts';
import { winLossOf } from '../../desk/statistics/proven.ts';
import { momentsOf, sharpeOf } from '../../desk/statistics/sharpe.ts';
import type { ParameterValue, Trial, TrialResult, TrialSpec } from './trial.ts';

/** Unix milliseconds of market time. */
type Ms = number;

/** The figures of all variants have at most this many periods; more are put together. */
const mostPeriods = 512;

/** One candidate: a strategy's text with parameter values, under a plan. */
export interface Variant {
  readonly strategy: string;
  readonly strategyHash: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly plan: string;
  readonly think: number | 'real';
  /** All of its trials, including failed ones. */
  readonly trials: readonly Trial[];
  /** The part of a walk-forward sweep; null for the trials of any other sweep. */
  readonly sample: 'in' | 'out' | null;
  /** For a walk-forward choice: its criterion, and a hash of its candidates. */
  readonly chosen: string | null;
}

/** The returns of several variants over the same periods. */
export type ReturnTable = ReturnType<typeof returnTable>;

/** Groups trials by candidate; the first trial decides the order. */
export function variantsOf(trials: Iterable<Trial>): Variant[] {
  const found = new Map<string, Variant & { trials: Trial[] }>();
  for (const trial of trials) {
    const { strategy, strategyHash, parameters, plan, balance, think, fold } = trial.spec;
    const sample = fold?.sample ?? null;
    // A walk-forward sweep chooses in each fold; its choices together are one candidate.
    const chosen = sample === 'out' ? (fold?.chosen ?? 'chosen') : null;
    const tried = chosen ?? parameters;
    const key = JSON.stringify([strategyHash, tried, plan, balance, think, sample]);
    const known = found.get(key);
    if (known !== undefined) known.trials.push(trial);
    else found.set(key, { strategy, strategyHash, parameters, plan, think, trials: [trial], sample, chosen });
  }
  return [...found.values()];
}

/** The ends of a trial's sampling periods: every multiple of its interval, and its end. */
function periodEnds({ from, to, sampleMs }: TrialSpec): Ms[] {
  const ends: Ms[] = [];
  for (let end = from; end < to; ) {
    end = Math.min((Math.floor(end / sampleMs) + 1) * sampleMs, to);
    ends.push(end);
  }
  return ends;
}

/** The fraction of equity that a trial gained in each of its periods; it ends with the account. */
function returnsOf({ result: { equity } }: Trial): Float64Array {
  const values = new Float64Array(Math.max(0, equity.length - 1));
  for (let at = 0; at < values.length; at += 1)
    values[at] = equity[at]! > 0 ? Math.max(-1, equity[at + 1]! / equity[at]! - 1) : 0;
  return values;
}

/** Whether a trial's equity can be turned into returns: it is known, and was above zero. */
export function isMeasured({ result }: Trial): boolean {
  return result.status === 'done' && result.equity.length > 1 && result.equity.every((value) => value > 0);
}

/**
 * The returns of variants over the same periods of the same markets. Variants with a trial that is not measured are
 * left out.
 */
export function returnTable(variants: readonly Variant[]) {
  const judged = variants.filter(({ trials }) => trials.every(isMeasured));
  const windows = windowsOf(judged);
  let periodMs = Math.max(1, ...judged.flatMap(({ trials }) => trials.map(({ spec }) => spec.sampleMs)));
  let periods = numberPeriods(windows, periodMs);
  while (periods > mostPeriods) {
    periodMs *= 2;
    periods = numberPeriods(windows, periodMs);
  }
  const filled = judged.map((variant) => column(variant, windows, periods));
  return {
    /** Those with returns, in the order of `columns`. */
    variants: judged,
    /** Of each variant, for each period: the fraction of equity gained, 0 where it did not run. */
    columns: filled.map(({ values }) => values),
    /** Of each variant, for each period: how many of its trials ran then. */
    runs: filled.map(({ runs }) => runs),
    ...{ periodMs, periods },
  };
}

/** A stretch of a market that trials played. */
interface Window {
  readonly market: string;
  readonly ends: readonly Ms[];
  /** The period of the table to which each of the ends belongs. */
  readonly rows: Int32Array;
}

const marketOf = ({ source }: TrialSpec) => (source.kind === 'tape' ? source.fingerprint : `seed ${source.seed}`);
const windowKey = (spec: TrialSpec) => `${marketOf(spec)} ${spec.from} ${spec.to} ${spec.sampleMs}`;

function windowsOf(variants: readonly Variant[]): Map<string, Window> {
  const windows = new Map<string, Window>();
  for (const { trials } of variants) {
    for (const { spec } of trials) {
      if (windows.has(windowKey(spec))) continue;
      const ends = periodEnds(spec);
      windows.set(windowKey(spec), { market: marketOf(spec), ends, rows: new Int32Array(ends.length) });
    }
  }
  return windows;
}

/** Numbers the periods of all windows by time; the same time of the same market is one period. Returns how many. */
function numberPeriods(windows: ReadonlyMap<string, Window>, periodMs: Ms): number {
  const found = new Map<string, number>();
  const keyOf = (market: string, end: Ms) => `${Math.ceil(end / periodMs)} ${market}`;
  for (const { market, ends } of windows.values())
    for (const end of ends) found.set(keyOf(market, end), Math.ceil(end / periodMs));
  const sorted = [...found].sort(([one, time], [other, later]) => time - later || (one < other ? -1 : 1));
  const rows = new Map(sorted.map(([key], at) => [key, at]));
  for (const window of windows.values())
    for (let at = 0; at < window.ends.length; at += 1)
      window.rows[at] = rows.get(keyOf(window.market, window.ends[at]!))!;
  return rows.size;
}

/** A variant's returns: of several trials in the same period, such as those with other random numbers, the mean. */
function column({ trials }: Variant, windows: ReadonlyMap<string, Window>, periods: number) {
  const [values, runs] = [new Float64Array(periods), new Float64Array(periods)];
  for (const trial of trials) {
    const gained = returnsOf(trial);
    const { rows } = windows.get(windowKey(trial.spec))!;
    for (let at = 0; at < rows.length; at += 1) {
      values[rows[at]!]! += gained[at] ?? 0;
      if (at === 0 || rows[at] !== rows[at - 1]) runs[rows[at]!]! += 1;
    }
  }
  for (let row = 0; row < periods; row += 1) if (runs[row]! > 1) values[row]! /= runs[row]!;
  return { values, runs };
}

/** Figures to compare trials by; more is better. */
const objectives = ['return', 'sharpe', 'return-per-drawdown', 'profit-factor'] as const;
/** One of them. */
export type Objective = (typeof objectives)[number];

/** A trial's figure; null if it failed, or has none: without a trade there is no profit factor. */
export function scoreOf(
  objective: Objective,
  { balance }: Pick<TrialSpec, 'balance'>,
  result: TrialResult,
): number | null {
  const { status, equity, drawdown, trips } = result;
  if (status === 'failed') return null;
  const gained = (equity.at(-1)! - balance) / balance;
  if (objective === 'return') return gained;
  if (objective === 'return-per-drawdown') return drawdown === 0 ? null : gained / drawdown;
  if (objective === 'sharpe') {
    const returns = equity.slice(1).map((one, at) => (equity[at]! > 0 ? one / equity[at]! - 1 : 0));
    return sharpeOf(momentsOf(returns));
  }
  return winLossOf(trips.map(netOfTrip)).profitFactor;
}

const fourDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** A score in words: its subject, and its unit. */
export function scoreText(objective: Objective, score: number): string {
  if (objective === 'return') return `return ${fourDigits.format(score * 100)}%`;
  return `${titles[objective]} ${fourDigits.format(score)}`;
}

const titles = {
  sharpe: 'Sharpe ratio of a period',
  'return-per-drawdown': 'return per drawdown',
  'profit-factor': 'profit factor',
} as const satisfies Record<Exclude<Objective, 'return'>, string>;
