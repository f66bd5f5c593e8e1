import { hash, randomBytes } from 'node:crypto';
import type { Environment } from '../engine/model.ts';

/** Who makes a request: the owner of a credential, where it is valid, and what it may do (API 5). */
export interface Principal {
  owner: string;
  environment: Environment;
  scope: 'read' | 'trade';
  /** `local`: the local user, in process or with the service file's key; may use `/sim/`. */
  kind: 'key' | 'session' | 'local';
  /** Hash of the credential; absent for `local`. */
  credentialHash?: string;
}

/** Owner of everything that the local user creates. */
export const localOwner = 'local';

/** The principal of in-process use: no key, trade scope (simulation 8.1). */
export function localPrincipal(environment: Environment): Principal {
  return { owner: localOwner, environment, scope: 'trade', kind: 'local' };
}

/** The principal of an operation that needs no credential. */
export function anonymous(environment: Environment): Principal {
  return { owner: '', environment, scope: 'read', kind: 'key' };
}

/**
 * A new API key: prefix, environment and 256 random bits, e.g. `sim_live_…` (simulation 8.1). Shown once, never stored.
 */
export function newKey(environment: Environment, prefix = 'sim_'): string {
  return `${keyPrefix(environment, prefix)}${randomBytes(32).toString('base64url')}`;
}

/** `sim_` and `sim_live_` both become `sim_live_`: every prefix ends in its environment (API 5). */
function keyPrefix(environment: Environment, prefix: string): string {
  const ending = `${environment}_`;
  if (prefix === '' || prefix.endsWith(ending)) return prefix === '' ? ending : prefix;
  return prefix.endsWith('_') ? `${prefix}${ending}` : `${prefix}_${ending}`;
}

/** The stored hash of a secret of 256 random bits; too many to guess, so it needs no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The environment in a key's prefix, if it names one. */
export function environmentNamedBy(key: string): Environment | null {
  const named = /^[A-Za-z0-9_-]{0,64}?(live|test)_/.exec(key)?.[1];
  return named === 'live' || named === 'test' ? named : null;
}
