import type { HalfPrice, Ms, Price } from '../../engine/model.ts';
import type { SyntheticMarket } from './market.ts';
import type { Minute } from './minute.ts';
import { hoursPerDay, minutesPerDay, minutesPerHour, minutesPerStretch } from './path.ts';
import { bookSlotAt, bookTime, slotOf, slotStart, slotsPerMinute } from './slots.ts';

/** Finds when a market's price first leaves a range, from the known ranges of days and hours, without playing them. */
export class Search {
  private readonly market: SyntheticMarket;
  private readonly minute: Minute;

  constructor(market: SyntheticMarket) {
    this.market = market;
    this.minute = market.minute;
  }

  /** First book event in (from, to] whose midpoint lies outside low..high; see MarketSource. */
  firstTouch(from: Ms, to: Ms, low: HalfPrice, high: HalfPrice): Ms | null {
    const { timing, gridStep } = this.market;
    const first = bookSlotAt(timing, from) + 1;
    const last = bookSlotAt(timing, to);
    const isOutside = (place: number) => {
      const half = this.minute.halfPrice(place) * gridStep;
      return half < low || half > high;
    };
    // The sum of bid and ask is one or two more than twice the path's bid, at any spread.
    const slot = this.find(
      first,
      last,
      Math.ceil((low / gridStep - 1) / 2),
      Math.floor((high / gridStep - 2) / 2),
      isOutside,
    );
    return slot === null ? null : bookTime(timing, slot);
  }

  /** A time at or before the first event in (from, to] that reaches `low` or `high`; see MarketSource. */
  firstReach(from: Ms, to: Ms, low: Price, high: Price): Ms | null {
    const { ladder, scale, gridStep } = this.market;
    const depth = ladder.maxSteps + scale.margin;
    const lowest = Math.floor(low / gridStep) + depth + 1;
    const highest = Math.ceil(high / gridStep) - depth - 2;
    const reaches = (place: number) => this.minute.lowest[place]! < lowest || this.minute.highest[place]! > highest;
    const slot = this.find(Math.max(0, slotOf(from)), slotOf(to), lowest, highest, reaches);
    return slot === null ? null : Math.max(from + 1, slotStart(slot));
  }

  /**
   * The first of slots first..last for which `matters` is true; null if there is none. It is true only where the path's
   * bid is below `lowest` or above `highest`.
   */
  private find(
    first: number,
    last: number,
    lowest: number,
    highest: number,
    matters: (place: number) => boolean,
  ): number | null {
    const { path, scale } = this.market;
    const leaves = (low: number, high: number) => scale.bidOf(low) < lowest || scale.bidOf(high) > highest;
    const lastMinute = Math.floor(last / slotsPerMinute);
    for (let minute = Math.floor(first / slotsPerMinute); minute <= lastMinute; ) {
      const day = Math.floor(minute / minutesPerDay);
      path.loadDay(day);
      if (!leaves(path.hours.low, path.hours.high)) {
        minute = (day + 1) * minutesPerDay;
        continue;
      }
      const hour = Math.floor(minute / minutesPerHour);
      const part = hour - day * hoursPerDay;
      if (!path.hours.isHolder(part) || leaves(path.hours.lows[part]!, path.hours.highs[part]!)) {
        path.loadHour(hour);
        if (leaves(path.minutes.low, path.minutes.high)) {
          const lastInHour = Math.min(lastMinute, (hour + 1) * minutesPerHour - 1);
          const found = this.findInHour(minute, lastInHour, first, last, leaves, matters);
          if (found !== null) return found;
        }
      }
      minute = (hour + 1) * minutesPerHour;
    }
    return null;
  }

  private findInHour(
    firstMinute: number,
    lastMinute: number,
    first: number,
    last: number,
    leaves: (low: number, high: number) => boolean,
    matters: (place: number) => boolean,
  ): number | null {
    const { path } = this.market;
    for (let minute = firstMinute; minute <= lastMinute; minute += 1) {
      path.loadHour(Math.floor(minute / minutesPerHour));
      const stretch = path.minutes.groupOf(minute % minutesPerHour);
      if (!leaves(path.minutes.lowOfGroup(stretch), path.minutes.highOfGroup(stretch))) {
        minute += minutesPerStretch - 1 - (minute % minutesPerStretch);
        continue;
      }
      this.minute.load(minute);
      const start = minute * slotsPerMinute;
      const end = Math.min(slotsPerMinute - 1, last - start);
      for (let place = Math.max(0, first - start); place <= end; place += 1) if (matters(place)) return start + place;
    }
    return null;
  }
}
