import { Chance, type Loads } from './chance.ts';
import { Days } from './days.ts';
import { type Cutting, Parts, type Whole } from './parts.ts';
import type { Session } from './session.ts';
import { slotsPerMinute } from './slots.ts';

/**
 * The price path of one market, from years down to slots: days (see Days) are cut into hours, hours into minutes,
 * minutes into slots. Only the day, hour and minute requested last are kept, so every moment costs the same.
 *
 * Bars and searches rely on the ranges of days, blocks of four hours, hours and stretches of five minutes before the
 * parts inside are cut. These ranges are made up of their parts' ranges, and the parts that contain the extremes are
 * bound to them. All other parts are free, unless they would leave the range. In free parts, markets with a common
 * factor move together.
 */
export const hoursPerDay = 24;
export const minutesPerHour = 60;
export const minutesPerDay = hoursPerDay * minutesPerHour;
export const blocksPerDay = 6;
export const hoursPerBlock = hoursPerDay / blocksPerDay;
export const minutesPerBlock = minutesPerHour * hoursPerBlock;
export const stretchesPerHour = 12;
export const minutesPerStretch = minutesPerHour / stretchesPerHour;

const hourCutting: Cutting = {
  count: hoursPerDay,
  groups: blocksPerDay,
  excursions: 1,
  sharedSwing: 0.76,
  ownSwing: 0.3,
};
const minuteCutting: Cutting = {
  count: minutesPerHour,
  groups: stretchesPerHour,
  excursions: 1,
  sharedSwing: 0.38,
  ownSwing: 0.18,
};
/** Within a minute, the price often stands still, and its moves within slots are nearly straight. */
const slotCutting: Cutting = {
  count: slotsPerMinute,
  groups: 1,
  excursions: 0.1,
  sharedSwing: 0.22,
  ownSwing: 0.1,
  lulls: { 12: 30, 11: 30, 6: 90, 5: 90, 3: 160, 2: 160 },
};

export class PricePath {
  /** Hours of the day loaded last, minutes of its hour, slots of its minute. */
  readonly hours: Parts;
  readonly minutes: Parts;
  readonly slots: Parts;
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
  private readonly isMeasured = new Uint8Array(minutesPerHour);
  private readonly days: Days;
  private readonly session: Session;
  private readonly whole: Whole = { open: 0, close: 0, spread: 0, jump: 0, high: 0, low: 0 };
  private day = Number.NaN;
  private hour = Number.NaN;
  private minute = Number.NaN;

  constructor(seed: number, marketId: string, loads: Loads, session: Session, dailyVolatility: number) {
    this.days = new Days(seed, marketId, loads, session, dailyVolatility);
    this.session = session;
    this.hours = new Parts(hourCutting, new Chance(seed, marketId, loads, 'hours'));
    this.minutes = new Parts(minuteCutting, new Chance(seed, marketId, loads, 'minutes'));
    this.slots = new Parts(slotCutting, new Chance(seed, marketId, loads, 'slots'));
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

  /** Measures the ranges of some of the loaded day's hours; afterward no hour is loaded. */
  measureHours(first: number, count: number): void {
    this.hour = Number.NaN;
    this.minute = Number.NaN;
    for (let part = first; part < first + count; part += 1) {
      this.cutHour(part);
      this.hourRanges[2 * part] = this.minutes.low;
      this.hourRanges[2 * part + 1] = this.minutes.high;
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
    if (!isBound && (minutes.high > hours.highOfGroup(block) || minutes.low < hours.lowOfGroup(block))) {
      minutes.cut(hour, whole, true, jumpPart, this.minuteActivity);
    }
  }

  private cutMinute(part: number): void {
    const { minutes, slots, whole } = this;
    const minute = this.hour * minutesPerHour + part;
    const jumpPart = this.jumpIn((minute - this.day * minutesPerDay) * slotsPerMinute, minutesPerDay * slotsPerMinute);
    const stretch = minutes.groupOf(part);
    minutes.read(part, whole);
    const isBound = minutes.isHolder(part);
    slots.cut(minute, whole, isBound, jumpPart, null);
    if (!isBound && (slots.high > minutes.highOfGroup(stretch) || slots.low < minutes.lowOfGroup(stretch))) {
      slots.cut(minute, whole, true, jumpPart, null);
    }
    this.minuteRanges[2 * part] = slots.low;
    this.minuteRanges[2 * part + 1] = slots.high;
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
