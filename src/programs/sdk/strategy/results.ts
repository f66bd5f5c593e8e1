import type { Client } from '../client/client-types.ts';
import type { OpenedSimulation } from '../sim/simulation-types.ts';
import type { AccountState, Fill, Order, Parameters } from './define-strategy.ts';

/** Options of every strategy run. */
export interface Running {
  /** Values for the strategy's parameters. */
  readonly parameters?: Parameters | undefined;
  /** Decides the strategy's `random`. Default 1. */
  readonly seed?: number | undefined;
  /**
   * Begins the client order ids, which an account accepts once. Default: `run` for the first run of an account, then
   * new ones.
   */
  readonly run?: string | undefined;
  /** Ends the run: the strategy's `end` is still called. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what the strategy logs, as it happens. */
  readonly log?: ((text: string, time: number) => void) | undefined;
}

/** The results of a run, and how it ended. Times are Unix ms of the market. */
export interface RunResult {
  readonly start: number;
  readonly end: number;
  /** How often the strategy looked. */
  readonly looks: number;
  /** All orders of the account in this run as they last were, in the order in which they were made. */
  readonly orders: readonly Order[];
  readonly fills: readonly Fill[];
  readonly account: AccountState;
  /** The last lines that the strategy logged, at most 1,000. */
  readonly log: readonly { readonly time: number; readonly text: string }[];
}

/** Where and how a strategy is tried. */
export interface BacktestOptions extends Running {
  /** A recording or tape. Default: the synthetic markets of `seed`. */
  readonly books?: string | undefined;
  /** First and last market time, Unix ms or a date. Default: the whole recording. The synthetic markets need both. */
  readonly from?: number | Date | undefined;
  readonly to?: number | Date | undefined;
  /** The challenge of the account. Default `select`. */
  readonly plan?: 'select' | 'prime' | 'none' | undefined;
  /** Starting balance, USD. Default 100,000. */
  readonly balance?: number | undefined;
  /** How long a decision takes, ms of market time: what it asks for reaches the exchange that much later. Default 0. */
  readonly thinkMs?: number | undefined;
}

/** Where a strategy trades. */
export interface TradeOptions extends Running {
  /** A host: live, sandbox, or a served simulation whose clock runs. The client needs both stream addresses. */
  readonly client?: Client | undefined;
  /** A simulation with a manual clock, in this process or served: the run moves it. */
  readonly simulation?: OpenedSimulation | undefined;
  /** The account's id. Default: the only one that trades. */
  readonly account?: string | undefined;
  /** How long: a duration such as `1h`, ms as a number, or a Date. Default, live: until the signal aborts. */
  readonly for?: string | number | Date | undefined;
}
