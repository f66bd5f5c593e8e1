const windowMs = 60_000;
const maximumAddresses = 4_096;

/**
 * Limits the requests per minute from one address, over any sliding minute (simulation 8.1). Keeps the times of the
 * last minute's requests, and only for addresses seen recently.
 */
export class RateLimit {
  readonly #requestsPerMinute: number;
  /** By address: times in order. */
  readonly #addresses = new Map<string, number[]>();

  constructor(requestsPerMinute: number) {
    this.#requestsPerMinute = requestsPerMinute;
  }

  /**
   * Counts a request at `nowMs` (any steady clock). Returns 0 if it may pass, else the whole seconds after which one
   * will: a refused request is not counted.
   */
  admit(address: string, nowMs: number): number {
    const times = this.#recent(address);
    while (times.length > 0 && times[0]! <= nowMs - windowMs) times.shift();
    if (times.length >= this.#requestsPerMinute) return Math.max(1, Math.ceil((times[0]! + windowMs - nowMs) / 1000));
    times.push(nowMs);
    return 0;
  }

  #recent(address: string): number[] {
    let times = this.#addresses.get(address);
    if (times === undefined) {
      if (this.#addresses.size === maximumAddresses) this.#addresses.delete(this.#addresses.keys().next().value!);
      times = [];
      this.#addresses.set(address, times);
    }
    return times;
  }
}
