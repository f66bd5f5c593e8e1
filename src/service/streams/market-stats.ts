import type { HalfPrice, MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { MarketSource, PrintEvent, VenueMarks } from '../../exchange/engine/source.ts';
import { type BarSource, barStart, barsInPieces, nextBarStart } from '../../exchange/markets/bars.ts';
import type { MarketStatsEvent } from '../../wire/contract/streams.ts';
import type { Pieces } from '../../wire/hosting/turns.ts';

type Stats = Omit<Required<MarketStatsEvent>, 'type' | 'provider' | 'symbol' | 'time'>;

const dayMs = 24 * 3_600_000;
/** How often slowly changing values are recomputed. */
const refreshMs = 60_000;

/**
 * The daily statistics of one market. Values that its source does not have (open interest, funding of a recording
 * without it) are null.
 */
export class DayStats {
  readonly #market: MarketDefinition;
  readonly #source: MarketSource;
  readonly #bars: BarSource;
  #askedAt = Number.NEGATIVE_INFINITY;
  #hasValues = false;
  /** Twice the midpoint a day ago. */
  #dayAgo: HalfPrice | null = null;
  /** In price units times lots. */
  #volume = 0;
  /** The total ever added. */
  #added = 0;

  constructor(market: MarketDefinition, source: MarketSource, bars: BarSource) {
    this.#market = market;
    this.#source = source;
    this.#bars = bars;
  }

  add({ price, size }: PrintEvent): void {
    this.#volume += price * size;
    this.#added += price * size;
  }

  /** Whether they must be refreshed, because it is time to or there are none. */
  isOld(now: Ms): boolean {
    return now - this.#askedAt >= refreshMs;
  }

  get isKnown(): boolean {
    return this.#hasValues;
  }

  /** The statistics at `now`, as far as they were refreshed; `mark` is twice the fresh mark. */
  at(mark: HalfPrice | null, funding: Pick<VenueMarks, 'fundingRate' | 'fundingHours'>): Stats {
    const { priceDecimals, sizeDecimals } = this.#market;
    const dayAgo = this.#dayAgo;
    const change = mark === null || dayAgo === null ? null : (100 * (mark - dayAgo)) / dayAgo;
    return {
      markPx: mark === null ? null : (mark * 5) / 10 ** (priceDecimals + 1),
      change24hPct: change === null ? null : Math.round(change * 1e4) / 1e4,
      fundingRate: funding.fundingRate,
      fundingIntervalHours: funding.fundingHours,
      openInterestUsd: null,
      dayNtlVlm: Math.round((this.#volume / 10 ** (priceDecimals + sizeDecimals)) * 100) / 100,
    };
  }

  /** Recomputes the volume of the last 24 hours, starting at a full quarter of an hour, and the price a day ago. */
  *refresh(now: Ms): Pieces {
    this.#askedAt = now;
    const before = this.#added;
    const { marketId } = this.#market;
    const book = this.#source.book(marketId, now - dayMs);
    const [bid, ask] = [book?.bids[0], book?.asks[0]];
    const from = nextBarStart('15m', barStart('15m', now - dayMs));
    const bars = yield* barsInPieces(this.#bars, marketId, '15m', from, dayMs / (15 * 60_000), now);
    this.#dayAgo = bid === undefined || ask === undefined ? null : bid + ask;
    this.#volume = bars.reduce((sum, { quoteVolume }) => sum + Number(quoteVolume), this.#added - before);
    this.#hasValues = true;
  }
}

/** The fields of `stats` that differ from what was last sent; null if none do. */
export function statsPatch(earlier: Partial<Stats>, stats: Stats): Partial<Stats> | null {
  const changed = Object.entries(stats).filter(([name, value]) => earlier[name as keyof Stats] !== value);
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Stats>);
}
