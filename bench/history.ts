/**
 * A long history for the page benchmark: filled orders of one account, ten per millisecond, written through the store.
 */
import { emptyState } from '../src/exchange/engine/exchange.ts';
import { emptyChanges } from '../src/exchange/engine/world/world.ts';
import type { Store } from '../src/exchange/store/store.ts';
import { account, filledOrder } from '../test/exchange/store/samples.ts';

const rowsPerTransaction = 20_000;

/** Writes `rows` orders, numbered from 1; the order with number n was requested at millisecond floor(n / 10). */
export function historyOf(store: Store, rows: number): void {
  store.transaction(() => store.initialize(emptyState(1, 0)));
  for (let first = 1; first <= rows; first += rowsPerTransaction) {
    const changes = emptyChanges();
    if (first === 1) changes.accounts.set('acc_1', account());
    for (let number = first; number < Math.min(first + rowsPerTransaction, rows + 1); number++) {
      const order = filledOrder(number, { requestedAt: Math.floor(number / 10) });
      changes.orders.set(order.id, order);
      changes.sequence = number;
    }
    store.transaction(() => store.write(changes));
  }
}
