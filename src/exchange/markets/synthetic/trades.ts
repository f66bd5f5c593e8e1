import { hash32, keyOf, signedUnit } from '../../../base/terms/hash.ts';
import type { Parts } from './parts.ts';
import {
  blocksPerDay,
  hoursPerBlock,
  hoursPerDay,
  minutesPerBlock,
  minutesPerDay,
  minutesPerHour,
  minutesPerQuarter,
  type PricePath,
  quartersPerHour,
  type Scale,
} from './path.ts';
import { Sharing, shareWhole } from './sharing.ts';

/** A market's trading on an ordinary day. */
export interface DailyTrade {
  lots: number;
  prints: number;
}

/** Minimum number of prints in a minute. */
const minPrints = 4;
/**
 * Minimum lots for each print, and below, minimum lots of minutes, quarters, hours, blocks and days. Longer periods
 * have higher minimums, so that there is always some choice in how to distribute their lots.
 */
const lotsPerPrint = { minute: 8, quarter: 10, hour: 13, block: 16, day: 20 };
const minuteLots = minPrints * lotsPerPrint.minute;
const quarterLots = 2 * minutesPerQuarter * minuteLots;
const hourLots = 3 * minutesPerHour * minuteLots;
const blockLots = 6 * minutesPerBlock * minuteLots;
const dayLots = 20 * minutesPerDay * minuteLots;
/** A mean price keeps this distance from the edges of its range, as a share of the range, or as much as possible. */
const edgeRoom = 0.12;

/**
 * How much lots and prints depend on the price's moves (the rest depends on the time of day), and how much on chance.
 */
const lotsFollow = 0.65;
const printsFollow = 0.6;
const tradeSwing = 0.25;
const daySwing = 0.15;
/** A natural price keeps this distance from both edges of its range, as a share of the range. */
const defaultRoom = 0.15;

/**
 * The trading of each day, block, hour, quarter of an hour and minute: whole numbers that add up, at prices that
 * the path reaches. Like the path, it holds the time requested last.
 */
export class Trades {
  dayLots = 0;
  dayPrints = 0;
  dayTurnover = 0;
  /** The price in grid ticks relative to which the loaded day's turnover is measured. */
  reference = 0;
  readonly blocks = new Sharing(blocksPerDay);
  /** Hours of the block loaded last. */
  readonly hours = new Sharing(hoursPerBlock);
  readonly quarters = new Sharing(quartersPerHour);
  /** Minutes of the quarter loaded last. */
  readonly minutes = new Sharing(minutesPerQuarter);
  /** Prints of each hour of the day loaded last, and of each minute of its hour. */
  readonly hourPrints = new Float64Array(hoursPerDay);
  readonly minutePrints = new Float64Array(minutesPerHour);
  private readonly path: PricePath;
  private readonly scale: Scale;
  private readonly daily: DailyTrade;
  private readonly key: number;
  /** How much each hour of the day and each minute of the hour should trade, in any unit. */
  private readonly hourWeights = { lots: new Float64Array(hoursPerDay), prints: new Float64Array(hoursPerDay) };
  private readonly minuteWeights = { lots: new Float64Array(minutesPerHour), prints: new Float64Array(minutesPerHour) };
  private day = Number.NaN;
  private hour = Number.NaN;
  private dayWithPrints = Number.NaN;
  private dayWithLots = Number.NaN;
  private block = Number.NaN;
  private hourWithLots = Number.NaN;
  private quarter = Number.NaN;

  constructor(seed: number, marketId: string, path: PricePath, scale: Scale, daily: DailyTrade) {
    this.path = path;
    this.scale = scale;
    this.daily = daily;
    this.key = keyOf(seed, marketId, 'trades');
  }

