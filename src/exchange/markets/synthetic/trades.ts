import { hash32, keyOf, signedUnit } from '../../../base/terms/hash.ts';
import type { Parts } from './parts.ts';
import { hoursPerDay, minutesPerDay, minutesPerHour, type PricePath, type Scale } from './path.ts';

/** A market's trading on an ordinary day. */
interface DailyTrade {
  lots: number;
  prints: number;
}

/** Minimum number of prints in a minute: those that every minute has. */
const minPrints = 6;
/**
 * Minimum lots for each print of a minute, an hour and a day: longer periods have some choice of how to share theirs.
 */
const lotsPerPrint = { minute: 8, hour: 10, day: 25 };

/** Minimum lots of a day: enough for calm minutes. */
const fewestLots = 1_000_000;
/** How much prints depend on the price's moves (the rest depends on the time of day), and on chance; lots on chance. */
const printsFollow = 0.6;
const printsSwing = 0.25;
const lotsSwing = 0.15;
const daySwing = 0.15;
/** How much of the trading within a minute comes with the moves. */
const tradeFollows = 0.63;
/** The mean price of a minute keeps this distance from both edges of its spans' range, as a share of it. */
const room = 0.15;
/** How often mean prices are moved until their sum is right, and how far off it may be, as a share of all ranges. */
const shiftTurns = 8;
const closeEnough = 1e-4;

/**
 * The trading of each day, hour and minute: whole numbers that add up. Lots come with the moves. Turnover is the sum of
 * price x lots, in grid ticks relative to a reference: that of the path's mean price. The path knows the means of days
 * and hours, so hardly anything is left to be shared out among minutes. Like the path, it holds the time requested
 * last.
 */
export class Trades {
  dayLots = 0;
  dayPrints = 0;
  dayTurnover = 0;
  /** The price in grid ticks relative to which the loaded day's turnover is measured. */
  reference = 0;
  /** The last trades of each hour of the loaded day. */
  readonly hours = newShares(hoursPerDay);
  /** The last trades of each minute of the loaded hour. */
  readonly minutes = newShares(minutesPerHour);
  private readonly path: PricePath;
  private readonly scale: Scale;
  private readonly daily: DailyTrade;
  private readonly key: number;
  private readonly weights = new Float64Array(minutesPerHour);
  private readonly prices = new Float64Array(minutesPerHour);
  private readonly ranges = new Float64Array(minutesPerHour);
  private readonly bottoms = new Float64Array(minutesPerHour);
  private day = Number.NaN;
  private dayWithHours = Number.NaN;
  private hour = Number.NaN;
  private hourWithPrints = Number.NaN;
  /** The range of the spans of the minute measured last. */
  private lowest = 0;
  private highest = 0;
  /** The share of the day's lots that trade after its jump, and of those of the jump's hour and minute. */
  private afterJump = 0;
  private afterJumpInHour = 0;
  private afterJumpInMinute = 0;

  constructor(seed: number, marketId: string, path: PricePath, scale: Scale, daily: DailyTrade) {
    this.path = path;
    this.scale = scale;
    this.daily = daily;
    this.key = keyOf(seed, marketId, 'trades');
  }

  /** Loads a day's totals. */
  loadDay(day: number): void {
    const { path, scale, key } = this;
    path.openDay(day);
    if (this.day === day) return;
    this.day = day;
    // Trading grows with the day's variance, but less than in proportion.
    const relativeVolatility = Math.sqrt(path.relativeVariance);
    const lots = this.daily.lots * relativeVolatility * (1 + daySwing * signedUnit(hash32(key, day, -1)));
    const prints = this.daily.prints * relativeVolatility * (1 + daySwing * signedUnit(hash32(key, day, -2)));
    this.dayPrints = Math.max(Math.round(prints), 2 * minPrints * minutesPerDay);
    this.dayLots = Math.max(Math.round(lots), lotsPerPrint.day * this.dayPrints, fewestLots);
    const { whole } = path;
    this.reference = scale.bidOf(Math.min(whole.open, whole.close));
    this.findJump(day);
    const mean = (whole.open + whole.close - whole.jump) / 2 + whole.lean + whole.jump * this.afterJump;
    this.dayTurnover = Math.round(this.dayLots * this.priceOf(mean));
  }

  /** Finds how much trades after the day's jump. */
  private findJump(day: number): void {
    const { path } = this;
    const { jump, spread } = path.whole;
    this.afterJump = 0;
    if (jump === 0) return;
    const { hours, minutes } = path;
    hours.complete();
    const hour = hours.jumpPart;
    path.openHour(day * hoursPerDay + hour);
    minutes.complete();
    const minute = minutes.jumpPart;
    this.afterJumpInMinute = 1 - room - (1 - 2 * room) * path.jumpInMinute();
    this.afterJumpInHour = this.after(minutes, minute, this.afterJumpInMinute) / hours.spreads[hour]!;
    this.afterJump = this.after(hours, hour, this.afterJumpInHour) / spread;
  }

