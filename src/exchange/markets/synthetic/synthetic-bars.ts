import type { Ms } from '../../engine/model.ts';
import { type Bar, type BarInterval, barStart, nextBarStart } from '../bars.ts';
import type { MinutePrints } from './minute-prints.ts';
import {
  blocksPerDay,
  hoursPerBlock,
  hoursPerDay,
  minutesPerBlock,
  minutesPerDay,
  minutesPerHour,
  minutesPerQuarter,
  quartersPerHour,
} from './path.ts';
import type { Sharing } from './sharing.ts';
import type { SyntheticMarket } from './synthetic-market.ts';

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
    return {
      openTime,
      endTime,
      open: isEmpty ? last : this.open * gridTick,
      high: isEmpty ? last : this.high * gridTick,
      low: isEmpty ? last : this.low * gridTick,
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
      } else time += minuteMs * this.addMinutes(minute, left);
    }
  }

  /**
   * Adds one day, block of four hours, hour, quarter of an hour or minute that starts at `minute`: the longest
   * that fits into `most` minutes. Returns its length in minutes.
   */
  private addMinutes(minute: number, most: number): number {
    const { path, trades } = this.market;
    if (minute % minutesPerDay === 0 && most >= minutesPerDay) {
      const day = minute / minutesPerDay;
      trades.loadDay(day);
      this.add(trades.dayPrints, trades.dayLots, trades.dayTurnover, path.hours.low, path.hours.high);
      this.addEdges(minute, minutesPerDay, most);
      return minutesPerDay;
    }
    if (minute % minutesPerBlock === 0 && most >= minutesPerBlock) {
      const block = minute / minutesPerBlock;
      const part = block % blocksPerDay;
      trades.loadDayLots((block - part) / blocksPerDay);
      this.addPart(trades.blocks, part, path.hours.groupLows[part]!, path.hours.groupHighs[part]!);
      this.addEdges(minute, minutesPerBlock, most);
      return minutesPerBlock;
    }
    if (minute % minutesPerHour === 0 && most >= minutesPerHour) {
      const hour = minute / minutesPerHour;
      const part = hour % hoursPerBlock;
      trades.loadBlockLots((hour - part) / hoursPerBlock);
      const place = hour % hoursPerDay;
      this.addPart(trades.hours, part, path.hourRanges[2 * place]!, path.hourRanges[2 * place + 1]!);
      this.addEdges(minute, minutesPerHour, most);
      return minutesPerHour;
    }
    if (minute % minutesPerQuarter === 0 && most >= minutesPerQuarter) {
      const part = (minute / minutesPerQuarter) % quartersPerHour;
      trades.loadHourLots(Math.floor(minute / minutesPerHour));
      this.addPart(trades.quarters, part, path.minutes.groupLows[part]!, path.minutes.groupHighs[part]!);
      this.addEdges(minute, minutesPerQuarter, most);
      return minutesPerQuarter;
    }
    trades.loadQuarterLots(Math.floor(minute / minutesPerQuarter));
    const place = minute % minutesPerHour;
    const [low, high] = [path.minuteRanges[2 * place]!, path.minuteRanges[2 * place + 1]!];
    this.addPart(trades.minutes, minute % minutesPerQuarter, low, high);
    this.addEdges(minute, 1, most);
    return 1;
  }

  private addPart({ prints, lots, turnovers }: Sharing, part: number, low: number, high: number): void {
    this.add(prints[part]!, lots[part]!, turnovers[part]!, low, high);
  }

  private add(count: number, lots: number, turnover: number, low: number, high: number): void {
    const { scale, trades } = this.market;
    this.count += count;
    this.lots += lots;
    this.turnover += BigInt(turnover) + BigInt(trades.reference) * BigInt(lots);
    this.low = Math.min(this.low, scale.bidOf(low));
    this.high = Math.max(this.high, scale.highestPrint(high));
  }

  /**
   * Records the first and last price of the minutes just added; the last one only if no more pieces of that length
   * follow.
   */
  private addEdges(first: number, minutes: number, most: number): void {
    if (Number.isNaN(this.open)) this.open = this.prints.edgePrice(first, 'first');
    if (most < 2 * minutes) this.close = this.prints.edgePrice(first + minutes - 1, 'last');
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
    if (this.count === 0 && minute > 0) this.close = this.prints.edgePrice(minute - 1, 'last');
    const price = this.close;
    this.clear();
    return Number.isNaN(price) ? null : price * this.market.gridTick;
  }
}
