import { barStart } from '../../../exchange/markets/bars.ts';
import { type Candle, type Position, type Strategy, StrategyError, type Trade } from './define-strategy.ts';

/** The closed candles and the trades that a strategy wants to know, as far as its host has told them. */
export class Past {
  readonly #history: Strategy['history'];
  readonly #candles = new Map<string, { readonly until: number; readonly list: readonly Candle[] }>();

  readonly #trades = new Map<string, Trade[]>();

  constructor({ history }: Pick<Strategy, 'history'>) {
    this.#history = history;
  }

  /** How many candles of a market have closed since they were told, of those that are wanted. */
  missing(market: string, now: number): { readonly interval: CandleLength; readonly count: number } | null {
    if (this.#history === undefined) return null;
    const { candles: interval, length } = this.#history;
    const known = this.#candles.get(market)?.until ?? Number.NEGATIVE_INFINITY;
    let count = 0;
    for (let end = barStart(interval, now); count < length && end > known; end = barStart(interval, end - 1))
      count += 1;
    return count === 0 ? null : { interval, count };
  }

  /** Adds candles that had closed by `now`, oldest first. */
  take(market: string, candles: readonly Candle[], now: number): void {
    if (this.#history === undefined) return;
    const { candles: interval, length } = this.#history;
    const known = this.#candles.get(market)?.list ?? [];
    const last = known.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
    const more = candles.filter(({ time }) => time > last).map((candle) => Object.freeze({ ...candle }));
    const list = Object.freeze([...known, ...more].slice(-length));
    this.#candles.set(market, { until: barStart(interval, now), list });
  }

  /** Adds trades of a market, which are told at the next look. */
  traded(market: string, trades: readonly Trade[]): void {
    const waiting = this.#trades.get(market);
    if (waiting === undefined) this.#trades.set(market, [...trades]);
    else for (const trade of trades) waiting.push(trade);
  }

  /** The trades of a market that wait; from now on they do not. */
  takeTrades(market: string): readonly Trade[] {
    const trades = this.#trades.get(market) ?? [];
    this.#trades.delete(market);
    return trades;
  }

  /** Those of a market; throws a StrategyError if the strategy has not asked for any. */
  of(market: string): readonly Candle[] {
    if (this.#history !== undefined) return this.#candles.get(market)?.list ?? [];
    const message = "candles needs the strategy's history, such as { candles: '1m', length: 200 }.";
    throw new StrategyError('request', message, { field: 'history' });
  }
}

type CandleLength = NonNullable<Strategy['history']>['candles'];

/** Payments of open positions, from look to look. */
export class Paid {
  readonly #known = new Map<string, Pick<Position, 'openedAt' | 'funding'>>();

  /** Payments of a market's position since the last time, USD. */
  since({ market, size, openedAt, funding }: Omit<Position, 'pnl'>): number {
    const known = this.#known.get(market);
    const before = known !== undefined && known.openedAt === openedAt ? known.funding : 0;
    this.#known.set(market, { openedAt, funding });
    return size === 0 ? 0 : Math.round((funding - before) * 1e8) / 1e8;
  }
}
