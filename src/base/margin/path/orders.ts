import type { PathOrder } from './terms.ts';

/** A working order, and the distance of its next event. */
interface Slot {
  order: PathOrder;
  /** The distance, if nothing else happens; null if nothing happens on this path. */
  at: number | null;
}

/** The working orders of an account on its way, in order of placement. */
export class PathOrders {
  readonly #slots: Slot[] = [];
  readonly #byId = new Map<string, Slot>();
  readonly #exits = new Set<Slot>();
  readonly #distanceOf: (order: PathOrder) => number | null;

  /** `distanceOf`: the distance of the event of an order that is new or changed now. */
  constructor(distanceOf: (order: PathOrder) => number | null, first: readonly PathOrder[]) {
    this.#distanceOf = distanceOf;
    for (const order of first) this.set(order);
  }

  get(id: string): PathOrder | undefined {
    return this.#byId.get(id)?.order;
  }

  /** All of a market. */
  inMarket(marketId: string): PathOrder[] {
    return ordersOf(this.#slots, ({ order }) => order.marketId === marketId);
  }

  /** The exits of a market's position, of one kind. */
  exitsOf(marketId: string, kind: PathOrder['exit']): PathOrder[] {
    return ordersOf([...this.#exits], ({ order }) => order.exit === kind && order.marketId === marketId);
  }

  /** Adds an order, or changes one, which keeps its place. */
  set(order: PathOrder): void {
    const at = this.#distanceOf(order);
    const known = this.#byId.get(order.id);
    if (known !== undefined) {
      known.order = order;
      known.at = at;
    } else {
      const slot = { order, at };
      this.#slots.push(slot);
      this.#byId.set(order.id, slot);
      if (order.exit !== null) this.#exits.add(slot);
    }
  }

  delete(id: string): void {
    const slot = this.#byId.get(id);
    if (slot === undefined) return;
    this.#byId.delete(id);
    this.#exits.delete(slot);
    this.#slots.splice(this.#slots.indexOf(slot), 1);
  }

  /** The order with the first event; at one distance, resting ones first (simulation 2.4). */
  next(most: number): { order: PathOrder; distance: number } | null {
    let first: Slot | null = null;
    let distance = most;
    for (const slot of this.#slots) {
      if (slot.at === null || slot.at > distance) continue;
      if (slot.at === distance && first !== null && (isResting(first.order) || !isResting(slot.order))) continue;
      first = slot;
      distance = slot.at;
    }
    return first && { order: first.order, distance };
  }
}

function ordersOf(slots: readonly Slot[], isWanted: (slot: Slot) => boolean): PathOrder[] {
  return slots.filter(isWanted).map(({ order }) => order);
}

/** Whether an order rests at its limit. */
export function isResting({ limit, trigger }: PathOrder): boolean {
  return limit !== null && trigger === null;
}
