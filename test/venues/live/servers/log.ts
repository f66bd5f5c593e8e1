import { type ModelChange, ModelMarket, type ModelOptions } from './model.ts';
import type { Dialect } from './server.ts';

/** A change that a venue once published. */
export interface LogChange extends Omit<ModelChange, 'time'> {
  /** When it was received, Unix ms. */
  at: number;
  /** The frame; null if the server writes one. */
  frame: string | null;
  /** The book was complete; its levels replace everything. */
  isFull: boolean;
}

export interface LogOptions extends Omit<ModelOptions, 'levels'> {
  changes: readonly LogChange[];
  /** The book before the first change, and its number in the venue's sequence. */
  book: { id: number; bids: [number, number][]; asks: [number, number][] };
  /** The books that result from the log, as `bookText` writes them. */
  states: readonly string[];
}

/** A market that replays a log. Changes that its first book already includes are published, but change nothing. */
export class LogMarket extends ModelMarket {
  readonly changes: readonly LogChange[];
  private next = 0;

  constructor(coin: string, number: number, { changes, book, states, ...grid }: LogOptions) {
    super(coin, number, () => 0, { ...grid, levels: 0 });
    this.changes = changes;
    this.id = book.id;
    this.replace(book.bids, book.asks);
    this.states.clear();
    for (const state of states) this.states.add(state);
  }

  get startMs(): number {
    return this.changes[0]!.at;
  }

  get endMs(): number {
    return this.changes.at(-1)!.at;
  }

  override get changeNumber(): number {
    return this.id;
  }

  override step(time: number): ModelChange & { frame: string | null } {
    const { at: _, isFull, ...change } = this.changes[this.next]!;
    this.next += 1;
    this.count += 1;
    if (change.last >= this.id) {
      if (isFull) this.replace(change.bids, change.asks);
      else this.applyLevels(change.bids, change.asks);
      this.id = change.last;
    }
    this.trades.push(...change.trades);
    return { ...change, time };
  }

  private replace(bids: [number, number][], asks: [number, number][]): void {
    this.bids.clear();
    this.asks.clear();
    this.applyLevels(bids, asks);
  }

  private applyLevels(bids: [number, number][], asks: [number, number][]): void {
    for (const [side, levels] of [
      [this.bids, bids],
      [this.asks, asks],
    ] as const) {
      for (const [price, size] of levels) {
        if (size === 0) side.delete(price);
        else side.set(price, size);
      }
    }
  }
}

/** A venue's protocol that publishes the original frames of logs. */
export function logDialect(dialect: Dialect): Dialect {
  return {
    ...dialect,
    publish(market, change, subscribed, url) {
      const { frame } = change as ModelChange & { frame: string | null };
      const frames = dialect.publish(market, change, subscribed, url);
      // Only the book was logged.
      return frame === null || frames.length === 0 ? frames : [frame];
    },
  };
}
