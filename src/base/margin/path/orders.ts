import { firstPlace } from '../../terms/decimal.ts';
import type { PathOrder } from './terms.ts';

/** A working order, and the distance of its next event. */
interface Slot {
  readonly order: PathOrder;
  /** The distance, if nothing else happens; null if nothing happens on this path. */
  readonly at: number | null;
  readonly rank: number;
}

/** The working orders of an account on its way, in order of placement. */
export class PathOrders {
  /** By rank; undefined if it is gone. */
  readonly #slots: (Slot | undefined)[];
  /** Ranks of the orders at the start of the path, shared by all paths from there, and of later ones. */
  readonly #firstRanks: ReadonlyMap<string, number>;
  readonly #laterRanks: Map<string, number>;
  /** Orders with an event, the first at the end; one that is no longer in its slot doesn't count. */
  readonly #awaited: Slot[];
  /** Exits of positions. */
  readonly #exits: Map<string, PathOrder>;
  readonly #distanceOf: (order: PathOrder) => number | null;

  /** `distanceOf`: the distance of the event of an order that is new or changed now. */
  constructor(distanceOf: (order: PathOrder) => number | null, first: readonly PathOrder[] | PathOrders) {
    this.#distanceOf = distanceOf;
    if (first instanceof PathOrders) {
      this.#slots = first.#slots.slice();
      this.#firstRanks = first.#firstRanks;
      this.#laterRanks = new Map(first.#laterRanks);
      this.#awaited = first.#awaited.slice();
      this.#exits = new Map(first.#exits);
      return;
    }
    const one = new Map(first.map((order) => [order.id, order]));
    const slots = [...one.values()].map((order, rank) => ({ order, at: distanceOf(order), rank }));
    this.#slots = slots;
    this.#firstRanks = new Map([...one.keys()].map((id, rank) => [id, rank]));
    this.#laterRanks = new Map();
    this.#awaited = slots.filter(({ at }) => at !== null).sort(lastFirst);
    this.#exits = new Map([...one].filter(([, { exit }]) => exit !== null));
  }

  get(id: string): PathOrder | undefined {
    return this.#slotOf(id)?.order;
  }

  has(id: string): boolean {
    return this.#slotOf(id) !== undefined;
  }

  /** All of a market. */
  inMarket(marketId: string): PathOrder[] {
    const found: PathOrder[] = [];
    for (const slot of this.#slots) if (slot?.order.marketId === marketId) found.push(slot.order);
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
    const rank = this.#slotOf(order.id)?.rank ?? this.#slots.length;
    const slot = { order, at: this.#distanceOf(order), rank };
    this.#slots[rank] = slot;
    if (this.#firstRanks.get(order.id) !== rank) this.#laterRanks.set(order.id, rank);
    if (order.exit !== null) this.#exits.set(order.id, order);
    if (slot.at !== null) this.#await(slot);
  }

  delete(id: string): void {
    const slot = this.#slotOf(id);
    if (slot === undefined) return;
    this.#slots[slot.rank] = undefined;
    if (slot.order.exit !== null) this.#exits.delete(id);
  }

  /** The order with the first event; at one distance, resting ones first (simulation 2.4). */
  next(most: number): { order: PathOrder; distance: number } | null {
    for (let slot = this.#awaited.at(-1); slot !== undefined; slot = this.#awaited.at(-1)) {
      if (this.#slots[slot.rank] === slot) return slot.at! > most ? null : { order: slot.order, distance: slot.at! };
      this.#awaited.pop();
    }
    return null;
  }

  /** An order placed again after it was gone gets the later of its ranks. */
  #slotOf(id: string): Slot | undefined {
    const rank = this.#laterRanks.get(id) ?? this.#firstRanks.get(id);
    return rank === undefined ? undefined : this.#slots[rank];
  }

  #await(slot: Slot): void {
    const place = firstPlace(this.#awaited.length, (one) => lastFirst(this.#awaited[one]!, slot) < 0);
    this.#awaited.splice(place, 0, slot);
  }
}

function lastFirst(one: Slot, other: Slot): number {
  if (one.at !== other.at) return other.at! - one.at!;
  const rests = isResting(one.order);
  return rests === isResting(other.order) ? other.rank - one.rank : rests ? 1 : -1;
}

/** Whether an order rests at its limit. */
export function isResting({ limit, trigger }: PathOrder): boolean {
  return limit !== null && trigger === null;
}
