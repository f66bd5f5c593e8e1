import type { Ms } from '../../exchange/engine/model.ts';
import type { Network } from './network.ts';

/** Number of samples kept; the best of them is used. */
const keptSamples = 8;
/** A sample this recent tells whether a message is really late. */
const freshMs = 2_000;

/** How long the best sample is kept, because clocks drift. */
const driftMs = 300_000;

interface Sample {
  at: Ms;
  /** The venue's clock minus our clock for durations. */
  offsetMs: Ms;
  /** The maximum error of the offset. */
  uncertaintyMs: Ms;
}

/**
 * A venue's clock, from requests whose answers contain the venue's time: the venue read its clock between our request
 * and its answer. The sample with the smallest possible error is used. It is compared with our monotonic clock, so
 * setting our wall clock changes nothing; after a sleep, which that clock may not count, the next sample corrects it.
 */
export class VenueClock {
  private readonly network: Pick<Network, 'now' | 'uptime'>;
  private samples: Sample[] = [];
  private sampledAt: Ms = Number.NEGATIVE_INFINITY;

  constructor(network: Pick<Network, 'now' | 'uptime'>) {
    this.network = network;
  }

  /**
   * Adds a sample: the venue reported `venueMs`, exact to `resolutionMs`, in its answer to a request sent that long
   * ago.
   */
  learn(venueMs: Ms, askedMsAgo: Ms, resolutionMs: Ms): void {
    const now = this.network.uptime();
    const offsetMs = Math.round(venueMs - (now - askedMsAgo / 2));
    const uncertaintyMs = Math.max(0, askedMsAgo) / 2 + resolutionMs;
    const before = this.best();
    // A sample contradicts the others: the venue's clock was set, or this machine slept.
    if (before !== null && Math.abs(offsetMs - before.offsetMs) > uncertaintyMs + before.uncertaintyMs)
      this.samples = [];
    this.samples.push({ at: now, offsetMs, uncertaintyMs });
    const [oldest] = this.samples;
    const isKept = oldest === this.best() && now - oldest!.at < driftMs;
    if (this.samples.length > keptSamples) this.samples.splice(isKept ? 1 : 0, 1);
    this.sampledAt = now;
  }

  /** Whether it was sampled just now. */
  get isFresh(): boolean {
    return this.network.uptime() - this.sampledAt <= freshMs;
  }

  /** The venue's time now; null before the first sample. */
  now(): Ms | null {
    const best = this.best();
    return best === null ? null : Math.round(this.network.uptime() + best.offsetMs);
  }

  /** Milliseconds that the venue's clock is ahead of our wall clock; null before the first sample. */
  get aheadMs(): Ms | null {
    const now = this.now();
    return now === null ? null : now - this.network.now();
  }

  /** Converts a venue's time to ours. */
  toLocalTime(venueMs: Ms): Ms {
    return venueMs - (this.aheadMs ?? 0);
  }

  /** Converts our time to the venue's. */
  toVenueTime(localMs: Ms): Ms {
    return localMs + (this.aheadMs ?? 0);
  }

  private best(): Sample | null {
    let best: Sample | null = null;
    for (const sample of this.samples) if (best === null || sample.uncertaintyMs <= best.uncertaintyMs) best = sample;
    return best;
  }
}

/** A wall clock that was set by less than this counts as running on. */
const jumpMs = 1_000;
/** Its speed while the wall clock is behind. */
const slowly = 0.9;

/**
 * The wall clock of a tape, which never goes back. When the machine's clock is set forward, or the machine wakes from
 * sleep, it follows at once; when the machine's clock is set back, it runs at nine tenths of its speed until the other
 * has caught up. So trading goes on.
 */
export class SteadyClock {
  private readonly network: Pick<Network, 'now' | 'uptime'>;
  private wall: Ms;
  private up: Ms;
  private time: number;
  private jump: Ms = 0;

  constructor(network: Pick<Network, 'now' | 'uptime'>) {
    this.network = network;
    this.wall = network.now();
    this.up = network.uptime();
    this.time = this.wall;
  }

  /** Unix ms. */
  now(): Ms {
    return Math.floor(this.exactly());
  }

  /** Unix microseconds. */
  nowUs(): number {
    return Math.floor(this.exactly() * 1_000);
  }

  private exactly(): number {
    const [wall, up] = [this.network.now(), this.network.uptime()];
    const passed = up - this.up;
    const jumped = wall - this.wall - passed;
    if (Math.abs(jumped) >= jumpMs) this.jump += Math.round(jumped);
    this.time = Math.max(wall, this.time + (wall >= this.time ? 1 : slowly) * passed);
    this.wall = wall;
    this.up = up;
    return this.time;
  }

  /** By how much the machine's clock was set since the last call, ms; 0 if it was not. */
  takeJump(): Ms {
    this.now();
    const { jump } = this;
    this.jump = 0;
    return jump;
  }
}

/**
 * A message this late makes the book unusable for trading; it is usable again once messages are less late than
 * `goneMs`.
 */
const tooLargeMs = 5_000;
const goneMs = 2_000;
/** How long a late message waits for the venue's clock. */
const clockAnswerMs = 2_000;

/** How late a market's messages come; `sampleClock` asks the venue for its time. */
export class LagWatch {
  /** Of the last message, ms; null if unknown. */
  lagMs: Ms | null = null;
  private readonly services: { clock: VenueClock; uptime(): Ms; sampleClock(): void };
  /** Since when messages look late, while the venue's clock is being asked. */
  private lateSince: Ms | null = null;

  constructor(services: LagWatch['services']) {
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
