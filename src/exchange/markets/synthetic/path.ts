import { Days } from './days.ts';
import { Chance, type Loads, paceOf, type Rhythm, spansPerMinute } from './draws.ts';
import { type Cutting, Parts, type Whole } from './parts.ts';
import type { Session } from './session.ts';
import { type Bounds, SpanPath } from './span-path.ts';

/**
 * The price path of one market, from years down to slots: days (see Days) are cut into hours, hours into minutes,
 * minutes into spans of five seconds, spans into slots (see SpanPath). Only the day, hour, minute and span requested last
 * are kept, so every moment costs the same.
 *
 * Bars and searches rely on the ranges of days, blocks of four hours, hours, quarters of an hour and minutes before the
 * parts inside are cut. These ranges are made up of their parts' ranges, and the parts that contain the extremes are
 * bound to them. All other parts are free, unless they would leave the range. In free parts, markets with a common
 * factor move together.
 */
export const hoursPerDay = 24;
/** Minutes of an hour. */
export const minutesPerHour = 60;
/** Minutes of a day. */
export const minutesPerDay = hoursPerDay * minutesPerHour;
/** Blocks into which a day's trading is first divided. */
export const blocksPerDay = 6;
/** Hours of a block. */
export const hoursPerBlock = hoursPerDay / blocksPerDay;
/** Minutes of a block. */
export const minutesPerBlock = minutesPerHour * hoursPerBlock;
/** Parts into which an hour's trading is divided: half hours. */
export const quartersPerHour = 2;
/** Minutes of such a part. */
export const minutesPerQuarter = minutesPerHour / quartersPerHour;

const hourCutting: Cutting = {
  count: hoursPerDay,
  groups: blocksPerDay,
  excursions: 0.87,
  sharedSwing: 0.76,
  ownSwing: 0.3,
};
const minuteCutting: Cutting = {
  count: minutesPerHour,
  groups: quartersPerHour,
  excursions: 0.6,
  sharedSwing: 0.38,
  ownSwing: 0.18,
};
/** Within five seconds, the price strays the less beyond where they begin and end, the fewer moves it makes. */
const spanCutting = (moves: number): Cutting => ({
  count: spansPerMinute,
  groups: 1,
  excursions: (mostExcursions * moves) / (moves + usualMoves),
  sharedSwing: 0.3,
  ownSwing: 0.15,
});
const mostExcursions = 0.5;
const usualMoves = 1;

/** A market's price over time, cut from days down to slots of a minute; any moment is computed by itself. */
export class PricePath {
  /** Hours of the day loaded last, minutes of its hour, spans of its minute, and the slots of its span. */
  readonly hours: Parts;
  readonly minutes: Parts;
  readonly spans: Parts;
  readonly span: SpanPath;
  /** Variance of the loaded day relative to an ordinary day's. */
  relativeVariance = 0;
  /**
   * Activity of the loaded day from its start to each hour and to its end; the same for the loaded hour, by minutes.
   */
  readonly hourActivity = new Float64Array(hoursPerDay + 1);
  readonly minuteActivity = new Float64Array(minutesPerHour + 1);
  /** Lowest and highest value of each part, once measured: hours of the loaded day, minutes of the loaded hour. */
  readonly hourRanges = new Float64Array(2 * hoursPerDay);
  readonly minuteRanges = new Float64Array(2 * minutesPerHour);
  /** The mean price of each part while it trades, once measured. */
  readonly hourMeans = new Float64Array(hoursPerDay);
  readonly minuteMeans = new Float64Array(minutesPerHour);
  private readonly isMeasured = new Uint8Array(minutesPerHour);
  private readonly days: Days;
  private readonly session: Session;
  private readonly whole: Whole = { open: 0, close: 0, spread: 0, jump: 0, high: 0, low: 0 };
  private day = Number.NaN;
  private hour = Number.NaN;
  private minute = Number.NaN;
  private readonly slotsPerMinute: number;
  private readonly rhythm: Rhythm;
  /** Variance of an ordinary minute. */
  private readonly minuteVariance: number;
  private readonly part: Whole = { open: 0, close: 0, spread: 0, jump: 0, high: 0, low: 0 };
  private readonly bounds: Bounds = { high: 0, low: 0, holdsHigh: false, holdsLow: false };

  constructor(
    seed: number,
    marketId: string,
    market: { loads: Loads; session: Session; dailyVolatility: number; rhythm: Rhythm },
  ) {
    const { loads, session, rhythm } = market;
    this.rhythm = rhythm;
    this.minuteVariance = market.dailyVolatility ** 2 / minutesPerDay;
    this.slotsPerMinute = rhythm.slotsPerMinute;
    this.days = new Days(seed, marketId, market);
    this.session = session;
    this.hours = new Parts(hourCutting, new Chance(seed, marketId, loads, 'hours'));
    this.minutes = new Parts(minuteCutting, new Chance(seed, marketId, loads, 'minutes'));
    this.spans = new Parts(spanCutting(rhythm.moves), new Chance(seed, marketId, loads, 'spans'));
    const count = rhythm.slotsPerMinute / spansPerMinute;
    this.span = new SpanPath(count, new Chance(seed, marketId, loads, 'steps'));
  }

  /** Loads a day, counted from the epoch. */
  loadDay(day: number): void {
    if (this.day === day) return;
    this.day = day;
    this.hour = Number.NaN;
    this.minute = Number.NaN;
    this.relativeVariance = this.days.read(day, this.whole);
    this.countActivity(this.hourActivity, day * minutesPerDay, minutesPerHour);
    this.hours.cut(day, this.whole, false, this.jumpIn(0, hoursPerDay), this.hourActivity);
  }

