import { hash, randomBytes } from 'node:crypto';
import type { ApiInformation } from '../contract/general.ts';
import { Failure } from './failure.ts';

/**
 * A new API key: prefix, environment and 256 random bits, e.g. `sim_live_…` (simulation 8.1). Shown once, never stored.
 */
export function newKey(environment: HostEnvironment, prefix = 'sim_'): string {
  return `${keyPrefix(environment, prefix)}${randomBytes(32).toString('base64url')}`;
}

/** `sim_` and `sim_live_` both become `sim_live_`: every prefix ends in its environment (API 5). */
function keyPrefix(environment: HostEnvironment, prefix: string): string {
  const ending = `${environment}_`;
  if (prefix === '' || prefix.endsWith(ending)) return prefix === '' ? ending : prefix;
  return prefix.endsWith('_') ? `${prefix}${ending}` : `${prefix}_${ending}`;
}

/** The stored hash of a secret of 256 random bits; too many to guess, so it needs no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The environment in a key's prefix, if it names one. */
export function environmentNamedBy(key: string): HostEnvironment | null {
  const named = /^[A-Za-z0-9_-]{0,64}?(live|test)_/.exec(key)?.[1];
  return named === 'live' || named === 'test' ? named : null;
}

/** Which of the service's two environments a host serves. */
export type HostEnvironment = ApiInformation['environment'];

const realm = 'Bearer realm="perp"';

/** The key in an Authorization header (API 5). Throws a 401 for any other header. */
export function bearerKey(header: string): string {
  const key = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized('The Authorization header is not "Bearer API_KEY".');
  return key;
}

/** 401, with the challenge that every 401 carries (simulation 8.1). */
export function unauthorized(message: string, challenge = `${realm}, error="invalid_token"`): Failure {
  return new Failure('unauthorized', message, { headers: { 'www-authenticate': challenge } });
}

/** 401 for a credential that isn't a session, when revoking one. */
export function noSession(): Failure {
  return unauthorized(
    'This credential is not a command-line session. Only sessions can be revoked, and only on the live host.',
  );
}

/** 401 for a request without a credential. */
export function noCredential(): Failure {
  return unauthorized('A credential is required: Authorization: Bearer API_KEY.', realm);
}

/** 401 for a key of the other environment. */
export function wrongHost(message: string): Failure {
  return new Failure('wrong_environment', message, {
    headers: { 'www-authenticate': `${realm}, error="invalid_token"` },
  });
}
