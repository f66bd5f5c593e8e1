import type { Environment } from '../engine/model.ts';
import { Failure } from './failure.ts';
import { environmentNamedBy, hashSecret, localPrincipal, type Principal } from './keys.ts';
import type { KnownKeys } from './known-keys.ts';
import type { HostUrls } from './operations.ts';

/** What the credentials of a request are checked against. */
export interface Gate {
  keys: KnownKeys;
  urls: HostUrls;
  /** Hash of the service file's key, good on both hosts. */
  localKeyHash: string | null;
  wallTime: number;
}

const realm = 'Bearer realm="perp"';

/** Whose the `Authorization` header is, on this host (API 5). Throws 401, always with WWW-Authenticate. */
export function authenticate(header: string | undefined, environment: Environment, gate: Gate): Principal {
  if (header === undefined) throw unauthorized('A credential is needed: Authorization: Bearer API_KEY.', realm);
  const key = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized('The Authorization header is not "Bearer API_KEY".');
  const hash = hashSecret(key);
  if (hash === gate.localKeyHash) return localPrincipal(environment);
  const known = gate.keys.find(hash);
  const belongsTo = known?.environment ?? environmentNamedBy(key);
  if (belongsTo !== null && belongsTo !== environment) throw wrongEnvironment(belongsTo, gate.urls);
  if (known === null) throw unauthorized('This credential is not known.');
  if (known.revokedAt !== null) throw unauthorized('This credential was revoked.');
  if (known.expiresAt !== null && known.expiresAt <= gate.wallTime)
    throw unauthorized('This credential has expired. Log in again.');
  return { owner: known.owner, environment, scope: known.scope, kind: known.kind, credentialHash: hash };
}

/** 401 with the challenge that every 401 carries (simulation 8). */
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
