import { createHash } from 'node:crypto';
import { netOfTrip } from '../../desk/risk/profit.ts';
import { winLossOf } from '../../desk/statistics/proven.ts';
import { momentsOf, periodsPerYear, sharpeOf } from '../../desk/statistics/sharpe.ts';
import { type Criteria, type Figures, type Judged, judge } from './criteria.ts';
import { isMeasured, type ReturnTable, returnTable, type Variant, variantsOf } from './returns.ts';
import type { ParameterValue, Trial } from './trial.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** What one variant came to, over all of its trials. */
export interface VariantResult {
  /** Eight digits, by which commands name it. */
  readonly id: string;
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly plan: string;
  readonly think: number | 'real';
  readonly sample: Variant['sample'];
  readonly chosen: Variant['chosen'];
  readonly trials: number;
  readonly failed: number;
  /** Of the first trial that failed. */
  readonly problem: string | null;
  /** Mean gain of its trials, as a share of the starting balance; null if none is measured. */
  readonly gain: number | null;
  /** A year; null: it is not measured, or nothing varies. */
  readonly sharpe: number | null;
  /** The deepest fall below an earlier highest equity in any trial, as a share of it. */
  readonly drawdown: number | null;
  readonly trips: number;
  /** Of closed trips, the share with a gain after costs; null without one. */
  readonly wins: number | null;
  /** USD, all trials. */
  readonly fees: number;
  readonly carry: number;
  readonly volume: number;
  /** Accounts that failed their challenge. */
  readonly breaches: number;
}

/** Everything that the trials of a file say. */
export interface Results {
  readonly variants: readonly Variant[];
  /** One for each of `variants`. */
  readonly results: readonly VariantResult[];
  readonly table: ReturnTable;
  readonly verdict: Verdict;
  /** Of the best variant; null if it has no result. */
  readonly best: VariantResult | null;
}

/** Sums up trials by variant, and judges them. */
export function resultsOf(trials: readonly Trial[]): Results {
  const variants = variantsOf(trials);
  const table = returnTable(variants);
  const results = variants.map((variant) => resultOf(variant, table));
  const verdict = verdictOf(trials);
  const key = verdict.best === null ? null : variantId(verdict.best.variant);
  return { variants, results, table, verdict, best: results.find(({ id }) => id === key) ?? null };
}

/** A variant's name: the start of a hash of all that makes it. */
export function variantId({ strategyHash, parameters, plan, think, sample, chosen }: Variant): string {
  const tried = chosen ?? Object.entries(parameters).sort();
  return createHash('sha256')
    .update(JSON.stringify([strategyHash, tried, plan, think, sample]))
    .digest('hex')
    .slice(0, 8);
}

function resultOf(variant: Variant, table: ReturnTable): VariantResult {
  const { trials, strategy, parameters, plan, think, sample, chosen } = variant;
  const measured = trials.filter(isMeasured);
  const failed = trials.filter(({ result }) => result.status === 'failed');
  const column = table.columns[table.variants.indexOf(variant)];
  const sharpe = column === undefined ? null : sharpeOf(momentsOf(column));
  const sum = (of: (trial: Trial) => number) => trials.reduce((total, trial) => total + of(trial), 0);
  const trips = trials.flatMap(({ result }) => result.trips);
  const closed = trips.filter(({ closedAt }) => closedAt !== null);
  const gains = measured.map(({ result: { equity } }) => equity.at(-1)! / equity[0]! - 1);
  return {
    id: variantId(variant),
    strategy,
    parameters,
    plan,
    think,
    sample,
    chosen,
    trials: trials.length,
    failed: failed.length,
    problem: failed[0]?.result.problem?.message ?? null,
    gain: gains.length === 0 ? null : gains.reduce((total, gain) => total + gain, 0) / gains.length,
    sharpe: sharpe === null ? null : sharpe * Math.sqrt(periodsPerYear(table.periodMs)),
    drawdown: measured.length === 0 ? null : Math.max(...measured.map(({ result }) => result.drawdown)),
    trips: trips.length,
    wins: winLossOf(closed.map(netOfTrip)).winRate?.value ?? null,
    fees: sum(({ result }) => result.fees),
    carry: sum(({ result }) => result.carry),
    volume: sum(({ result }) => result.volume),
    breaches: trials.filter(({ result }) => result.account.status === 'failed').length,
  };
}

/** How a variant stands against criteria; what is about the whole sweep counts for the best variant only. */
export function judgeVariant(criteria: Criteria, result: VariantResult, { verdict, best }: Results): Judged[] {
  const isBest = result.id === best?.id;
  const figures: Figures = {
    sharpe: result.sharpe,
    return: result.gain,
    drawdown: result.drawdown,
    trips: result.trips,
    breaches: result.breaches,
    failed: result.failed,
    luck: isBest ? verdict.luck : null,
    dsr: isBest ? verdict.deflated : null,
    pbo: isBest ? (verdict.overfitting?.probability ?? null) : null,
  };
  return judge(criteria, figures);
}