  /** Loads an hour, counted from the epoch, and its day. */
  loadHour(hour: number): void {
    const day = Math.floor(hour / hoursPerDay);
    this.loadDay(day);
    if (this.hour === hour) return;
    this.hour = hour;
    this.minute = Number.NaN;
    this.cutHour(hour - day * hoursPerDay);
  }

  /** Loads a minute, counted from the epoch, its hour and its day. */
  loadMinute(minute: number): void {
    const hour = Math.floor(minute / minutesPerHour);
    this.loadHour(hour);
    if (this.minute === minute) return;
    this.minute = minute;
    this.cutMinute(minute - hour * minutesPerHour);
  }

  /** Chooses how often the price moves in a minute. */
  private setPace(variance: number): void {
    const [first = 0, second = 0, third = 0, fourth = 0, ...later] = this.rhythm.lulls[paceOf(variance)]!;
    const { lulls } = this.spans;
    [lulls[12], lulls[6], lulls[3], lulls[2]] = [first, second, third, fourth];
    this.span.lulls = later;
  }

  /** Cuts a span of the loaded minute into slots; see {@link span}. */
  cutSpan(span: number): void {
    const { spans, part, bounds, minute, slotsPerMinute } = this;
    spans.read(span, part);
    bounds.high = spans.high;
    bounds.low = spans.low;
    bounds.holdsHigh = spans.highParts[0] === span;
    bounds.holdsLow = spans.lowParts[0] === span;
    const first = ((minute % minutesPerDay) * spansPerMinute + span) * (slotsPerMinute / spansPerMinute);
    this.span.cut(minute * spansPerMinute + span, part, bounds, this.jumpIn(first, minutesPerDay * slotsPerMinute));
  }

  /** Measures the ranges of some of the loaded day's hours; afterward no hour is loaded. */
  measureHours(first: number, count: number): void {
    this.hour = Number.NaN;
    this.minute = Number.NaN;
    for (let part = first; part < first + count; part += 1) {
      this.cutHour(part);
      this.hourRanges[2 * part] = this.minutes.low;
      this.hourRanges[2 * part + 1] = this.minutes.high;
      this.hourMeans[part] = this.minutes.meanOf(0, minutesPerHour);
    }
  }

  /** Measures the ranges of some of the loaded hour's minutes; afterward no minute is loaded. */
  measureMinutes(first: number, count: number): void {
    for (let part = first; part < first + count; part += 1) {
      if (this.isMeasured[part] === 1) continue;
      this.minute = Number.NaN;
      this.cutMinute(part);
    }
  }

  private cutHour(part: number): void {
    const { hours, minutes, whole } = this;
    const hour = this.day * hoursPerDay + part;
    const jumpPart = this.jumpIn(part * minutesPerHour, minutesPerDay);
    this.isMeasured.fill(0);
    this.countActivity(this.minuteActivity, hour * minutesPerHour, 1);
    const block = hours.groupOf(part);
    hours.read(part, whole);
    const isBound = hours.isHolder(part);
    minutes.cut(hour, whole, isBound, jumpPart, this.minuteActivity);
    if (!isBound && (minutes.high > hours.groupHighs[block]! || minutes.low < hours.groupLows[block]!)) {
      minutes.cut(hour, whole, true, jumpPart, this.minuteActivity);
    }
  }

  private cutMinute(part: number): void {
    const { minutes, spans, whole } = this;
    const minute = this.hour * minutesPerHour + part;
    const ofDay = (minute - this.day * minutesPerDay) * spansPerMinute;
    const jumpPart = this.jumpIn(ofDay, minutesPerDay * spansPerMinute);
    const quarter = minutes.groupOf(part);
    minutes.read(part, whole);
    this.setPace(minutes.variance(part) / this.minuteVariance);
    const isBound = minutes.isHolder(part);
    spans.cut(minute, whole, isBound, jumpPart, null);
    if (!isBound && (spans.high > minutes.groupHighs[quarter]! || spans.low < minutes.groupLows[quarter]!)) {
      spans.cut(minute, whole, true, jumpPart, null);
    }
    this.minuteRanges[2 * part] = spans.low;
    this.minuteRanges[2 * part + 1] = spans.high;
    this.minuteMeans[part] = spans.meanOf(0, spansPerMinute);
    this.isMeasured[part] = 1;
  }

  /** The part that contains the day's jump, relative to `first`, when a day has `parts` parts. */
  private jumpIn(first: number, parts: number): number {
    return Math.floor(this.days.jumpAt * parts) - first;
  }

  private countActivity(activity: Float64Array, firstMinute: number, minutes: number): void {
    for (let i = 0; i < activity.length; i += 1) {
      activity[i] = this.session.between(firstMinute, firstMinute + i * minutes);
    }
  }
}

/**
 * Converts path values to prices in grid ticks: base x (2 + x) / (2 - x), which is close to base x e^x, increasing, and
 * exact on every machine.
 */
export class Scale {
  /** Price at value 0, in grid ticks. */
  readonly base: number;
  /** The spread, in grid ticks. */
  readonly spread: number;

  constructor(base: number, spread: number) {
    this.base = base;
    this.spread = spread;
  }

  /** A value's price in grid ticks, not rounded. */
  gridOf(value: number): number {
    return (this.base * (2 + value)) / (2 - value);
  }

  /** The best bid at a value, in grid ticks: what a sale there trades at. */
  bidOf(value: number): number {
    return Math.floor((this.base * (2 + value)) / (2 - value));
  }

  /** The highest print for the path's highest value: a purchase at the ask. */
  highestPrint(value: number): number {
    return this.bidOf(value) + this.spread;
  }
}
