import type { Environment } from '../../exchange/engine/model.ts';
import type { Store } from '../../exchange/store/store.ts';
import { bearerKey, noCredential, unauthorized, wrongHost } from '../../wire/hosting/bearer.ts';
import type { Failure } from '../../wire/hosting/failure.ts';
import { environmentNamedBy, hashSecret } from '../../wire/hosting/keys.ts';
import { localPrincipal, type Principal } from '../simulation/keys.ts';
import type { HostUrls } from './operations.ts';

/** Everything needed to check credentials. */
export interface AuthenticatorOptions {
  store: Store;
  urls: HostUrls;
  /** Hash of the service file's key, valid on both hosts. */
  localKeyHash: string | null;
  /** A key that is valid as long as the service runs, and not stored. */
  passing?: Principal | undefined;
  wallTime: () => number;
}

/**
 * Finds the owner of requests. A valid credential is looked up once for all requests in the same turn of the event
 * loop: they came together, and one revoked in the meantime, by anyone, is refused in the next turn.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #ofThisTurn: Record<Environment, Map<string, Principal>> = { live: new Map(), test: new Map() };

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** The principal of an `Authorization` header on this host (API 5). Throws 401, always with WWW-Authenticate. */
  principal(header: string | undefined, environment: Environment): Principal {
    if (header === undefined) throw noCredential();
    const known = this.#ofThisTurn[environment];
    let principal = known.get(header);
    if (principal === undefined) {
      principal = authenticate(header, environment, this.#options);
      if (known.size === 0) setImmediate(() => known.clear());
      known.set(header, principal);
    }
    return principal;
  }
}

function authenticate(header: string, environment: Environment, options: AuthenticatorOptions): Principal {
  const { store, urls, localKeyHash, passing } = options;
  const key = bearerKey(header);
  const hash = hashSecret(key);
  if (hash === localKeyHash) return localPrincipal(environment);
  const isPassing = passing !== undefined && hash === passing.credentialHash;
  if (isPassing && passing.environment === environment) return passing;
  const known = store.credentials.key(hash);
  const belongsTo = isPassing ? passing.environment : (known?.environment ?? environmentNamedBy(key));
  if (belongsTo !== null && belongsTo !== environment) throw wrongEnvironment(belongsTo, urls);
  if (known === null) throw unauthorized('This credential is unknown.');
  if (known.revokedAt !== null) throw unauthorized('This credential was revoked.');
  if (known.expiresAt !== null && known.expiresAt <= options.wallTime())
    throw unauthorized('This credential has expired. Log in again.');
  return { owner: known.owner, environment, scope: known.scope, kind: known.kind, credentialHash: hash };
}

function wrongEnvironment(belongsTo: Environment, urls: HostUrls): Failure {
  const host = belongsTo === 'live' ? 'live' : 'sandbox';
  return wrongHost(`This is a ${belongsTo} key: use it on the ${host} host, ${urls[belongsTo]}.`);
}
