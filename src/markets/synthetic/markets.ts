import type { MarketDefinition } from '../../engine/model.ts';
import { Bars } from './bars.ts';
import { SyntheticMarket } from './market.ts';
import { Search } from './search.ts';
import type { LastTouch } from './start.ts';

/**
 * The markets of a source in catalog order. Each is created when it is first requested, because most commands need only
 * one.
 */
export class SyntheticMarkets {
  private readonly seed: number;
  private readonly definitions: readonly MarketDefinition[];
  private readonly lastTouches: readonly LastTouch[];
  private readonly made = new Map<string, SyntheticMarket>();
  private readonly searches = new Map<string, Search>();
  private readonly counts = new Map<string, Bars>();

  constructor(seed: number, definitions: readonly MarketDefinition[], lastTouches: readonly LastTouch[] = []) {
    this.seed = seed;
    this.definitions = definitions;
    this.lastTouches = lastTouches;
  }

  /** The market with an id; throws a RangeError if there is none. */
  at(marketId: string): SyntheticMarket {
    const made = this.made.get(marketId);
    if (made !== undefined) return made;
    const last = this.lastTouches.find((touch) => touch.marketId === marketId) ?? null;
    const market = new SyntheticMarket(this.seed, this.definitions[this.placeOf(marketId)]!, last);
    this.made.set(marketId, market);
    return market;
  }

  /** The search for times at which a market reaches a price. */
  search(marketId: string): Search {
    const made = this.searches.get(marketId) ?? new Search(this.at(marketId));
    this.searches.set(marketId, made);
    return made;
  }

  /** The builder of a market's bars. */
  bars(marketId: string): Bars {
    const made = this.counts.get(marketId) ?? new Bars(this.at(marketId));
    this.counts.set(marketId, made);
    return made;
  }

  /** The market's index in the catalog; throws a RangeError if it is not listed. */
  placeOf(marketId: string): number {
    const place = this.definitions.findIndex((definition) => definition.marketId === marketId);
    if (place < 0) throw new RangeError(`no market ${JSON.stringify(marketId)} in the synthetic source`);
    return place;
  }
}
