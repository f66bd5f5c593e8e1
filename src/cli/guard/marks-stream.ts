import type { MarketFollower } from '../../client/streams/market-follower.ts';
import type { Market } from '../../contract/markets.ts';
import type { StreamTransport } from '../../contract/wire.ts';

/** Marks from the market stream; none while the stream is down. */
export class MarksStream {
  readonly #follower: MarketFollower;
  readonly #changed: () => void;
  readonly #followed = new Map<string, () => void>();
  readonly #marks = new Map<string, number>();
  #isLive = false;
  /** Exchange time of the latest tick, Unix ms. */
  time = 0;

  private constructor(follower: MarketFollower, changed: () => void) {
    this.#follower = follower;
    this.#changed = changed;
  }

  /** Opens the stream; `changed` is called after every mark. */
  static async open(transport: StreamTransport, changed: () => void): Promise<MarksStream> {
    const { MarketFollower } = await import('../../client/streams/market-follower.ts');
    const follower: MarketFollower = new MarketFollower({
      transport,
      onState: ({ kind }) => {
        stream.#isLive = kind === 'live';
        if (kind !== 'live') stream.#marks.clear();
      },
    });
    const stream: MarksStream = new MarksStream(follower, changed);
    return stream;
  }

  /** Latest marks, by market id. */
  get marks(): ReadonlyMap<string, number> {
    return this.#isLive ? this.#marks : new Map();
  }

  /** Follows exactly these markets. */
  follow(markets: readonly Market[]): void {
    const wanted = new Set(markets.map(({ market_id }) => market_id));
    for (const [id, stop] of this.#followed) {
      if (wanted.has(id)) continue;
      stop();
      this.#followed.delete(id);
      this.#marks.delete(id);
    }
    for (const market of markets) if (!this.#followed.has(market.market_id)) this.#follow(market);
  }

  #follow({ market_id, provider, coin }: Market): void {
    const stop = this.#follower.subscribe(
      'ticks',
      { symbols: [coin], providers: [provider] },
      {
        events: (events) => {
          for (const event of events) {
            if (event.type !== 'tick' || event.kind !== 'mark') continue;
            this.#marks.set(market_id, Number(event.price));
            this.time = Math.max(this.time, event.time);
          }
          this.#changed();
        },
        // A quote is used instead.
        refused: () => {},
      },
    );
    this.#followed.set(market_id, stop);
  }

  close(): void {
    this.#follower.close();
  }
}
