import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { BookSnapshot } from '../../engine/source.ts';
import { keyOf } from './hashing.ts';
import { Ladder } from './ladder.ts';
import { Minute } from './minute.ts';
import { MinutePrints } from './minute-prints.ts';
import { PricePath } from './path.ts';
import { type Profile, profileOf } from './profile.ts';
import { Scale } from './scale.ts';
import { Session } from './session.ts';
import { bookSlotAt, bookTime, slotsPerMinute, type Timing } from './slots.ts';
import { type LastTouch, plainStart, startFrom } from './start.ts';
import { Trades } from './trades.ts';

/** Both sides of a book as flat arrays, and how many of their levels are valid. */
export interface Levels {
  bids: Float64Array;
  bidCount: number;
  asks: Float64Array;
  askCount: number;
}

/** One market, a pure function of its seed and time. */
export class SyntheticMarket {
  readonly definition: MarketDefinition;
  readonly profile: Profile;
  readonly session: Session;
  readonly path: PricePath;
  readonly trades: Trades;
  readonly ladder: Ladder;
  readonly scale: Scale;
  readonly timing: Timing;
  /** The minute requested last, and its prints: load the minute before reading them. */
  readonly minute: Minute;
  readonly prints: MinutePrints;
  /** Price units of one grid step. */
  readonly gridStep: number;
  private levels: Levels | null = null;

  /** With `last`, the market continues from that touch: all its prices are scaled by one factor. */
  constructor(seed: number, definition: MarketDefinition, last: LastTouch | null = null) {
    const { marketId } = definition;
    this.definition = definition;
    const usual = profileOf(definition);
    const [factor] = usual.loads[0]!;
    this.timing = { shared: keyOf(seed, factor, 'times'), own: keyOf(seed, marketId, 'times') };
    this.session = new Session(usual.kind);
    this.path = new PricePath(seed, marketId, usual.loads, this.session, usual.dailyVolatility);
    const start = last === null ? plainStart(definition, usual) : startFrom(definition, last, this);
    const { profile, base, margin, fixed } = start;
    this.profile = profile;
    this.gridStep = profile.gridStep;
    this.scale = new Scale(base, margin);
    const { path, scale, timing } = this;
    const lots = (usd: number) => (usd / profile.base) * 10 ** definition.sizeDecimals;
    const daily = { lots: lots(profile.dailyUsd), prints: profile.dailyUsd / profile.printUsd };
    this.trades = new Trades(seed, marketId, path, scale, daily);
    this.ladder = new Ladder(seed, definition, profile);
    const { spreads } = profile;
    this.minute = new Minute(seed, marketId, { path, trades: this.trades, scale, spreads, fixed });
    this.prints = new MinutePrints(seed, marketId, this.minute, scale, timing);
  }

  /** Writes a slot's book into `bids` and `asks` and sets their level counts. */
  writeBook(slot: number, book: Levels): void {
    const { ladder, minute } = this;
    const number = Math.floor(slot / slotsPerMinute);
    minute.load(number);
    const place = slot - number * slotsPerMinute;
    const path = minute.to[place]!;
    const extra = minute.extraSpread(path, slot);
    const pressure = minute.pressure(place);
    book.bidCount = ladder.write('bid', path - (extra >> 1), slot, fullness(-pressure), book.bids);
    book.askCount = ladder.write('ask', path + 1 + ((extra + 1) >> 1), slot, fullness(pressure), book.asks);
  }

  /** The book as of `time`; null before the Unix epoch. */
  book(time: Ms): BookSnapshot | null {
    const slot = bookSlotAt(this.timing, time);
    if (slot < 0) return null;
    this.levels ??= this.newLevels();
    const { levels } = this;
    this.writeBook(slot, levels);
    return {
      time: bookTime(this.timing, slot),
      sequence: slot,
      bids: copyOf(levels.bids, 2 * levels.bidCount),
      asks: copyOf(levels.asks, 2 * levels.askCount),
    };
  }

  newLevels(): Levels {
    const size = 2 * this.ladder.maxLevels;
    return { bids: new Float64Array(size), bidCount: 0, asks: new Float64Array(size), askCount: 0 };
  }
}

/** Books are read one at a time and very often, and Array.from would be much slower. */
function copyOf(values: Float64Array, count: number): number[] {
  const copy: number[] = [];
  for (let i = 0; i < count; i += 1) copy.push(values[i]!);
  return copy;
}

/**
 * The share of a touch's size that remains under pressure, from 1 (the price is about to break through it) to -1 (it is
 * moving away).
 */
function fullness(pressure: number): number {
  return pressure > 0 ? 1 - 0.75 * pressure : 1 - 0.35 * pressure;
}
