import type { Ms } from '../../engine/model.ts';
import type { FeedServices } from './feed-services.ts';

/**
 * A message this late makes the book unusable for trading; it is usable again once messages are less late than
 * `goneMs`.
 */
const tooLargeMs = 5_000;
const goneMs = 2_000;
/** How long a late message waits for the venue's clock. */
const clockAnswerMs = 2_000;

/** How late a market's messages come. */
export class LagWatch {
  /** Of the last message, ms; null if unknown. */
  lagMs: Ms | null = null;
  private readonly services: FeedServices;
  /** Since when messages look late, while the venue's clock is being asked. */
  private lateSince: Ms | null = null;

  constructor(services: FeedServices) {
    this.services = services;
  }

  /** Whether the book is not usable yet: its last message was late. */
  get isLagging(): boolean {
    return (this.lagMs ?? 0) > goneMs;
  }

  /** Forgets the messages so far. */
  reset(): void {
    this.lagMs = null;
    this.lateSince = null;
  }

  /**
   * Takes the venue's time of a message; returns whether it is too late. A message also looks late when a clock was set
   * or this machine slept: the venue is asked before it counts.
   */
  isTooLate(venueTime: Ms): boolean {
    const { clock } = this.services;
    const now = clock.now();
    if (now === null || venueTime <= 0) return false;
    const lagMs = now - venueTime;
    if (lagMs <= tooLargeMs) {
      this.lateSince = null;
      this.lagMs = lagMs;
      return false;
    }
    this.lateSince ??= this.services.uptime();
    if (!clock.isFresh) this.services.sampleClock();
    if (!clock.isFresh && this.services.uptime() - this.lateSince < clockAnswerMs) return false;
    this.lagMs = lagMs;
    return true;
  }
}
