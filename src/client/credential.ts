import { CredentialError } from './errors.ts';

/**
 * The environment that a key's prefix names, ending in `live_` or `test_` (API 5); undefined when the key doesn't say,
 * which is possible for a session credential.
 */
export function credentialEnvironment(key: string): 'live' | 'test' | undefined {
  const found = /(?:^|[^A-Za-z0-9])(live|test)_/.exec(key);
  return found?.[1] as 'live' | 'test' | undefined;
}

/**
 * The Authorization header of a credential. Throws a CredentialError, which never shows it, if a header can't carry it.
 */
export function authorization(credential: string): string {
  if (!/^[\x21-\x7e]+$/.test(credential)) {
    throw new CredentialError('the credential is empty or contains spaces, line breaks or characters timing ASCII');
  }
  return `Bearer ${credential}`;
}
