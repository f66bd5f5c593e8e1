import { hash32, keyOf } from '../../../base/terms/hash.ts';
import type { Ms } from '../../engine/model.ts';

/** Markets of one group have the same trading hours and share a factor. */
export type Kind = 'crypto' | 'equity' | 'metals' | 'energy' | 'fx';

const minutesPerWeek = 10_080;
/** The Unix epoch was a Thursday; weeks start on Monday here. */
const epochMinuteOfWeek = 3 * 1440;
/** Activity is interpolated linearly between the middles of hours. */
const hoursPerWeek = 168;

/**
 * Relative activity by hour of the UTC day. Crypto trades around the clock and peaks where Europe and the United States
 * overlap. Shares have the U shape of the New York session. Metals and energy follow London and New York, fx the London
 * day.
 */
const hours: Record<Kind, readonly number[]> = {
  crypto: [
    1.1, 1.0, 0.9, 0.8, 0.75, 0.7, 0.7, 0.8, 0.95, 0.95, 0.9, 0.9, 1.05, 1.35, 1.75, 1.75, 1.5, 1.3, 1.15, 1.05, 1.0,
    0.95, 0.85, 0.85,
  ],
  equity: [
    0.45, 0.45, 0.4, 0.35, 0.35, 0.4, 0.5, 0.7, 0.8, 0.7, 0.7, 0.8, 1.0, 1.6, 2.7, 2.4, 1.8, 1.5, 1.6, 2.0, 2.3, 0.7,
    0.4, 0.4,
  ],
  metals: [
    0.6, 0.7, 0.7, 0.6, 0.5, 0.5, 0.7, 1.1, 1.3, 1.2, 1.1, 1.1, 1.5, 2.0, 2.1, 1.9, 1.5, 1.1, 0.9, 0.8, 0.6, 0.4, 0.3,
    0.5,
  ],
  energy: [
    0.4, 0.5, 0.5, 0.4, 0.4, 0.4, 0.7, 1.0, 1.2, 1.2, 1.1, 1.1, 1.4, 2.0, 2.4, 2.2, 1.8, 1.5, 1.4, 1.0, 0.6, 0.4, 0.3,
    0.4,
  ],
  fx: [
    0.6, 0.6, 0.55, 0.5, 0.5, 0.6, 0.9, 1.5, 1.6, 1.4, 1.2, 1.2, 1.6, 1.9, 1.9, 1.7, 1.3, 0.9, 0.7, 0.6, 0.5, 0.4, 0.35,
    0.5,
  ],
};

/** When the underlying markets reopen, in minutes of the UTC day: shares on weekdays, the others on Sunday. */
const shareReopening = 14 * 60 + 30;
const weekReopening = 22 * 60;
/** Days since Monday. */
const sunday = 6;
const saturday = 5;

/** Relative activity on Saturday and Sunday. */
const weekend: Record<Kind, number> = { crypto: 0.7, equity: 0.3, metals: 0.3, energy: 0.3, fx: 0.3 };

/** The activity of one group of markets over the week, around 1 and continuous. */
export class Session {
  /**
   * Activity from the start of the week to the middle of each hour, and to the middle of the next week's first hour.
   */
  private readonly sums = new Float64Array(hoursPerWeek + 2);
  private readonly levels = new Float64Array(hoursPerWeek + 2);
  private readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
    let total = 0;
    for (let hour = 0; hour < hoursPerWeek; hour += 1) {
      const level = hours[kind][hour % 24]! * (hour >= 120 ? weekend[kind] : 1);
      this.levels[hour + 1] = level;
      total += level;
    }
    for (let hour = 1; hour <= hoursPerWeek; hour += 1) this.levels[hour]! *= hoursPerWeek / total;
    this.levels[0] = this.levels[hoursPerWeek]!;
    this.levels[hoursPerWeek + 1] = this.levels[1]!;
    // Index 0 is half an hour before the start of the week.
    for (let hour = 1; hour <= hoursPerWeek + 1; hour += 1) {
      this.sums[hour] = this.sums[hour - 1]! + (this.levels[hour - 1]! + this.levels[hour]!) / 2;
    }
  }

  /** Activity of minutes from..to (fractions allowed, counted from the epoch), in busy hours: an average hour is 1. */
  between(from: number, to: number): number {
    return this.until(to) - this.until(from);
  }

  /** When the underlying market reopens on a day, from 0 to 1; null if it does not close, or not before that day. */
  reopening(day: number): { at: number; isAfterWeekend: boolean } | null {
    const ofWeek = (day + 3) % 7;
    if (this.kind === 'crypto') return null;
    const isShare = this.kind === 'equity';
    if (isShare ? ofWeek >= saturday : ofWeek !== sunday) return null;
    // Just after the full minute, so that rounding can't move it to the minute before.
    const at = ((isShare ? shareReopening : weekReopening) + 0.01) / 1440;
    return { at, isAfterWeekend: !isShare || ofWeek === 0 };
  }

  /** Relative volume in (from, to], in busy hours; 0 if empty. */
  volume(from: Ms, to: Ms): number {
    return to > from ? this.between(from / 60_000, to / 60_000) : 0;
  }

  /** Activity until a minute, from an arbitrary time on. */
  until(minute: number): number {
    const sinceMonday = minute + epochMinuteOfWeek;
    const weeks = Math.floor(sinceMonday / minutesPerWeek);
    const place = (sinceMonday - weeks * minutesPerWeek) / 60 + 0.5;
    const hour = Math.floor(place);
    const way = place - hour;
    const level = this.levels[hour]!;
    return weeks * hoursPerWeek + this.sums[hour]! + way * (level + ((this.levels[hour + 1]! - level) * way) / 2);
  }
}

/** Books of markets with the same factor and the same slots come within this many milliseconds of each other. */
const apartMs = 30;
const minuteMs = 60_000;

/**
 * A market's timetable. Time is divided into slots, counted from the Unix epoch. Each contains one book event at a
 * random moment, so events have no rhythm.
 */
export class Timetable {
  readonly slotsPerMinute: number;
  private readonly shared: number;
  private readonly own: number;

  /** The moments of books are partly shared by all markets of a factor. */
  constructor(seed: number, marketId: string, factor: string, slotsPerMinute: number) {
    this.slotsPerMinute = slotsPerMinute;
    this.shared = keyOf(seed, factor, 'times');
    this.own = keyOf(seed, marketId, 'times');
  }

  /** The first millisecond of a slot. */
  start(slot: number): Ms {
    return Math.floor((slot * minuteMs) / this.slotsPerMinute);
  }

  /** The slot that contains a millisecond. */
  slotOf(time: Ms): number {
    return Math.floor((this.slotsPerMinute * (time + 1) - 1) / minuteMs);
  }

  /** Time of the slot's book event. */
  bookTime(slot: number): Ms {
    const start = this.start(slot);
    const room = this.start(slot + 1) - start - apartMs + 1;
    return start + ((hash32(this.shared, slot, 0) >>> 8) % room) + ((hash32(this.own, slot, 0) >>> 8) % apartMs);
  }

  /** The last slot whose book event is at or before `time`; -1 before the first. */
  bookSlotAt(time: Ms): number {
    const slot = this.slotOf(time);
    if (slot < 0) return -1;
    return this.bookTime(slot) <= time ? slot : slot - 1;
  }
}
