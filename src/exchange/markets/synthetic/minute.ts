import { fraction, hash32, keyOf, nextHash } from '../../../base/terms/hash.ts';
import { exp, normal, spansPerMinute } from './draws.ts';
import { Flow } from './flow.ts';
import type { Ladder } from './ladder.ts';
import { minutesPerHour, type PricePath, type Scale } from './path.ts';
import type { Start } from './profile.ts';
import type { Timetable } from './session.ts';
import type { Trades } from './trades.ts';

/** How much the number of prints in a span depends on the price's moves; the rest is even. */
const spanFollow = 0.6;
/**
 * A minute reserves this many prints: its first and last, at its highest and lowest price, two at its pair of prices.
 */
const reservedPrints = 6;
/** Prints at rest are less likely on the side to which the price goes in the spans after theirs. */
const relaxSpans = 4;
/** The share of the prints right before a move that walk on to the level behind the touch. */
const walkShare = 0.07;
/** How many slots ahead, at 100 ms, coming moves show in the sizes at the touch and in takers' sides. */
const foresightMs = 700;
/** How strongly coming moves, and the takers' bias, show in the sizes at the touch. */
const movePressure = 1;
const moodPressure = 0.35;

/**
 * One minute, slot by slot: the best bid before and after each slot's book, and how many prints trade against the book
 * before it. Prints of a slot on one side are a cell: all have the price of the touch that they take. The last ones
 * before a move may be a walk: they take from the level behind it. Holds the minute loaded last.
 *
 * Each minute has a print at its highest ask, one at its lowest bid, and one where it begins and ends, so that its bar
 * shows prices at which a book stood and is known without the minute. And it has a pair: a purchase and a sale at
 * prices one grid tick apart, with which sums of turnover become exact.
 */
export class Minute {
  /** The path's bid at the start and end of each slot. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Prints of each cell: at 2 x slot the sales, at 2 x slot + 1 the purchases; walks are taken out by `loadCounts`. */
  readonly counts: Int32Array;
  /** The walk of each slot: its prints, its distance from the touch in grid ticks, and the lots of its level. */
  readonly walkCounts: Int32Array;
  readonly walkTicks: Int32Array;
  readonly walkLots: Float64Array;
  /** The slots whose cells hold the highest, the lowest and the pair of prices. */
  highSlot = 0;
  lowSlot = 0;
  pairSlot = 0;
  /** How far apart the pair's prices are: 1, except where few lots have to make up a large turnover. */
  pairTicks = 1;
  /** The path's bid at the highest and the lowest price. */
  highest = 0;
  lowest = 0;
  /** The minute's number since the epoch. */
  number = Number.NaN;
  readonly slots: number;
  readonly spread: number;
  private readonly path: PricePath;
  private readonly trades: Trades;
  private readonly scale: Scale;
  private readonly ladder: Ladder;
  private readonly fixed: Start['fixed'];
  private readonly countKey: number;
  private readonly flow: Flow;
  private readonly perSpan: number;
  private readonly ahead: number;
  private readonly spanCounts = new Int32Array(spansPerMinute);
  /** Which spans of `loaded` are cut, and counted. */
  private readonly isCut = new Uint8Array(spansPerMinute);
  private readonly isCounted = new Uint8Array(spansPerMinute);
  private pairSpan = 0;
  private countsOf = Number.NaN;
  /** The minute whose walks have been removed from the counts of its cells. */
  private walksOf = Number.NaN;
  /** The minute of which every span is cut, and counted. */
  private whole = Number.NaN;
  private wholeCounts = Number.NaN;

