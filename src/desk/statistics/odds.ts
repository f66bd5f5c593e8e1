import { hash32, keyOf } from '../../base/terms/hash.ts';
import { BlockDraws, between, blockLengthOf, quantileOf } from './bootstrap.ts';
import {
  type ChallengeRules,
  ends,
  Fold,
  type PathEnd,
  type Size,
  type Start,
  type Trade,
  tableOfTrades,
} from './fold.ts';

/** The question: the outcome of an account that continues as its record suggests. */
export interface Question {
  /** The record, in the order of its openings; in R. */
  readonly record: readonly Trade[];
  /** Open positions in USD: each ends as one of two trades, as the first one with this chance. */
  readonly open: readonly { readonly first: Trade; readonly second: Trade; readonly chance: number }[];
  readonly rules: ChallengeRules;
  readonly start: Omit<Start, 'open'>;
  readonly size: Size;
  readonly seed: number;
  /** The record is not a sample: its trades are drawn one by one, and the intervals are those of the paths alone. */
  readonly isIndependent?: boolean;
}

/** A chance, 0 to 1. The record narrows it to the range from `low` to `high`: a 90 % interval. */
export type Chance = ReturnType<typeof chanceOf>;

/** The outcome of an account. */
export type Odds = ReturnType<typeof oddsOf>;

/** How much is drawn. */
export const drawn = { paths: 10_000, resamples: 250, within: 40 } as const;
/** The share of the intervals. */
export const confidence = 0.9;
/** With fewer trades, or no winner or no loser among them, a record has no predictive value. */
export const fewestTrades = 30;

/** Counts of path outcomes; the next trade's comes last. */
type Counts = Float64Array;
const nextTrade = ends.length;

/** Paths of one question, under one key: the same draws for every size and every change of the record. */
class Paths {
  readonly draws: BlockDraws;
  readonly block: number;
  readonly #fold: Fold;
  readonly #key: number;

  constructor({ record, open, rules, start, seed, isIndependent = false }: Question) {
    const trades = [...record, ...open.flatMap(({ first, second }) => [first, second])];
    const standing = open.map(({ chance }, at) => {
      const first = record.length + 2 * at;
      return { first, second: first + 1, chance };
    });
    this.block = isIndependent ? 1 : Math.round(blockLengthOf(record.map(resultOf)));
    this.draws = new BlockDraws(record.length, this.block);
    this.#fold = new Fold(tableOfTrades(trades), rules, { ...start, open: standing });
    this.#key = keyOf(seed, 'odds', 'paths');
  }

