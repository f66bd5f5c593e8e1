import type { Ms } from '../../engine/model.ts';
import { type Bar, type BarInterval, barStart, nextBarStart } from '../bars.ts';
import type { MinutePrints } from './minute-prints.ts';
import { hoursPerDay, minutesPerDay, minutesPerHour } from './path.ts';
import type { SyntheticMarket } from './synthetic-market.ts';
import type { Shares } from './trades.ts';

const minuteMs = 60_000;

/** Builds the bars of one market from the known totals of days, hours and minutes; only partial minutes are played. */
export class Bars {
  private readonly market: SyntheticMarket;
  private readonly prints: MinutePrints;
  /** The totals so far: prices in grid ticks, turnover in grid ticks x lots. */
  private count = 0;
  private lots = 0;
  private turnover = 0n;
  private open = Number.NaN;
  private close = Number.NaN;
  private high = Number.NEGATIVE_INFINITY;
  private low = Number.POSITIVE_INFINITY;
  /** The path's highest and lowest value in whole minutes. */
  private highest = Number.NEGATIVE_INFINITY;
  private lowest = Number.POSITIVE_INFINITY;

  constructor(market: SyntheticMarket) {
    this.market = market;
    this.prints = market.prints;
  }

  /** `count` bars, starting with the one that contains `from`; see MarketData. */
  bars(interval: BarInterval, from: Ms, count: number, until: Ms): Bar[] {
    const bars: Bar[] = [];
    let last: number | null = null;
    let start = barStart(interval, from);
    for (let made = 0; made < count; made += 1) {
      const end = nextBarStart(interval, start);
      this.clear();
      this.addTime(Math.max(0, start), Math.min(end, until + 1));
      if (this.count === 0) last ??= this.lastPrice(Math.min(start, until + 1));
      else last = this.close * this.market.gridTick;
      bars.push(this.bar(start, end, last));
      start = end;
    }
    return bars;
  }

  private bar(openTime: Ms, endTime: Ms, last: number | null): Bar {
    const { gridTick } = this.market;
    const isEmpty = this.count === 0;
    const { scale } = this.market;
    const high = Math.max(this.high, scale.highestPrint(this.highest));
    const low = Math.min(this.low, scale.bidOf(this.lowest));
    return {
      openTime,
      endTime,
      open: isEmpty ? last : this.open * gridTick,
      high: isEmpty ? last : high * gridTick,
      low: isEmpty ? last : low * gridTick,
      close: last,
      volume: this.lots,
      quoteVolume: this.turnover * BigInt(gridTick),
      count: this.count,
    };
  }

  private clear(): void {
    this.count = 0;
    this.lots = 0;
    this.turnover = 0n;
    this.open = Number.NaN;
    this.close = Number.NaN;
    this.high = Number.NEGATIVE_INFINITY;
    this.low = Number.POSITIVE_INFINITY;
    this.highest = Number.NEGATIVE_INFINITY;
    this.lowest = Number.POSITIVE_INFINITY;
  }

  /** Adds the prints of [start, end), in the largest possible pieces. */
  private addTime(start: Ms, end: Ms): void {
    let time = start;
    while (time < end) {
      const minute = Math.floor(time / minuteMs);
      const left = Math.floor(end / minuteMs) - minute;
      if (time % minuteMs !== 0 || left < 1) {
        const until = Math.min(end, (minute + 1) * minuteMs);
        this.addPrints(minute, time, until);
        time = until;
      } else {
        this.addRange(minute, left);
        for (let added = 0; added < left; ) added += this.addMinutes(minute + added, left - added);
        time += minuteMs * left;
      }
    }
  }

  /**
   * Adds one day, hour or minute that starts at `minute`: the longest that fits into `most` minutes. Returns its length
   * in minutes.
   */
  private addMinutes(minute: number, most: number): number {
    const { trades } = this.market;
    const hour = Math.floor(minute / minutesPerHour);
    let length = 1;
    if (minute % minutesPerDay === 0 && most >= minutesPerDay) {
      length = minutesPerDay;
      trades.loadDay(minute / minutesPerDay);
      this.add(trades.dayPrints, trades.dayLots, trades.dayTurnover);
    } else if (minute % minutesPerHour === 0 && most >= minutesPerHour) {
      length = minutesPerHour;
      trades.loadHours(Math.floor(hour / hoursPerDay));
      this.addPart(trades.hours, hour % hoursPerDay);
    } else {
      trades.loadMinutes(hour);
      this.addPart(trades.minutes, minute % minutesPerHour);
    }
    this.addEdges(minute, length, most);
    return length;
  }

  private addPart({ prints, lots, turnovers }: Shares, part: number): void {
    this.add(prints[part]!, lots[part]!, turnovers[part]!);
  }

  private add(count: number, lots: number, turnover: number): void {
    this.count += count;
    this.lots += lots;
    this.turnover += BigInt(turnover) + BigInt(this.market.trades.reference) * BigInt(lots);
  }

  /** Each minute has a print at the highest ask and one at the lowest bid of its path. */
  private addRange(minute: number, length: number): void {
    const { path } = this.market;
    this.highest = path.extreme(1, minute, length, this.highest);
    this.lowest = path.extreme(-1, minute, length, this.lowest);
  }

  /**
   * Records the first and last price of the minutes just added; the last one only if no more pieces of that length
   * follow.
   */
  private addEdges(first: number, minutes: number, most: number): void {
    if (Number.isNaN(this.open)) this.open = this.market.minute.edgePrice(first, 'first');
    if (most < 2 * minutes) this.close = this.market.minute.edgePrice(first + minutes - 1, 'last');
  }

  private addPrints(minute: number, from: Ms, until: Ms): void {
    const { prints } = this;
    prints.load(minute);
    const end = prints.firstOf.at(-1)!;
    let first = 0;
    while (first < end && prints.times[first]! < from) first += 1;
    let last = first;
    while (last < end && prints.times[last]! < until) last += 1;
    if (first === last) return;
    // Turnover is summed relative to the first price, which keeps the sum small enough to be exact.
    const base = prints.prices[first]!;
    let [lots, turnover] = [0, 0];
    for (let i = first; i < last; i += 1) {
      const price = prints.prices[i]!;
      lots += prints.lots[i]!;
      turnover += (price - base) * prints.lots[i]!;
      this.low = Math.min(this.low, price);
      this.high = Math.max(this.high, price);
    }
    if (this.count === 0) this.open = base;
    this.close = prints.prices[last - 1]!;
    this.count += last - first;
    this.lots += lots;
    this.turnover += BigInt(turnover) + BigInt(base) * BigInt(lots);
  }

  /** Price of the last print before a time; null if there is none. */
  private lastPrice(before: Ms): number | null {
    this.clear();
    const minute = Math.floor(before / minuteMs);
    if (before <= 0) return null;
    this.addPrints(minute, minute * minuteMs, before);
    if (this.count === 0 && minute > 0) this.close = this.market.minute.edgePrice(minute - 1, 'last');
    const price = this.close;
    this.clear();
    return Number.isNaN(price) ? null : price * this.market.gridTick;
  }
}
