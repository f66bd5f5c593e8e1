import type { Account } from '../../contract/accounts.ts';
import type { SimulationFill } from '../../contract/simulation-history.ts';
import { toMoney } from '../../terms/decimal.ts';
import type { Fill, Payment } from './records.ts';

/** Fills and payments, oldest first, and the account after them. */
export interface AccountRecords {
  readonly account: Account;
  readonly fills: readonly Fill[];
  readonly payments: readonly Payment[];
  readonly approximations: readonly string[];
}

/** A fill as the simulation sends it, and as the local copy of a host's fills keeps it. */
export function fillOf(fill: SimulationFill): Fill {
  return {
    orderId: fill.order_id,
    time: fill.settled_at,
    marketId: fill.market_id,
    side: fill.side,
    size: fill.size,
    price: fill.fill_price,
    notional: toMoney(fill.notional),
    fee: toMoney(fill.fee),
    realizedPnl: fill.realized_pnl === undefined ? null : toMoney(fill.realized_pnl),
    stopPrice: fill.attached_stop_loss_price ?? null,
  };
}
