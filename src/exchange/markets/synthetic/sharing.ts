/**
 * Distributes the trading in a stretch of time over its parts. Prints, lots and turnover are whole numbers that always add
 * up; turnover is the sum of price x lots, in grid ticks relative to a reference. Each part has a natural price. The lots
 * are distributed so that the total turnover is the whole stretch's. As a result, a minute's mean price is well inside its
 * range, where its prints can make it up exactly.
 */

/** A part keeps this share of the lots that it should get, whatever its price; if that is impossible, `minKept`. */
const keptShare = 0.2;
const minKept = 0.03;
/** Distance to the edges, as a share of the range, that a natural price keeps when it has to move. */
const minRoom = 0.02;
const roomUnit = 0.02;

/** How much of its share of the lots a part may lose or gain where the mean price leans to one side. */
const mostLean = 0.6;
/** Where nothing else makes up a turnover, parts keep this many lots for each print. */
const fewestPerPrint = 3;
/** How natural prices are moved: how often, how close to the mean, and to the edges, as a share of the range. */
const shiftTurns = 6;
const closeEnough = 0.001;
const shiftRoom = 0.1;

/** Divides lots, prints and turnover among parts of a time so that they add up exactly. */
export class Sharing {
  /** Inputs, for each part: the share of lots that it should get, in any unit, and its prints. */
  readonly lotWeights: Float64Array;
  readonly prints: Float64Array;
  /** Inputs, for each part: its lowest and highest print, in grid ticks from the reference, and its natural price. */
  readonly bottoms: Float64Array;
  readonly tops: Float64Array;
  readonly prices: Float64Array;
  /** Results: what each part trades. */
  readonly lots: Float64Array;
  readonly turnovers: Float64Array;
  readonly count: number;
  private readonly least: Float64Array;
  private readonly tilted: Float64Array;

  constructor(count: number) {
    this.count = count;
    this.lotWeights = new Float64Array(count);
    this.bottoms = new Float64Array(count);
    this.tops = new Float64Array(count);
    this.prices = new Float64Array(count);
    this.lots = new Float64Array(count);
    this.prints = new Float64Array(count);
    this.turnovers = new Float64Array(count);
    this.least = new Float64Array(count);
    this.tilted = new Float64Array(count);
  }

  /** The mean price if every part trades its share at its natural price. */
  meanPrice(): number {
    let sum = 0;
    let turnover = 0;
    for (let i = 0; i < this.count; i += 1) {
      sum += this.lotWeights[i]!;
      turnover += this.lotWeights[i]! * this.prices[i]!;
    }
    return turnover / sum;
  }

  /**
   * Distributes lots and their turnover; the prints must be distributed already. Mean prices keep a distance of
   * `edgeRoom`, a share of the range, from its edges, or as much as possible. Every part gets at least `fewest` lots,
   * and `lotsPerPrint` for each print.
   */
  shareLots(lots: number, turnover: number, fewest: number, lotsPerPrint: number, edgeRoom: number): void {
    const { lotWeights, prints, least } = this;
    const mean = turnover / lots;
    let sum = 0;
    for (let i = 0; i < this.count; i += 1) sum += lotWeights[i]!;
    for (let i = 0; i < this.count; i += 1) {
      lotWeights[i]! /= sum;
      least[i] = Math.max(fewest, lotsPerPrint * prints[i]!);
    }
    this.lean(mean);
    let fits = this.shiftPrices(mean) || this.tiltLots(mean, keptShare) || this.tiltLots(mean, minKept);
    for (let bends = 0; bends < 5 && !fits; bends += 1) {
      this.bend(mean);
      fits = this.tiltLots(mean, minKept);
    }
    shareOver(lots, lotWeights, this.lots, least);
    this.moveLots(turnover);
    this.makeRoom(turnover);
    this.shareTurnover(turnover, edgeRoom);
  }

  /** Gives parts the more lots, the farther their price is on the side of `mean`, but never far from their share. */
  private lean(mean: number): void {
    const { lotWeights, prices } = this;
    let natural = 0;
    for (let i = 0; i < this.count; i += 1) natural += lotWeights[i]! * prices[i]!;
    let [variance, furthest] = [0, 0];
    for (let i = 0; i < this.count; i += 1) {
      const off = prices[i]! - natural;
      variance += lotWeights[i]! * off * off;
      furthest = Math.max(furthest, Math.abs(off));
    }
    if (variance === 0) return;
    const most = mostLean / furthest;
    const slope = Math.max(-most, Math.min(most, (mean - natural) / variance));
    for (let i = 0; i < this.count; i += 1) lotWeights[i]! *= 1 + slope * (prices[i]! - natural);
  }

