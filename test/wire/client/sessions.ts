import type { Store } from '../../../src/exchange/store/store.ts';
import { localOwner } from '../../../src/service/simulation/keys.ts';
import { hashSecret, newKey } from '../../../src/wire/hosting/keys.ts';

/** Command-line sessions as left by approved logins, created without logging in. */
export class Sessions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  issue(name = 'desk'): string {
    const key = newKey('live', 'sim_session_');
    const record = { owner: localOwner, environment: 'live', scope: 'trade', kind: 'session', name } as const;
    const times = { createdAt: Date.now(), expiresAt: Date.now() + 86_400_000, revokedAt: null };
    this.#store.transaction(() => this.#store.credentials.addKey({ ...record, ...times, hash: hashSecret(key) }));
    return key;
  }

  isLive(key: string): boolean {
    return this.#store.credentials.key(hashSecret(key))?.revokedAt === null;
  }
}
