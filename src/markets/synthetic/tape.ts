import type { Ms } from '../../engine/model.ts';
import type { MarketEvent, PrintInterest, Tape } from '../../engine/source.ts';
import { SyntheticCursor } from './cursor.ts';
import type { SyntheticMarkets } from './markets.ts';

/**
 * Events of several synthetic markets, merged by time; events of the same millisecond come in catalog order. A market
 * watched later starts after the tape's position: the last event returned, or the `until` at which no event was left.
 */
export class SyntheticTape implements Tape {
  private readonly markets: SyntheticMarkets;
  /** Cursors of watched markets, in catalog order. */
  private cursors: { place: number; cursor: SyntheticCursor }[] = [];
  /** All cursors made so far, by their market's place. */
  private readonly made = new Map<number, SyntheticCursor>();
  private position: Ms;

  constructor(markets: SyntheticMarkets, from: Ms) {
    this.markets = markets;
    this.position = from;
  }

  watch(marketId: string, on: boolean, interest?: PrintInterest): void {
    const place = this.markets.placeOf(marketId);
    const watched = this.cursors.some((entry) => entry.place === place);
    if (on === watched) return;
    this.cursors = this.cursors.filter((entry) => entry.place !== place);
    if (on) {
      const cursor = this.made.get(place) ?? new SyntheticCursor(this.markets.at(marketId));
      this.made.set(place, cursor);
      cursor.moveTo(this.position, interest ?? null);
      this.cursors.push({ place, cursor });
    }
    this.cursors.sort((a, b) => a.place - b.place);
  }

  peek(until: Ms): Ms | null {
    const earliest = this.earliest();
    return earliest !== null && earliest.nextTime <= until ? earliest.nextTime : null;
  }

  next(until: Ms): MarketEvent | null {
    const earliest = this.earliest();
    if (earliest === null || earliest.nextTime > until) {
      if (until > this.position) this.position = until;
      for (const { cursor } of this.cursors) cursor.passTo(until);
      return null;
    }
    this.position = earliest.nextTime;
    return earliest.next();
  }

  /** The cursor with the earliest event; null if nothing is watched. */
  private earliest(): SyntheticCursor | null {
    let earliest: SyntheticCursor | null = null;
    for (const { cursor } of this.cursors) {
      if (earliest === null || cursor.nextTime < earliest.nextTime) earliest = cursor;
    }
    return earliest;
  }
}
