import { fraction, hash32, nextHash, signedUnit } from '../../../base/terms/hash.ts';
import type { Chance } from './draws.ts';
import type { Session } from './session.ts';

/** How a stretch of time is cut into equal parts. */
export interface Cutting {
  /** Number of parts. */
  count: number;
  /** How unequally two halves share the variance, at most. */
  swing: number;
  /** Whether each part knows its mean. */
  hasMeans: boolean;
  /**
   * How far a piece's path may stray from its ends, in standard deviations: so far that a bridge strays farther once in
   * ninety pieces (1.5) or in 170 (1.6), by a little. The amount that this takes from a path can't be measured.
   */
  reach: number;
  /** Whether no move is in the first part of the first stretch and in the last part of the last one of so many. */
  still: number;
}

/** A stretch of time that is to be cut. */
export interface Whole {
  open: number;
  close: number;
  /** Variance spread over it, and the size of a jump in it (0: no jump). */
  spread: number;
  jump: number;
  /** How far its mean in trading time, without the jump, is from the middle between its ends. */
  lean: number;
  /** The path inside stays between them. */
  top: number;
  bottom: number;
}

/** Levels of cuts, at most. */
const mostLevels = 8;
/** Numbers of the plan for each cut. */
const step = 6;

/**
 * The equal parts of a stretch of time. The price path is Brownian motion in trading time: the variance of a stretch is
 * its length in trading time, and the values at both its ends are given. It is halved again and again at values drawn
 * from the Brownian bridge. Chance decides how unequally the halves share the variance, before and whatever the price
 * does. The price stands still in a part without variance.
 *
 * Where parts know their means, a piece is drawn together with its mean: both have a normal distribution, so the
 * halves' means add up to the whole's, and the path is as random as without.
 *
 * Cuts are made when something inside is asked for, in any order: each depends only on what it cuts.
 */
export class Parts {
  readonly count: number;
  /** The price path's value at the start of each part, and at the end. */
  readonly values: Float64Array;
  /** By the first part of each piece that is not cut yet: its variance and its lean. */
  readonly spreads: Float64Array;
  readonly leans: Float64Array;
  /** The range that the path of each part stays in, and that of each piece by its place in the plan. */
  readonly tops: Float64Array;
  readonly bottoms: Float64Array;
  readonly pieceTops: Float64Array;
  readonly pieceBottoms: Float64Array;
  /** For each cut: start, middle and end, its number, and where in the plan the cuts of both halves are (-1: none). */
  readonly plan: Int32Array;
  private lulls: readonly number[] = [];
  /** The square of a piece's reach, by level: the fewer moves are left, the less it strays; a single one does not. */
  private readonly reaches = new Float64Array(mostLevels + 1);
  /** The part with the jump (-1: none), and its size. */
  jumpPart = -1;
  jump = 0;
  private readonly isCut: Uint8Array;
  private cuts = 0;
  private readonly cutting: Cutting;
  private readonly chance: Chance;
  private name = 0;
  /** The session whose activity the parts follow, and the minutes of the first part and of each; null: it is even. */
  private session: Session | null = null;
  private minute = 0;
  private minutes = 0;

  constructor(cutting: Cutting, chance: Chance) {
    const { count } = cutting;
    this.count = count;
    this.cutting = cutting;
    this.chance = chance;
    this.values = new Float64Array(count + 1);
    this.spreads = new Float64Array(count);
    this.leans = new Float64Array(count);
    this.tops = new Float64Array(count);
    this.bottoms = new Float64Array(count);
    this.plan = planOf(count);
    this.reaches.fill(cutting.reach ** 2);
    this.pieceTops = new Float64Array(this.plan.length);
    this.pieceBottoms = new Float64Array(this.plan.length);
    this.isCut = new Uint8Array(this.plan.length);
  }

  /** Lets parts of so many minutes follow the activity of a session. */
  follow(session: Session, minutes: number): void {
    this.session = session;
    this.minutes = minutes;
  }

  /** Sets, of every 256 cuts of a level, the number that leave one half without any move: the later, the more. */
  calm(lulls: readonly number[], later: number): void {
    if (lulls === this.lulls) return;
    this.lulls = lulls;
    for (let level = 0; level <= mostLevels; level += 1) {
      const lull = (lulls[level] ?? later) / 256;
      this.reaches[level] = this.cutting.reach ** 2 * (1 - lull * lull);
    }
  }

