import type { MarketStatsEvent } from '../../contract/streams.ts';
import type { HalfPrice, MarketDefinition, Ms } from '../../engine/model.ts';
import type { MarketSource, PrintEvent } from '../../engine/source.ts';
import { barStart, type MarketData, nextBarStart } from '../../markets/bars.ts';

type Stats = Omit<Required<MarketStatsEvent>, 'type' | 'provider' | 'symbol' | 'time'>;

const dayMs = 24 * 3_600_000;
/** How often slowly changing values are recomputed. */
const refreshMs = 60_000;

/** The daily statistics of one market. Values that no source of a simulation has (funding, open interest) are null. */
export class DayStats {
  readonly #market: MarketDefinition;
  readonly #source: MarketSource;
  readonly #bars: Pick<MarketData, 'bars'>;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  /** Twice the midpoint a day ago. */
  #dayAgo: HalfPrice | null = null;
  /** In price units times lots. */
  #volume = 0;

  constructor(market: MarketDefinition, source: MarketSource, bars: Pick<MarketData, 'bars'>) {
    this.#market = market;
    this.#source = source;
    this.#bars = bars;
  }

  add({ price, size }: PrintEvent): void {
    this.#volume += price * size;
  }

  /** The statistics at `now`; `mark` is twice the fresh midpoint. */
  at(now: Ms, mark: HalfPrice | null): Stats {
    if (now - this.#refreshedAt >= refreshMs) this.#refresh(now);
    const { priceDecimals, sizeDecimals } = this.#market;
    const dayAgo = this.#dayAgo;
    const change = mark === null || dayAgo === null ? null : (100 * (mark - dayAgo)) / dayAgo;
    return {
      markPx: mark === null ? null : (mark * 5) / 10 ** (priceDecimals + 1),
      change24hPct: change === null ? null : Math.round(change * 1e4) / 1e4,
      fundingRate: null,
      fundingIntervalHours: null,
      openInterestUsd: null,
      dayNtlVlm: Math.round((this.#volume / 10 ** (priceDecimals + sizeDecimals)) * 100) / 100,
    };
  }

  /** The volume of the last 24 hours, starting at a full quarter of an hour. */
  #refresh(now: Ms): void {
    this.#refreshedAt = now;
    const { marketId } = this.#market;
    const book = this.#source.book(marketId, now - dayMs);
    const [bid, ask] = [book?.bids[0], book?.asks[0]];
    this.#dayAgo = bid === undefined || ask === undefined ? null : bid + ask;
    const from = nextBarStart('15m', barStart('15m', now - dayMs));
    const bars = this.#bars.bars(marketId, '15m', from, dayMs / (15 * 60_000), now);
    this.#volume = bars.reduce((sum, { quoteVolume }) => sum + Number(quoteVolume), 0);
  }
}

/** The fields of `stats` that differ from what was last sent; null if none do. */
export function statsPatch(earlier: Partial<Stats>, stats: Stats): Partial<Stats> | null {
  const changed = Object.entries(stats).filter(([name, value]) => earlier[name as keyof Stats] !== value);
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Stats>);
}
