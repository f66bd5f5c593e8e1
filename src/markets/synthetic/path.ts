import { hash32, signedUnit } from './hashing.ts';
import { Session } from './session.ts';
import { slotsPerHour } from './slots.ts';

/**
 * The path a price follows, in (roughly) log space: Lévy's midpoint construction of a random walk, with bounded hashed
 * displacements in place of normal ones. The value in the middle of a dyadic cell of slots is the mean of the values
 * at its ends plus a displacement that only the cell's number decides, so every value is found by descending from the
 * cell that holds it, bit for bit the same whichever way one comes; and since displacements are bounded, so is
 * everything inside a cell once its ends are known. Volatility is handed down from cell to cell with a hashed change:
 * that clusters it and fattens the tails.
 */

/** Cells of 2^28 slots (3.8 years) hang on hashed values of their own. */
const rootLevel = 28;
export const rootSlots = 2 ** rootLevel;
/** Above this level (5.5 days) displacements shrink again: the price returns to where its instrument belongs. */
const revertLevel = 20;
const revertRatio = 0.7;
/** Below this level (1.4 days) displacements are fat-tailed and volatility clusters. */
const clusterLevel = 18;
/** Below this level (about an hour) the session of the day scales displacements. */
const sessionLevel = 13;
/** Cells of this level (115 s) are filled in one go. */
const blockLevel = 8;
export const blockSlots = 2 ** blockLevel;

/** A child cell keeps this share of its parent's deviation from volatility 1, and changes by up to `volatilityStep`. */
const volatilityMemory = 0.8;
const volatilityStep = 0.16;

/** Uniform displacements: scaled to variance 1. */
const uniformScale = Math.sqrt(3);
/** Fat ones, u (a + 4 a u^4): `a` scales them to variance 1; their largest is 5 a. */
const fatScale = 0.5843;
const largestFat = 5 * fatScale;

/** The state of a descent: a cell's first slot (from its root's), the values at both ends, its volatility. */
interface Cell {
  left: number;
  right: number;
  volatility: number;
}

export class PricePath {
  /** Displacement scale by level of the cell. */
  private readonly amplitude = new Float64Array(rootLevel + 1);
  /**
   * How far values inside a cell of a level can lie beyond its ends, as a polynomial in the cell's volatility v:
   * reach[3 level] + reach[3 level + 1] v + reach[3 level + 2] v^2.
   */
  private readonly reach = new Float64Array(3 * (rootLevel + 1));
  private readonly key: number;
  private readonly session: Session;

  /** `dailyVolatility`: standard deviation of a day's relative move. */
  constructor(key: number, dailyVolatility: number, session: Session) {
    this.key = key;
    this.session = session;
    const perSlot = dailyVolatility / Math.sqrt(24 * slotsPerHour);
    for (let level = 1; level <= rootLevel; level += 1) {
      this.amplitude[level] =
        level <= revertLevel ? (perSlot * Math.sqrt(2 ** level)) / 2 : this.amplitude[level - 1]! * revertRatio;
      this.accumulateReach(level);
    }
  }

  /** No value of the path is ever further from 0 than this. */
  get bound(): number {
    return this.amplitude[rootLevel]! * 2 + this.beyondEnds(rootLevel, 1);
  }

  /** The value at a slot. */
  at(slot: number): number {
    const root = Math.floor(slot / rootSlots);
    const cell = this.descend(root, slot - root * rootSlots, 0);
    return cell.left;
  }

  /** Values at the 2^8 slots of a block and at the first slot after it; `volatility` at each of the block's slots. */
  fillBlock(block: number, values: Float64Array, volatility: Float64Array): void {
    const first = block * blockSlots;
    const root = Math.floor(first / rootSlots);
    const cell = this.descend(root, first - root * rootSlots, blockLevel);
    const agitation = this.blockAgitation(first);
    values[0] = cell.left;
    values[blockSlots] = cell.right;
    volatility[0] = cell.volatility;
    for (let level = blockLevel; level > 0; level -= 1) {
      const size = 1 << level;
      const half = size >> 1;
      const scale = this.amplitude[level]! * agitation;
      for (let start = 0; start < blockSlots; start += size) {
        const hash = hash32(this.key, (first + start) / size, level);
        const v = volatility[start]!;
        values[start + half] = (values[start]! + values[start + size]!) * 0.5 + scale * fatUnit(hash) * (v * v);
        volatility[start] = leftVolatility(v, hash);
        volatility[start + half] = rightVolatility(v, hash);
      }
    }
  }

  /**
   * Visits, in time order, the slots of first..last (both included) that lie in cells which `mayMatter` cannot rule
   * out, until `visit` answers true; returns that slot or null. `mayMatter` gets bounds of every value in the cell.
   */
  search(
    first: number,
    last: number,
    mayMatter: (lowest: number, highest: number) => boolean,
    visit: (slot: number, value: number) => boolean,
  ): number | null {
    for (let root = Math.floor(first / rootSlots); root * rootSlots <= last; root += 1) {
      const found = this.searchCell(
        { root, first, last, mayMatter, visit },
        rootLevel,
        0,
        this.rootValue(root),
        this.rootValue(root + 1),
        1,
      );
      if (found !== null) return found;
    }
    return null;
  }