  private after(parts: Parts, part: number, share: number): number {
    let after = share * parts.spreads[part]!;
    for (let later = part + 1; later < parts.count; later += 1) after += parts.spreads[later]!;
    return after;
  }

  /** The mean price of trades around a value: half of the lots trade at the ask. In grid ticks from the reference. */
  private priceOf(value: number): number {
    const { scale } = this;
    // A value between two bids is rounded down to a bid.
    return scale.base * value + (scale.spread - 1) / 2 - this.reference;
  }

  /** Loads the trades of a day's hours. */
  loadHours(day: number): void {
    this.loadDay(day);
    if (this.dayWithHours === day) return;
    this.dayWithHours = day;
    const { path, hours, prices, weights, dayLots, dayPrints, dayTurnover } = this;
    const parts = path.hours;
    parts.complete();
    this.weigh(parts, day, day * minutesPerDay, minutesPerHour, dayLots / dayPrints / lotsPerPrint.hour);
    shareWhole(dayPrints, weights, hours.prints, minPrints * minutesPerHour, null);
    shareWhole(dayLots, parts.spreads, hours.lots, lotsPerPrint.hour, hours.prints);
    let missing = dayTurnover;
    let all = 0;
    for (let hour = 0; hour < hoursPerDay; hour += 1) {
      const jump = hour === parts.jumpPart ? parts.jump : 0;
      const middle = (parts.values[hour]! + parts.values[hour + 1]! - jump) / 2;
      prices[hour] = this.priceOf(middle + parts.leans[hour]! + jump * this.afterJumpInHour);
      missing -= hours.lots[hour]! * prices[hour]!;
      weights[hour] = Math.sqrt(parts.spreads[hour]!);
      all += hours.lots[hour]! * weights[hour]!;
    }
    // The remainder from rounding.
    for (let hour = 0; hour < hoursPerDay; hour += 1) prices[hour]! += (missing * weights[hour]!) / all;
    addUp(dayTurnover, hours, prices);
  }

  /** Loads the prints of an hour's minutes. */
  loadPrints(hour: number): void {
    const day = Math.floor(hour / hoursPerDay);
    this.loadHours(day);
    this.path.openHour(hour);
    this.path.minutes.complete();
    if (this.hourWithPrints === hour) return;
    this.hourWithPrints = hour;
    const part = hour - day * hoursPerDay;
    const { hours, minutes } = this;
    const ratio = hours.lots[part]! / hours.prints[part]! / lotsPerPrint.minute;
    this.weigh(this.path.minutes, hour, hour * minutesPerHour, 1, ratio);
    shareWhole(hours.prints[part]!, this.weights, minutes.prints, minPrints, null);
  }

  /** Loads the trades of an hour's minutes. */
  loadMinutes(hour: number): void {
    this.loadPrints(hour);
    if (this.hour === hour) return;
    this.hour = hour;
    const { path, minutes, weights, hours, key } = this;
    const { spreads } = path.minutes;
    const part = hour % hoursPerDay;
    for (let minute = 0; minute < minutesPerHour; minute += 1) {
      weights[minute] = spreads[minute]! * (1 + lotsSwing * signedUnit(hash32(key, hour, -1 - minute)));
    }
    shareWhole(hours.lots[part]!, weights, minutes.lots, lotsPerPrint.minute, minutes.prints);
    this.price(hour, hours.turnovers[part]!);
    addUp(hours.turnovers[part]!, minutes, this.prices);
  }

  /**
   * Finds mean prices of an hour's minutes that add up to its turnover, each within the range of the minute's spans.
   */
  private price(hour: number, turnover: number): void {
    const { scale, minutes, prices, ranges, bottoms, reference } = this;
    for (let minute = 0; minute < minutesPerHour; minute += 1) {
      const mean = this.measure(hour * minutesPerHour + minute);
      const bottom = scale.bidOf(this.lowest) - reference;
      const range = scale.highestPrint(this.highest) - reference - bottom;
      bottoms[minute] = bottom + room * range;
      ranges[minute] = range;
      prices[minute] = within(this.priceOf(mean), bottoms[minute]!, (1 - 2 * room) * range);
    }
    for (let turn = 0; turn < shiftTurns; turn += 1) {
      let [missing, all] = [turnover, 0];
      for (let minute = 0; minute < minutesPerHour; minute += 1) {
        missing -= minutes.lots[minute]! * prices[minute]!;
        all += minutes.lots[minute]! * ranges[minute]!;
      }
      const shift = missing / all;
      const isDone = Math.abs(shift) < closeEnough;
      for (let minute = 0; minute < minutesPerHour; minute += 1) {
        const price = prices[minute]! + shift * ranges[minute]!;
        prices[minute] = isDone ? price : within(price, bottoms[minute]!, (1 - 2 * room) * ranges[minute]!);
      }
      if (isDone) return;
    }
  }

