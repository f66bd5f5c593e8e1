import type { Environment } from '../engine/model.ts';
import type { Store } from '../store/store.ts';
import { Failure } from './failure.ts';
import { environmentNamedBy, hashSecret, localPrincipal, type Principal } from './keys.ts';
import type { HostUrls } from './operations.ts';

/** Everything needed to check credentials. */
export interface GateOptions {
  store: Store;
  urls: HostUrls;
  /** Hash of the service file's key, valid on both hosts. */
  localKeyHash: string | null;
  wallTime: () => number;
}

const realm = 'Bearer realm="perp"';

/**
 * Finds the owner of requests. A valid credential is looked up once for all requests in the same turn of the event
 * loop: they came together, and one revoked in the meantime, by anyone, is refused in the next turn.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #ofThisTurn: Record<Environment, Map<string, Principal>> = { live: new Map(), test: new Map() };

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The principal of an `Authorization` header on this host (API 5). Throws 401, always with WWW-Authenticate. */
  principal(header: string | undefined, environment: Environment): Principal {
    if (header === undefined) throw unauthorized('A credential is required: Authorization: Bearer API_KEY.', realm);
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

function authenticate(header: string, environment: Environment, options: GateOptions): Principal {
  const { store, urls, localKeyHash } = options;
  const key = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized('The Authorization header is not "Bearer API_KEY".');
  const hash = hashSecret(key);
  if (hash === localKeyHash) return localPrincipal(environment);
  const known = store.credentials.key(hash);
  const belongsTo = known?.environment ?? environmentNamedBy(key);
  if (belongsTo !== null && belongsTo !== environment) throw wrongEnvironment(belongsTo, urls);
  if (known === null) throw unauthorized('This credential is unknown.');
  if (known.revokedAt !== null) throw unauthorized('This credential was revoked.');
  if (known.expiresAt !== null && known.expiresAt <= options.wallTime())
    throw unauthorized('This credential has expired. Log in again.');
  return { owner: known.owner, environment, scope: known.scope, kind: known.kind, credentialHash: hash };
}

/** 401, with the challenge that every 401 carries (simulation 8.1). */
export function unauthorized(message: string, challenge = `${realm}, error="invalid_token"`): Failure {
  return new Failure('unauthorized', message, { headers: { 'www-authenticate': challenge } });
}

function wrongEnvironment(belongsTo: Environment, urls: HostUrls): Failure {
  const host = belongsTo === 'live' ? 'live' : 'sandbox';
  return new Failure(
    'wrong_environment',
    `This is a ${belongsTo} key: use it on the ${host} host, ${urls[belongsTo]}.`,
    {
      headers: { 'www-authenticate': `${realm}, error="invalid_token"` },
    },
  );
}
