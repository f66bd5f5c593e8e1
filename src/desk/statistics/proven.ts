import { keyOf } from '../../base/terms/hash.ts';
import { BlockDraws, between, blockLengthOf, type Interval } from './bootstrap.ts';
import { wilsonOf } from './odds.ts';
import { momentsOf, probabilisticSharpe, sharpeErrorOf, sharpeOf } from './sharpe.ts';

/** Wins and losses of results in the order in which they came; docs/statistics.md has each formula. */
export function winLossOf(results: readonly number[]) {
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
    /** Share of winners, with a 95 % interval; null without a result. */
    winRate: count === 0 ? null : { value: won / count, ...wilsonOf(won, count, normal95) },
    /** Sum of wins over sum of losses; null without a loss. */
    profitFactor: lost === 0 ? null : gained / given,
    /** Average win over average loss; null without one of them. */
    payoff: won === 0 || lost === 0 ? null : gained / won / (given / lost),
    /** The longest runs of winners and of losers. */
    longestWon,
    longestLost,
  };
}

/** The quantile of 97.5 % of the normal distribution. */
const normal95 = 1.959963984540054;

/** Annual figures aren't meaningful for fewer days. */
export const daysForAnnual = 30;
const daysPerYear = 365;
const meanDraws = 2_000;

/** Figures of the returns of days, in order. */
export function returnFiguresOf(returns: readonly number[]) {
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
    /** Of a day, as shares of equity. */
    mean: days === 0 ? null : moments.mean,
    deviation: days < 2 ? null : moments.deviation,
    /** Of a day, with its standard error and the probability that it is above zero; null if nothing varies. */
    sharpe:
      value === null ? null : { value, error: sharpeErrorOf(estimate), aboveZero: probabilisticSharpe(estimate, 0) },
    /** Of a day; null without a losing one, and of a single day. */
    sortino,
    /** The same for a year; null with fewer than 30 days. */
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
