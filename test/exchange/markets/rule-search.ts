/**
 * A search for rules on the clock: what a market did before a minute of each cycle, followed or faded for a while.
 * Rules are chosen on some seeds and judged on others; the seed is the unit, since trips within one are correlated.
 */
import { meanOf } from './memory.ts';

/** What a rule looks at and what it trades, one value a step: logarithms of prices, or sums of flow or imbalance. */
export interface Tradable {
  readonly name: string;
  readonly signal: Float64Array;
  readonly logs: Float64Array;
  /** What a trip costs, in the units of `logs`. */
  readonly cost: number;
}

/** The rules that a search invents: all combinations, each in both directions. Times are in steps. */
export interface Space {
  readonly cycle: number;
  readonly phases: readonly number[];
  readonly lookbacks: readonly number[];
  readonly holds: readonly number[];
  /** In standard deviations of the signal over the lookback. */
  readonly thresholds: readonly number[];
}

export interface Rule {
  readonly of: number;
  readonly phase: number;
  readonly lookback: number;
  readonly hold: number;
  readonly threshold: number;
  readonly direction: 1 | -1;
}

/** What one rule did on one seed. */
interface Outcome {
  readonly gross: number;
  readonly net: number;
  readonly trips: number;
}

export interface Found {
  readonly rules: number;
  /** The best rules of the first half of the seeds, and how many errors above 0 each is, gross, on the second. */
  readonly best: readonly { readonly rule: Rule; readonly name: string; readonly errors: number }[];
  /** What all of them earn together on the second half, after fees, by seed, a trip. */
  readonly net: ReturnType<typeof meanOf>;
}

/** Chooses the best rules on the first half of the seeds, and plays them on the second. */
export function searchRules(seeds: readonly (readonly Tradable[])[], space: Space, count = 20): Found {
  const half = seeds.length >> 1;
  const rules = rulesOf(seeds[0]!.length, space);
  const scored = rules.map((rule) => {
    const outcomes = seeds.slice(0, half).map((one) => play(one[rule.of]!, space.cycle, rule));
    return { rule, errors: meanOf(outcomes.map(({ gross }) => gross)).errors };
  });
  // Both directions of a rule have the same figures with opposite signs.
  const chosen = scored
    .map(({ rule, errors }) => ({ rule: { ...rule, direction: errors < 0 ? (-1 as const) : (1 as const) }, errors }))
    .sort((one, other) => Math.abs(other.errors) - Math.abs(one.errors))
    .slice(0, count);
  const played = chosen.map(({ rule }) => seeds.slice(half).map((one) => play(one[rule.of]!, space.cycle, rule)));
  const nets = seeds.slice(half).map((_, at) => {
    const trips = played.reduce((sum, outcomes) => sum + outcomes[at]!.trips, 0);
    return played.reduce((sum, outcomes) => sum + outcomes[at]!.net, 0) / Math.max(1, trips);
  });
  return {
    rules: 2 * rules.length,
    best: chosen.map(({ rule }, at) => ({
      rule,
      name: `${seeds[0]![rule.of]!.name} ${JSON.stringify(rule)}`,
      errors: meanOf(played[at]!.map(({ gross }) => gross)).errors,
    })),
    net: meanOf(nets),
  };
}

function rulesOf(tradables: number, { phases, lookbacks, holds, thresholds }: Space): Rule[] {
  const rules: Rule[] = [];
  for (let of = 0; of < tradables; of += 1)
    for (const phase of phases)
      for (const lookback of lookbacks)
        for (const hold of holds)
          for (const threshold of thresholds) rules.push({ of, phase, lookback, hold, threshold, direction: 1 });
  return rules;
}

function play({ signal, logs, cost }: Tradable, cycle: number, rule: Rule): Outcome {
  const { phase, lookback, hold, threshold, direction } = rule;
  const first = phase + Math.ceil(lookback / cycle) * cycle;
  let [squares, count] = [0, 0];
  for (let at = first; at < signal.length; at += cycle, count += 1)
    squares += (signal[at]! - signal[at - lookback]!) ** 2;
  const least = threshold * Math.sqrt(squares / Math.max(1, count));
  let [gross, trips] = [0, 0];
  for (let at = first; at + hold < logs.length; at += cycle) {
    const move = signal[at]! - signal[at - lookback]!;
    if (move === 0 || Math.abs(move) < least) continue;
    gross += direction * Math.sign(move) * (logs[at + hold]! - logs[at]!);
    trips += 1;
  }
  return { gross, net: gross - trips * cost, trips };
}
