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
