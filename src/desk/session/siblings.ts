import type { Position } from '../../contract/positions.ts';
import type { Trade } from '../preview/trade.ts';

/** What a line of a batch knows of the lines before it. */
export interface Siblings {
  /**
   * Open positions of an account, read in the last second, with what the orders of the batch have changed since; and the
   * orders before this line that are not answered yet, as they are expected to trade. Waits for lines that have not said
   * yet what they are expected to do.
   */
  positions(account: string, read: () => Promise<readonly Position[]>): Promise<Expected>;
  /** What this line's order is expected to do. */
  expects(trade: Trade): void;
  /** Resolves once all lines before it are answered. */
  itsTurn(): Promise<void>;
}

/** Positions as they are, and the trades that are expected next. */
export interface Expected {
  readonly held: readonly Position[];
  readonly trades: readonly Trade[];
}