  constructor(
    seed: number,
    marketId: string,
    parts: {
      path: PricePath;
      trades: Trades;
      scale: Scale;
      ladder: Ladder;
      timetable: Timetable;
      burstShare: number;
      fixed: Start['fixed'];
    },
  ) {
    const { slotsPerMinute } = parts.timetable;
    this.slots = slotsPerMinute;
    this.perSpan = slotsPerMinute / spansPerMinute;
    this.ahead = Math.max(2, Math.round((foresightMs * slotsPerMinute) / 60_000));
    this.path = parts.path;
    this.trades = parts.trades;
    this.scale = parts.scale;
    this.ladder = parts.ladder;
    this.spread = parts.scale.spread;
    this.fixed = parts.fixed;
    this.from = new Int32Array(slotsPerMinute);
    this.to = new Int32Array(slotsPerMinute);
    this.counts = new Int32Array(2 * slotsPerMinute);
    this.walkCounts = new Int32Array(slotsPerMinute);
    this.walkTicks = new Int32Array(slotsPerMinute);
    this.walkLots = new Float64Array(slotsPerMinute);
    this.countKey = keyOf(seed, marketId, 'counts');
    this.flow = new Flow(this, parts.burstShare, this.countKey, keyOf(seed, marketId, 'mood'));
  }

  /** Loads the prices of a minute. */
  load(minute: number): void {
    if (this.whole === minute) return;
    this.open(minute);
    for (let span = 0; span < spansPerMinute; span += 1) if (this.isCut[span] === 0) this.cut(span);
    this.whole = minute;
  }

  /** Loads the prices and the numbers of prints of a minute. */
  loadCounts(minute: number): void {
    if (this.wholeCounts === minute) return;
    this.beginCounts(minute);
    for (let span = 0; span < spansPerMinute; span += 1) this.count(span);
    if (this.walksOf !== minute) this.takeWalks();
    this.whole = minute;
    this.wholeCounts = minute;
  }

  /** Price of a minute's first or last print: it comes where the price stands as the minute begins or ends. */
  edgePrice(minute: number, edge: 'first' | 'last'): number {
    const bid = this.scale.bidOf(this.path.valueAt(edge === 'first' ? minute : minute + 1));
    return this.edgeSide(minute, edge) === 1 ? bid + this.spread : bid;
  }

  /** The side on which takers make a minute's first or last print. */
  private edgeSide(minute: number, edge: 'first' | 'last'): 0 | 1 {
    const hash = hash32(this.countKey, minute, -3);
    return ((edge === 'first' ? hash >>> 8 : hash >>> 16) & 1) as 0 | 1;
  }

  /** Price of a cell's prints: the touch that they take. */
  price(cell: number): number {
    const slot = cell >> 1;
    const bid = this.from[slot]!;
    if ((cell & 1) === 0) return bid;
    return slot === this.pairSlot ? bid + this.pairTicks : bid + this.spread;
  }

  /** Price of the prints of a slot's walk. */
  walkPrice(place: number): number {
    const side = this.mainSide(place);
    return this.price(2 * place + side) + (side === 1 ? this.walkTicks[place]! : -this.walkTicks[place]!);
  }

  /** Best bid and best ask of a slot's book. */
  bid(place: number): number {
    return this.fixed !== null && this.isFixed(place) ? this.fixed.bid : this.to[place]!;
  }

  ask(place: number): number {
    if (this.fixed !== null && this.isFixed(place)) return this.fixed.ask;
    const isPair = place + 1 === this.pairSlot;
    return this.to[place]! + (isPair ? Math.min(this.spread, this.pairTicks) : this.spread);
  }

  /** Sum of best bid and best ask of a slot's book, in grid ticks. */
  halfPrice(place: number): number {
    return this.bid(place) + this.ask(place);
  }

  /**
   * The side on which most prints of a slot are: 1 purchases, 0 sales. The others come first. Where the minute's first
   * or last print is, it is the one that lets that come first or last.
   */
  mainSide(place: number): 0 | 1 {
    if (place === 1) return this.edgeSide(this.number, 'first') === 1 ? 0 : 1;
    if (place === this.slots - 1) return this.edgeSide(this.number, 'last');
    if (this.walksOf === this.number && this.walkCounts[place]! > 0) return this.to[place]! > this.from[place]! ? 1 : 0;
    return this.counts[2 * place + 1]! >= this.counts[2 * place]! ? 1 : 0;
  }

