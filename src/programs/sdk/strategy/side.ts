import type { Market } from '../../../wire/contract/markets.ts';
import type { Asked, News, View } from './actor.ts';
import type { Order } from './define-strategy.ts';

/** A service on which a strategy runs, over a client: it moves or awaits time, carries out requests, and tells news. */
export interface Side extends View {
  readonly markets: readonly Market[];
  /** Working orders at the start. */
  readonly orders: readonly Order[];
  /** Whether the account still trades. */
  readonly isActive: boolean;
  /** Goes on to this market time; resolves with what happened until then. */
  advance(to: number): Promise<News>;
  /** Sends what was asked for, in order; resolves with its outcome. `idOf`: the exchange's id of an order. */
  carryOut(asked: readonly Asked[], ids: OrderIds): Promise<News>;
  close(): Promise<void>;
}

/** The exchange's ids of orders, as an actor knows them. */
export interface OrderIds {
  idOf(order: string): string | undefined;
  accept(clientId: string, id: string): void;
}
