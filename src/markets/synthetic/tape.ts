import type { Ms } from '../../engine/model.ts';
import type { MarketEvent, Tape } from '../../engine/source.ts';
import { SyntheticCursor } from './cursor.ts';
import type { SyntheticMarkets } from './markets.ts';

/**
 * Events of several synthetic markets, merged by time; within a millisecond by their place in the catalog. A market
 * watched later starts after the tape's position: the last event returned, or the `until` at which there was none left.
 */
export class SyntheticTape implements Tape {
  private readonly markets: SyntheticMarkets;
  /** Cursors of watched markets, in catalog order. */
  private cursors: { place: number; cursor: SyntheticCursor }[] = [];
  /** The cursor with the earliest event; null: nothing is watched. */
  private earliest: SyntheticCursor | null = null;
  private position: Ms;

  constructor(markets: SyntheticMarkets, from: Ms) {
    this.markets = markets;
    this.position = from;
  }

  watch(marketId: string, on: boolean): void {
    const place = this.markets.placeOf(marketId);
    const watched = this.cursors.some((entry) => entry.place === place);
    if (on === watched) return;
    this.cursors = this.cursors.filter((entry) => entry.place !== place);
    if (on) this.cursors.push({ place, cursor: new SyntheticCursor(this.markets.at(marketId), this.position) });
    this.cursors.sort((a, b) => a.place - b.place);
    this.findEarliest();
  }

  peek(until: Ms): Ms | null {
    const { earliest } = this;
    return earliest !== null && earliest.nextTime <= until ? earliest.nextTime : null;
  }

  next(until: Ms): MarketEvent | null {
    const { earliest } = this;
    if (earliest === null || earliest.nextTime > until) {
      if (until > this.position) this.position = until;
      return null;
    }
    this.position = earliest.nextTime;
    const event = earliest.next();
    if (this.cursors.length > 1) this.findEarliest();
    return event;
  }

  private findEarliest(): void {
    let earliest: SyntheticCursor | null = null;
    for (const { cursor } of this.cursors) {
      if (earliest === null || cursor.nextTime < earliest.nextTime) earliest = cursor;
    }
    this.earliest = earliest;
  }
}