  /** Plays paths of one sample of the record; `days` takes those that passed. */
  count(paths: number, sample: number, size: Size, days?: number[]): Counts {
    const counts = new Float64Array(nextTrade + 1);
    for (let at = 0; at < paths; at += 1) {
      this.draws.begin(hash32(this.#key, at, sample));
      const { end, day, trades } = this.#fold.run(this.draws, size);
      counts[end]! += 1;
      if (end >= 2 && trades === 1) counts[nextTrade]! += 1;
      if (end === 1) days?.push(day + 1);
    }
    return counts;
  }

  /** Draws a record of the same length from the record, from which paths then draw. */
  resample(sample: number): void {
    const { draws } = this;
    const whole = Int32Array.from(draws.places, (_, at) => at);
    draws.places = whole;
    draws.begin(hash32(this.#key, -1, sample));
    draws.places = whole.map(() => draws.next());
  }
}

/** The chances of an account, with the intervals that the record leaves. */
export function oddsOf(question: Question) {
  const paths = new Paths(question);
  const days: number[] = [];
  const counts = paths.count(drawn.paths, 0, question.size, days);
  const resamples = question.isIndependent ? 0 : drawn.resamples;
  const within = Array.from({ length: resamples }, (_, at) => {
    paths.resample(at + 1);
    return paths.count(drawn.within, at + 1, question.size);
  });
  const chance = (...which: number[]): Chance => {
    const sum = (of: Counts) => which.reduce((total, at) => total + of[at]!, 0);
    return chanceOf(sum(counts), within.map(sum), question.record.length / paths.block);
  };
  const sorted = Float64Array.from(days).sort();
  const quantile = (share: number) => Math.round(quantileOf(sorted, share));
  return {
    ends: Object.fromEntries(ends.map((end, at) => [end, chance(at)])) as Record<PathEnd, Chance>,
    /** Either floor. */
    failed: chance(2, 3),
    /** The chance that a floor is touched while the next trade is open. */
    nextTrade: atLeastAsUnsure(chance(nextTrade), question),
    /** Trading days of the paths that passed: the median, and the range of the middle 80 %. */
    days: sorted.length === 0 ? null : { median: quantile(0.5), low: quantile(0.1), high: quantile(0.9) },
    paths: drawn.paths,
    resamples,
    /** Mean length of the blocks drawn, trades. */
    block: paths.block,
  };
}

/**
 * The interval is that of the resampled records' own chances. Each is known from few paths only, so they vary more than
 * the records do: that is reduced by the variation of paths around a chance, and widened for the variation that a
 * record of so few blocks hides (Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician
 * 69 (4), 2015, section 4.4.1).
 */
function chanceOf(count: number, resampled: readonly number[], blocks: number) {
  const of = drawn.paths;
  const value = count / of;
  const alone = wilsonOf(count, of, 1.96);
  const sure = {
    value,
    /** The number of paths drawn. */
    count,
    of,
    /** The uncertainty due to the number of paths alone, on either side of the value, with 95 % confidence. */
    error: (alone.high - alone.low) / 2,
  };
  if (resampled.length === 0) return { ...sure, ...alone };
  const shares = resampled.map((one) => one / drawn.within);
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const total = shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (shares.length - 1);
  const ofPaths = shares.reduce((sum, one) => sum + (one * (1 - one)) / (drawn.within - 1), 0) / shares.length;
  const kept = total > 0 ? Math.sqrt(Math.max(0, 1 - ofPaths / total)) : 1;
  const scatter = kept * studentRatio(blocks);
  const scattered = shares.map((one) => mean + (one - mean) * scatter);
  const { low, high } = between(value, scattered, confidence);
  return { ...sure, low: Math.max(0, Math.min(low, alone.low)), high: Math.min(1, Math.max(high, alone.high)) };
}

/**
 * A loss worse than any in the record may still come: the effect of one trade is known only from the trades there are.
 */
function atLeastAsUnsure(chance: Chance, { record, isIndependent }: Question): Chance {
  if (isIndependent) return chance;
  const { length } = record;
  const { low, high } = wilsonOf(chance.value * length, length, 1.645);
  return { ...chance, low: Math.min(chance.low, low), high: Math.max(chance.high, high) };
}

/** How much wider an interval of this many values is by Student's distribution than by the normal one. */
function studentRatio(count: number): number {
  const [z, free] = [1.645, Math.max(2, count - 1)];
  const student = z + (z ** 3 + z) / (4 * free) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * free * free);
  return (student / z) * Math.sqrt((free + 1) / free);
}

/**
 * The interval of a share by the score test: Wilson, "Probable Inference, the Law of Succession, and Statistical
 * Inference", Journal of the American Statistical Association 22 (158), 1927. `z`: 1.96 for 95 %.
 */
export function wilsonOf(count: number, of: number, z: number) {
  const share = count / of;
  const spread = 1 + (z * z) / of;
  const middle = (share + (z * z) / (2 * of)) / spread;
  const half = (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / spread;
  return { low: count === 0 ? 0 : middle - half, high: count === of ? 1 : middle + half };
}

/** An interval this wide says nothing about the value inside it. */
export const widest = 0.4;

/**
 * Rounds a chance to the digits that its interval supports, and the interval outward; null if the record is too short.
 */
export function carried({ value, low, high }: Pick<Chance, 'value' | 'low' | 'high'>) {
  const half = (high - low) / 2;
  const unit = half >= 0.1 ? 10 : half >= 0.05 ? 20 : half >= 0.01 ? 100 : 1_000;
  const fine = Math.max(100, unit);
  return {
    value: high - low > widest ? null : Math.round(value * unit) / unit,
    low: Math.floor(low * fine + 1e-9) / fine,
    high: Math.ceil(high * fine - 1e-9) / fine,
    /** The unit that the value is a multiple of. */
    unit: 1 / unit,
  };
}

/** The number of paths for each point of a curve and each change. */
export const fewPaths = 2_000;

/** Shares of equity that are tried. */
const shares = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5, 2, 2.5, 3].map((one) => one / 100);

/** Chances by the share of equity that a trade risks, from few paths, and two recommended shares. */
export type Curve = ReturnType<typeof curveOf>;

/** Plays the same paths with each share. */
export function curveOf(question: Question, mostFailures: number) {
  const paths = new Paths(question);
  const points = shares.map((share) => {
    const counts = paths.count(fewPaths, 0, { fixed: 0, share });
    return { share, passed: counts[1]! / fewPaths, failed: (counts[2]! + counts[3]!) / fewPaths };
  });
  const best = Math.max(...points.map(({ passed }) => passed));
  const scatter = 1.96 * Math.sqrt((best * (1 - best)) / fewPaths);
  const tooMuch = points.findIndex(({ failed }) => failed > mostFailures);
  return {
    points,
    /** The smallest that passes as often as any, as far as the paths can show; null: none passes. */
    most: best === 0 ? null : points.find(({ passed }) => passed >= best - scatter)!.share,
    /** The largest up to which no share fails more often than is allowed; null: even the smallest does. */
    largest: (tooMuch < 0 ? points : points.slice(0, tooMuch)).at(-1)?.share ?? null,
  };
}

/** The effect of one change of the record on the chance to pass, from few paths. */
export type Changed = ReturnType<typeof sensitivityOf>[number];

/** The chance to pass if the trader wins more or less often, wins more or less, trades more or less. */
export function sensitivityOf(question: Question) {
  const passed = (record: readonly Trade[]) =>
    new Paths({ ...question, record, isIndependent: true }).count(fewPaths, 0, question.size)[1]! / fewPaths;
  const { record } = question;
  const paced = (factor: number) => record.map((trade) => ({ ...trade, gap: trade.gap / factor }));
  return [
    { change: 'win rate', by: '-5 points', passed: passed(withWins(record, -0.05)) },
    { change: 'win rate', by: '+5 points', passed: passed(withWins(record, 0.05)) },
    { change: 'reward', by: '-10%', passed: passed(withReward(record, 0.9)) },
    { change: 'reward', by: '+10%', passed: passed(withReward(record, 1.1)) },
    { change: 'trades a day', by: 'half', passed: passed(paced(0.5)) },
    { change: 'trades a day', by: 'twice', passed: passed(paced(2)) },
  ];
}

/** The gain or loss of a trade. */
export function resultOf({ steps }: Trade): number {
  return steps.reduce((sum, { change }) => sum + change, 0);
}

/**
 * The record several times over, with evenly spread winners in place of losers, or the reverse, so that it wins that
 * much more often.
 */
function withWins(record: readonly Trade[], points: number): Trade[] {
  const copies = Math.max(1, Math.ceil(1_000 / record.length));
  const wins = record.filter((one) => resultOf(one) > 0);
  const others = record.filter((one) => resultOf(one) <= 0);
  const many = Array.from({ length: copies }, () => record).flat();
  const [from, to] = points > 0 ? [others, wins] : [wins, others];
  // One in this many of those that are turned into others.
  const share = Math.min(1, (Math.abs(points) * record.length) / from.length);
  const turned = new Set(from);
  let [seen, done] = [0, 0];
  return many.map((trade) => {
    if (!turned.has(trade)) return trade;
    seen += 1;
    if (Math.floor(seen * share) <= done) return trade;
    done += 1;
    return { ...to[done % to.length]!, gap: trade.gap };
  });
}

function withReward(record: readonly Trade[], factor: number): Trade[] {
  return record.map((trade) => {
    if (resultOf(trade) <= 0) return trade;
    const more = resultOf(trade) * (factor - 1);
    const steps = trade.steps.map((one, at) =>
      at === trade.steps.length - 1 ? { ...one, change: one.change + more } : one,
    );
    return { ...trade, steps };
  });
}
