import { boundMargin, type Holding, paperResult } from '../holding.ts';
import { cashSurplus, surplusLine } from '../liquidation-price.ts';
import { type Money, moneyPerHalfPrice } from '../notional.ts';
import type { Pace, PathAccount, PathMarket } from './terms.ts';

/** Quantities linear in the distance: `base + slope x distance`. */
interface Line {
  readonly base: bigint;
  readonly slope: bigint;
}

/** A position with what it adds to the sums. */
interface Held {
  readonly marketId: string;
  readonly holding: Holding;
  readonly market: PathMarket;
  /** Half prices per unit of distance; 0: its mark stands still. */
  readonly move: number;
  readonly margin: Money;
  /** Its realized profit; null if not linear, because it is rounded or its loss ends at its margin. */
  readonly result: Line | null;
  /** Null: unknown. */
  readonly surplus: Line | null;
}

/**
 * The open positions of an account on its way, with sums over all that change evenly: a step costs the same however
 * many there are.
 */
export class PathPositions {
  readonly #account: PathAccount;
  readonly #pace: Pace;
  readonly #scale: number;
  readonly #held: Map<string, Held>;
  /** Those whose results do not change evenly. */
  #uneven: readonly Held[] = [];
  #margin = 0n;
  #isolatedMargin = 0n;
  #crossCount = 0;
  #result: Line = { base: 0n, slope: 0n };
  /** Of the cross positions. */
  #surplus: Line = { base: 0n, slope: 0n };

  constructor(account: PathAccount, pace: Pace, from?: PathPositions) {
    this.#account = account;
    this.#pace = pace;
    this.#held = new Map(from === undefined ? [] : from.#held);
    if (from === undefined) {
      const decimals = [...account.markets.values()].map(({ grid }) => grid.priceDecimals + grid.sizeDecimals);
      this.#scale = Math.max(8, ...decimals);
      for (const [marketId, holding] of account.positions) this.set(marketId, holding);
      return;
    }
    this.#scale = from.#scale;
    this.#uneven = from.#uneven;
    this.#margin = from.#margin;
    this.#isolatedMargin = from.#isolatedMargin;
    this.#crossCount = from.#crossCount;
    this.#result = from.#result;
    this.#surplus = from.#surplus;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Every margin that positions bind. */
  get margin(): Money {
    return this.#margin;
  }

  get(marketId: string): Holding | undefined {
    return this.#held.get(marketId)?.holding;
  }

  marketIds(): Iterable<string> {
    return this.#held.keys();
  }

  /** Isolated positions whose marks move. */
  isolatedMoving(): string[] {
    const found: string[] = [];
    for (const { marketId, holding } of this.#uneven) if (holding.marginMode === 'isolated') found.push(marketId);
    return found;
  }

  set(marketId: string, holding: Holding): void {
    const before = this.#held.get(marketId);
    const held = this.#heldOf(marketId, holding);
    this.#held.set(marketId, held);
    if (before !== undefined) this.#add(before, -1n);
    this.#add(held, 1n);
    this.#replace(before, held);
  }

  delete(marketId: string): void {
    const held = this.#held.get(marketId);
    if (held === undefined) return;
    this.#held.delete(marketId);
    this.#add(held, -1n);
    this.#replace(held, undefined);
  }

  /** Their total realized profit at the marks of a distance (simulation 5.2). */
  resultAt(distance: number): Money {
    let result = at(this.#result, distance);
    for (const { market, holding, move } of this.#uneven)
      result += paperResult(market.grid, holding, market.mark + move * distance);
    return result;
  }

  /** Whether an isolated position, or with `null` all cross ones together, would be liquidated at a distance. */
  isLiquidatedAt(marketId: string | null, distance: number, balance: Money): boolean {
    if (this.#account.maintenanceRatioBps === null) return false;
    if (marketId !== null) {
      const held = this.#held.get(marketId)!;
      return cashSurplus(held.margin, this.#scale) + at(held.surplus!, distance) <= 0n;
    }
    if (this.#crossCount === 0) return false;
    return cashSurplus(balance - this.#isolatedMargin, this.#scale) + at(this.#surplus, distance) <= 0n;
  }

  #heldOf(marketId: string, holding: Holding): Held {
    const market = this.#account.markets.get(marketId)!;
    const move = this.#pace.get(marketId) ?? 0;
    const margin = boundMargin(holding);
    const result = resultLine(market, holding, move);
    return { marketId, holding, market, move, margin, result, surplus: this.#surplusLine(market, holding, move) };
  }

  #surplusLine({ grid, mark }: PathMarket, { direction, size, cost }: Holding, move: number): Line | null {
    const { maintenanceRatioBps: ratio } = this.#account;
    if (ratio === null) return null;
    const decimals = grid.priceDecimals + grid.sizeDecimals;
    const { slope, rest } = surplusLine({ direction, size, cost, decimals }, ratio, this.#scale);
    return { base: slope * BigInt(mark) + rest, slope: slope * BigInt(move) };
  }

  #add({ holding, margin, result, surplus }: Held, sign: 1n | -1n): void {
    const isCross = holding.marginMode === 'cross';
    this.#margin += sign * margin;
    if (isCross) this.#crossCount += Number(sign);
    else this.#isolatedMargin += sign * margin;
    if (result !== null) this.#result = sumOf(this.#result, result, sign);
    if (isCross && surplus !== null) this.#surplus = sumOf(this.#surplus, surplus, sign);
  }

  /** The order stays: positions are liquidated in it. */
  #replace(before: Held | undefined, after: Held | undefined): void {
    const uneven = after?.result === null ? [after] : [];
    if (before?.result === null) this.#uneven = this.#uneven.flatMap((one) => (one === before ? uneven : [one]));
    else if (uneven.length > 0) this.#uneven = [...this.#uneven, ...uneven];
  }
}

/** A position's realized profit along its market's path; null if not linear. */
function resultLine({ grid, mark }: PathMarket, holding: Holding, move: number): Line | null {
  if (move === 0) return { base: paperResult(grid, holding, mark), slope: 0n };
  const perHalfPrice = moneyPerHalfPrice(grid, holding.size);
  if (perHalfPrice === null || holding.marginMode === 'isolated') return null;
  const slope = holding.direction === 'long' ? perHalfPrice : -perHalfPrice;
  const paid = holding.direction === 'long' ? holding.cost : -holding.cost;
  return { base: slope * BigInt(mark) - paid, slope: slope * BigInt(move) };
}

function at({ base, slope }: Line, distance: number): bigint {
  return slope === 0n ? base : base + slope * BigInt(distance);
}

function sumOf(one: Line, other: Line, sign: 1n | -1n): Line {
  return { base: one.base + sign * other.base, slope: one.slope + sign * other.slope };
}
