import type { MarginMode, Side } from '../../../src/exchange/engine/model.ts';

/** Rates of a naive account, in basis points. */
export interface NaiveRates {
  fee: number;
  carryPerDay: number;
  liquidationFee: number;
  maintenance: number;
}

export interface NaivePosition {
  side: Side;
  lots: number;
  /** Cost of the lots, in USD. */
  cost: number;
  leverage: number;
  mode: MarginMode;
  /** Margin beyond the initial margin; negative if a close has used part of it. */
  extra: number;
  funding: number;
}

/** Lots traded for a value in USD. */
export interface NaiveTrade {
  market: string;
  side: Side;
  lots: number;
  value: number;
  leverage: number;
  mode: MarginMode;
}

export type Marks = ReadonlyMap<string, number>;

/**
 * The money of one account as in docs/simulation.md, in plain numbers: balance, margin, equity, available balance, an
 * order's requirement, carry, liquidation and bankruptcy. Written for readability; the engine is compared with it.
 */
export class NaiveAccount {
  balance: number;
  bankrupt = 0;
  readonly rates: NaiveRates;
  readonly positions = new Map<string, NaivePosition>();

  constructor(balance: number, rates: NaiveRates) {
    this.balance = balance;
    this.rates = rates;
  }

  get marginUsed(): number {
    return sum([...this.positions.values()].map(bound));
  }

  equity(marks: Marks): number {
    return this.balance + sum([...this.positions].map(([market, held]) => onPaper(held, marks.get(market)!)));
  }

  available(marks: Marks): number {
    return Math.max(0, Math.min(this.balance, this.equity(marks)) - this.marginUsed);
  }

  /** Margin and fee of what a trade opens, and what is available once it has closed what it closes. */
  needs(trade: NaiveTrade, marks: Marks, reserved: number): { required: number; has: number } {
    const after = this.copy();
    const held = after.positions.get(trade.market);
    const closed = held === undefined || held.side === trade.side ? 0 : Math.min(held.lots, trade.lots);
    if (closed > 0) after.trade({ ...trade, lots: closed, value: (trade.value * closed) / trade.lots }, false);
    const opened = (trade.value * (trade.lots - closed)) / trade.lots;
    return {
      required: opened / trade.leverage + bps(opened, this.rates.fee),
      has: after.available(marks) - reserved,
    };
  }

  trade(trade: NaiveTrade, isLiquidation: boolean): void {
    const held = this.positions.get(trade.market);
    const closed = held === undefined || held.side === trade.side ? 0 : Math.min(held.lots, trade.lots);
    if (closed > 0) this.close(trade, held!, closed, isLiquidation);
    if (closed < trade.lots) this.open(trade, trade.lots - closed);
    if (this.balance < 0) this.cover(-this.balance);
  }

  /** A full hour: long and short pay the same. */
  payCarry(marks: Marks): void {
    for (const [market, held] of this.positions) {
      const paid = bps(held.lots * marks.get(market)!, this.rates.carryPerDay) / 24;
      this.balance -= paid;
      held.funding += paid;
      if (this.balance < 0) this.cover(-this.balance);
    }
  }

  /** Equity above maintenance in the pool of a market's position; at zero, it is liquidated. */
  surplus(market: string, marks: Marks): number {
    const held = this.positions.get(market)!;
    const pool = held.mode === 'isolated' ? [market] : [...this.positions.keys()].filter((one) => this.isCross(one));
    const cash = held.mode === 'isolated' ? bound(held) : this.crossCash;
    return (
      cash +
      sum(
        pool.map((one) => {
          const { lots } = this.positions.get(one)!;
          return (
            profit(this.positions.get(one)!, marks.get(one)!) - bps(lots * marks.get(one)!, this.rates.maintenance)
          );
        }),
      )
    );
  }

  private get crossCash(): number {
    return this.balance - sum([...this.positions.values()].filter(({ mode }) => mode === 'isolated').map(bound));
  }

  private isCross(market: string): boolean {
    return this.positions.get(market)!.mode === 'cross';
  }

  private open({ market, side, lots, value, leverage, mode }: NaiveTrade, opened: number): void {
    const cost = (value * opened) / lots;
    this.balance -= bps(cost, this.rates.fee);
    const held = this.positions.get(market) ?? { side, lots: 0, cost: 0, leverage, mode, extra: 0, funding: 0 };
    held.lots += opened;
    held.cost += cost;
    this.positions.set(market, held);
  }

  private close(trade: NaiveTrade, held: NaivePosition, closed: number, isLiquidation: boolean): void {
    const value = (trade.value * closed) / trade.lots;
    const cost = (held.cost * closed) / held.lots;
    const fees = bps(value, this.rates.fee) + (isLiquidation ? bps(trade.value, this.rates.liquidationFee) : 0);
    const result = (held.side === 'buy' ? value - cost : cost - value) - fees;
    this.balance += result;
    const margin = bound(held) + result;
    held.lots -= closed;
    held.cost -= cost;
    if (held.lots === 0) this.positions.delete(trade.market);
    if (held.mode === 'isolated') {
      const initial = held.cost / held.leverage;
      held.extra = Math.max(0, Math.min(margin, initial + Math.max(0, held.extra))) - initial;
      this.cover(Math.max(0, -margin));
    } else if (![...this.positions.keys()].some((market) => this.isCross(market))) {
      this.cover(Math.max(0, -this.crossCash));
    }
  }

  private cover(loss: number): void {
    this.balance += loss;
    this.bankrupt += loss;
  }

  private copy(): NaiveAccount {
    const copy = new NaiveAccount(this.balance, this.rates);
    for (const [market, held] of this.positions) copy.positions.set(market, { ...held });
    return copy;
  }
}

function bound({ cost, leverage, extra }: NaivePosition): number {
  return cost / leverage + extra;
}

function profit({ side, lots, cost }: NaivePosition, mark: number): number {
  return side === 'buy' ? lots * mark - cost : cost - lots * mark;
}

/** What a position adds to equity: an isolated one loses no more than its margin. */
function onPaper(held: NaivePosition, mark: number): number {
  return held.mode === 'isolated' ? Math.max(-bound(held), profit(held, mark)) : profit(held, mark);
}

function bps(amount: number, rate: number): number {
  return (amount * rate) / 10_000;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, one) => total + one, 0);
}
