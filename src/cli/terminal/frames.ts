/** Draws when something changed, but never more often than this allows; changes in between share one frame. */
export class Frames {
  readonly #draw: () => void;
  readonly #minMs: number;
  #timer: NodeJS.Timeout | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor(draw: () => void, minMs: number) {
    this.#draw = draw;
    this.#minMs = minMs;
  }

  /** Something changed. */
  request(): void {
    if (this.#isOver || this.#timer !== undefined) return;
    // The monotonic clock: the wall clock may be set back by hours.
    const waitMs = Math.max(0, this.#drawnAt + this.#minMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#drawnAt = performance.now();
      this.#draw();
    }, waitMs);
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
