import { CredentialError } from './errors.ts';

/**
 * The environment that a key belongs to by its prefix, `live_` or `test_` at the end of it (API 5); undefined when the
 * key doesn't say, as a session credential may not.
 */
export function credentialEnvironment(key: string): 'live' | 'test' | undefined {
  const found = /(?:^|[^A-Za-z0-9])(live|test)_/.exec(key);
  return found?.[1] as 'live' | 'test' | undefined;
}

/** The header that carries a credential; CredentialError when it holds what a header can't, without showing it. */
export function authorization(credential: string): string {
  if (!/^[\x21-\x7e]+$/.test(credential)) {
    throw new CredentialError('the credential is empty or contains spaces, line breaks or characters outside ASCII');
  }
  return `Bearer ${credential}`;
}
