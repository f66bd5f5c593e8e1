/**
 * Sharing out what is traded in a stretch of time among its parts. Prints, lots and worth are whole numbers that always
 * add up; the worth is the sum of price x lots, in grid steps from a reference. Each part has a price at which it would
 * trade by nature; so much is traded in each that the worth of all comes to the whole's. In the end a minute's mean price
 * lies well inside its range, where its prints can make it up to the last lot.
 */

/** A part keeps this share of the lots that it should get, wherever its price is; if that can't be, this one. */
const keptShare = 0.2;
const leastKept = 0.03;
/** Room, as a share of its range, that is left to the edges when a natural price must give way. */
const leastRoom = 0.02;
const roomStep = 0.02;

export class Sharing {
  /** For every part, before: what share of lots it should get, in any unit, and its prints. */
  readonly lotWeights: Float64Array;
  readonly prints: Float64Array;
  /** For every part, before: its lowest and highest print, in grid steps from the reference, and its natural price. */
  readonly bottoms: Float64Array;
  readonly tops: Float64Array;
  readonly prices: Float64Array;
  /** Afterwards: what each part trades. */
  readonly lots: Float64Array;
  readonly worths: Float64Array;
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
    this.worths = new Float64Array(count);
    this.least = new Float64Array(count);
    this.tilted = new Float64Array(count);
  }

  /** The mean price of parts that trade at their natural prices what they should. */
  meanPrice(): number {
    let sum = 0;
    let worth = 0;
    for (let i = 0; i < this.count; i += 1) {
      sum += this.lotWeights[i]!;
      worth += this.lotWeights[i]! * this.prices[i]!;
    }
    return worth / sum;
  }

  /**
   * Shares out lots and their worth, once prints are shared out. Mean prices keep `edgeRoom`, a share of the range, to
   * its edges, or else as much as can be. Every part gets at least `fewest` lots, and `lotsPerPrint` for each print.
   */
  shareLots(lots: number, worth: number, fewest: number, lotsPerPrint: number, edgeRoom: number): void {
    const { lotWeights, prints, least } = this;
    const mean = worth / lots;
    let sum = 0;
    for (let i = 0; i < this.count; i += 1) sum += lotWeights[i]!;
    for (let i = 0; i < this.count; i += 1) {
      lotWeights[i]! /= sum;
      least[i] = Math.max(fewest, lotsPerPrint * prints[i]!);
    }
    let fits = this.tiltLots(mean, keptShare) || this.tiltLots(mean, leastKept);
    for (let bends = 0; bends < 5 && !fits; bends += 1) {
      this.bend(mean);
      fits = this.tiltLots(mean, leastKept);
    }
    shareOver(lots, lotWeights, this.lots, least);
    this.moveLots(worth);
    this.shareWorth(worth, edgeRoom);
  }

  /** Changes the weights of lots so that the mean price by them is `mean`; false: no weights do that. */
  private tiltLots(mean: number, keeps: number): boolean {
    const { lotWeights, prices, tilted } = this;
    // Every part keeps some of its share; the rest must make up for that.
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
   * Where the prices of all parts lie on one side of `price`, moves that of the part that reaches furthest to the other;
   * false: no part reaches so far.
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
    const room = leastRoom * (tops[furthest]! - bottoms[furthest]!);
    const edge = isAbove ? bottoms[furthest]! + room : tops[furthest]! - room;
    if (isAbove ? edge >= price : edge <= price) return false;
    prices[furthest] = (price + edge) / 2;
    return true;
  }

  /** Moves the prices of all parts half the way to that edge of their range on whose side `mean` is. */
  private bend(mean: number): void {
    const { prices, bottoms, tops } = this;
    let below = 0;
    for (let i = 0; i < this.count; i += 1) below += this.lotWeights[i]! * Math.sign(mean - prices[i]!);
    for (let i = 0; i < this.count; i += 1) {
      const room = leastRoom * (tops[i]! - bottoms[i]!);
      prices[i] = (prices[i]! + (below > 0 ? tops[i]! - room : bottoms[i]! + room)) / 2;
    }
  }

  /** Bounds and rounding have moved the mean price: moves lots between the parts with extreme prices to correct it. */
  private moveLots(worth: number): void {
    const { prices, lots, least } = this;
    for (let turn = 0; turn < 8; turn += 1) {
      let missing = worth;
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

  /** Gives every part the worth of its lots at its price; what is missing goes to whoever has room for it. */
  private shareWorth(whole: number, usualRoom: number): void {
    const { lots, prices, worths, tilted: rooms } = this;
    let edge = usualRoom;
    while (edge > 0 && !this.canBeWorth(whole, edge)) edge = Math.max(0, edge - roomStep);
    let missing = whole;
    for (let i = 0; i < this.count; i += 1) {
      const wanted = Math.round(lots[i]! * prices[i]!);
      worths[i] = Math.min(Math.max(wanted, this.edgeWorth(i, edge, false)), this.edgeWorth(i, edge, true));
      missing -= worths[i]!;
    }
    let room = 0;
    for (let i = 0; i < this.count; i += 1) {
      rooms[i] = Math.abs(this.edgeWorth(i, edge, missing > 0) - worths[i]!);
      room += rooms[i]!;
    }
    for (let i = 0; i < this.count && missing !== 0; i += 1) {
      const part = i === this.count - 1 ? missing : Math.round((missing * rooms[i]!) / Math.max(room, 1));
      worths[i]! += part;
      missing -= part;
      room -= rooms[i]!;
    }
  }

  private canBeWorth(whole: number, edge: number): boolean {
    let least = 0;
    let most = 0;
    for (let i = 0; i < this.count; i += 1) {
      least += this.edgeWorth(i, edge, false);
      most += this.edgeWorth(i, edge, true);
    }
    return least <= whole && whole <= most;
  }

  /** The least or the most that a part's lots can be worth. */
  private edgeWorth(i: number, edge: number, most: boolean): number {
    const range = this.tops[i]! - this.bottoms[i]!;
    const room = Math.ceil(Math.max(this.prints[i]!, edge * this.lots[i]!) * range);
    return most ? this.lots[i]! * this.tops[i]! - room : this.lots[i]! * this.bottoms[i]! + room;
  }
}

/**
 * Changes weights, whose sum is 1, so that the mean of `prices` by them becomes `price`, each as little as can be: a
 * weight is divided by 1 + k x (its price - `price`), with the one k that does it.
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

/** Splits a whole number by weights into whole numbers, each at least `least`. */
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
  // The remainder of rounding and bounds is taken from the parts with the most to spare, or given to the largest.
  while (left !== 0) {
    let best = 0;
    for (let i = 1; i < parts.length; i += 1) if (parts[i]! - least[i]! > parts[best]! - least[best]!) best = i;
    const spare = parts[best]! - least[best]!;
    const step = left < 0 && spare > 0 ? -Math.min(spare, -left) : left;
    parts[best]! += step;
    left -= step;
  }
}