  /**
   * The pressure of takers on the touch after a slot's book, from -1 (on the bid) to 1 (on the ask): as far as a book
   * can show where the price is about to go.
   */
  pressure(place: number): number {
    const pressure =
      moodPressure * this.flow.mood(this.number * this.slots + place) + movePressure * this.coming(place + 1);
    return Math.max(-1, Math.min(1, pressure));
  }

  private isFixed(place: number): boolean {
    return this.number * this.slots + place === this.fixed?.slot;
  }

  /** The direction of the next move from a slot on, fading with the time until then; 0 if there is none soon. */
  private coming(place: number): number {
    const end = Math.min(this.slots, place + this.ahead);
    for (let slot = place; slot < end; slot += 1) {
      const move = this.to[slot]! - this.from[slot]!;
      if (move !== 0) return Math.sign(move) * (1 - (slot - place) / this.ahead);
    }
    return 0;
  }

  /** Opens a minute: its highest and lowest price are known. */
  open(minute: number): void {
    if (this.number === minute) return;
    this.number = minute;
    this.whole = Number.NaN;
    this.wholeCounts = Number.NaN;
    this.pairTicks = 1;
    this.isCut.fill(0);
    // A minute's first slot has no prints: the book before it belongs to another minute. The second and the last have
    // its first and last print.
    const hash = hash32(this.countKey, minute, -2);
    this.pairSpan = (hash >>> 8) % spansPerMinute;
    this.pairSlot = this.pairSpan * this.perSpan + 2 + ((hash >>> 16) % (this.perSpan - 4));
    this.lowest = this.scale.bidOf(this.path.extremeOf(-1, minute));
    this.lowSlot = this.path.foundSlot;
    this.highest = this.scale.bidOf(this.path.extremeOf(1, minute));
    this.highSlot = this.path.foundSlot;
    // A wide spread is not narrow at the highest print, so the pair of prices makes room.
    if (this.highSlot === this.pairSlot) this.pairSlot += 1;
  }

  private beginCounts(minute: number): void {
    if (this.countsOf !== minute) {
      const hour = Math.floor(minute / minutesPerHour);
      this.trades.loadPrints(hour);
      this.open(minute);
      this.countsOf = minute;
      this.walksOf = Number.NaN;
      this.isCounted.fill(0);
      this.countSpans(this.trades.minutes.prints[minute - hour * minutesPerHour]! - reservedPrints);
    }
    this.open(minute);
  }

  /** Reads the slots of a span from the path. */
  private cut(span: number): void {
    const { path, scale, perSpan, from, to } = this;
    path.openMinute(this.number);
    path.openSpan(span);
    path.slots.complete();
    this.isCut[span] = 1;
    const { values } = path.slots;
    const start = span * perSpan;
    let bid = scale.bidOf(values[0]!);
    let value = values[0]!;
    for (let i = 0; i < perSpan; i += 1) {
      from[start + i] = bid;
      if (values[i + 1] !== value) {
        value = values[i + 1]!;
        bid = scale.bidOf(value);
      }
      to[start + i] = bid;
    }
  }

  /** Distributes a minute's prints over its spans. */
  private countSpans(prints: number): void {
    const { spanCounts, path, countKey } = this;
    const { spans } = path;
    path.openMinute(this.number);
    spans.complete();
    let moves = 0;
    for (let span = 0; span < spansPerMinute; span += 1) {
      spanMoves[span] = spans.spreads[span]! + (span === spans.jumpPart ? spans.jump * spans.jump : 0);
      moves += spanMoves[span]!;
    }
    let hash = hash32(countKey, this.number, 0);
    let sum = 0;
    const weights = spanWeights;
    for (let span = 0; span < spansPerMinute; span += 1) {
      hash = nextHash(hash);
      const even = exp(0.6 * normal(hash)) / spansPerMinute;
      weights[span] = spanFollow * (spanMoves[span]! / moves) + (1 - spanFollow) * even;
      sum += weights[span]!;
    }
    let running = fraction(nextHash(hash));
    let before = 0;
    for (let span = 0; span < spansPerMinute; span += 1) {
      running += (weights[span]! / sum) * prints;
      const until = span === spansPerMinute - 1 ? prints : Math.min(prints, Math.floor(running));
      spanCounts[span] = until - before;
      before = until;
    }
    spanCounts[0]! += 1;
    spanCounts[spansPerMinute - 1]! += 1;
    spanCounts[this.spanOf(this.highSlot)]! += 1;
    spanCounts[this.spanOf(this.lowSlot)]! += 1;
    spanCounts[this.pairSpan]! += 2;
  }

