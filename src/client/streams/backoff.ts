/** The clock, randomness and timers of the followers; tests replace them. */
export interface Outside {
  /** A steady clock, ms. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  /** Runs something later; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const realOutside: Outside = {
  now: () => performance.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Waits between attempts: doubled each time up to a limit, and shortened at random so that clients do not return
 * together.
 */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #random: () => number;
  #failures = 0;

  constructor(firstMs: number, longestMs: number, random: () => number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#random = random;
  }

  /** How long to wait after one more failure, ms. */
  next(): number {
    const wait = Math.min(this.#longestMs, this.#firstMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    return wait * (0.5 + this.#random() / 2);
  }

  /** The connection works again. */
  reset(): void {
    this.#failures = 0;
  }
}
