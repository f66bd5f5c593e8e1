import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { blockLengthOf, comparison } from '../../../src/desk/statistics/bootstrap.ts';
import { luckOf, type Overfitting, overfittingOf } from '../../../src/desk/statistics/overfitting.ts';
import { meanOf, returnFiguresOf, winLossOf } from '../../../src/desk/statistics/proven.ts';
import {
  deflatedSharpe,
  expectedBest,
  momentsOf,
  normalBelow,
  normalQuantile,
  periodsPerYear,
  probabilisticSharpe,
  sharpeOf,
} from '../../../src/desk/statistics/sharpe.ts';
import { RandomOfR } from './r-random.ts';

/** What scipy computes: tools/statistics-vectors.py. */
const reference = JSON.parse(
  readFileSync(new URL('../../fixtures/statistics.json', import.meta.url), 'utf8'),
) as Reference;

interface Reference {
  below: [number, number][];
  quantile: [number, number][];
  best: [number, number][];
  series: Record<string, Series>;
  columns: number[][];
  overfitting: Record<string, { probability: number; loss: number }>;
  luck: { draws: number; score: number; probability: number };
  bootstrap: { draws: number; mean: [number, number]; sharpe: [number, number] };
  remembers: number[];
  records: Record<string, FiguresOfRecord>;
}

interface FiguresOfRecord {
  error: number;
  sortino: number;
  annual: [number, number, number];
  wilson: [number, number];
  factor: number;
  payoff: number;
  runs: [number, number];
  block: number;
  mean: [number, number];
}

interface Series {
  returns: number[];
  mean: number;
  deviation: number;
  skew: number;
  kurtosis: number;
  sharpe: number;
  probabilistic: Record<string, number>;
  deflated: { trials: number; variance: number; value: number }[];
}

const mapOf = (series: Record<string, Series>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(series).map(([name, { returns }]) => [name, returns]));

function near(value: number | null | undefined, wanted: number, what: string, within = 1e-9): void {
  assert.ok(Math.abs(value! - wanted) <= within * Math.max(1, Math.abs(wanted)), `${what}: ${value}, not ${wanted}`);
}

describe('the figures of scipy come out, to nine digits', () => {
  it('the normal distribution and its quantiles', () => {
    for (const [z, wanted] of reference.below) {
      near(normalBelow(z), wanted, `below ${z}`, 1e-14);
      near(normalBelow(z) / wanted, 1, `below ${z}, relatively`, 1e-8);
    }
    for (const [share, wanted] of reference.quantile) near(normalQuantile(share), wanted, `quantile ${share}`);
    assert.deepEqual([0, 1, 2, Number.NaN].map(normalQuantile), [-Infinity, Infinity, Number.NaN, Number.NaN]);
  });

  it('moments, Sharpe ratios, probabilistic and deflated ones', () => {
    for (const [trials, wanted] of reference.best) near(expectedBest(trials, 0.3), wanted, `best of ${trials}`);
    for (const [name, wanted] of Object.entries(reference.series)) {
      const moments = momentsOf(wanted.returns);
      for (const key of ['mean', 'deviation', 'skew', 'kurtosis'] as const) near(moments[key], wanted[key], name);
      near(sharpeOf(moments), wanted.sharpe, name);
      const estimate = { ...moments, sharpe: wanted.sharpe };
      for (const [benchmark, value] of Object.entries(wanted.probabilistic))
        near(probabilisticSharpe(estimate, Number(benchmark)), value, `${name}, above ${benchmark}`);
      for (const { trials, variance, value } of wanted.deflated)
        near(deflatedSharpe(estimate, trials, variance), value, `${name}, ${trials} trials`);
    }
  });

  it('what a record of returns proves', () => {
    const series: Record<string, number[]> = { ...mapOf(reference.series), remembers: reference.remembers };
    for (const [name, wanted] of Object.entries(reference.records)) {
      const returns = series[name]!;
      const { sharpe, sortino, annual } = returnFiguresOf(returns);
      near(sharpe!.error, wanted.error, `${name}, error`);
      near(sortino, wanted.sortino, `${name}, Sortino`);
      for (const [at, found] of [annual!.sharpe, annual!.sortino, annual!.gain].entries())
        near(found, wanted.annual[at]!, `${name}, annual ${at}`);
      const { winRate, profitFactor, payoff, longestWon, longestLost } = winLossOf(returns);
      near(winRate!.low, wanted.wilson[0], `${name}, Wilson, low`);
      near(winRate!.high, wanted.wilson[1], `${name}, Wilson, high`);
      near(profitFactor, wanted.factor, `${name}, profit factor`);
      near(payoff, wanted.payoff, `${name}, payoff`);
      assert.deepEqual([longestWon, longestLost], wanted.runs, name);
      near(blockLengthOf(returns), wanted.block, `${name}, block`);
      const mean = meanOf(returns)!;
      near(mean.low, wanted.mean[0], `${name}, mean, low`);
      near(mean.high, wanted.mean[1], `${name}, mean, high`);
    }
  });

  it('overfitting, luck and the bootstrap', () => {
    const columns = reference.columns.map((column) => Float64Array.from(column));
    const losing = (pairs: Overfitting['pairs']) => pairs.filter(([, other]) => other < 0).length / pairs.length;
    for (const [parts, { probability, loss }] of Object.entries(reference.overfitting)) {
      const found = overfittingOf(columns, Number(parts));
      near(found.probability, probability, `${parts} parts`);
      near(losing(found.pairs), loss, `${parts} parts, losses`);
    }
    const { draws, score, probability } = reference.luck;
    const luck = luckOf(columns, 0.02, draws);
    near(luck.score, score, 'score');
    near(luck.probability, probability, 'luck');
    const compared = comparison(columns[3]!, columns[0]!, reference.bootstrap.draws);
    near(compared.mean.low, reference.bootstrap.mean[0], 'mean, low');
    near(compared.mean.high, reference.bootstrap.mean[1], 'mean, high');
    near(compared.sharpe!.low, reference.bootstrap.sharpe[0], 'Sharpe, low');
    near(compared.sharpe!.high, reference.bootstrap.sharpe[1], 'Sharpe, high');
  });
});

