import { boundMargin, type Holding, paperResult } from '../holding.ts';
import { cashSurplus, surplusLine } from '../liquidation-price.ts';
import { type Money, moneyPerHalfPrice } from '../notional.ts';
import type { Pace, PathAccount, PathMarket } from './terms.ts';

/** A quantity linear in the distance: `base + slope x distance`. */
type Line = readonly [base: bigint, slope: bigint];

const none: Line = [0n, 0n];

/** Sums over positions: margins, isolated margins, the number of cross positions, their results and their surplus. */
type Sums = readonly [margin: Money, isolated: Money, cross: bigint, ...result: Line, ...surplus: Line];

/** A position with its contributions to the sums. */
interface Held {
  readonly marketId: string;
  readonly holding: Holding;
  readonly market: PathMarket;
  /** Half prices per unit of distance; 0 if its mark stands still. */
  readonly move: number;
  /** Its realized profit; null if not linear, because it is rounded or its loss ends at its margin. */
  readonly result: Line | null;
  readonly surplus: Line;
  readonly sums: Sums;
}

/**
 * The open positions of an account on its way, with sums over all linear ones: a step costs the same no matter how many
 * there are.
 */
export class PathPositions {
  readonly account: PathAccount;
  readonly pace: Pace;
  readonly #scale: number;
  readonly #held: Map<string, Held>;
  /** Those whose results aren't linear. */
  #uneven: readonly Held[] = [];
  #sums: Sums = [0n, 0n, 0n, ...none, ...none];

  constructor(account: PathAccount, pace: Pace, from?: PathPositions) {
    this.account = account;
    this.pace = pace;
    if (from !== undefined) {
      this.#scale = from.#scale;
      this.#held = new Map(from.#held);
      this.#uneven = from.#uneven;
      this.#sums = from.#sums;
      return;
    }
    const decimals = [...account.markets.values()].map(({ grid }) => grid.priceDecimals + grid.sizeDecimals);
    this.#scale = Math.max(8, ...decimals);
    this.#held = new Map();
    for (const [marketId, holding] of account.positions) this.set(marketId, holding);
  }

  get size(): number {
    return this.#held.size;
  }

  /** Every margin that positions bind. */
  get margin(): Money {
    return this.#sums[0];
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
    this.#change(marketId, this.#heldOf(marketId, holding));
  }

  delete(marketId: string): void {
    this.#change(marketId, undefined);
  }

  /** Their total realized profit at the marks of a distance (simulation 5.2). */
  resultAt(distance: number): Money {
    let result = at(this.#sums, distance, 3);
    for (const { market, holding, move } of this.#uneven)
      result += paperResult(market.grid, holding, market.mark + move * distance);
    return result;
  }

  /** Whether an isolated position, or with `null` all cross ones together, would be liquidated at a distance. */
  isLiquidatedAt(marketId: string | null, distance: number, balance: Money): boolean {
    if (this.account.maintenanceRatioBps === null) return false;
    if (marketId !== null) {
      const { holding, surplus } = this.#held.get(marketId)!;
      return cashSurplus(boundMargin(holding), this.#scale) + at(surplus, distance) <= 0n;
    }
    const [, isolated, cross] = this.#sums;
    return cross > 0n && cashSurplus(balance - isolated, this.#scale) + at(this.#sums, distance, 5) <= 0n;
  }

  #heldOf(marketId: string, holding: Holding): Held {
    const market = this.account.markets.get(marketId)!;
    const move = this.pace.get(marketId) ?? 0;
    const margin = boundMargin(holding);
    const result = resultLine(market, holding, move);
    const surplus = this.#surplusLine(market, holding, move);
    const isCross = holding.marginMode === 'cross';
    const own = isCross ? ([0n, 1n] as const) : ([margin, 0n] as const);
    const sums: Sums = [margin, ...own, ...(result ?? none), ...(isCross ? surplus : none)];
    return { marketId, holding, market, move, result, surplus, sums };
  }

  #surplusLine({ grid, mark }: PathMarket, { direction, size, cost }: Holding, move: number): Line {
    const { maintenanceRatioBps: ratio } = this.account;
    if (ratio === null) return none;
    const decimals = grid.priceDecimals + grid.sizeDecimals;
    const { slope, rest } = surplusLine({ direction, size, cost, decimals }, ratio, this.#scale);
    return [slope * BigInt(mark) + rest, slope * BigInt(move)];
  }

  /** The order stays: positions are liquidated in it. */
  #change(marketId: string, after: Held | undefined): void {
    const before = this.#held.get(marketId);
    if (after === undefined) this.#held.delete(marketId);
    else this.#held.set(marketId, after);
    const change = (sum: bigint, at: number) => sum + (after?.sums[at] ?? 0n) - (before?.sums[at] ?? 0n);
    this.#sums = this.#sums.map(change) as unknown as Sums;
    const uneven = after?.result === null ? [after] : [];
    if (before?.result === null) this.#uneven = this.#uneven.flatMap((one) => (one === before ? uneven : [one]));
    else if (uneven.length > 0) this.#uneven = [...this.#uneven, ...uneven];
  }
}

/** A position's realized profit along its market's path; null if not linear. */
function resultLine({ grid, mark }: PathMarket, holding: Holding, move: number): Line | null {
  if (move === 0) return [paperResult(grid, holding, mark), 0n];
  const perHalfPrice = moneyPerHalfPrice(grid, holding.size);
  if (perHalfPrice === null || holding.marginMode === 'isolated') return null;
  const slope = holding.direction === 'long' ? perHalfPrice : -perHalfPrice;
  const paid = holding.direction === 'long' ? holding.cost : -holding.cost;
  return [slope * BigInt(mark) - paid, slope * BigInt(move)];
}

/** A linear quantity at a distance, from its two numbers among others. */
function at(numbers: readonly bigint[], distance: number, first = 0): bigint {
  const slope = numbers[first + 1]!;
  return slope === 0n ? numbers[first]! : numbers[first]! + slope * BigInt(distance);
}
