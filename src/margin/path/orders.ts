import type { PathOrder } from './terms.ts';

/** A working order, and where something happens to it. */
interface Slot {
  readonly order: PathOrder;
  /** The distance, if nothing else happens; null: nothing does on this path. */
  readonly at: number | null;
  readonly rank: number;
}

/** The working orders of an account on its way, in the order in which they were placed. */
export class PathOrders {
  readonly #slots: Map<string, Slot>;
  /** Those to which something happens, in any order. */
  readonly #awaited: Slot[];
  /** Exits of positions. */
  readonly #exits: Map<string, PathOrder>;
  readonly #distanceOf: (order: PathOrder) => number | null;
  #ranks: number;

  /** `distanceOf`: where something happens to an order that is new or changed now; `from`: what there is already. */
  constructor(distanceOf: (order: PathOrder) => number | null, from?: PathOrders) {
    this.#distanceOf = distanceOf;
    this.#slots = new Map(from === undefined ? [] : from.#slots);
    this.#awaited = from === undefined ? [] : from.#awaited.slice();
    this.#exits = new Map(from === undefined ? [] : from.#exits);
    this.#ranks = from === undefined ? 0 : from.#ranks;
  }

  get(id: string): PathOrder | undefined {
    return this.#slots.get(id)?.order;
  }

  has(id: string): boolean {
    return this.#slots.has(id);
  }

  /** All of a market. */
  inMarket(marketId: string): PathOrder[] {
    const found: PathOrder[] = [];
    for (const { order } of this.#slots.values()) if (order.marketId === marketId) found.push(order);
    return found;
  }

  /** The exits of a market's position, of one kind. */
  exitsOf(marketId: string, kind: PathOrder['exit']): PathOrder[] {
    const found: PathOrder[] = [];
    for (const order of this.#exits.values()) if (order.marketId === marketId && order.exit === kind) found.push(order);
    return found;
  }

  /** Adds an order, or changes one, which keeps its place. */
  set(order: PathOrder): void {
    const known = this.#slots.get(order.id);
    if (known !== undefined && known.at !== null) this.#forget(known);
    const slot = { order, at: this.#distanceOf(order), rank: known?.rank ?? this.#ranks++ };
    this.#slots.set(order.id, slot);
    if (order.exit !== null) this.#exits.set(order.id, order);
    if (slot.at !== null) this.#awaited.push(slot);
  }

  delete(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    this.#exits.delete(id);
    if (slot.at !== null) this.#forget(slot);
  }

  /** The order to which something happens first, at the earliest now; at one distance, those at rest first (simulation 2.4). */
  next(now: number, most: number): { order: PathOrder; distance: number } | null {
    let next: Slot | null = null;
    let distance = Number.POSITIVE_INFINITY;
    for (const slot of this.#awaited) {
      const at = Math.max(now, slot.at!);
      if (at > distance || at > most) continue;
      if (at === distance && !isBefore(slot, next!)) continue;
      next = slot;
      distance = at;
    }
    return next === null ? null : { order: next.order, distance };
  }

  #forget(slot: Slot): void {
    const at = this.#awaited.indexOf(slot);
    const last = this.#awaited.pop()!;
    if (last !== slot) this.#awaited[at] = last;
  }
}

function isBefore(one: Slot, other: Slot): boolean {
  const [rests, otherRests] = [isResting(one.order), isResting(other.order)];
  return rests === otherRests ? one.rank < other.rank : rests;
}

/** Whether an order rests at its limit. */
export function isResting({ limit, trigger }: PathOrder): boolean {
  return limit !== null && trigger === null;
}