describe('the published examples come out, to every printed digit', () => {
  it('the Deflated Sharpe Ratio: Bailey and Lopez de Prado (2014), "A numerical example"', () => {
    // A yearly Sharpe ratio of 2.5 over 1,250 of 250 days a year; the ratios of the trials have a variance of 1/2 a
    // year.
    const best = { sharpe: 2.5 / Math.sqrt(250), count: 1250, skew: -3, kurtosis: 10 };
    const variance = 0.5 / 250;
    assert.equal(expectedBest(100, variance).toFixed(4), '0.1132');
    assert.equal(deflatedSharpe(best, 100, variance).toFixed(4), '0.9004');
    assert.equal(deflatedSharpe(best, 46, variance).toFixed(4), '0.9505');
    assert.equal(deflatedSharpe({ ...best, skew: 0, kurtosis: 3 }, 88, variance).toFixed(4), '0.9505');
  });

  it('the probability of backtest overfitting: the vignette of the R package pbo, its random numbers included', () => {
    const random = new RandomOfR(765);
    const [trials, rows] = [100, 2400];
    const columns = Array.from({ length: trials }, () => {
      const drawn = Float64Array.from({ length: rows }, () => random.normal());
      const { mean, deviation } = momentsOf(drawn);
      // All trials have a mean of 0 and a deviation of 1 a year, and the risk-free rate is 3 % a year.
      return drawn.map((value) => (value - mean) / (deviation * Math.sqrt(252)) - 0.03 / 252);
    });
    const { probability, pairs } = overfittingOf(columns, 8);
    assert.equal(pairs.length, 70);
    assert.equal(probability.toFixed(6), '1.000000');
    assert.ok(pairs.every(([, other]) => other < 0));
    // What its summary calls slope is the constant of the linear fit of the first half on the second.
    const { constant, adjusted } = fit(pairs);
    assert.equal(constant.toPrecision(5), '-0.0030456');
    assert.equal(adjusted.toPrecision(2), '0.97');
  });
});

/** The least-squares fit of each pair's first value on its second. */
function fit(pairs: readonly (readonly [number, number])[]): { constant: number; adjusted: number } {
  const count = pairs.length;
  const [y, x] = [momentsOf(pairs.map(([one]) => one)), momentsOf(pairs.map(([, other]) => other))];
  const shared = pairs.reduce((sum, [one, other]) => sum + (one - y.mean) * (other - x.mean), 0) / (count - 1);
  const slope = shared / x.deviation ** 2;
  const share = (slope * x.deviation) ** 2 / y.deviation ** 2;
  return { constant: y.mean - slope * x.mean, adjusted: 1 - ((1 - share) * (count - 1)) / (count - 2) };
}

describe('a Sharpe ratio', () => {
  it('is undefined for returns that do not vary, and for fewer than two', () => {
    for (const returns of [[], [0.1], [0, 0, 0], new Array(100).fill(0.1 + 0.2), [1e-9, 1e-9]])
      assert.equal(sharpeOf(momentsOf(returns)), null);
  });

  it('counts 365 days of 24 hours', () => {
    assert.equal(periodsPerYear(86_400_000), 365);
    assert.equal(periodsPerYear(60_000), 525_600);
  });

  it('of a constant series compares with nothing, without NaN', () => {
    const { sharpe, mean } = comparison([0, 0, 0], [0.1, 0, 0.2], 50);
    assert.equal(sharpe, null);
    assert.ok(mean.low <= mean.value && mean.value <= mean.high);
  });
});

describe('where a record proves nothing, it says so', () => {
  it('without results, with one, or with winners alone', () => {
    assert.deepEqual(winLossOf([]), {
      count: 0,
      won: 0,
      lost: 0,
      winRate: null,
      profitFactor: null,
      payoff: null,
      longestWon: 0,
      longestLost: 0,
    });
    const winners = winLossOf([1, 2, 3]);
    assert.deepEqual(
      [winners.profitFactor, winners.payoff, winners.winRate!.high, winners.longestWon],
      [null, null, 1, 3],
    );
    assert.ok(winners.winRate!.low < 0.5);
    assert.deepEqual([meanOf([]), meanOf([1])], [null, null]);
    for (const returns of [[], [0.01], [0.01, 0.01]]) {
      const { sharpe, sortino, annual } = returnFiguresOf(returns);
      assert.deepEqual([sharpe, sortino, annual], [null, null, null]);
    }
  });
});
