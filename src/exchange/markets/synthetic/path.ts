import { Days } from './days.ts';
import { Chance, type Loads, type MoveTiming, paceOf, spansPerMinute } from './draws.ts';
import { type Cutting, Parts, type Whole } from './parts.ts';
import type { Session } from './session.ts';

/** Hours of a day. */
export const hoursPerDay = 24;
/** Minutes of an hour. */
export const minutesPerHour = 60;
/** Minutes of a day. */
export const minutesPerDay = hoursPerDay * minutesPerHour;

const hourCutting: Cutting = { count: hoursPerDay, swing: 0.8, hasMeans: true, reach: 1.5, still: 0 };
const minuteCutting: Cutting = { count: minutesPerHour, swing: 0.42, hasMeans: true, reach: 1.5, still: 0 };
const reach = 1.6;
const spanCutting: Cutting = { count: spansPerMinute, swing: 0.33, hasMeans: false, reach, still: 0 };
const slotSwing = 0.24;
/** Hours, minutes, spans, slots. */
const deepest = 3;

/**
 * The price path of one market, from years down to slots: days (see Days) are cut into hours, hours into minutes,
 * minutes into spans of five seconds, spans into slots (see Parts). Values are prices relative to the instrument's.
 * Only the day, hour, minute and span requested last are kept, so every moment costs the same.
 *
 * Only ends, variances and means are known in advance. The highest and lowest value of a time are searched for: a
 * piece's path stays near its ends, so only pieces near the extreme are cut.
 */
export class PricePath {
  /** Hours of the day loaded last, minutes of its hour, spans of its minute, and the slots of its span. */
  readonly hours: Parts;
  readonly minutes: Parts;
  readonly spans: Parts;
  readonly slots: Parts;
  /** The day loaded last. */
  readonly whole: Whole = newWhole();
  /** Variance of the loaded day relative to an ordinary day's. */
  relativeVariance = 0;
  /** Where in its minute the last search found its extreme, in slots. */
  foundSlot = 0;
  private readonly levels: readonly Parts[];
  private readonly days: Days;
  private readonly session: Session;
  private day = Number.NaN;
  private hour = Number.NaN;
  private minute = Number.NaN;
  private span = Number.NaN;
  private readonly slotsPerMinute: number;
  private readonly perSpan: number;
  private readonly rhythm: MoveTiming;
  /** Variance of an ordinary minute. */
  private readonly minuteVariance: number;
  private readonly part: Whole = newWhole();
  /** The level whose parts a search does not cut. */
  private depth = deepest;
  /** A search's direction (1: the highest), and the best value so far, in it. */
  private sign: 1 | -1 = 1;
  private best = 0;
  /** The first and last minute that it takes into account. */
  private fromMinute = 0;
  private toMinute = 0;
  /** Whether it covers the whole searched range. */
  private isInside = false;

  constructor(
    seed: number,
    marketId: string,
    market: { loads: Loads; session: Session; dailyVolatility: number; rhythm: MoveTiming },
  ) {
    const { loads, session, rhythm } = market;
    this.rhythm = rhythm;
    this.minuteVariance = market.dailyVolatility ** 2 / minutesPerDay;
    this.slotsPerMinute = rhythm.slotsPerMinute;
    this.perSpan = rhythm.slotsPerMinute / spansPerMinute;
    this.days = new Days(seed, marketId, market);
    this.session = session;
    this.hours = new Parts(hourCutting, new Chance(seed, marketId, loads, 'hours'));
    this.minutes = new Parts(minuteCutting, new Chance(seed, marketId, loads, 'minutes'));
    this.spans = new Parts(spanCutting, new Chance(seed, marketId, loads, 'spans'));
    const slotCutting = { count: this.perSpan, swing: slotSwing, hasMeans: false, reach, still: spansPerMinute };
    this.slots = new Parts(slotCutting, new Chance(seed, marketId, loads, 'steps'));
    this.hours.follow(session, minutesPerHour);
    this.minutes.follow(session, 1);
    this.levels = [this.hours, this.minutes, this.spans, this.slots];
  }