  /**
   * Moves all natural prices toward `mean`, in proportion to their ranges, until that is their weighted mean; false if
   * they would come too close to the edges of their ranges.
   */
  private shiftPrices(mean: number): boolean {
    const { lotWeights, prices, bottoms, tops } = this;
    for (let turn = 0; turn < shiftTurns; turn += 1) {
      let [missing, ranges] = [mean, 0];
      for (let i = 0; i < this.count; i += 1) {
        missing -= lotWeights[i]! * prices[i]!;
        ranges += lotWeights[i]! * (tops[i]! - bottoms[i]!);
      }
      if (Math.abs(missing) <= closeEnough * ranges) return true;
      for (let i = 0; i < this.count; i += 1) {
        const range = tops[i]! - bottoms[i]!;
        const room = shiftRoom * range;
        const price = prices[i]! + (missing * range) / ranges;
        prices[i] = Math.min(Math.max(price, bottoms[i]! + room), tops[i]! - room);
      }
    }
    return false;
  }

  /** Adjusts the weights of lots so that the weighted mean price is `mean`; false if no weights achieve that. */
  private tiltLots(mean: number, keeps: number): boolean {
    const { lotWeights, prices, tilted } = this;
    // Every part keeps some of its share; the rest has to make up for that.
    let kept = 0;
    for (let i = 0; i < this.count; i += 1) kept += lotWeights[i]! * (prices[i]! - mean);
    const price = mean - (kept * keeps) / (1 - keeps);
    if (!this.surround(price)) return false;
    tilted.set(lotWeights);
    tilt(tilted, prices, price);
    for (let i = 0; i < this.count; i += 1) lotWeights[i] = keeps * lotWeights[i]! + (1 - keeps) * tilted[i]!;
    return true;
  }

  /**
   * If the prices of all parts are on the same side of `price`, moves the price of the part whose range extends
   * furthest to the other side; false if no range does.
   */
  private surround(price: number): boolean {
    const { prices, bottoms, tops } = this;
    let lowest = 0;
    let highest = 0;
    let isAbove = false;
    let isBelow = false;
    for (let i = 0; i < this.count; i += 1) {
      isAbove ||= prices[i]! > price;
      isBelow ||= prices[i]! < price;
      if (bottoms[i]! < bottoms[lowest]!) lowest = i;
      if (tops[i]! > tops[highest]!) highest = i;
    }
    if (isAbove && isBelow) return true;
    const furthest = isAbove ? lowest : highest;
    const room = minRoom * (tops[furthest]! - bottoms[furthest]!);
    const edge = isAbove ? bottoms[furthest]! + room : tops[furthest]! - room;
    if (isAbove ? edge >= price : edge <= price) return false;
    prices[furthest] = (price + edge) / 2;
    return true;
  }

  /** Moves the prices of all parts halfway to the edge of their range that is on the side of `mean`. */
  private bend(mean: number): void {
    const { prices, bottoms, tops } = this;
    let below = 0;
    for (let i = 0; i < this.count; i += 1) below += this.lotWeights[i]! * Math.sign(mean - prices[i]!);
    for (let i = 0; i < this.count; i += 1) {
      const room = minRoom * (tops[i]! - bottoms[i]!);
      prices[i] = (prices[i]! + (below > 0 ? tops[i]! - room : bottoms[i]! + room)) / 2;
    }
  }

  /** Corrects the mean price after bounds and rounding by moving lots between the parts with extreme prices. */
  private moveLots(turnover: number): void {
    const { prices, lots, least } = this;
    for (let turn = 0; turn < 8; turn += 1) {
      let missing = turnover;
      for (let i = 0; i < this.count; i += 1) missing -= lots[i]! * prices[i]!;
      const up = missing > 0;
      let giver = -1;
      let taker = 0;
      for (let i = 0; i < this.count; i += 1) {
        const canGive = lots[i]! > least[i]!;
        if (canGive && (giver < 0 || (up ? prices[i]! < prices[giver]! : prices[i]! > prices[giver]!))) giver = i;
        if (up ? prices[i]! > prices[taker]! : prices[i]! < prices[taker]!) taker = i;
      }
      if (giver < 0) return;
      const moved = Math.min(lots[giver]! - least[giver]!, Math.floor(missing / (prices[taker]! - prices[giver]!)));
      if (!(moved > 0)) return;
      lots[giver]! -= moved;
      lots[taker]! += moved;
    }
  }

  /**
   * Moves lots to the part with the most extreme price until all parts together can have the turnover; if that does not
   * suffice, parts keep less.
   */
  private makeRoom(turnover: number): void {
    const { lots, least, bottoms, tops } = this;
    for (let turn = 0; turn < 4 * this.count; turn += 1) {
      const [below, above] = [turnover - this.totalEdge(0, false), turnover - this.totalEdge(0, true)];
      if (below >= 0 && above <= 0) return;
      const up = above > 0;
      const edges = up ? tops : bottoms;
      let taker = 0;
      for (let i = 1; i < this.count; i += 1) if (up ? edges[i]! > edges[taker]! : edges[i]! < edges[taker]!) taker = i;
      let giver = -1;
      for (let i = 0; i < this.count; i += 1) {
        if (lots[i]! <= least[i]! || edges[i] === edges[taker]) continue;
        if (giver < 0 || (up ? edges[i]! < edges[giver]! : edges[i]! > edges[giver]!)) giver = i;
      }
      if (giver < 0) {
        if (!this.keepLess()) return;
        continue;
      }
      const gain = Math.abs(edges[taker]! - edges[giver]!);
      const moved = Math.min(lots[giver]! - least[giver]!, Math.ceil(Math.abs(up ? above : below) / gain) + 1);
      lots[giver]! -= moved;
      lots[taker]! += moved;
    }
  }

