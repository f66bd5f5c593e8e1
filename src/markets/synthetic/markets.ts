import type { MarketDefinition } from '../../engine/model.ts';
import { SyntheticMarket } from './market.ts';

/** The markets of a source in catalog order, each made when it is first asked for: most commands need one. */
export class SyntheticMarkets {
  private readonly seed: number;
  private readonly definitions: readonly MarketDefinition[];
  private readonly made = new Map<string, SyntheticMarket>();

  constructor(seed: number, definitions: readonly MarketDefinition[]) {
    this.seed = seed;
    this.definitions = definitions;
  }

  /** The market of an id; throws a RangeError when there is none. */
  at(marketId: string): SyntheticMarket {
    const made = this.made.get(marketId);
    if (made !== undefined) return made;
    const market = new SyntheticMarket(this.seed, this.definitions[this.placeOf(marketId)]!);
    this.made.set(marketId, market);
    return market;
  }

  /** Where the market stands in the catalog; throws a RangeError when it does not. */
  placeOf(marketId: string): number {
    const place = this.definitions.findIndex((definition) => definition.marketId === marketId);
    if (place < 0) throw new RangeError(`no market ${JSON.stringify(marketId)} in the synthetic source`);
    return place;
  }

  /** Largest reach of all markets. */
  reach(): number {
    return Math.max(...this.definitions.map(({ marketId }) => this.at(marketId).reach));
  }
}