  /** Distributes a span's prints over its cells. */
  private count(span: number): void {
    if (this.isCut[span] === 0) this.cut(span);
    if (this.isCounted[span] === 1) return;
    this.isCounted[span] = 1;
    const { counts, perSpan } = this;
    const start = span * perSpan;
    counts.fill(0, 2 * start, 2 * (start + perSpan));
    let prints = this.spanCounts[span]!;
    if (span === 0) prints -= this.reserve(2 + this.edgeSide(this.number, 'first'));
    if (span === spansPerMinute - 1) prints -= this.reserve(2 * this.slots - 2 + this.edgeSide(this.number, 'last'));
    if (this.spanOf(this.highSlot) === span) prints -= this.reserve(2 * this.highSlot + 1);
    if (this.spanOf(this.lowSlot) === span) prints -= this.reserve(2 * this.lowSlot);
    if (this.pairSpan === span) {
      prints -= this.reserve(2 * this.pairSlot);
      prints -= this.reserve(2 * this.pairSlot + 1);
    }
    if (prints > 0) this.flow.scatter(this.number, start, prints, this.driftAfter(span));
  }

  /** The direction of the price after a span, as far as the minute goes. */
  private driftAfter(span: number): number {
    const { values } = this.path.spans;
    this.path.openMinute(this.number);
    this.path.spans.complete();
    const later = Math.min(spansPerMinute, span + 1 + relaxSpans);
    return Math.sign(this.scale.bidOf(values[later]!) - this.scale.bidOf(values[span + 1]!));
  }

  /** Takes the walks of the minute out of its cells. */
  private takeWalks(): void {
    const { from, to, counts, walkCounts } = this;
    for (let slot = 0; slot < this.slots; slot += 1) {
      walkCounts[slot] = from[slot] === to[slot] ? 0 : this.walkOf(slot);
      if (walkCounts[slot] !== 0) counts[2 * slot + (to[slot]! > from[slot]! ? 1 : 0)]! -= walkCounts[slot]!;
    }
    this.walksOf = this.number;
  }

  /**
   * Finds a slot's walk, to the next level that the book shows, if the next book is there or beyond; returns its
   * prints.
   */
  private walkOf(slot: number): number {
    const move = this.to[slot]! - this.from[slot]!;
    const side = move > 0 ? 1 : 0;
    const prints = this.counts[2 * slot + side]!;
    if (
      move === 0 ||
      slot === 1 ||
      slot === this.pairSlot ||
      prints < 2 ||
      this.counts[2 * slot + 1 - side]! >= prints + side
    )
      return 0;
    const book = this.number * this.slots + slot - 1;
    const walking = Math.floor(walkShare * prints + fraction(hash32(this.countKey, book, 3)));
    if (walking === 0 || (this.fixed !== null && this.isFixed(slot - 1))) return 0;
    const { ladder } = this;
    this.walkTicks[slot] = ladder.ticksBehind(side, this.price(2 * slot + side), book, Math.abs(move));
    if (this.walkTicks[slot] === 0) return 0;
    this.walkLots[slot] = ladder.foundLots;
    return Math.min(walking, prints - 1, ladder.foundLots);
  }

  private spanOf(slot: number): number {
    return Math.floor(slot / this.perSpan);
  }

  private reserve(cell: number): number {
    this.counts[cell]! += 1;
    return 1;
  }
}

const spanWeights = new Float64Array(spansPerMinute);
const spanMoves = new Float64Array(spansPerMinute);