  /** Loads a day's totals. */
  loadDay(day: number): void {
    const { path, blocks, scale, key } = this;
    path.loadDay(day);
    if (this.day === day) return;
    this.day = day;
    // Trading grows with the day's variance, but less than in proportion.
    const relativeVolatility = Math.sqrt(path.relativeVariance);
    const lots = this.daily.lots * relativeVolatility * (1 + daySwing * signedUnit(hash32(key, day, -1)));
    const prints = this.daily.prints * relativeVolatility * (1 + daySwing * signedUnit(hash32(key, day, -2)));
    this.dayPrints = Math.max(Math.round(prints), 2 * minPrints * minutesPerDay);
    this.dayLots = Math.max(Math.round(lots), lotsPerPrint.day * this.dayPrints, dayLots);
    this.reference = scale.bidOf(path.hours.low);
    this.weigh(path.hours, path.hourActivity, day, this.hourWeights);
    for (let block = 0; block < blocksPerDay; block += 1) this.gather(blocks, block, path.hours, this.hourWeights.lots);
    this.dayTurnover = Math.round(this.dayLots * blocks.meanPrice());
  }

  /** Loads the prints of an hour's minutes. */
  loadHour(hour: number): void {
    const day = Math.floor(hour / hoursPerDay);
    const { path } = this;
    this.loadDay(day);
    path.loadHour(hour);
    if (this.hour === hour) return;
    this.hour = hour;
    this.shareDayPrints();
    this.weigh(path.minutes, path.minuteActivity, hour, this.minuteWeights);
    const prints = this.hourPrints[hour - day * hoursPerDay]!;
    shareWhole(prints, this.minuteWeights.prints, this.minutePrints, minPrints);
  }

  /** Distributes the day's prints over its hours. */
  private shareDayPrints(): void {
    if (this.dayWithPrints === this.day) return;
    this.dayWithPrints = this.day;
    shareWhole(this.dayPrints, this.hourWeights.prints, this.hourPrints, minPrints * minutesPerHour);
  }

  /** Loads the lots and turnover of a day's blocks. */
  loadDayLots(day: number): void {
    this.loadDay(day);
    if (this.dayWithLots === day) return;
    this.dayWithLots = day;
    this.shareDayPrints();
    gatherPrints(this.blocks, this.hourPrints);
    this.blocks.shareLots(this.dayLots, this.dayTurnover, blockLots, lotsPerPrint.block, edgeRoom);
  }

  /** Loads the lots and turnover of the hours of a block, counted from the epoch. */
  loadBlockLots(block: number): void {
    const day = Math.floor(block / blocksPerDay);
    this.loadDayLots(day);
    if (this.block === block) return;
    this.block = block;
    const { blocks, hours, path } = this;
    const part = block - day * blocksPerDay;
    const first = part * hoursPerBlock;
    path.measureHours(first, hoursPerBlock);
    for (let i = 0; i < hoursPerBlock; i += 1) {
      const hour = first + i;
      hours.lotWeights[i] = this.hourWeights.lots[hour]!;
      hours.prints[i] = this.hourPrints[hour]!;
      this.price(hours, i, path.hourRanges[2 * hour]!, path.hourRanges[2 * hour + 1]!, path.hourMeans[hour]!);
    }
    hours.shareLots(blocks.lots[part]!, blocks.turnovers[part]!, hourLots, lotsPerPrint.hour, edgeRoom);
  }

  /** Loads the lots and turnover of an hour's quarters. */
  loadHourLots(hour: number): void {
    const block = Math.floor(hour / hoursPerBlock);
    this.loadBlockLots(block);
    this.loadHour(hour);
    if (this.hourWithLots === hour) return;
    this.hourWithLots = hour;
    const { hours, quarters, path } = this;
    for (let quarter = 0; quarter < quartersPerHour; quarter += 1) {
      this.gather(quarters, quarter, path.minutes, this.minuteWeights.lots);
    }
    gatherPrints(quarters, this.minutePrints);
    const part = hour - block * hoursPerBlock;
    quarters.shareLots(hours.lots[part]!, hours.turnovers[part]!, quarterLots, lotsPerPrint.quarter, edgeRoom);
  }