  private searchCell(
    query: Search,
    level: number,
    start: number,
    left: number,
    right: number,
    v: number,
  ): number | null {
    const slot = query.root * rootSlots + start;
    if (slot > query.last || slot + 2 ** level <= query.first) return null;
    if (level === 0) return query.visit(slot, left) ? slot : null;
    const beyond = this.beyondEnds(level, v);
    if (!query.mayMatter(Math.min(left, right) - beyond, Math.max(left, right) + beyond)) return null;
    const half = 2 ** (level - 1);
    const hash = this.cellHash(level, slot);
    const middle = (left + right) * 0.5 + this.displacement(level, slot, hash, v);
    const clustered = level <= clusterLevel;
    return (
      this.searchCell(query, level - 1, start, left, middle, clustered ? leftVolatility(v, hash) : v) ??
      this.searchCell(query, level - 1, start + half, middle, right, clustered ? rightVolatility(v, hash) : v)
    );
  }

  /** The cell of `level` that holds the slot `offset` of a root. */
  private descend(root: number, offset: number, level: number): Cell {
    let left = this.rootValue(root);
    let right = this.rootValue(root + 1);
    let v = 1;
    let start = 0;
    const rootStart = root * rootSlots;
    for (let at = rootLevel; at > level; at -= 1) {
      const slot = rootStart + start;
      const half = 2 ** (at - 1);
      const hash = this.cellHash(at, slot);
      const middle = (left + right) * 0.5 + this.displacement(at, slot, hash, v);
      if (offset < start + half) {
        right = middle;
        if (at <= clusterLevel) v = leftVolatility(v, hash);
      } else {
        left = middle;
        start += half;
        if (at <= clusterLevel) v = rightVolatility(v, hash);
      }
    }
    return { left, right, volatility: v };
  }

  private displacement(level: number, slot: number, hash: number, v: number): number {
    if (level > clusterLevel) return this.amplitude[level]! * (signedUnit(hash) * uniformScale);
    if (level > sessionLevel) return this.amplitude[level]! * fatUnit(hash) * (v * v);
    const agitation = level > blockLevel ? this.agitation(slot) : this.blockAgitation(slot);
    return this.amplitude[level]! * agitation * fatUnit(hash) * (v * v);
  }

  private agitation(slot: number): number {
    return this.session.agitation[Session.hourOfWeek(Math.floor(slot / slotsPerHour))]!;
  }

  /** One session factor for a whole block, so that filling it and descending into it agree. */
  private blockAgitation(slot: number): number {
    return this.agitation(Math.floor(slot / blockSlots) * blockSlots);
  }

  private cellHash(level: number, slot: number): number {
    return hash32(this.key, slot / 2 ** level, level);
  }

  private rootValue(root: number): number {
    return this.amplitude[rootLevel]! * 2 * signedUnit(hash32(this.key, root, 0));
  }

  private beyondEnds(level: number, v: number): number {
    const at = 3 * level;
    // The last term covers the rounding of some thirty additions of values below 4.
    return this.reach[at]! + v * (this.reach[at + 1]! + v * this.reach[at + 2]!) + 1e-13;
  }

  private accumulateReach(level: number): void {
    const below = 3 * (level - 1);
    const [c0, c1, c2] = [this.reach[below]!, this.reach[below + 1]!, this.reach[below + 2]!];
    const at = 3 * level;
    if (level > clusterLevel) {
      this.reach.set([c0 + this.amplitude[level]! * uniformScale, c1, c2], at);
      return;
    }
    // A child's volatility is at most a + m v: compose the polynomial with that, and add this level's own displacement.
    const a = 1 - volatilityMemory + volatilityStep;
    const m = volatilityMemory;
    const own = this.amplitude[level]! * largestFat * (level > sessionLevel ? 1 : this.session.maxAgitation);
    this.reach.set([c0 + c1 * a + c2 * a * a, c1 * m + 2 * c2 * a * m, c2 * m * m + own], at);
  }
}

interface Search {
  root: number;
  first: number;
  last: number;
  mayMatter(lowest: number, highest: number): boolean;
  visit(slot: number, value: number): boolean;
}

/** A fat-tailed number of variance 1 in [-5 a, 5 a] from a hash. */
function fatUnit(hash: number): number {
  const u = signedUnit(hash);
  const square = u * u;
  return u * (fatScale + 4 * fatScale * (square * square));
}

// The displacement is decided by a hash's high bits; the children's volatilities by two groups of its low ones.

function leftVolatility(v: number, hash: number): number {
  return 1 + volatilityMemory * (v - 1) + volatilityStep * (((hash & 0xff) - 127.5) / 127.5);
}

function rightVolatility(v: number, hash: number): number {
  return 1 + volatilityMemory * (v - 1) + volatilityStep * ((((hash >>> 8) & 0xff) - 127.5) / 127.5);
}
