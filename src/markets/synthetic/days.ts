import { Chance, type Loads } from './chance.ts';
import { fraction, hash32, keyOf, nextHash, signedUnit } from './hashing.ts';
import type { Whole } from './parts.ts';
import type { Session } from './session.ts';

/**
 * What each UTC day begins from: the price at both its ends, how much the price moves in between, and perhaps a jump.
 *
 * Days hang on roots of 1 024 days. From there cells are halved down to the day. Variance is handed down in unequal
 * shares, so that whole months are calm or busy; the price in the middle of a cell is that between its ends and a
 * displacement, which grows more slowly than a random walk's in cells beyond four days: prices stay in the region of
 * their instrument.
 */
const rootLevel = 10;
const rootDays = 2 ** rootLevel;
/** Beyond cells of 2^2 days, each level keeps this share of a random walk's displacement. */
const walkLevel = 2;
const reversion = 0.8;
/** How unequal the halves of a cell are: shared with the market's kind, and its own. */
const sharedSwing = 0.44;
const ownSwing = 0.22;
/** Values at the ends of roots, in daily moves. */
const rootSpread = 6;
/** Daily moves beyond this count for less in the long run: a price must stay away from zero. */
const mostLastingMove = 0.045;

/** Of 1 000 days, those with a jump of the market's kind, and those with one of its own. */
const sharedJumps = 60;
const ownJumps = 40;
/** Standard deviation of a jump, in daily moves. */
const jumpSize = 0.2;

export class Days {
  /** Where in the day, from 0 to 1, the jump of the day last asked for lies; -1: there is none. */
  jumpAt = -1;
  private readonly chance: Chance;
  private readonly session: Session;
  private readonly dayVariance: number;
  private readonly lastingMove: number;
  private readonly rootKey: number;
  private readonly jumpKeys: readonly [shared: number, own: number];

  constructor(seed: number, marketId: string, loads: Loads, session: Session, dailyVolatility: number) {
    this.chance = new Chance(seed, marketId, loads, 'days');
    this.session = session;
    this.dayVariance = dailyVolatility * dailyVolatility;
    this.lastingMove = Math.min(1, mostLastingMove / dailyVolatility);
    this.rootKey = keyOf(seed, marketId, 'roots');
    this.jumpKeys = [keyOf(seed, loads[0]?.[0] ?? marketId, 'jumps'), keyOf(seed, marketId, 'own jumps')];
  }

  /** Writes ends, variance and jump of a day; returns the variance in ordinary days' (around 1). */
  read(day: number, whole: Whole): number {
    const root = Math.floor(day / rootDays);
    let left = this.rootValue(root);
    let right = this.rootValue(root + 1);
    let spread = this.dayVariance * rootDays;
    let start = root * rootDays;
    let cell = 1;
    for (let level = rootLevel; level > 0; level -= 1) {
      const half = 2 ** (level - 1);
      const own = this.chance.ownHash(root, cell);
      const shared = this.chance.sharedHash(root, cell);
      const z = this.chance.move(own, shared, root, cell);
      const sharedTilt = signedUnit(nextHash(shared));
      const ownTilt = signedUnit(nextHash(own));
      const swing = (1 + sharedSwing * sharedTilt) * (1 + ownSwing * ownTilt);
      const opposite = (1 - sharedSwing * sharedTilt) * (1 - ownSwing * ownTilt);
      const before = swing * this.activity(start, half);
      const share = before / (before + opposite * this.activity(start + half, half));
      const keeps = level > walkLevel ? this.lastingMove * reversion ** (level - walkLevel) : 1;
      // Bounded, unlike a normal number: the price must stay away from zero whatever is drawn.
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
    const shared = hash32(this.jumpKeys[0], day, 0);
    const own = hash32(this.jumpKeys[1], day, 0);
    const isShared = fraction(shared) * 1000 < sharedJumps;
    const jumps = isShared || fraction(own) * 1000 < ownJumps;
    this.jumpAt = jumps ? fraction(nextHash(isShared ? shared : own)) : -1;
    return jumps ? this.dayVariance * jumpSize * jumpSize : 0;
  }
}