  /** Loads the lots and turnover of a quarter's minutes, counted from the epoch. */
  loadQuarterLots(quarter: number): void {
    const hour = Math.floor(quarter / quartersPerHour);
    this.loadHourLots(hour);
    const { minutes, quarters, path } = this;
    const part = quarter - hour * quartersPerHour;
    const first = part * minutesPerQuarter;
    // Loading a minute of another hour discards these measurements.
    path.measureMinutes(first, minutesPerQuarter);
    if (this.quarter === quarter) return;
    this.quarter = quarter;
    for (let i = 0; i < minutesPerQuarter; i += 1) {
      const minute = first + i;
      minutes.lotWeights[i] = this.minuteWeights.lots[minute]!;
      minutes.prints[i] = this.minutePrints[minute]!;
      const { minuteRanges, minuteMeans } = path;
      this.price(minutes, i, minuteRanges[2 * minute]!, minuteRanges[2 * minute + 1]!, minuteMeans[minute]!);
    }
    minutes.shareLots(quarters.lots[part]!, quarters.turnovers[part]!, minuteLots, lotsPerPrint.minute, 0);
  }

  /** The lots of the loaded quarter relative to an ordinary one's. */
  quarterActivity(quarter: number): number {
    return (this.quarters.lots[quarter % quartersPerHour]! * hoursPerDay * quartersPerHour) / this.daily.lots;
  }

  /** Sets a group's share of the lots and its prices, from its parts. */
  private gather(sharing: Sharing, group: number, parts: Parts, lots: Float64Array): void {
    const size = parts.count / sharing.count;
    const first = group * size;
    const end = first + size;
    sharing.lotWeights[group] = 0;
    for (let part = first; part < end; part += 1) sharing.lotWeights[group]! += lots[part]!;
    this.price(sharing, group, parts.groupLows[group]!, parts.groupHighs[group]!, parts.meanOf(first, end));
  }

  /** Sets how much each part should trade, from its moves, the time of day, and chance. */
  private weigh(
    parts: Parts,
    activity: Float64Array,
    name: number,
    weights: { lots: Float64Array; prints: Float64Array },
  ): void {
    const { count } = parts;
    let moves = 0;
    for (let i = 0; i < count; i += 1) moves += parts.variance(i);
    const all = activity[count]!;
    for (let i = 0; i < count; i += 1) {
      const moving = parts.variance(i) / moves;
      const busy = (activity[i + 1]! - activity[i]!) / all;
      const chance = 1 + tradeSwing * signedUnit(hash32(this.key, name, i));
      weights.lots[i] = (lotsFollow * moving + (1 - lotsFollow) * busy) * chance;
      weights.prints[i] = (printsFollow * moving + (1 - printsFollow) * busy) * chance;
    }
  }

  /** Sets the range and natural price of a part, from the path's lowest, highest and mean value there. */
  private price(sharing: Sharing, part: number, low: number, high: number, mean: number): void {
    const { scale, reference } = this;
    const bottom = scale.bidOf(low) - reference;
    const top = scale.highestPrint(high) - reference;
    const room = defaultRoom * (top - bottom);
    // A value between two bids is rounded down to a bid, and half of the lots trade at the ask.
    const price = scale.gridOf(mean) + (scale.spread - 1) / 2 - reference;
    sharing.bottoms[part] = bottom;
    sharing.tops[part] = top;
    sharing.prices[part] = Math.min(Math.max(price, bottom + room), top - room);
  }
}

/** Sums the prints of equal groups of parts. */
function gatherPrints(sharing: Sharing, prints: Float64Array): void {
  const size = prints.length / sharing.count;
  for (let group = 0; group < sharing.count; group += 1) {
    sharing.prints[group] = 0;
    for (let part = group * size; part < (group + 1) * size; part += 1) sharing.prints[group]! += prints[part]!;
  }
}
