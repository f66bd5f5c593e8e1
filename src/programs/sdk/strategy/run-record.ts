import type { Fill, Order } from './define-strategy.ts';
import type { Running, RunResult } from './results.ts';
import type { AccountNews } from './side.ts';

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
  took(news: AccountNews): AccountNews {
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
