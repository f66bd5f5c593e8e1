const windowMs = 60_000;
const maximumAddresses = 4_096;

/**
 * At most so many requests a minute from one address, over any sliding minute (simulation 8). Holds the times of an
 * address's last requests in a ring, and only of the addresses seen lately.
 */
export class RateLimit {
  readonly #requestsPerMinute: number;
  readonly #addresses = new Map<string, Recent>();

  constructor(requestsPerMinute: number) {
    this.#requestsPerMinute = requestsPerMinute;
  }

  /**
   * Counts a request at `nowMs` (any steady clock). Returns 0 when it may pass, else the whole seconds after which
   * one will: a refused request counts for nothing.
   */
  admit(address: string, nowMs: number): number {
    const recent = this.#recent(address);
    const oldest = recent.times[recent.next]!;
    if (nowMs - oldest < windowMs) return Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000));
    recent.times[recent.next] = nowMs;
    recent.next = (recent.next + 1) % this.#requestsPerMinute;
    return 0;
  }

  #recent(address: string): Recent {
    let recent = this.#addresses.get(address);
    if (recent === undefined) {
      if (this.#addresses.size === maximumAddresses) this.#addresses.delete(this.#addresses.keys().next().value!);
      recent = { times: new Float64Array(this.#requestsPerMinute).fill(Number.NEGATIVE_INFINITY), next: 0 };
      this.#addresses.set(address, recent);
    }
    return recent;
  }
}

interface Recent {
  /** A ring; `next` is the oldest and the one to overwrite. */
  times: Float64Array;
  next: number;
}
