import type { MarketFollower } from '../../wire/client/streams/market-follower.ts';
import type { StreamState } from '../../wire/client/streams/stream-state.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { StreamTransport } from '../../wire/contract/wire.ts';
import type { Stage } from '../session/session.ts';

/** A mark that is older than the newest one by more than this does not count, ms. */
const latestLagMs = 5_000;

/** The latest mark of each market, from streams and quotes, whichever came last. */
export class Marks {
  /** A mark and when it was received, on the guard's own steady clock, ms. */
  readonly #marks = new Map<string, { price: number; at: number }>();

  /** Takes a price; ignores anything else. */
  take(marketId: string, price: number, at: number): void {
    if (Number.isFinite(price) && price > 0) this.#marks.set(marketId, { price, at });
  }

  /** How long ago the mark of a market was received, ms; infinite without one. */
  ageOf(marketId: string, now: number): number {
    return now - (this.#marks.get(marketId)?.at ?? Number.NEGATIVE_INFINITY);
  }

  /** The marks that count: while other markets move, a mark of more than five seconds does not. */
  get current(): Map<string, number> {
    const newest = Math.max(...[...this.#marks.values()].map(({ at }) => at));
    const counting = [...this.#marks].filter(([, { at }]) => newest - at <= latestLagMs);
    return new Map(counting.map(([id, { price }]) => [id, price]));
  }
}

/** The name of a market on the stream. */
export type NamedMarket = Pick<Market, 'market_id' | 'coin'> & { provider: string };

/** Market stream values, unchanged. */
interface MarkListener {
  mark(marketId: string, price: number): void;
  /** Exchange time of a tick, Unix ms. */
  time(time: number): void;
  state?(state: StreamState): void;
}

/** Marks from the market stream. */
export class MarksStream {
  readonly #follower: MarketFollower;
  readonly #listener: MarkListener;
  readonly #followed = new Map<string, () => void>();

  private constructor(follower: MarketFollower, listener: MarkListener) {
    this.#follower = follower;
    this.#listener = listener;
  }

  static async open(
    transport: StreamTransport,
    timing: Stage['timers'] | undefined,
    listener: MarkListener,
  ): Promise<MarksStream> {
    const { MarketFollower } = await import('../../wire/client/streams/market-follower.ts');
    return new MarksStream(
      new MarketFollower({ transport, timing, onState: (state) => listener.state?.(state) }),
      listener,
    );
  }

  /** Follows exactly these markets. */
  follow(markets: readonly NamedMarket[]): void {
    const wanted = new Set(markets.map(({ market_id }) => market_id));
    for (const [id, stop] of this.#followed) {
      if (wanted.has(id)) continue;
      stop();
      this.#followed.delete(id);
    }
    for (const market of markets) if (!this.#followed.has(market.market_id)) this.#follow(market);
  }

  #follow({ market_id, provider, coin }: NamedMarket): void {
    const stop = this.#follower.subscribe(
      'ticks',
      { symbols: [coin], providers: [provider] },
      {
        events: (events) => {
          for (const event of events) {
            if (event?.type !== 'tick' || event.kind !== 'mark') continue;
            this.#listener.time(event.time);
            this.#listener.mark(market_id, Number(event.price));
          }
        },
        // Quotes are used instead.
        refused: () => {},
      },
    );
    this.#followed.set(market_id, stop);
  }

  close(): void {
    this.#follower.close();
  }
}