  /** Lowers the fewest lots of the parts; false if they can't be lower. */
  private keepLess(): boolean {
    let isLower = false;
    for (let i = 0; i < this.count; i += 1) {
      const less = Math.max(fewestPerPrint * this.prints[i]!, Math.floor(this.least[i]! * 0.75));
      if (less >= this.least[i]!) continue;
      this.least[i] = less;
      isLower = true;
    }
    return isLower;
  }

  /** The minimum or maximum turnover of all parts. */
  private totalEdge(edge: number, most: boolean): number {
    let sum = 0;
    for (let i = 0; i < this.count; i += 1) sum += this.edgeTurnover(i, edge, most);
    return sum;
  }

  /** Gives every part the turnover of its lots at its price; the parts with room absorb the difference. */
  private shareTurnover(whole: number, defaultRoom: number): void {
    const { lots, prices, turnovers, tilted: rooms } = this;
    let edge = defaultRoom;
    while (edge > 0 && (this.totalEdge(edge, false) > whole || whole > this.totalEdge(edge, true)))
      edge = Math.max(0, edge - roomUnit);
    let missing = whole;
    for (let i = 0; i < this.count; i += 1) {
      const wanted = Math.round(lots[i]! * prices[i]!);
      turnovers[i] = Math.min(Math.max(wanted, this.edgeTurnover(i, edge, false)), this.edgeTurnover(i, edge, true));
      missing -= turnovers[i]!;
    }
    let room = 0;
    for (let i = 0; i < this.count; i += 1) {
      rooms[i] = Math.abs(this.edgeTurnover(i, edge, missing > 0) - turnovers[i]!);
      room += rooms[i]!;
    }
    for (let i = 0; i < this.count && missing !== 0; i += 1) {
      const part = i === this.count - 1 ? missing : Math.round((missing * rooms[i]!) / Math.max(room, 1));
      turnovers[i]! += part;
      missing -= part;
      room -= rooms[i]!;
    }
  }

  /** The minimum or maximum turnover of a part's lots. */
  private edgeTurnover(i: number, edge: number, most: boolean): number {
    const range = this.tops[i]! - this.bottoms[i]!;
    const room = Math.ceil(Math.max(this.prints[i]!, edge * this.lots[i]!) * range);
    return most ? this.lots[i]! * this.tops[i]! - room : this.lots[i]! * this.bottoms[i]! + room;
  }
}

/**
 * Adjusts weights that add up to 1 so that the weighted mean of `prices` becomes `price`, with the smallest possible
 * changes: each weight is divided by 1 + k x (its price - `price`), and only one k achieves that.
 */
function tilt(weights: Float64Array, prices: Float64Array, price: number): void {
  let furthestBelow = 0;
  let furthestAbove = 0;
  for (const one of prices) {
    if (one - price < furthestBelow) furthestBelow = one - price;
    if (one - price > furthestAbove) furthestAbove = one - price;
  }
  if (furthestBelow === 0 || furthestAbove === 0) return;
  let from = -1 / furthestAbove;
  let to = -1 / furthestBelow;
  let k = 0;
  for (let step = 0; step < 24; step += 1) {
    let excess = 0;
    let slope = 0;
    for (let i = 0; i < prices.length; i += 1) {
      const part = (prices[i]! - price) / (1 + k * (prices[i]! - price));
      excess += weights[i]! * part;
      slope += weights[i]! * part * part;
    }
    if (excess > 0) from = k;
    else to = k;
    const next = k + excess / slope;
    if (Math.abs(next - k) < 1e-9 * (to - from)) break;
    k = next > from && next < to ? next : (from + to) / 2;
  }
  for (let i = 0; i < prices.length; i += 1) weights[i]! /= 1 + k * (prices[i]! - price);
}

/** Splits a whole number into whole numbers in proportion to weights; each is at least `least`. */
export function shareWhole(whole: number, weights: Float64Array, parts: Float64Array, least: number): void {
  shareOver(whole, weights, parts, new Float64Array(parts.length).fill(least));
}

function shareOver(whole: number, weights: Float64Array, parts: Float64Array, least: Float64Array): void {
  let sum = 0;
  for (const weight of weights) sum += weight;
  let left = whole;
  for (let i = 0; i < parts.length; i += 1) {
    parts[i] = Math.max(least[i]!, Math.round((whole * weights[i]!) / sum));
    left -= parts[i]!;
  }
  // The remainder from rounding and bounds is taken from the parts with the most to spare, or added to the largest.
  while (left !== 0) {
    let best = 0;
    for (let i = 1; i < parts.length; i += 1) if (parts[i]! - least[i]! > parts[best]! - least[best]!) best = i;
    const spare = parts[best]! - least[best]!;
    const step = left < 0 && spare > 0 ? -Math.min(spare, -left) : left;
    parts[best]! += step;
    left -= step;
  }
}
