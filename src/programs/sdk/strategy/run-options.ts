import {
  aFunction,
  aMoment,
  anObject,
  anything,
  aSeed,
  aText,
  aWholeNumber,
  checkOptions,
  isDate,
  type OptionCheck,
  oneOf,
} from '../client/options.ts';
import { StrategyError } from './define-strategy.ts';
import { durationMs } from './definition.ts';
import type { BacktestOptions, Running, TradeOptions } from './results.ts';

type Checks<T> = Readonly<Record<keyof T, OptionCheck>>;

const message = "The strategy can't start:";

const running: Checks<Running> = {
  parameters: anObject,
  seed: aSeed,
  run: aText,
  signal: anObject,
  log: aFunction,
};

const ofBacktest: Checks<BacktestOptions> = {
  ...running,
  books: aText,
  from: aMoment,
  to: aMoment,
  plan: oneOf('select', 'prime', 'none'),
  // Checked as a simulation's own.
  balance: anything,
  thinkMs: aWholeNumber(0, 86_400_000),
};

const ofTrade: Checks<TradeOptions> = {
  ...running,
  client: anObject,
  simulation: anObject,
  account: aText,
  for: aStretch,
};

/** Throws a PerpError `usage` that names the options of `backtest` at fault. */
export function checkBacktest(options: BacktestOptions): void {
  checkOptions(message, options, ofBacktest);
}

/** Throws a PerpError `usage` that names the options of `trade` at fault. */
export function checkTrade(options: TradeOptions): void {
  checkOptions(message, options, ofTrade);
}

/** A duration, or the moment at which it ends. */
function aStretch(value: unknown): string | null {
  if (isDate(value)) return aMoment(value);
  if (typeof value !== 'string' && typeof value !== 'number') return 'must be a duration such as 1h, ms or a Date';
  try {
    durationMs(value, 'for');
    return null;
  } catch (error) {
    if (!(error instanceof StrategyError)) throw error;
    return `is ${JSON.stringify(value)}, not a duration`;
  }
}
