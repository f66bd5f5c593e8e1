import { fraction, hash32, keyOf, nextHash, signedUnit } from '../../../base/terms/hash.ts';
import { Chance, type Loads } from './draws.ts';
import type { Whole } from './parts.ts';
import type { Session } from './session.ts';

/**
 * The start of each UTC day: its first and last price, how much the price moves in between, and sometimes a jump.
 *
 * The tree of days has roots 1,024 days apart. Each cell is halved until it is one day long. The halves get unequal
 * shares of the variance, so that whole months are calm or busy. The price in the middle of a cell is interpolated
 * between its ends, plus a displacement. In cells longer than four days, the displacement grows more slowly than a
 * random walk's, so prices stay near their instrument's level.
 */
const rootLevel = 10;
const rootDays = 2 ** rootLevel;
/** In cells longer than 2^2 days, each level keeps this share of a random walk's displacement. */
const walkLevel = 2;
const reversion = 0.8;
/** How unequal the halves of a cell are: the swing shared with the market's group, and the market's own. */
const sharedSwing = 0.44;
const ownSwing = 0.22;
/** Range of the values at the roots, in daily moves. */
const rootSpread = 6;
/** A daily volatility above this is damped in the long run, to keep prices away from zero. */
const maxLastingMove = 0.045;

/** Of every 1,000 days, the number with a jump shared by the market's group, and with one of the market's own. */
const sharedJumps = 60;
const ownJumps = 40;
/** Standard deviation of a jump, in daily moves. */
const jumpSize = 0.2;
/** The same when an underlying reopens after a night, and after a weekend. */
const nightJump = 0.2;
const weekendJump = 0.35;

/** What kind of day each day of a market is: how far it moves, and whether it jumps. */
export class Days {
  /** When in the day read last the jump happens, from 0 to 1; -1 if there is none. */
  jumpAt = -1;
  private readonly chance: Chance;
  private readonly session: Session;
  private readonly dayVariance: number;
  private readonly lastingMove: number;
  private readonly rootKey: number;
  private readonly jumpKeys: readonly [shared: number, own: number];

  constructor(seed: number, marketId: string, market: { loads: Loads; session: Session; dailyVolatility: number }) {
    const { loads, session, dailyVolatility } = market;
    this.chance = new Chance(seed, marketId, loads, 'days');
    this.session = session;
    this.dayVariance = dailyVolatility * dailyVolatility;
    this.lastingMove = Math.min(1, maxLastingMove / dailyVolatility);
    this.rootKey = keyOf(seed, marketId, 'roots');
    this.jumpKeys = [keyOf(seed, loads[0]?.[0] ?? marketId, 'jumps'), keyOf(seed, marketId, 'own jumps')];
  }

  /** Writes a day's open, close, variance and jump; returns its variance relative to an ordinary day's (around 1). */
  read(day: number, whole: Whole): number {
    const root = Math.floor(day / rootDays);
    let left = this.rootValue(root);
    let right = this.rootValue(root + 1);
    let spread = this.dayVariance * rootDays;
    let start = root * rootDays;
    let cell = 1;
    for (let level = rootLevel; level > 0; level -= 1) {
      const half = 2 ** (level - 1);
      const own = hash32(this.chance.own, root, cell);
      const shared = hash32(this.chance.first, root, cell);
      const z = this.chance.move(own, shared, root, cell);
      const sharedTilt = signedUnit(nextHash(shared));
      const ownTilt = signedUnit(nextHash(own));
      const swing = (1 + sharedSwing * sharedTilt) * (1 + ownSwing * ownTilt);
      const opposite = (1 - sharedSwing * sharedTilt) * (1 - ownSwing * ownTilt);
      const before = swing * this.activity(start, half);
      const share = before / (before + opposite * this.activity(start + half, half));
      const keeps = level > walkLevel ? this.lastingMove * reversion ** (level - walkLevel) : 1;
      // Bounded, unlike a normal variate: the price must stay away from zero whatever is drawn.
      const displacement = Math.max(-2, Math.min(2, z)) * keeps * Math.sqrt(spread * share * (1 - share));
      const middle = left + (right - left) * share + displacement;
      cell *= 2;
      if (day < start + half) {
        right = middle;
        spread *= share;
      } else {
        left = middle;
        spread *= 1 - share;
        start += half;
        cell += 1;
      }
    }
    whole.open = left;
    whole.close = right;
    whole.spread = spread;
    whole.jump = this.jumpOf(day);
    return (spread + whole.jump) / this.dayVariance;
  }

  private activity(firstDay: number, days: number): number {
    return this.session.between(firstDay * 1440, (firstDay + days) * 1440);
  }

  private rootValue(root: number): number {
    const move = Math.sqrt(this.dayVariance) * this.lastingMove;
    return rootSpread * move * signedUnit(hash32(this.rootKey, root, 0));
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
