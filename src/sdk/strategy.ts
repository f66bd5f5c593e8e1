export { type BacktestOptions, backtest } from './strategy/backtest.ts';
export type { Running, RunResult } from './strategy/results.ts';
export type {
  AccountState,
  Book,
  Bot,
  Fill,
  IntervalCallback,
  MarketFacts,
  Order,
  OrderRequest,
  Parameters,
  ParameterValue,
  Position,
  Quote,
  Refusal,
  Strategy,
  StrategyErrorCode,
  ValuesOf,
} from './strategy/strategy.ts';
export { defineStrategy, StrategyError } from './strategy/strategy.ts';
export { type TradeOptions, trade } from './strategy/trade.ts';
