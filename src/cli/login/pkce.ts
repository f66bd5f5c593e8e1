import { hash, randomBytes } from 'node:crypto';

/** Proof of one login: the verifier stays in this process until the code is exchanged. */
export interface Pkce {
  readonly verifier: string;
  /** S256 of the verifier, which is sent to the approval page. */
  readonly challenge: string;
}

/** A fresh pair, the verifier of 32 random bytes (RFC 7636, 4.1). */
export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: challengeOf(verifier) };
}

/** The S256 challenge of a verifier (RFC 7636, 4.2). */
export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

/** A value that ties the browser's answer to the login that requested it: 256 random bits (RFC 6749, 10.12). */
export function newState(): string {
  return randomBytes(32).toString('base64url');
}
