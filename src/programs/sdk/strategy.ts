import type { Parameters, Strategy } from './strategy/define-strategy.ts';
import type { BacktestOptions, RunResult, TradeOptions } from './strategy/results.ts';

export * from './strategy/define-strategy.ts';
export type * from './strategy/results.ts';

/**
 * Runs a strategy directly on the simulation's exchange, as fast as it can. The same strategy on the same markets with
 * the same parameters and seed gives the same result, here, in a Simulation and served. Rejects with a StrategyError if
 * the strategy fails, with a PerpError if the books can't be read.
 */
export async function backtest<P extends Parameters>(
  strategy: Strategy<P>,
  options: BacktestOptions = {},
): Promise<RunResult> {
  // A file that only defines a strategy loads none of this.
  const { runBacktest } = await import('./strategy/backtest.ts');
  return runBacktest(strategy as Strategy, options);
}

/**
 * Runs a strategy on an account: on a host in real time, or in a simulation whose clock it moves. Rejects with a
 * StrategyError if the strategy fails, with a PerpError if the service does; orders and positions are left as they are.
 */
export async function trade<P extends Parameters>(strategy: Strategy<P>, options: TradeOptions): Promise<RunResult> {
  const { runTrade } = await import('./strategy/trade.ts');
  return runTrade(strategy as Strategy, options);
}
