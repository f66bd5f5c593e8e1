const windowMs = 60_000;
const maximumAddresses = 4_096;

/**
 * Limits the requests per minute from one address, over any sliding minute (simulation 8.1). Keeps the times of the
 * last minute's requests, and only for addresses seen recently.
 */
export class RateLimit {
  readonly #requestsPerMinute: number;
  readonly #addresses = new Map<string, Recent>();

  constructor(requestsPerMinute: number) {
    this.#requestsPerMinute = requestsPerMinute;
  }

  /**
   * Counts a request at `nowMs` (any steady clock). Returns 0 if it may pass, else the whole seconds after which one
   * will: a refused request is not counted.
   */
  admit(address: string, nowMs: number): number {
    const recent = this.#recent(address);
    forget(recent, nowMs - windowMs);
    if (recent.times.length - recent.first < this.#requestsPerMinute) {
      recent.times.push(nowMs);
      return 0;
    }
    return Math.max(1, Math.ceil((recent.times[recent.first]! + windowMs - nowMs) / 1000));
  }

  #recent(address: string): Recent {
    let recent = this.#addresses.get(address);
    if (recent === undefined) {
      if (this.#addresses.size === maximumAddresses) this.#addresses.delete(this.#addresses.keys().next().value!);
      recent = { times: [], first: 0 };
      this.#addresses.set(address, recent);
    }
    return recent;
  }
}

interface Recent {
  /** In order; those before `first` have expired. */
  times: number[];
  first: number;
}

function forget(recent: Recent, until: number): void {
  const { times } = recent;
  while (recent.first < times.length && times[recent.first]! <= until) recent.first++;
  if (recent.first * 2 > times.length) {
    times.splice(0, recent.first);
    recent.first = 0;
  }
}
