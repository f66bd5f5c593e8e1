import type { Order } from './define-strategy.ts';

const workingStatuses: ReadonlySet<Order['status']> = new Set(['sent', 'pending', 'resting']);

/** The orders of a run, as the exchange last showed them. */
export class KnownOrders {
  /** By id, or by client order id until there is one; oldest first. */
  readonly working = new Map<string, Order>();
  readonly #ended = new Set<string>();
  /** The exchange's id of each order by its client order id; null: not answered, or refused. */
  readonly #ids = new Map<string, string | null>();

  /** Remembers an order as it is now; whether the strategy has not seen it like this. */
  note(order: Order): boolean {
    const { id, clientId } = order;
    const key = id ?? clientId!;
    if (clientId !== null) {
      this.#ids.set(clientId, id);
      if (key !== clientId) this.working.delete(clientId);
    }
    const known = this.working.get(key);
    if (this.#ended.has(key) || (known !== undefined && isSame(known, order))) return false;
    if (workingStatuses.has(order.status)) this.working.set(key, Object.freeze(order));
    else {
      this.working.delete(key);
      this.#ended.add(key);
    }
    return true;
  }

  /** The exchange's id of a new order, before its record is known. */
  accept(clientId: string, id: string): void {
    this.#ids.set(clientId, id);
  }

  /** The exchange's id of an order, by either id; undefined if it never got one. */
  idOf(order: string): string | undefined {
    return this.#ids.has(order) ? (this.#ids.get(order) ?? undefined) : order;
  }

  /** Whether an order of the run has this client order id. */
  hasName(clientId: string): boolean {
    return this.#ids.has(clientId);
  }
}

function isSame(one: Order, other: Order): boolean {
  return (
    one.status === other.status &&
    one.filled === other.filled &&
    one.size === other.size &&
    one.price === other.price &&
    one.triggerPrice === other.triggerPrice
  );
}
