import { hash32, keyOf, signedUnit } from './hashing.ts';
import type { Parts } from './parts.ts';
import {
  blocksPerDay,
  hoursPerBlock,
  hoursPerDay,
  minutesPerBlock,
  minutesPerDay,
  minutesPerHour,
  minutesPerStretch,
  type PricePath,
  stretchesPerHour,
} from './path.ts';
import type { Scale } from './scale.ts';
import { Sharing, shareWhole } from './sharing.ts';

/** A market's trading on an ordinary day. */
export interface DailyTrade {
  lots: number;
  prints: number;
}

/** Minimum number of prints in a minute. */
const minPrints = 3;
/**
 * Minimum lots for each print, and below, minimum lots of minutes, stretches, hours, blocks and days. Longer periods
 * have higher minimums, so that there is always some choice in how to distribute their lots.
 */
const lotsPerPrint = { minute: 5, stretch: 8, hour: 12, block: 16, day: 20 };
const minuteLots = minPrints * lotsPerPrint.minute;
const stretchLots = 2 * minutesPerStretch * minuteLots;
const hourLots = 3 * minutesPerHour * minuteLots;
const blockLots = 10 * minutesPerBlock * minuteLots;
const dayLots = 40 * minutesPerDay * minuteLots;
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
const defaultRoom = 0.25;

/**
 * The trading of each day, block, hour, stretch of five minutes and minute: whole numbers that add up, at prices that
 * the path reaches. Like the path, it holds the time requested last.
 */
export class Trades {
  dayLots = 0;
  dayPrints = 0;
  dayTurnover = 0;
  /** The price in grid steps relative to which the loaded day's turnover is measured. */
  reference = 0;
  readonly blocks = new Sharing(blocksPerDay);
  /** Hours of the block loaded last. */
  readonly hours = new Sharing(hoursPerBlock);
  readonly stretches = new Sharing(stretchesPerHour);
  /** Minutes of the stretch loaded last. */
  readonly minutes = new Sharing(minutesPerStretch);
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
  private stretch = Number.NaN;

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
    this.reference = scale.lowestPrint(path.hours.low);
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
      this.price(hours, i, path.hours, hour, path.hourRanges);
    }
    hours.shareLots(blocks.lots[part]!, blocks.turnovers[part]!, hourLots, lotsPerPrint.hour, edgeRoom);
  }

  /** Loads the lots and turnover of an hour's stretches. */
  loadHourLots(hour: number): void {
    const block = Math.floor(hour / hoursPerBlock);
    this.loadBlockLots(block);
    this.loadHour(hour);
    if (this.hourWithLots === hour) return;
    this.hourWithLots = hour;
    const { hours, stretches, path } = this;
    for (let stretch = 0; stretch < stretchesPerHour; stretch += 1) {
      this.gather(stretches, stretch, path.minutes, this.minuteWeights.lots);
    }
    gatherPrints(stretches, this.minutePrints);
    const part = hour - block * hoursPerBlock;
    stretches.shareLots(hours.lots[part]!, hours.turnovers[part]!, stretchLots, lotsPerPrint.stretch, edgeRoom);
  }

  /** Loads the lots and turnover of a stretch's minutes, counted from the epoch. */
  loadStretchLots(stretch: number): void {
    const hour = Math.floor(stretch / stretchesPerHour);
    this.loadHourLots(hour);
    const { minutes, stretches, path } = this;
    const part = stretch - hour * stretchesPerHour;
    const first = part * minutesPerStretch;
    // Loading a minute of another hour discards these measurements.
    path.measureMinutes(first, minutesPerStretch);
    if (this.stretch === stretch) return;
    this.stretch = stretch;
    for (let i = 0; i < minutesPerStretch; i += 1) {
      const minute = first + i;
      minutes.lotWeights[i] = this.minuteWeights.lots[minute]!;
      minutes.prints[i] = this.minutePrints[minute]!;
      this.price(minutes, i, path.minutes, minute, path.minuteRanges);
    }
    minutes.shareLots(stretches.lots[part]!, stretches.turnovers[part]!, minuteLots, lotsPerPrint.minute, 0);
  }

  /** Sets a group's share of the lots and its prices, from its parts. */
  private gather(sharing: Sharing, group: number, parts: Parts, lots: Float64Array): void {
    const { scale, reference } = this;
    const size = parts.count / sharing.count;
    const first = group * size;
    const end = first + size;
    sharing.lotWeights[group] = 0;
    let mean = (parts.values[first]! + parts.values[end]!) / 2;
    for (let part = first; part < end; part += 1) {
      if (part > first) mean += parts.values[part]!;
      sharing.lotWeights[group]! += lots[part]!;
    }
    const bottom = scale.lowestPrint(parts.lowOfGroup(group)) - reference;
    const top = scale.highestPrint(parts.highOfGroup(group)) - reference;
    setPrice(sharing, group, bottom, top, scale.gridOf(mean / size) + 0.5 - reference);
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

  /** Sets the range and natural price of a part at index `place` of `parts`, whose ranges are measured. */
  private price(sharing: Sharing, part: number, parts: Parts, place: number, ranges: Float64Array): void {
    const { scale, reference } = this;
    const [low, high] = [ranges[2 * place]!, ranges[2 * place + 1]!];
    const mean = (parts.values[place]! + parts.values[place + 1]! + low + high) / 4;
    const bottom = scale.lowestPrint(low) - reference;
    const top = scale.highestPrint(high) - reference;
    setPrice(sharing, part, bottom, top, scale.gridOf(mean) + 0.5 - reference);
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

function setPrice(sharing: Sharing, part: number, bottom: number, top: number, price: number): void {
  const room = defaultRoom * (top - bottom);
  sharing.bottoms[part] = bottom;
  sharing.tops[part] = top;
  sharing.prices[part] = Math.min(Math.max(price, bottom + room), top - room);
}
