import { fraction, hash32, keyOf, nextHash, signedUnit } from '../../../base/terms/hash.ts';
import { syntheticVersions } from '../versions.ts';
import { Chance, exp, type Loads } from './draws.ts';
import { rangeOf, type Whole } from './parts.ts';
import type { Session } from './session.ts';

/**
 * The start of each UTC day: its first and last price, how much the price moves in between, and sometimes a jump.
 *
 * The tree of days has roots 4,096 days apart. Each cell is halved until it is one day long. The halves get unequal
 * shares of the variance, so that whole months are calm or busy. The logarithm of the price follows an
 * Ornstein-Uhlenbeck process in that time: at every cut, it is drawn from the distribution that it has between the ends
 * of its cell, so no cell leaves a trace. It returns to its instrument's level within years.
 */
const rootLevel = 12;
const rootDays = 2 ** rootLevel;
/** How unequal the halves of a cell are, at most. */
const swing = 0.5;
/**
 * In so many days of ordinary trading, a distance from the level shrinks to 1/e of itself: so slowly that moves of
 * eight days don't show it. In fewer where the logarithm of a price would stray farther than by the second number.
 */
const relaxation = { days: 1000, deviation: 1 };

/** Of every 1,000 days, the number with a jump shared by the market's group, and with one of the market's own. */
const sharedJumps = 60;
const ownJumps = 40;
/** Standard deviation of a jump, in daily moves. */
const jumpSize = 0.2;
/** The same when an underlying reopens after a night, and after a weekend. */
const nightJump = 0.2;
const weekendJump = 0.35;
/** A jump has at most this share of its day's variance. */
const mostJump = 0.5;
/** A day's path stays within so many standard deviations of its ends. */
const reach = 2.5;
/** Within a day, no price is below this share of those at its ends. */
const lowest = 0.2;

/** The kind of each day of a market: how far it moves, and whether it jumps. */
export class Days {
  /** When in the day read last the jump happens, from 0 to 1; -1 if there is none. */
  jumpAt = -1;
  private readonly chance: Chance;
  private readonly session: Session;
  private readonly dayVariance: number;
  /** The time in which a distance from the level shrinks, as variance. */
  private readonly relaxation: number;
  private readonly levels: Chance;
  private readonly means: Chance;
  private readonly jumps: Chance;
  private readonly jumpKeys: readonly [shared: number, own: number];
  /** The cells that lead to the day read last, by level: number, price at both ends, variance. */
  private readonly cells = new Float64Array(rootLevel + 1).fill(Number.NaN);
  private readonly lefts = new Float64Array(rootLevel + 1);
  private readonly rights = new Float64Array(rootLevel + 1);
  private readonly spreads = new Float64Array(rootLevel + 1);

  constructor(seed: number, marketId: string, market: { loads: Loads; session: Session; dailyVolatility: number }) {
    const { loads, session, dailyVolatility } = market;
    this.chance = new Chance(seed, marketId, loads, `days of ${syntheticVersions.prices}`);
    this.levels = new Chance(seed, marketId, loads, 'roots');
    this.means = new Chance(seed, marketId, loads, 'means');
    this.jumps = new Chance(seed, marketId, loads, 'jump sizes');
    this.session = session;
    this.dayVariance = dailyVolatility * dailyVolatility;
    this.relaxation = Math.min(relaxation.days * this.dayVariance, 2 * relaxation.deviation ** 2);
    this.jumpKeys = [keyOf(seed, loads[0]?.[0] ?? marketId, 'jumps'), keyOf(seed, marketId, 'own jumps')];
  }

