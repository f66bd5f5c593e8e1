import { boundMargin, type Holding, paperResult } from '../holding.ts';
import { cashSurplus, type SurplusLine, surplusLine } from '../liquidation-price.ts';
import type { Money } from '../notional.ts';
import type { Pace, PathAccount, PathMarket } from './terms.ts';

/** A position with what it adds to the sums. */
interface Held {
  readonly marketId: string;
  readonly holding: Holding;
  readonly market: PathMarket;
  /** Half prices per unit of distance; 0: its mark stands still. */
  readonly move: number;
  readonly margin: Money;
  /** What it would realize where its mark stands still. */
  readonly result: Money;
  readonly surplus: SurplusLine | null;
}

/**
 * The open positions of an account on its way, with sums over those whose marks stand still: a step costs as much as
 * there are positions that move.
 */
export class PathPositions {
  readonly #account: PathAccount;
  readonly #pace: Pace;
  readonly #scale: number;
  readonly #held = new Map<string, Held>();
  #moving: readonly Held[] = [];
  #margin = 0n;
  #isolatedMargin = 0n;
  #crossCount = 0;
  #stillResult = 0n;
  /** Of the cross positions that stand still. */
  #stillSurplus = 0n;

  constructor(account: PathAccount, pace: Pace, from?: PathPositions) {
    this.#account = account;
    this.#pace = pace;
    if (from === undefined) {
      const decimals = [...account.markets.values()].map(({ grid }) => grid.priceDecimals + grid.sizeDecimals);
      this.#scale = Math.max(8, ...decimals);
      for (const [marketId, holding] of account.positions) this.set(marketId, holding);
      return;
    }
    this.#scale = from.#scale;
    this.#held = new Map(from.#held);
    this.#moving = from.#moving;
    this.#margin = from.#margin;
    this.#isolatedMargin = from.#isolatedMargin;
    this.#crossCount = from.#crossCount;
    this.#stillResult = from.#stillResult;
    this.#stillSurplus = from.#stillSurplus;
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

  has(marketId: string): boolean {
    return this.#held.has(marketId);
  }

  marketIds(): Iterable<string> {
    return this.#held.keys();
  }

  /** Isolated positions whose marks move. */
  isolatedMoving(): string[] {
    return this.#moving.filter(({ holding }) => holding.marginMode === 'isolated').map(({ marketId }) => marketId);
  }

  set(marketId: string, holding: Holding): void {
    this.#add(this.#held.get(marketId), -1n);
    const held = this.#heldOf(marketId, holding);
    const isOpen = this.#held.has(marketId);
    this.#held.set(marketId, held);
    this.#add(held, 1n);
    if (held.move === 0) return;
    this.#moving = isOpen
      ? this.#moving.map((one) => (one.marketId === marketId ? held : one))
      : [...this.#moving, held];
  }

  delete(marketId: string): void {
    this.#add(this.#held.get(marketId), -1n);
    this.#held.delete(marketId);
    this.#moving = this.#moving.filter((one) => one.marketId !== marketId);
  }

  /** What all of them would realize at the marks of a distance (simulation 5.2). */
  resultAt(distance: number): Money {
    let result = this.#stillResult;
    for (const { market, holding, move } of this.#moving)
      result += paperResult(market.grid, holding, market.mark + move * distance);
    return result;
  }

  /** Whether an isolated position, or with `null` all cross ones together, would be liquidated at a distance. */
  isLiquidatedAt(marketId: string | null, distance: number, balance: Money): boolean {
    if (this.#account.maintenanceRatioBps === null) return false;
    if (marketId !== null) {
      const held = this.#held.get(marketId)!;
      return cashSurplus(held.margin, this.#scale) + surplusAt(held, distance) <= 0n;
    }
    if (this.#crossCount === 0) return false;
    let surplus = cashSurplus(balance - this.#isolatedMargin, this.#scale) + this.#stillSurplus;
    for (const held of this.#moving) if (held.holding.marginMode === 'cross') surplus += surplusAt(held, distance);
    return surplus <= 0n;
  }

  #heldOf(marketId: string, holding: Holding): Held {
    const market = this.#account.markets.get(marketId)!;
    const { grid, mark } = market;
    const { maintenanceRatioBps: ratio } = this.#account;
    const move = this.#pace.get(marketId) ?? 0;
    const margin = boundMargin(holding);
    const result = move === 0 ? paperResult(grid, holding, mark) : 0n;
    const { direction, size, cost } = holding;
    const line = { direction, size, cost, decimals: grid.priceDecimals + grid.sizeDecimals };
    const surplus = ratio === null ? null : surplusLine(line, ratio, this.#scale);
    return { marketId, holding, market, move, margin, result, surplus };
  }

  #add(held: Held | undefined, sign: 1n | -1n): void {
    if (held === undefined) return;
    const isCross = held.holding.marginMode === 'cross';
    this.#margin += sign * held.margin;
    if (isCross) this.#crossCount += Number(sign);
    else this.#isolatedMargin += sign * held.margin;
    if (held.move !== 0) return;
    this.#stillResult += sign * held.result;
    if (isCross && held.surplus !== null) this.#stillSurplus += sign * surplusAt(held, 0);
  }
}

function surplusAt({ surplus, market, move }: Held, distance: number): bigint {
  return surplus!.slope * BigInt(market.mark + move * distance) + surplus!.rest;
}
