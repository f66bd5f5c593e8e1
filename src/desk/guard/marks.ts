/** A mark and when it was received, on the guard's own steady clock, ms. */
interface Mark {
  price: number;
  at: number;
}

/** A mark that is older than the newest one by more than this does not count, ms. */
const latestLagMs = 5_000;

/** The latest mark of each market, from streams and quotes, whichever came last. */
export class Marks {
  readonly #marks = new Map<string, Mark>();

  /** Takes a price; ignores what is not one. */
  take(marketId: string, price: number, at: number): void {
    if (Number.isFinite(price) && price > 0) this.#marks.set(marketId, { price, at });
  }

  /** How long ago the mark of a market was received, ms; infinite without one. */
  ageOf(marketId: string, now: number): number {
    return now - (this.#marks.get(marketId)?.at ?? Number.NEGATIVE_INFINITY);
  }

  /** The marks that count: while other markets move, a mark of more than five seconds does not. */
  get current(): Map<string, number> {
    const newest = Math.max(...[...this.#marks.values()].map(({ at }) => at));
    const counting = [...this.#marks].filter(([, { at }]) => newest - at <= latestLagMs);
    return new Map(counting.map(([id, { price }]) => [id, price]));
  }
}