  /**
   * Writes a day: its prices relative to the instrument's level, and its variance in their square. Returns its variance
   * relative to an ordinary day's (around 1).
   */
  read(day: number, whole: Whole): number {
    const { cells, spreads } = this;
    let level = 0;
    while (level <= rootLevel && cells[level] !== Math.floor(day / 2 ** level)) level += 1;
    if (level > rootLevel) this.readRoot(Math.floor(day / rootDays));
    for (level = Math.min(level, rootLevel); level > 0; level -= 1)
      this.halve(level, Math.floor(day / 2 ** (level - 1)));
    const all = spreads[0]!;
    whole.open = exp(this.lefts[0]!);
    whole.close = exp(this.rights[0]!);
    // Within a day, the price itself is Brownian motion.
    const unit = whole.open * whole.close;
    const jump = Math.min(mostJump * all, this.jumpOf(day));
    whole.spread = unit * (all - jump);
    whole.lean = Math.sqrt(whole.spread / 12) * this.drawOf(this.means, day);
    whole.jump = 0;
    if (jump > 0) {
      const share = jump / all;
      const free = Math.sqrt(unit * all * share * (1 - share)) * this.drawOf(this.jumps, day);
      whole.jump = (whole.close - whole.open) * share + free;
    }
    rangeOf(whole, reach);
    whole.bottom = Math.max(whole.bottom, lowest * Math.min(whole.open, whole.close));
    return all / this.dayVariance;
  }

  private drawOf(chance: Chance, day: number): number {
    return chance.move(hash32(chance.own, day, 0), hash32(chance.first, day, 0), day, 0);
  }

  private readRoot(root: number): void {
    const { cells, lefts, rights, spreads, levels } = this;
    // The distances from the level that prices have in the long run; roots are too far apart to know each other.
    const distance = Math.sqrt(this.relaxation / 2);
    cells[rootLevel] = root;
    lefts[rootLevel] = distance * this.drawOf(levels, root);
    rights[rootLevel] = distance * this.drawOf(levels, root + 1);
    spreads[rootLevel] = this.dayVariance * rootDays;
  }

  /** Reads a half of the cell one level above it. */
  private halve(level: number, half: number): void {
    const { cells, lefts, rights, spreads, chance, relaxation } = this;
    const days = 2 ** (level - 1);
    const cell = cells[level]!;
    const start = cell * 2 * days;
    const node = 2 ** (rootLevel - level) + (cell % 2 ** (rootLevel - level));
    const root = Math.floor(start / rootDays);
    const own = hash32(chance.own, root, node);
    const shared = hash32(chance.first, root, node);
    const tilt = swing * signedUnit(nextHash(shared));
    const before = (1 + tilt) * this.activity(start, days);
    const spread = spreads[level]!;
    const early = (spread * before) / (before + (1 - tilt) * this.activity(start + days, days));
    const late = spread - early;
    const [left, right] = [lefts[level]!, rights[level]!];
    // The remaining distance from the level after each half.
    const [kept, later] = [exp(-early / relaxation), exp(-late / relaxation)];
    const [lost, lostLater] = [1 - kept * kept, 1 - later * later];
    const whole = 1 - kept * kept * later * later;
    const deviation = Math.sqrt((relaxation * lost * lostLater) / (2 * whole));
    const middle =
      (left * kept * lostLater + right * later * lost) / whole + deviation * chance.move(own, shared, root, node);
    const isEarly = half === 2 * cell;
    cells[level - 1] = half;
    lefts[level - 1] = isEarly ? left : middle;
    rights[level - 1] = isEarly ? middle : right;
    spreads[level - 1] = isEarly ? early : late;
  }

  private activity(firstDay: number, days: number): number {
    return this.session.between(firstDay * 1440, (firstDay + days) * 1440);
  }

  /** Variance of the day's jump; 0 on most days. */
  private jumpOf(day: number): number {
    const reopening = this.session.reopening(day);
    if (reopening !== null) {
      this.jumpAt = reopening.at;
      return this.dayVariance * (reopening.isAfterWeekend ? weekendJump : nightJump) ** 2;
    }
    const shared = hash32(this.jumpKeys[0], day, 0);
    const own = hash32(this.jumpKeys[1], day, 0);
    const isShared = fraction(shared) * 1000 < sharedJumps;
    const jumps = isShared || fraction(own) * 1000 < ownJumps;
    this.jumpAt = jumps ? fraction(nextHash(isShared ? shared : own)) : -1;
    return jumps ? this.dayVariance * jumpSize * jumpSize : 0;
  }
}
