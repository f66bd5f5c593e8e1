import type { MarketFollower } from '../../wire/client/streams/market-follower.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { MarketStreamEvent } from '../../wire/contract/streams.ts';
import type { Session } from '../session/session.ts';
import { byProvider, readMarketStream, streamRefusal } from './streams.ts';

/** The latest price of a market and its change in 24 hours; null if the service does not report them. */
export interface MarketPrice {
  /** USD. */
  last: number | null;
  /** Percent. */
  change_24h_pct: number | null;
  /** USD. */
  mark: number | null;
  /** The venue's own, a fraction per its interval. */
  funding_rate: number | null;
}

const noPrice: MarketPrice = { last: null, change_24h_pct: null, mark: null, funding_rate: null };

/** How long to wait for markets without data, ms after the first has data. */
const maxWaitMs = 3_000;

/**
 * The last price and 24-hour change of markets by id, from one read of the market-data stream. Omits markets whose data
 * does not arrive in time.
 */
export function marketPrices(session: Session, markets: readonly Market[]): Promise<Map<string, MarketPrice>> {
  return readMarketStream(session, (follower, stopped) =>
    Promise.race([firstPrices(session, follower, markets), stopped]),
  );
}

function firstPrices(
  { settings }: Session,
  follower: MarketFollower,
  markets: readonly Market[],
): Promise<Map<string, MarketPrice>> {
  const ids = new Map(markets.map(({ provider, coin, market_id }) => [`${provider}|${coin}`, market_id]));
  const received = new Map<string, Partial<MarketPrice>>();
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, MarketPrice>>();
  const end = () => {
    clearTimeout(timer);
    resolve(new Map([...received].map(([id, known]) => [id, { ...noPrice, ...known }])));
  };
  let timer = setTimeout(end, settings.timeoutMs);
  const take = (event: MarketStreamEvent) => {
    const id = ids.get(`${event.provider}|${event.symbol}`);
    if (id === undefined) return;
    if (received.size === 0) {
      clearTimeout(timer);
      timer = setTimeout(end, maxWaitMs);
    }
    const price = received.get(id) ?? {};
    if (event.type === 'tick' && event.kind === 'last') price.last = Number(event.price);
    if (event.type === 'marketStats') {
      price.change_24h_pct = event.change24hPct ?? null;
      price.mark = event.markPx ?? null;
      price.funding_rate = event.fundingRate ?? null;
    }
    received.set(id, price);
    const isComplete = [...received.values()].every(
      (one) => one.last !== undefined && one.change_24h_pct !== undefined,
    );
    if (received.size === ids.size && isComplete) end();
  };
  for (const { provider, symbols } of byProvider(markets)) {
    for (const channel of ['ticks', 'marketStats'] as const) {
      const refused = ({ message }: { message: string }) => reject(streamRefusal(message));
      follower.subscribe(
        channel,
        { symbols, providers: [provider] },
        { events: (events) => events.forEach(take), refused },
      );
    }
  }
  return promise.finally(() => clearTimeout(timer));
}
