import type { WireResponse } from '../../wire/contract/wire.ts';
import type { SentWrite } from './cache/cache-options.ts';
import type { ForwardedWrite } from './upstream.ts';

/**
 * The result of a write: the id of its order or strategy, and the refusal that the service keeps with a rejected order.
 */
export interface Made {
  readonly id: string | undefined;
  readonly run: string | undefined;
  readonly refusal?: WireResponse | undefined;
  /** Of a close: whether it was queued, where the service has said so. */
  readonly queued?: boolean | undefined;
}

/** A write that was sent under a key of its bot. */
export interface KnownWrite {
  /** Of its path and body: under the same key, another one is refused. */
  readonly hash: string;
  /** `open`: its outcome is not known. `done`: the service keeps it under its key. */
  state: 'open' | 'done';
  /** Its result, and the run of a simulation that it belongs to; only for a write that is done. */
  made?: Made | undefined;
  /** The exposure assumed while its outcome is open. */
  sent: SentWrite;
  /** Takes note that it was certainly not done. */
  readonly undone?: (() => void) | undefined;
  /** While it is being sent or looked up; it never rejects. */
  working: Promise<WireResponse | undefined> | undefined;
}

/** A TWAP or ladder that was made under a key of its bot: a host that is put back may list it again. */
interface MadeStrategy {
  readonly keyed: string;
  readonly hash: string;
  readonly id: string;
  readonly forwarded: ForwardedWrite;
}

/** As many are remembered; an older one is judged again, and its key is still the same at the service. */
const mostKnown = 50_000;
const mostStrategies = 5_000;

/** The writes that were sent under the keys of bots. A key whose write was not done is free again. */
export class KnownWrites {
  readonly #writes = new Map<string, KnownWrite>();
  readonly #strategies: MadeStrategy[] = [];

  get(name: string): KnownWrite | undefined {
    return this.#writes.get(name);
  }

  add(name: string, write: KnownWrite): void {
    this.#writes.set(name, write);
    if (this.#writes.size <= mostKnown) return;
    for (const [oldest, { state }] of this.#writes)
      if (state === 'done') {
        this.#writes.delete(oldest);
        return;
      }
  }

  free(name: string): void {
    this.#writes.delete(name);
  }

  made(strategy: MadeStrategy): void {
    if (this.#strategies.push(strategy) > mostStrategies) this.#strategies.shift();
  }

  /** Writes made under a key, including those before its key was free again, and under other keys of the same words. */
  madeAs(keyed: string, hash: string): { own: MadeStrategy[]; others: MadeStrategy[] } {
    const alike = this.#strategies.filter((one) => one.hash === hash);
    return { own: alike.filter((one) => one.keyed === keyed), others: alike.filter((one) => one.keyed !== keyed) };
  }
}
