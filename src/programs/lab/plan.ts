import { rulesVersion } from '../../exchange/engine/version.ts';
import { currentVersions } from '../../exchange/markets/versions.ts';
import type { Point } from './space.ts';
import { digestOf, type ParameterValue, type TrialSource, type TrialSpec } from './trial.ts';

type Ms = number;

/** A market and a stretch of it that trials play. */
export interface Stretch {
  readonly source: TrialSource;
  readonly from: Ms;
  readonly to: Ms;
  /** Of the trials' random numbers. */
  readonly seed: number;
}

/** How long a walk-forward sweep looks for parameters, and how long it then tries the best. */
export interface Walk {
  readonly inMs: Ms;
  readonly outMs: Ms;
}

/** Everything that a sweep tries. */
export interface SweepPlan {
  readonly strategy: string;
  readonly strategyHash: string;
  /** The parameters' defaults, which points replace. */
  readonly defaults: Readonly<Record<string, ParameterValue>>;
  readonly points: readonly Point[];
  readonly stretches: readonly Stretch[];
  readonly plans: readonly string[];
  readonly balance: number;
  readonly think: number | 'real';
  /** null: chosen by the length of a stretch. */
  readonly sampleMs: Ms | null;
  readonly walk: Walk | null;
  /** The figure by which a walk-forward sweep chooses the best. */
  readonly objective: string;
}

/**
 * A unit that runs as one: a trial, or a fold, whose last trial depends on the others. No unit is divided between
 * shards.
 */
export interface Unit {
  readonly trials: readonly TrialSpec[];
  /** Of a fold: the trial of the window after, with the parameters of the best one. */
  readonly next: ((best: TrialSpec) => TrialSpec) | null;
}

/** The finest sampling of equity that has at most so many samples. */
const mostSamples = 1_500;
const sampleSteps = [1, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400].map((seconds) => seconds * 1000);

/** Identifies a sweep, wherever and in however many shards it runs. */
export function sweepId(plan: SweepPlan): string {
  const { strategy: _, stretches, ...others } = plan;
  const sources = stretches.map(({ source, ...stretch }) => {
    return { ...stretch, source: source.kind === 'tape' ? source.fingerprint : source.seed };
  });
  return digestOf({ ...others, sources, rules: rulesVersion }).slice(0, 16);
}

/** The units of a sweep in their order, which is the same on every machine. Each is made when it is asked for. */
export function* unitsOf(plan: SweepPlan): Generator<Unit> {
  for (const stretch of plan.stretches) for (const name of plan.plans) yield* unitsOn(plan, stretch, name);
}

function* unitsOn(plan: SweepPlan, stretch: Stretch, name: string): Generator<Unit> {
  const { points, walk } = plan;
  if (walk === null) {
    for (const point of points) yield { trials: [specOf(plan, stretch, name, point)], next: null };
    return;
  }
  const chosen = choiceOf(plan, walk);
  for (const [at, { inside, after }] of foldsOf(stretch, walk).entries()) {
    const number = at + 1;
    yield {
      trials: points.map((point) => ({ ...specOf(plan, inside, name, point), fold: { number, sample: 'in' } })),
      next: ({ parameters }) => ({ ...specOf(plan, after, name, parameters), fold: { number, sample: 'out', chosen } }),
    };
  }
}

/** How a walk-forward sweep chooses. Sweeps that choose otherwise are not the same thing tried. */
function choiceOf({ points, objective }: SweepPlan, { inMs, outMs }: Walk): string {
  return `${objective} ${digestOf([points, inMs, outMs]).slice(0, 8)}`;
}

/** How many trials a sweep has, without making them. */
export function sizeOf({ points, stretches, plans, walk }: Pick<SweepPlan, 'points' | 'stretches' | 'plans' | 'walk'>) {
  const ofStretch = ({ from, to }: Stretch) =>
    walk === null ? points.length : Math.max(0, Math.floor((to - from - walk.inMs) / walk.outMs)) * (points.length + 1);
  return plans.length * stretches.reduce((sum, stretch) => sum + ofStretch(stretch), 0);
}

/** The units of one shard: every n-th. */
export function* shardOf(units: Iterable<Unit>, { number, of }: { number: number; of: number }): Generator<Unit> {
  let at = 0;
  for (const unit of units) if (at++ % of === number - 1) yield unit;
}

/** How many trials units have. */
export function trialsIn(units: Iterable<Unit>): number {
  let sum = 0;
  for (const { trials, next } of units) sum += trials.length + (next === null ? 0 : 1);
  return sum;
}

/** Windows that move by the length of the second one, so that no time is tried twice. */
function foldsOf(stretch: Stretch, { inMs, outMs }: Walk): { inside: Stretch; after: Stretch }[] {
  const folds: { inside: Stretch; after: Stretch }[] = [];
  for (let from = stretch.from; from + inMs + outMs <= stretch.to; from += outMs) {
    const middle = from + inMs;
    folds.push({ inside: { ...stretch, from, to: middle }, after: { ...stretch, from: middle, to: middle + outMs } });
  }
  return folds;
}

/** The versions under which trials of a source run now. */
export function versionsNow({ kind }: TrialSource): TrialSpec['versions'] {
  return currentVersions[kind === 'tape' ? 'recorded' : 'synthetic'];
}

function specOf(plan: SweepPlan, { source, from, to, seed }: Stretch, planName: string, point: Point): TrialSpec {
  const { strategy, strategyHash, defaults, balance, think, sampleMs } = plan;
  const values = Object.entries({ ...defaults, ...point }).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    strategy,
    strategyHash,
    parameters: Object.fromEntries(values),
    source,
    from,
    to,
    plan: planName,
    balance,
    seed,
    think,
    sampleMs: sampleMs ?? sampleSteps.find((step) => (to - from) / step <= mostSamples) ?? sampleSteps.at(-1)!,
    fold: null,
    versions: versionsNow(source),
  };
}
