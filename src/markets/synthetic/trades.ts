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

/** What a market trades on an ordinary day. */
export interface DailyTrade {
  lots: number;
  prints: number;
}

/** Every minute has at least so many prints. */
const fewestPrints = 3;
/**
 * The least lots for each print, and over those of fewest prints, of minutes, stretches, hours and days: the longer, the
 * more, so that none is left without a choice in sharing them out.
 */
const lotsPerPrint = { minute: 5, stretch: 8, hour: 12, block: 16, day: 20 };
const minuteLots = fewestPrints * lotsPerPrint.minute;
const stretchLots = 2 * minutesPerStretch * minuteLots;
const hourLots = 3 * minutesPerHour * minuteLots;
const blockLots = 10 * minutesPerBlock * minuteLots;
const dayLots = 40 * minutesPerDay * minuteLots;
/** A mean price keeps this share of its range to the edges, or else as much as can be, where minutes must make it up. */
const edgeRoom = 0.12;

/** How far lots and prints follow the moves of the price; the rest follows the time of day. And how far chance moves both. */
const lotsFollow = 0.65;
const printsFollow = 0.6;
const tradeSwing = 0.25;
const daySwing = 0.15;
/** A natural price keeps this share of the range from either edge. */
const usualRoom = 0.25;

/**
 * What is traded by day, hour, stretch of five minutes and minute: numbers that add up, at prices that the path has. Made
 * for the time last asked for, like the path.
 */
export class Trades {
  dayLots = 0;
  dayPrints = 0;
  dayWorth = 0;
  /** Grid step from which worth is counted, on the day at hand. */
  reference = 0;
  readonly blocks = new Sharing(blocksPerDay);
  /** Hours of the block last loaded. */
  readonly hours = new Sharing(hoursPerBlock);
  readonly stretches = new Sharing(stretchesPerHour);
  /** Minutes of the stretch last loaded. */
  readonly minutes = new Sharing(minutesPerStretch);
  /** Prints of the hours of the day last loaded, and of the minutes of the hour. */
  readonly hourPrints = new Float64Array(hoursPerDay);
  readonly minutePrints = new Float64Array(minutesPerHour);
  private readonly path: PricePath;
  private readonly scale: Scale;
  private readonly daily: DailyTrade;
  private readonly key: number;
  /** What each hour of the day and each minute of the hour should trade, in any unit. */
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

  /** Knows what is traded on a day. */
  loadDay(day: number): void {
    const { path, blocks, scale, key } = this;
    path.loadDay(day);
    if (this.day === day) return;
    this.day = day;
    // Trading grows with the day's variance, but more slowly.
    const liveliness = Math.sqrt(path.liveliness);
    const lots = this.daily.lots * liveliness * (1 + daySwing * signedUnit(hash32(key, day, -1)));
    const prints = this.daily.prints * liveliness * (1 + daySwing * signedUnit(hash32(key, day, -2)));
    this.dayPrints = Math.max(Math.round(prints), 2 * fewestPrints * minutesPerDay);
    this.dayLots = Math.max(Math.round(lots), lotsPerPrint.day * this.dayPrints, dayLots);
    this.reference = scale.lowestPrint(path.hours.low);
    this.weigh(path.hours, path.hourBusyness, day, this.hourWeights);
    for (let block = 0; block < blocksPerDay; block += 1) this.gather(blocks, block, path.hours, this.hourWeights.lots);
    this.dayWorth = Math.round(this.dayLots * blocks.meanPrice());
  }

  /** Knows the prints of the minutes of an hour. */
  loadHour(hour: number): void {
    const day = Math.floor(hour / hoursPerDay);
    const { path } = this;
    this.loadDay(day);
    path.loadHour(hour);
    if (this.hour === hour) return;
    this.hour = hour;
    this.shareDayPrints();
    this.weigh(path.minutes, path.minuteBusyness, hour, this.minuteWeights);
    const prints = this.hourPrints[hour - day * hoursPerDay]!;
    shareWhole(prints, this.minuteWeights.prints, this.minutePrints, fewestPrints);
  }

  /** Shares the prints of the day out to its hours. */
  private shareDayPrints(): void {
    if (this.dayWithPrints === this.day) return;
    this.dayWithPrints = this.day;
    shareWhole(this.dayPrints, this.hourWeights.prints, this.hourPrints, fewestPrints * minutesPerHour);
  }