  /** Opens a day, counted from the epoch. */
  openDay(day: number): void {
    if (this.day === day) return;
    this.day = day;
    this.hour = Number.NaN;
    this.minute = Number.NaN;
    this.span = Number.NaN;
    this.relativeVariance = this.days.read(day, this.whole);
    this.hours.begin(day, this.whole, this.jumpIn(0, hoursPerDay), day * minutesPerDay);
  }

  /** Opens an hour, counted from the epoch, and its day. */
  openHour(hour: number): void {
    if (this.hour === hour) return;
    const day = Math.floor(hour / hoursPerDay);
    this.openDay(day);
    this.hours.lead(hour - day * hoursPerDay);
    this.beginHour(hour);
  }

  private beginHour(hour: number): void {
    this.hour = hour;
    this.minute = Number.NaN;
    this.span = Number.NaN;
    this.hours.read(hour - this.day * hoursPerDay, this.part);
    const first = hour * minutesPerHour;
    this.minutes.begin(hour, this.part, this.jumpIn(first - this.day * minutesPerDay, minutesPerDay), first);
  }

  /** Opens a minute, counted from the epoch, its hour and its day. */
  openMinute(minute: number): void {
    if (this.minute === minute) return;
    const hour = Math.floor(minute / minutesPerHour);
    this.openHour(hour);
    this.minutes.lead(minute - hour * minutesPerHour);
    this.beginMinute(minute);
  }

  private beginMinute(minute: number): void {
    const { minutes, spans, slots, part, rhythm } = this;
    this.minute = minute;
    this.span = Number.NaN;
    minutes.read(minute - this.hour * minutesPerHour, part);
    // How often the price moves depends on how far it does.
    const variance = part.spread / (this.whole.open * this.whole.close * this.minuteVariance);
    const pace = paceOf(variance);
    slots.calm(rhythm.slotLulls[pace]!, 256);
    spans.calm(rhythm.spanLulls[pace]!, rhythm.slotLulls[pace]![0]!);
    const ofDay = (minute - this.day * minutesPerDay) * spansPerMinute;
    spans.begin(minute, part, this.jumpIn(ofDay, minutesPerDay * spansPerMinute), minute);
  }

  /** Opens a span of the open minute. */
  openSpan(span: number): void {
    const number = this.minute * spansPerMinute + span;
    if (this.span === number) return;
    this.spans.lead(span);
    this.beginSpan(number);
  }

  private beginSpan(number: number): void {
    const { spans, slots, part, perSpan } = this;
    this.span = number;
    spans.read(number - this.minute * spansPerMinute, part);
    const first = (number - this.day * minutesPerDay * spansPerMinute) * perSpan;
    slots.begin(number, part, this.jumpIn(first, minutesPerDay * this.slotsPerMinute), this.minute);
  }

  /** The highest (`sign` 1) or lowest (-1) value of a minute, its ends included; see {@link foundSlot}. */
  extremeOf(sign: 1 | -1, minute: number): number {
    this.openMinute(minute);
    this.startSearch(sign, minute, 1, Number.NEGATIVE_INFINITY);
    this.consider(this.spans.values[0]!, 1);
    this.consider(this.spans.values[spansPerMinute]!, this.slotsPerMinute - 1);
    this.seek(2, 0, 0, spansPerMinute);
    return sign * this.best;
  }

