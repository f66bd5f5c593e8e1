import type { Money } from './units.ts';

/** What a value gained over its cost, for the side that holds it. */
export function gain(side: 'long' | 'short', value: Money, cost: Money): Money {
  return side === 'long' ? value - cost : cost - value;
}

/** What trading brought in and cost; fees and funding are positive if paid, bankruptcy if received. */
export interface Result {
  readonly realizedPnl: Money;
  readonly fees: Money;
  readonly funding: Money;
  /** Losses beyond the margin, which the account did not have to pay. */
  readonly bankruptcy: Money;
}

/** Realized profit minus fees and carry: the effect on the balance. */
export function netOf({ realizedPnl, fees, funding, bankruptcy }: Result): Money {
  return realizedPnl - fees - funding + bankruptcy;
}
