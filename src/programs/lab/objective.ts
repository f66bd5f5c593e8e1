import { netOfTrip } from '../../desk/risk/profit.ts';
import { winLossOf } from '../../desk/statistics/proven.ts';
import { momentsOf, sharpeOf } from '../../desk/statistics/sharpe.ts';
import type { TrialResult, TrialSpec } from './trial.ts';

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

/** A score in words: what it is of, and its unit. */
export function scoreText(objective: Objective, score: number): string {
  if (objective === 'return') return `return ${fourDigits.format(score * 100)}%`;
  return `${titles[objective]} ${fourDigits.format(score)}`;
}

const titles = {
  sharpe: 'Sharpe ratio of a period',
  'return-per-drawdown': 'return per drawdown',
  'profit-factor': 'profit factor',
} as const satisfies Record<Exclude<Objective, 'return'>, string>;