  /** The same of some minutes, if it is beyond `best`, else `best`. Afterward, any hour may be open. */
  extreme(sign: 1 | -1, minute: number, count: number, best: number): number {
    this.startSearch(sign, minute, count, sign * best);
    const hour = Math.floor(minute / minutesPerHour);
    if (minute + count <= (hour + 1) * minutesPerHour) {
      this.openHour(hour);
      this.seekAll(1, this.minutes, hour * minutesPerHour, minutesPerHour);
      return sign * this.best;
    }
    const days = Math.ceil((minute + count) / minutesPerDay);
    // The ends of all days first: most days are then known to have nothing better.
    for (let day = Math.floor(minute / minutesPerDay) + 1; day < days; day += 1) {
      this.openDay(day);
      this.consider(this.whole.open, 0);
    }
    for (let day = Math.floor(minute / minutesPerDay); day < days; day += 1) {
      this.openDay(day);
      this.seekAll(0, this.hours, day * minutesPerDay, minutesPerDay);
    }
    return sign * this.best;
  }

  /** The first of minutes from..to in which the path may leave a range; null if there is none. */
  nextLeaving(from: number, to: number, leaves: (bottom: number, top: number) => boolean): number | null {
    const { hours, minutes, whole } = this;
    for (let minute = from; minute <= to; ) {
      const day = Math.floor(minute / minutesPerDay);
      this.openDay(day);
      if (!leaves(whole.bottom, whole.top)) {
        minute = (day + 1) * minutesPerDay;
        continue;
      }
      const hour = Math.floor(minute / minutesPerHour);
      const part = hour - day * hoursPerDay;
      hours.lead(part);
      if (!leaves(hours.bottoms[part]!, hours.tops[part]!)) {
        minute = (hour + 1) * minutesPerHour;
        continue;
      }
      this.openHour(hour);
      const place = minute - hour * minutesPerHour;
      const next = minutes.nextLeaving(place, leaves);
      if (next !== null) return hour * minutesPerHour + next <= to ? hour * minutesPerHour + next : null;
      minute = (hour + 1) * minutesPerHour;
    }
    return null;
  }

  private startSearch(sign: 1 | -1, minute: number, count: number, best: number): void {
    this.sign = sign;
    this.best = best;
    this.fromMinute = minute;
    this.toMinute = minute + count;
  }

  private seekAll(level: 0 | 1, parts: Parts, start: number, length: number): void {
    this.isInside = start >= this.fromMinute && start + length <= this.toMinute;
    if (this.contains(start)) this.consider(parts.values[0]!, 0);
    if (this.contains(start + length)) this.consider(parts.values[parts.count]!, 0);
    if (this.farthest(parts, 0, 0) > this.best) this.survey(level, parts);
  }

  /** Searches all of a level: its own values first, so that few of its parts need to be cut. */
  private survey(level: 0 | 1, parts: Parts): void {
    const { depth } = this;
    this.depth = level;
    this.seek(level, 0, 0, parts.count);
    this.depth = depth;
    this.seek(level, 0, 0, parts.count);
  }

  /** Whether a search takes the start of a minute into account: it ends with the first value of the next one. */
  private contains(minute: number): boolean {
    return minute >= this.fromMinute && minute <= this.toMinute;
  }

  private consider(value: number, slot: number): void {
    if (!(this.sign * value > this.best)) return;
    this.best = this.sign * value;
    this.foundSlot = slot;
  }

  /** The farthest that a piece's path may go in a search's direction. */
  private farthest(parts: Parts, at: number, part: number): number {
    if (at < 0) return this.sign > 0 ? parts.tops[part]! : -parts.bottoms[part]!;
    return this.sign > 0 ? parts.pieceTops[at]! : -parts.pieceBottoms[at]!;
  }

