import type { ExitGroup } from '../../terms/order-types.ts';

/** What the exits close: a position, or the expected position of an order. */
export interface Closed {
  readonly side: 'long' | 'short';
  /** Average, USD. */
  readonly entry: number;
  /** Commission of the exits, bps of their notional. */
  readonly feeBps: number;
  /** Commission still to be paid for the entry, USD per unit. */
  readonly entryFee: number;
}

/** An exit as it will be placed or moved. */
export interface PlannedExit {
  readonly group: ExitGroup;
  readonly price: number;
  /** Base asset. */
  readonly size: number;
  /** Its current price, if it moves. */
  readonly was?: number | undefined;
  /** Undefined if it will be placed. */
  readonly id?: string | undefined;
}

/** The result of an exit that fills at its price, after the commissions still to be paid, USD. */
export function profitAt({ side, entry, feeBps, entryFee }: Closed, { price, size }: PlannedExit): number {
  const move = side === 'long' ? price - entry : entry - price;
  return size * (move - entryFee - (price * feeBps) / 1e4);
}

/** Average loss of one unit at the stops, in positive USD: 1R; undefined without a stop that loses. */
export function riskPerUnit(closed: Closed, exits: readonly PlannedExit[]): number | undefined {
  const stops = exits.filter(({ group }) => group === 'sl');
  const size = stops.reduce((total, stop) => total + stop.size, 0);
  const profit = stops.reduce((total, stop) => total + profitAt(closed, stop), 0);
  return size > 0 && profit < 0 ? -profit / size : undefined;
}
