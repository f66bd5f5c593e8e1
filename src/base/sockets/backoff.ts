/**
 * Delays that double from `firstMs` to `maxMs`, each shortened by a random amount of up to half, so that clients
 * spread out.
 */
export class Backoff {
  private failures = 0;
  private readonly firstMs: number;
  private readonly maxMs: number;
  private readonly random: () => number;

  constructor(firstMs: number, maxMs: number, random: () => number) {
    this.firstMs = firstMs;
    this.maxMs = maxMs;
    this.random = random;
  }

  /** How long to wait after one more failure, ms. */
  next(): number {
    const whole = Math.min(this.maxMs, this.firstMs * 2 ** Math.min(this.failures, 30));
    this.failures += 1;
    return Math.round(whole * (0.5 + this.random() / 2));
  }

  /** Call after a success. */
  reset(): void {
    this.failures = 0;
  }
}
