import type { StreamState } from '../../wire/client/streams/stream-state.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { StreamTransport } from '../../wire/contract/wire.ts';
import type { Stage } from '../session/session.ts';

/** The name of a market on the stream. */
export type NamedMarket = Pick<Market, 'market_id' | 'coin'> & { provider: string };

/** Market stream values, unchanged. */
interface MarkListener {
  mark(marketId: string, price: number): void;
  /** Exchange time of a tick, Unix ms. */
  time(time: number): void;
  state?(state: StreamState): void;
}

/** Marks from the market stream, of the markets that `follow` names. */
export async function openMarks(
  transport: StreamTransport,
  timing: Stage['timers'] | undefined,
  listener: MarkListener,
) {
  const { MarketFollower } = await import('../../wire/client/streams/market-follower.ts');
  const follower = new MarketFollower({ transport, timing, onState: (state) => listener.state?.(state) });
  const followed = new Map<string, () => void>();
  const subscribe = ({ market_id, provider, coin }: NamedMarket) =>
    follower.subscribe(
      'ticks',
      { symbols: [coin], providers: [provider] },
      {
        events: (events) => {
          for (const event of events) {
            if (event?.type !== 'tick' || event.kind !== 'mark') continue;
            listener.time(event.time);
            listener.mark(market_id, Number(event.price));
          }
        },
        // Quotes are used instead.
        refused: () => {},
      },
    );
  return {
    /** Follows exactly these markets. */
    follow(markets: readonly NamedMarket[]): void {
      const wanted = new Set(markets.map(({ market_id }) => market_id));
      for (const [id, stop] of followed) {
        if (wanted.has(id)) continue;
        stop();
        followed.delete(id);
      }
      for (const market of markets)
        if (!followed.has(market.market_id)) followed.set(market.market_id, subscribe(market));
    },
    close: () => follower.close(),
  };
}

/** An open stream of marks. */
export type MarksStream = Awaited<ReturnType<typeof openMarks>>;
