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
  /** A key that is valid as long as the service runs, and not stored. */
  passing?: Principal | undefined;
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
  const { store, urls, localKeyHash, passing } = options;
  const key = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized('The Authorization header is not "Bearer API_KEY".');
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
