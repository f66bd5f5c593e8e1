/** A market whose book changes 20 levels at every event, made in advance so that only the engine is timed. */
import type { MarketDefinition, Ms } from '../src/exchange/engine/model.ts';
import type { BookEvent, BookSnapshot, MarketSource, Tape } from '../src/exchange/engine/source.ts';

const changedLevels = 10;
const best = 950_000;

export class BusyBook implements MarketSource {
  readonly name = 'bench';
  readonly definitions: readonly MarketDefinition[] = [
    {
      marketId: 'binance|BTCUSDT',
      provider: 'binance',
      symbol: 'BTC',
      coin: 'BTCUSDT',
      category: 'crypto',
      sizeDecimals: 3,
      priceDecimals: 1,
      tick: 1,
      maxLeverage: 10,
    },
  ];
  readonly start: Ms = Date.UTC(2026, 10, 2, 12);
  readonly end: Ms;
  /** Base asset on one side. */
  readonly depth: number;
  readonly #first: BookSnapshot;
  readonly #events: BookEvent[];

  /** `count` updates, one per millisecond, of a book with `levels` levels per side. */
  constructor(count: number, levels: number) {
    const side = (sign: number) => Array.from({ length: levels }, (_, at) => [best + sign * (at + 1), 1_000]).flat();
    this.#first = { time: this.start, sequence: 0, bids: side(-1), asks: side(1) };
    this.depth = levels;
    this.end = this.start + count;
    this.#events = Array.from({ length: count }, (_, at) => this.#update(at, levels));
  }

  /**
   * Levels are taken in turn from the whole depth, and their sizes alternate between three values; the best level never
   * empties.
   */
  #update(number: number, levels: number): BookEvent {
    const changes = (sign: number) =>
      Array.from({ length: changedLevels }, (_, at) => {
        const level = (number * 7 + at * 3) % levels;
        return [best + sign * (level + 1), level > 0 && (number + at) % 5 === 0 ? 0 : 500 + ((number + at) % 3) * 250];
      }).flat();
    return {
      kind: 'delta',
      marketId: 'binance|BTCUSDT',
      time: this.start + number + 1,
      sequence: number + 1,
      bids: changes(-1),
      bidCount: changedLevels,
      asks: changes(1),
      askCount: changedLevels,
    };
  }

  book(_marketId: string, time: Ms): BookSnapshot | null {
    return time < this.start ? null : { ...this.#first, time };
  }

  open(from: Ms): Tape {
    const events = this.#events;
    let at = Math.max(0, from - this.start);
    let watched = false;
    const ready = (until: Ms) => watched && at < events.length && events[at]!.time <= until;
    return {
      watch: (_marketId, on) => {
        watched = on;
      },
      peek: (until) => (ready(until) ? events[at]!.time : null),
      next: (until) => (ready(until) ? events[at++]! : null),
    };
  }

  volume(): number {
    return 1;
  }
}
