import type { MarketStreamEvent, TradeEvent } from '../../contract/streams.ts';

/** Trade ids remembered for each market: more than a service replays. */
const rememberedTrades = 4_000;

/** Remembers the events reported for each market, so that a second connection repeats none. */
export class SeenEvents {
  readonly #trades = new Map<string, Set<string>>();
  /** Time of the newest tick, book or trade, by market and kind. */
  readonly #newest = new Map<string, { time: number; text: string }>();

  /** Whether an event is new; it counts as reported from now on. Candles are checked by bar, in candle-sequence.ts. */
  isNew(event: MarketStreamEvent): boolean {
    if (event.type === 'trade') return this.#isNewTrade(event);
    if (event.type !== 'tick' && event.type !== 'book') return true;
    const key = `${event.type} ${marketOf(event)} ${event.type === 'tick' ? event.kind : ''}`;
    const newest = this.#newest.get(key);
    const text = event.type === 'tick' ? event.price : JSON.stringify([event.bids, event.asks]);
    if (newest !== undefined && (event.time < newest.time || (event.time === newest.time && text === newest.text)))
      return false;
    this.#newest.set(key, { time: event.time, text });
    return true;
  }

  /** Time of the last trade reported for a market; null if none was. */
  lastTradeTime(event: TradeEvent): number | null {
    return this.#newest.get(`trade ${marketOf(event)}`)?.time ?? null;
  }

  #isNewTrade(event: TradeEvent): boolean {
    const market = marketOf(event);
    let ids = this.#trades.get(market);
    if (ids === undefined) {
      ids = new Set();
      this.#trades.set(market, ids);
    }
    if (ids.has(event.tradeId)) return false;
    ids.add(event.tradeId);
    if (ids.size > rememberedTrades) ids.delete(ids.values().next().value!);
    const time = Math.max(event.time, this.lastTradeTime(event) ?? 0);
    this.#newest.set(`trade ${market}`, { time, text: '' });
    return true;
  }
}

/** Provider and symbol as one string. */
export function marketOf({ provider, symbol }: { provider: string; symbol?: string }): string {
  return `${provider} ${symbol ?? ''}`;
}
