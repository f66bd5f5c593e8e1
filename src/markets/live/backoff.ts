import type { Ms } from '../../engine/model.ts';

/**
 * Delays that double from `firstMs` to `maxMs`, each shortened by a random amount of up to half, so that clients
 * spread out.
 */
export class Backoff {
  private failures = 0;
  private readonly firstMs: Ms;
  private readonly maxMs: Ms;
  private readonly random: () => number;

  constructor(firstMs: Ms, maxMs: Ms, random: () => number) {
    this.firstMs = firstMs;
    this.maxMs = maxMs;
    this.random = random;
  }

  /** How long to wait now. */
  next(): Ms {
    const whole = Math.min(this.maxMs, this.firstMs * 2 ** Math.min(this.failures, 30));
    this.failures += 1;
    return Math.round(whole * (0.5 + this.random() / 2));
  }

  /** Call after a success. */
  reset(): void {
    this.failures = 0;
  }
}