  /** Begins with the stretch called `name`, which starts at a minute, with its jump in `jumpPart`. */
  begin(name: number, whole: Whole, jumpPart: number, minute: number): void {
    this.name = name;
    this.minute = minute;
    this.jumpPart = whole.jump === 0 ? -1 : jumpPart;
    this.jump = whole.jump;
    this.values[0] = whole.open;
    this.values[this.count] = whole.close;
    this.spreads[0] = whole.spread;
    this.leans[0] = whole.lean;
    this.pieceTops[0] = whole.top;
    this.pieceBottoms[0] = whole.bottom;
    this.isCut.fill(0);
    this.cuts = 0;
  }

  /** Makes all cuts. */
  complete(): void {
    if (this.cuts === this.count - 1) return;
    for (let at = 0; at < this.plan.length; at += step) if (this.isCut[at] === 0) this.cut(at);
  }

  /** Makes the cuts that lead to a part. */
  lead(part: number): void {
    const { plan, isCut } = this;
    if (this.cuts === this.count - 1) return;
    for (let at = 0; at >= 0; at = part < plan[at + 1]! ? plan[at + 4]! : plan[at + 5]!) {
      if (isCut[at] === 0) this.cut(at);
    }
  }

  /** The first part, from one on, in which the path may leave a range; null if there is none. */
  nextLeaving(from: number, leaves: (bottom: number, top: number) => boolean): number | null {
    for (let part = from; part < this.count; ) {
      // The largest piece that begins before or at the part and stays.
      let at = 0;
      let end = this.count;
      while (at >= 0 && leaves(this.pieceBottoms[at]!, this.pieceTops[at]!)) {
        this.ensure(at);
        const middle = this.plan[at + 1]!;
        end = part < middle ? middle : this.plan[at + 2]!;
        at = part < middle ? this.plan[at + 4]! : this.plan[at + 5]!;
      }
      if (at < 0 && leaves(this.bottoms[part]!, this.tops[part]!)) return part;
      part = at < 0 ? part + 1 : end;
    }
    return null;
  }

  /** Copies a part into `whole`, to be cut in turn. */
  read(part: number, whole: Whole): void {
    whole.open = this.values[part]!;
    whole.close = this.values[part + 1]!;
    whole.spread = this.spreads[part]!;
    whole.jump = part === this.jumpPart ? this.jump : 0;
    whole.lean = this.leans[part]!;
    whole.top = this.tops[part]!;
    whole.bottom = this.bottoms[part]!;
  }

  /** Makes a cut unless it is made. */
  ensure(at: number): void {
    if (this.isCut[at] === 0) this.cut(at);
  }

  private cut(at: number): void {
    const { values, spreads, plan } = this;
    this.isCut[at] = 1;
    this.cuts += 1;
    const first = plan[at]!;
    const middle = plan[at + 1]!;
    const end = plan[at + 2]!;
    const spread = spreads[first]!;
    const jump = this.jumpPart >= first && this.jumpPart < end ? this.jump : 0;
    const start = values[first]!;
    if (spread === 0 && jump === 0) {
      values[middle] = start;
      spreads[middle] = 0;
      this.setRange(plan[at + 4]!, first, start, start);
      this.setRange(plan[at + 5]!, middle, start, start);
      return;
    }
    const share = spread === 0 ? 0 : this.shareOf(first, middle, end, plan[at + 3]!);
    const line = share === 1 ? values[end]! - jump : start + (values[end]! - jump - start) * share;
    // Where the jump is before the middle, it is part of the value there, but of no mean.
    const jumped = jump !== 0 && this.jumpPart < middle ? jump : 0;
    const isDrawn = share > 0 && share < 1;
    let value = line + jumped;
    if (isDrawn) value += this.stray(first, plan[at + 3]!, share);
    const top = this.pieceTops[at]!;
    const bottom = this.pieceBottoms[at]!;
    value = value > top ? top : value < bottom ? bottom : value;
    if (isDrawn && this.cutting.hasMeans) this.divideMean(first, middle, plan[at + 3]!, share, value - jumped - line);
    values[middle] = value;
    const early = spread * share;
    spreads[first] = early;
    spreads[middle] = spread - early;
    const room = this.reaches[32 - Math.clz32(plan[at + 3]!)]!;
    this.bound(at, plan[at + 4]!, first, middle, early * room);
    this.bound(at, plan[at + 5]!, middle, end, (spread - early) * room);
  }

  /** Draws how far the middle of a piece is from a straight line. */
  private stray(first: number, node: number, share: number): number {
    const { chance, name } = this;
    const free = chance.move(hash32(chance.own, name, node), hash32(chance.first, name, node), name, node);
    const width = share * (1 - share);
    const spread = this.spreads[first]! * width;
    if (!this.cutting.hasMeans) return Math.sqrt(spread) * free;
    return 6 * width * this.leans[first]! + Math.sqrt(spread * (1 - 3 * width)) * free;
  }

