import { keyOf } from '../../base/terms/hash.ts';
import { BlockDraws, between, blockLengthOf, type Interval } from './bootstrap.ts';
import { wilsonOf } from './odds.ts';
import { momentsOf, probabilisticSharpe, sharpeErrorOf, sharpeOf } from './sharpe.ts';

/** The conclusions from a list of results; docs/statistics.md has each formula. */
export interface WinLoss {
  readonly count: number;
  readonly won: number;
  readonly lost: number;
  /** Share of winners, with a 95 % interval; null without a result. */
  readonly winRate: Interval | null;
  /** Sum of wins over sum of losses; null without a loss. */
  readonly profitFactor: number | null;
  /** Average win over average loss; null without one of them. */
  readonly payoff: number | null;
  /** The longest runs of winners and of losers. */
  readonly longestWon: number;
  readonly longestLost: number;
}

/** Wins and losses of results in the order in which they came. */
export function winLossOf(results: readonly number[]): WinLoss {
  let [gained, given, won, lost] = [0, 0, 0, 0];
  let [winning, losing, longestWon, longestLost] = [0, 0, 0, 0];
  for (const result of results) {
    winning = result > 0 ? winning + 1 : 0;
    losing = result < 0 ? losing + 1 : 0;
    longestWon = Math.max(longestWon, winning);
    longestLost = Math.max(longestLost, losing);
    if (result > 0) gained += result;
    else given -= result;
    won += result > 0 ? 1 : 0;
    lost += result < 0 ? 1 : 0;
  }
  const count = results.length;
  return {
    count,
    won,
    lost,
    winRate: count === 0 ? null : { value: won / count, ...wilsonOf(won, count, normal95) },
    profitFactor: lost === 0 ? null : gained / given,
    payoff: won === 0 || lost === 0 ? null : gained / won / (given / lost),
    longestWon,
    longestLost,
  };
}

/** The quantile of 97.5 % of the normal distribution. */
const normal95 = 1.959963984540054;

/** Annual figures say nothing of fewer days. */
export const daysForAnnual = 30;
const daysPerYear = 365;
const meanDraws = 2_000;

/** The conclusions from daily returns. */
export interface ReturnFigures {
  readonly days: number;
  /** Of a day, as shares of equity. */
  readonly mean: number | null;
  readonly deviation: number | null;
  /** Of a day, with its standard error and the probability that it is above zero; null if nothing varies. */
  readonly sharpe: { readonly value: number; readonly error: number; readonly aboveZero: number } | null;
  /** Of a day; null without a losing one, and of a single day. */
  readonly sortino: number | null;
  /** The same of a year; null with fewer than 30 days. */
  readonly annual: { readonly sharpe: number | null; readonly sortino: number | null; readonly gain: number } | null;
}

/** Figures of the returns of days, in order. */
export function returnFiguresOf(returns: readonly number[]): ReturnFigures {
  const days = returns.length;
  const moments = momentsOf(returns);
  const value = sharpeOf(moments);
  const estimate = { ...moments, sharpe: value ?? 0 };
  const below = Math.sqrt(returns.reduce((sum, one) => sum + Math.min(one, 0) ** 2, 0) / days);
  const sortino = days > 1 && below > 0 ? moments.mean / below : null;
  const yearly = (one: number | null) => (one === null ? null : one * Math.sqrt(daysPerYear));
  const grown = returns.reduce((product, one) => product * (1 + one), 1);
  return {
    days,
    mean: days === 0 ? null : moments.mean,
    deviation: days < 2 ? null : moments.deviation,
    sharpe:
      value === null ? null : { value, error: sharpeErrorOf(estimate), aboveZero: probabilisticSharpe(estimate, 0) },
    sortino,
    annual:
      days < daysForAnnual || grown <= 0
        ? null
        : { sharpe: yearly(value), sortino: yearly(sortino), gain: grown ** (daysPerYear / days) - 1 },
  };
}

/** The mean of values in order, with a 95 % interval by the stationary bootstrap; null with fewer than two. */
export function meanOf(values: readonly number[]): Interval | null {
  const { length } = values;
  if (length < 2) return null;
  const draws = new BlockDraws(length, Math.round(blockLengthOf(values)));
  draws.begin(keyOf(1, 'desk', 'mean'));
  const means = Array.from({ length: meanDraws }, () => {
    draws.begin(draws.hash);
    let sum = 0;
    for (let at = 0; at < length; at += 1) sum += values[draws.next()]!;
    return sum / length;
  });
  return between(momentsOf(values).mean, means, 0.95);
}
