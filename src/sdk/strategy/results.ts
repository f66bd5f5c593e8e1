import type { News } from './actor.ts';
import type { AccountState, Fill, Order, Parameters } from './strategy.ts';

/** What every run of a strategy may be given. */
export interface Running {
  /** Values for the strategy's parameters. */
  readonly parameters?: Parameters | undefined;
  /** Decides the strategy's `random`. Default 1. */
  readonly seed?: number | undefined;
  /** Begins the client order ids, which an account accepts once. Default `run`, and live a new one for every run. */
  readonly run?: string | undefined;
  /** Ends the run: the strategy's `end` is still called. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what the strategy logs, as it happens. */
  readonly log?: ((text: string, time: number) => void) | undefined;
}

/** What a run did, and how it ended. Times are Unix ms of the market. */
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

const mostLines = 1_000;

/** Collects what a run did. */
export class RunRecord {
  readonly #start: number;
  readonly #log: Running['log'];
  readonly #orders = new Map<string, Order>();
  readonly #fills: Fill[] = [];
  readonly #lines: { time: number; text: string }[] = [];

  constructor(start: number, log: Running['log']) {
    this.#start = start;
    this.#log = log;
  }

  /** Adds news, and returns them. */
  took(news: News): News {
    for (const order of news.orders) if (order.id !== null) this.#orders.set(order.id, order);
    this.#fills.push(...news.fills);
    return news;
  }

  /** Adds a line of the strategy's log. */
  logged(text: string, time: number): void {
    if (this.#lines.length >= mostLines) this.#lines.shift();
    this.#lines.push({ time, text });
    this.#log?.(text, time);
  }

  /** Everything so far. */
  result(end: Pick<RunResult, 'account' | 'end' | 'looks'>): RunResult {
    const orders = [...this.#orders].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, order]) => order);
    return { start: this.#start, ...end, orders, fills: this.#fills, log: this.#lines };
  }
}
