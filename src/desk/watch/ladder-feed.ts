import type { Market } from '../../wire/contract/markets.ts';
import { gridOf } from '../resolve/grid.ts';
import type { Session } from '../session/session.ts';
import type { LiveModel } from './live-model.ts';

/** How often places in the queue are read, ms. */
export const queueMs = 1_000;
/** Own orders whose place in the queue is read. */
const maxQueued = 8;

/** Reads ladder data that no stream carries: the market's price grid, and places in the queue. */
export class LadderFeed {
  readonly #session: Session;
  readonly #model: LiveModel;
  readonly #changed: () => void;
  #isReading = false;

  constructor(session: Session, model: LiveModel, changed: () => void) {
    this.#session = session;
    this.#model = model;
    this.#changed = changed;
  }

  /** Reads the price grid of the chosen market. */
  async readGrid(market: Market): Promise<void> {
    const grid = await gridOf(this.#session, market).catch(() => undefined);
    if (this.#model.chosen.market_id !== market.market_id) return;
    this.#model.grid = grid;
    this.#changed();
  }

  /** Reads the queue ahead of own resting orders in the chosen market, which only the simulation reports. */
  async readQueues(): Promise<void> {
    if (this.#isReading || this.#session.settings.environment !== 'sim') return;
    const resting = this.#model.orders.filter(
      ({ status, limit_price: limit }) => status === 'resting' && limit !== undefined,
    );
    if (resting.length === 0) {
      this.#model.ahead = new Map();
      return;
    }
    this.#isReading = true;
    try {
      const { urgent } = await this.#session.access();
      const reads = resting.slice(-maxQueued).map(async ({ id: order_id }) => {
        const { data } = await urgent.call('simExplainOrder', { path: { order_id } });
        return data.queue_ahead === undefined ? [] : [[order_id, data.queue_ahead] as const];
      });
      const read = await Promise.allSettled(reads);
      this.#model.ahead = new Map(read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
      this.#changed();
    } catch {
      // A lost simulation is reported by its streams.
    } finally {
      this.#isReading = false;
    }
  }
}
