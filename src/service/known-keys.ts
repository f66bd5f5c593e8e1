import type { KeyRecord } from '../store/service-tables.ts';
import type { Store } from '../store/store.ts';

/**
 * Keys by their hash, each read once for all requests that arrive in the same turn of the event loop: they come together,
 * and a key revoked meanwhile, by whomever, is looked up again in the next.
 */
export class KnownKeys {
  readonly #store: Store;
  readonly #ofThisTurn = new Map<string, KeyRecord | null>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whatever its state: the caller looks at `expiresAt` and `revokedAt`. */
  find(hash: string): KeyRecord | null {
    const known = this.#ofThisTurn.get(hash);
    if (known !== undefined) return known;
    const key = this.#store.credentials.key(hash);
    if (this.#ofThisTurn.size === 0) setImmediate(() => this.#ofThisTurn.clear());
    this.#ofThisTurn.set(hash, key);
    return key;
  }
}
