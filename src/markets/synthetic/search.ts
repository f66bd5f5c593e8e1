import type { HalfPrice, Ms, Price } from '../../engine/model.ts';
import type { SyntheticMarket } from './market.ts';
import type { Minute } from './minute.ts';
import { hoursPerDay, minutesPerDay, minutesPerHour, minutesPerQuarter } from './path.ts';

/** Finds when a market's price first leaves a range, from the known ranges of days and hours, without playing them. */
export class Search {
  private readonly market: SyntheticMarket;
  private readonly minute: Minute;

  /** The sum of best bid and best ask is at least and at most this much more than twice the path's bid. */
  private readonly leastSum: number;
  private readonly mostSum: number;

  constructor(market: SyntheticMarket) {
    this.market = market;
    this.minute = market.minute;
    this.leastSum = 1;
    const { fixed } = market;
    this.mostSum = Math.max(market.scale.spread + 1, fixed === null ? 0 : fixed.ask - fixed.bid);
  }

  /** First book event in (from, to] whose midpoint lies outside low..high; see MarketSource. */
  firstTouch(from: Ms, to: Ms, low: HalfPrice, high: HalfPrice): Ms | null {
    const { timetable, gridTick } = this.market;
    const first = timetable.bookSlotAt(from) + 1;
    const last = timetable.bookSlotAt(to);
    const isBeyond = (place: number) => {
      const half = this.minute.halfPrice(place) * gridTick;
      return half < low || half > high;
    };
    const lowest = Math.ceil((low / gridTick - this.leastSum) / 2);
    const highest = Math.floor((high / gridTick - this.mostSum) / 2);
    const slot = this.find(first, last, lowest, highest, isBeyond);
    return slot === null ? null : timetable.bookTime(slot);
  }

  /** A time at or before the first event in (from, to] that reaches `low` or `high`; see MarketSource. */
  firstReach(from: Ms, to: Ms, low: Price, high: Price): Ms | null {
    const { ladder, gridTick, timetable } = this.market;
    const depth = ladder.maxTicks + this.mostSum;
    const lowest = Math.floor(low / gridTick) + depth + 1;
    const highest = Math.ceil(high / gridTick) - depth - 2;
    const { minute } = this;
    const reaches = (place: number) =>
      Math.min(minute.from[place]!, minute.to[place]!) < lowest ||
      Math.max(minute.from[place]!, minute.to[place]!) > highest;
    const slot = this.find(Math.max(0, timetable.slotOf(from)), timetable.slotOf(to), lowest, highest, reaches);
    return slot === null ? null : Math.max(from + 1, timetable.start(slot));
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
    const { path, scale, timetable } = this.market;
    const leaves = (low: number, high: number) => scale.bidOf(low) < lowest || scale.bidOf(high) > highest;
    const lastMinute = Math.floor(last / timetable.slotsPerMinute);
    for (let minute = Math.floor(first / timetable.slotsPerMinute); minute <= lastMinute; ) {
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
    const { path, timetable } = this.market;
    const { slotsPerMinute } = timetable;
    for (let minute = firstMinute; minute <= lastMinute; minute += 1) {
      path.loadHour(Math.floor(minute / minutesPerHour));
      const quarter = path.minutes.groupOf(minute % minutesPerHour);
      if (!leaves(path.minutes.lowOfGroup(quarter), path.minutes.highOfGroup(quarter))) {
        minute += minutesPerQuarter - 1 - (minute % minutesPerQuarter);
        continue;
      }
      path.loadMinute(minute);
      if (!leaves(path.spans.low, path.spans.high)) continue;
      this.minute.load(minute);
      const start = minute * slotsPerMinute;
      const end = Math.min(slotsPerMinute - 1, last - start);
      for (let place = Math.max(0, first - start); place <= end; place += 1) if (matters(place)) return start + place;
    }
    return null;
  }
}