  /** Draws the leans of both halves of a piece whose middle is so far from a straight line. */
  private divideMean(first: number, middle: number, node: number, share: number, off: number): void {
    const { leans, chance, name } = this;
    const width = share * (1 - share);
    const rest = 1 - 3 * width;
    const left = leans[first]! - off / 2;
    const draw = node ^ meanSalt;
    const free = chance.move(hash32(chance.own, name, draw), hash32(chance.first, name, draw), name, draw);
    const noise = Math.sqrt((this.spreads[first]! * width * width * width) / (12 * rest)) * free;
    const early = (left * share * share * share) / rest + noise;
    leans[first] = early / share;
    leans[middle] = (left - early) / (1 - share);
  }

  /** Finds the range that a piece's path stays in: within the piece that it is cut from, and near its ends. */
  private bound(from: number, at: number, first: number, end: number, room: number): void {
    const start = this.values[first]!;
    let close = this.values[end]!;
    let up = 0;
    let down = 0;
    if (this.jumpPart >= first && this.jumpPart < end) {
      close -= this.jump;
      if (this.jump > 0) up = this.jump;
      else down = this.jump;
    }
    const middle = (start + close) / 2;
    const half = start - middle;
    const away = Math.sqrt(half * half + room);
    const high = middle + away + up;
    const low = middle - away + down;
    const top = this.pieceTops[from]!;
    const bottom = this.pieceBottoms[from]!;
    this.setRange(at, first, high < top ? high : top, low > bottom ? low : bottom);
  }

  private setRange(at: number, first: number, top: number, bottom: number): void {
    if (at < 0) {
      this.tops[first] = top;
      this.bottoms[first] = bottom;
    } else {
      this.pieceTops[at] = top;
      this.pieceBottoms[at] = bottom;
    }
  }

  /**
   * The earlier half's share of a piece's variance. Of every 256 cuts, `lulls` move in one half alone. Chance is shared
   * by the markets of a factor: what moves them at the same time is known to none of them before.
   */
  private shareOf(first: number, middle: number, end: number, node: number): number {
    const { session, cutting, name } = this;
    const { still } = cutting;
    if (still > 0) {
      // The first and the last of a minute's books stand where the minute begins and ends.
      if (middle === 1 && name % still === 0) return 0;
      if (end === this.count && middle === end - 1 && name % still === still - 1) return 1;
    }
    let even = (middle - first) / (end - first);
    if (session !== null) {
      const { minute, minutes } = this;
      const start = session.until(minute + first * minutes);
      even = (session.until(minute + middle * minutes) - start) / (session.until(minute + end * minutes) - start);
    }
    const next = nextHash(hash32(this.chance.first, name, node));
    const tilt = cutting.swing * signedUnit(next);
    const left = even * (1 + tilt);
    const share = left / (left + (1 - even) * (1 - tilt));
    const { lulls } = this;
    if (lulls.length === 0) return share;
    const lull = nextHash(next);
    if (lull >>> 24 >= lulls[31 - Math.clz32(node)]!) return share;
    return fraction(nextHash(lull)) < share ? 1 : 0;
  }
}

const meanSalt = 0x5bd1e995;

/** Sets where a day may go, by what is known of it. */
export function rangeOf(whole: Whole, reach: number): void {
  const close = whole.close - whole.jump;
  const middle = (whole.open + close) / 2;
  const room = Math.sqrt((whole.open - middle) ** 2 + reach * reach * whole.spread);
  whole.top = middle + room + Math.max(0, whole.jump);
  whole.bottom = middle - room + Math.min(0, whole.jump);
}

/** Halves `count` parts down to single ones, larger pieces first; numbers are those of a heap. */
function planOf(count: number): Int32Array {
  const plan: number[] = [];
  const pieces: { first: number; end: number; node: number; from: number }[] = [];
  pieces.push({ first: 0, end: count, node: 1, from: -1 });
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const { first, end, node, from } = piece;
    if (end - first < 2) continue;
    if (from >= 0) plan[from] = plan.length;
    const middle = first + ((end - first) >> 1);
    const at = plan.length;
    plan.push(first, middle, end, node, -1, -1);
    pieces.push(
      { first, end: middle, node: 2 * node, from: at + 4 },
      { first: middle, end, node: 2 * node + 1, from: at + 5 },
    );
  }
  return Int32Array.from(plan);
}