  /** The mean value of a minute while it trades, and the highest and lowest where its spans begin and end. */
  private measure(minute: number): number {
    const { path } = this;
    path.openMinute(minute);
    path.spans.complete();
    const { values, spreads, count } = path.spans;
    let moves = 0;
    for (let span = 0; span < count; span += 1) moves += spreads[span]!;
    const even = moves === 0 ? 1 : ((1 - tradeFollows) * moves) / (tradeFollows * count);
    let value = values[0]!;
    let [sum, weights] = [0, 0];
    this.lowest = value;
    this.highest = value;
    for (let span = 0; span < count; span += 1) {
      const weight = spreads[span]! + even;
      const next = values[span + 1]!;
      weights += weight;
      sum += (weight * (value + next)) / 2;
      value = next;
      if (value < this.lowest) this.lowest = value;
      if (value > this.highest) this.highest = value;
    }
    return sum / weights;
  }

  /** The lots of an hour of the loaded day relative to an ordinary one's. */
  activity(hour: number): number {
    return (this.hours.lots[hour % hoursPerDay]! * hoursPerDay) / this.daily.lots;
  }

  /**
   * Sets how many prints each part should have, from its moves, the time of day, and chance; at most `most` times its
   * share of the moves.
   */
  private weigh(parts: Parts, name: number, start: number, minutes: number, most: number): void {
    const { count, spreads } = parts;
    const { weights, key, path } = this;
    let moves = 0;
    for (let i = 0; i < count; i += 1) moves += spreads[i]!;
    let before = path.activityAt(start);
    const all = path.activityAt(start + count * minutes) - before;
    for (let i = 0; i < count; i += 1) {
      const until = path.activityAt(start + (i + 1) * minutes);
      const chance = 1 + printsSwing * signedUnit(hash32(key, name, i));
      const moving = spreads[i]! / moves;
      const weight = (printsFollow * moving + ((1 - printsFollow) * (until - before)) / all) * chance;
      weights[i] = Math.min(weight, most * moving);
      before = until;
    }
  }
}

/** The volume traded in equal parts of a time. */
export interface Shares {
  readonly prints: Float64Array;
  readonly lots: Float64Array;
  readonly turnovers: Float64Array;
}

function newShares(count: number): Shares {
  return { prints: new Float64Array(count), lots: new Float64Array(count), turnovers: new Float64Array(count) };
}

function within(value: number, least: number, range: number): number {
  return value < least ? least : value > least + range ? least + range : value;
}

/** Sets whole turnovers at these prices that add up to `whole`. */
function addUp(whole: number, { lots, turnovers }: Shares, prices: Float64Array): void {
  let running = 0.5;
  let given = 0;
  for (let i = 0; i < lots.length; i += 1) {
    running += lots[i]! * prices[i]!;
    const until = i === lots.length - 1 ? whole : Math.floor(running);
    turnovers[i] = until - given;
    given = until;
  }
}

/**
 * Splits a whole number into as many whole numbers as there are parts, in proportion to weights; each at least `least`,
 * or that many times `per` of its part.
 */
function shareWhole(
  whole: number,
  weights: Float64Array,
  parts: Float64Array,
  least: number,
  per: Float64Array | null,
): void {
  const leastOf = (i: number) => (per === null ? least : least * per[i]!);
  let sum = 0;
  for (let i = 0; i < parts.length; i += 1) sum += weights[i]!;
  let left = whole;
  for (let i = 0; i < parts.length; i += 1) {
    parts[i] = Math.max(leastOf(i), Math.round((whole * weights[i]!) / sum));
    left -= parts[i]!;
  }
  // The remainder from rounding and bounds is taken from the parts with the most to spare, or added to the largest.
  while (left !== 0) {
    let best = 0;
    for (let i = 1; i < parts.length; i += 1) if (parts[i]! - leastOf(i) > parts[best]! - leastOf(best)) best = i;
    const spare = parts[best]! - leastOf(best);
    const step = left < 0 && spare > 0 ? -Math.min(spare, -left) : left;
    parts[best]! += step;
    left -= step;
  }
}
