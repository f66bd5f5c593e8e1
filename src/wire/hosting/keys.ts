import { hash, randomBytes } from 'node:crypto';
import type { HostEnvironment } from './environment.ts';

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
