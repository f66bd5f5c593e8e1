/** When a strategy looks: at its pace, at full intervals, and at requested callbacks. */
export class Timers {
  /** The last one is the pace. */
  readonly #every: { readonly ms: number; at: number; readonly call: () => void }[];
  /** Sorted by time; at the same time, in the order of the requests. */
  readonly #once: { readonly at: number; readonly call: () => void }[] = [];
  #next = Number.POSITIVE_INFINITY;

  constructor(
    now: number,
    { paceMs, every }: { paceMs: number | null; every: readonly (readonly [ms: number, call: () => void])[] },
  ) {
    const all = paceMs === null ? every : [...every, [paceMs, () => {}] as const];
    this.#every = all.map(([ms, call]) => ({ ms, at: nextMultiple(now, ms), call }));
    this.#findNext();
  }

  /** When something is due next; Infinity if nothing is. */
  get next(): number {
    return this.#next;
  }

  /** Calls back once at a time. */
  add(at: number, call: () => void): void {
    const place = this.#once.findIndex((other) => other.at > at);
    this.#once.splice(place < 0 ? this.#once.length : place, 0, { at, call });
    if (at < this.#next) this.#next = at;
  }

  /** Calls what is due at `now`: single calls first, then intervals, in the order of the strategy. */
  run(now: number): void {
    while (this.#once.length > 0 && this.#once[0]!.at <= now) this.#once.shift()!.call();
    for (const one of this.#every) {
      if (one.at > now) continue;
      one.at = nextMultiple(now, one.ms);
      one.call();
    }
    this.#findNext();
  }

  #findNext(): void {
    let next = this.#once[0]?.at ?? Number.POSITIVE_INFINITY;
    for (const { at } of this.#every) if (at < next) next = at;
    this.#next = next;
  }
}

/** The first full interval after `now`, counted from the Unix epoch: every hour means on the hour. */
function nextMultiple(now: number, ms: number): number {
  return (Math.floor(now / ms) + 1) * ms;
}