  /** Searches a piece of a level in which something may be better; the more promising half first. */
  private seek(level: number, at: number, first: number, end: number): void {
    if (level < 2 && !this.isInside && this.isOutside(level, first, end)) return;
    if (at < 0) {
      if (level < this.depth) this.descend(level, first);
      return;
    }
    const parts = this.levels[level]!;
    parts.ensure(at);
    const { plan } = parts;
    const middle = plan[at + 1]!;
    const early = plan[at + 4]!;
    const late = plan[at + 5]!;
    const value = parts.values[middle]!;
    if (this.sign * value > this.best) this.considerMiddle(level, value, middle);
    const earlier = this.farthest(parts, early, first);
    const later = this.farthest(parts, late, middle);
    if (earlier >= later) {
      if (earlier > this.best) this.seek(level, early, first, middle);
      if (later > this.best) this.seek(level, late, middle, end);
    } else {
      if (later > this.best) this.seek(level, late, middle, end);
      if (earlier > this.best) this.seek(level, early, first, middle);
    }
  }

  private isOutside(level: number, first: number, end: number): boolean {
    const length = level === 0 ? minutesPerHour : 1;
    const start = level === 0 ? this.day * minutesPerDay : this.hour * minutesPerHour;
    return start + end * length <= this.fromMinute || start + first * length >= this.toMinute;
  }

  private considerMiddle(level: number, value: number, middle: number): void {
    if (level === 3) this.consider(value, (this.span - this.minute * spansPerMinute) * this.perSpan + middle);
    else if (level === 2) this.consider(value, middle * this.perSpan);
    else {
      const minute =
        level === 1 ? this.hour * minutesPerHour + middle : this.day * minutesPerDay + middle * minutesPerHour;
      if (this.contains(minute)) this.consider(value, 0);
    }
  }

  /** Searches a part of a level. */
  private descend(level: number, part: number): void {
    if (level === 0) {
      const hour = this.day * hoursPerDay + part;
      if (this.hour !== hour) this.beginHour(hour);
      this.survey(1, this.minutes);
    } else if (level === 1) {
      const minute = this.hour * minutesPerHour + part;
      if (this.minute !== minute) this.beginMinute(minute);
      this.seek(2, 0, 0, spansPerMinute);
    } else if (level === 2) {
      const span = this.minute * spansPerMinute + part;
      if (this.span !== span) this.beginSpan(span);
      this.seek(3, 0, 0, this.perSpan);
    }
  }

  /** When in its minute the day's jump happens, from 0 to 1. */
  jumpInMinute(): number {
    const minute = this.days.jumpAt * minutesPerDay;
    return minute - Math.floor(minute);
  }

  /** Activity until a minute (see Session). */
  activityAt(minute: number): number {
    return this.session.until(minute);
  }

  /** The value where a minute begins. */
  valueAt(minute: number): number {
    const day = Math.floor(minute / minutesPerDay);
    this.openDay(day);
    const ofDay = minute - day * minutesPerDay;
    if (ofDay === 0) return this.whole.open;
    const hour = Math.floor(ofDay / minutesPerHour);
    this.hours.lead(hour);
    if (ofDay % minutesPerHour === 0) return this.hours.values[hour]!;
    this.openHour(day * hoursPerDay + hour);
    this.minutes.lead(ofDay % minutesPerHour);
    return this.minutes.values[ofDay % minutesPerHour]!;
  }

  /** The part that contains the day's jump, relative to `first`, when a day has `parts` parts. */
  private jumpIn(first: number, parts: number): number {
    return Math.floor(this.days.jumpAt * parts) - first;
  }
}

function newWhole(): Whole {
  return { open: 0, close: 0, spread: 0, jump: 0, lean: 0, top: 0, bottom: 0 };
}

/** Converts path values to prices in grid ticks. */
export class Scale {
  /** Price at value 1, in grid ticks. */
  readonly base: number;
  /** The spread, in grid ticks. */
  readonly spread: number;

  constructor(base: number, spread: number) {
    this.base = base;
    this.spread = spread;
  }

  /** The best bid at a value, in grid ticks: the price of a sale there. */
  bidOf(value: number): number {
    return Math.floor(this.base * value);
  }

  /** The highest print for the path's highest value: a purchase at the ask. */
  highestPrint(value: number): number {
    return this.bidOf(value) + this.spread;
  }
}