  /** Knows lots and worth of the blocks of a day. */
  loadDayLots(day: number): void {
    this.loadDay(day);
    if (this.dayWithLots === day) return;
    this.dayWithLots = day;
    this.shareDayPrints();
    gatherPrints(this.blocks, this.hourPrints);
    this.blocks.shareLots(this.dayLots, this.dayWorth, blockLots, lotsPerPrint.block, edgeRoom);
  }

  /** Knows lots and worth of the hours of a block of four, counted from the epoch. */
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
    hours.shareLots(blocks.lots[part]!, blocks.worths[part]!, hourLots, lotsPerPrint.hour, edgeRoom);
  }

  /** Knows lots and worth of the stretches of an hour. */
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
    stretches.shareLots(hours.lots[part]!, hours.worths[part]!, stretchLots, lotsPerPrint.stretch, edgeRoom);
  }

  /** Knows lots and worth of the minutes of a stretch, counted from the epoch. */
  loadStretchLots(stretch: number): void {
    const hour = Math.floor(stretch / stretchesPerHour);
    this.loadHourLots(hour);
    const { minutes, stretches, path } = this;
    const part = stretch - hour * stretchesPerHour;
    const first = part * minutesPerStretch;
    // Whoever loads a minute of another hour measures that one instead.
    path.measureMinutes(first, minutesPerStretch);
    if (this.stretch === stretch) return;
    this.stretch = stretch;
    for (let i = 0; i < minutesPerStretch; i += 1) {
      const minute = first + i;
      minutes.lotWeights[i] = this.minuteWeights.lots[minute]!;
      minutes.prints[i] = this.minutePrints[minute]!;
      this.price(minutes, i, path.minutes, minute, path.minuteRanges);
    }
    minutes.shareLots(stretches.lots[part]!, stretches.worths[part]!, minuteLots, lotsPerPrint.minute, 0);
  }

  /** What a group of parts should trade, and its prices. */
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

  /** How much each part should trade: by how it moves, by the time of day, and by chance. */
  private weigh(
    parts: Parts,
    busyness: Float64Array,
    name: number,
    weights: { lots: Float64Array; prints: Float64Array },
  ): void {
    const { count } = parts;
    let moves = 0;
    for (let i = 0; i < count; i += 1) moves += parts.variance(i);
    const all = busyness[count]!;
    for (let i = 0; i < count; i += 1) {
      const moving = parts.variance(i) / moves;
      const busy = (busyness[i + 1]! - busyness[i]!) / all;
      const chance = 1 + tradeSwing * signedUnit(hash32(this.key, name, i));
      weights.lots[i] = (lotsFollow * moving + (1 - lotsFollow) * busy) * chance;
      weights.prints[i] = (printsFollow * moving + (1 - printsFollow) * busy) * chance;
    }
  }

  /** Range and natural price of a part that lies at `place` of `parts`, whose ranges are measured. */
  private price(sharing: Sharing, part: number, parts: Parts, place: number, ranges: Float64Array): void {
    const { scale, reference } = this;
    const [low, high] = [ranges[2 * place]!, ranges[2 * place + 1]!];
    const mean = (parts.values[place]! + parts.values[place + 1]! + low + high) / 4;
    const bottom = scale.lowestPrint(low) - reference;
    const top = scale.highestPrint(high) - reference;
    setPrice(sharing, part, bottom, top, scale.gridOf(mean) + 0.5 - reference);
  }
}

/** The prints of equal groups of parts. */
function gatherPrints(sharing: Sharing, prints: Float64Array): void {
  const size = prints.length / sharing.count;
  for (let group = 0; group < sharing.count; group += 1) {
    sharing.prints[group] = 0;
    for (let part = group * size; part < (group + 1) * size; part += 1) sharing.prints[group]! += prints[part]!;
  }
}

function setPrice(sharing: Sharing, part: number, bottom: number, top: number, price: number): void {
  const room = usualRoom * (top - bottom);
  sharing.bottoms[part] = bottom;
  sharing.tops[part] = top;
  sharing.prices[part] = Math.min(Math.max(price, bottom + room), top - room);
}
