import { hash, randomBytes } from 'node:crypto';
import { readSession, type Session } from '../../desk/credentials/session.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import { hideSecret } from '../../ground/text/secrets.ts';
import type { Console } from '../console/console.ts';
import { openHost } from './live-host.ts';

/** Proves to the host that the approved login is this one. */
export interface Proof {
  readonly code: string;
  readonly verifier: string;
}

/**
 * Exchanges an approved code for a session (API 5). If the answer is lost, asks once more, which can't create a second
 * session because a code works once. Not stopped by Ctrl-C: a session that exists must be stored or revoked.
 */
export async function exchangeCode(console: Console, host: string, { code, verifier }: Proof): Promise<Session> {
  await using open = await openHost(console, host);
  const exchange = () => open.client.call('exchangeCliAuthorizationCode', { body: { code, code_verifier: verifier } });
  let isAnswerLost = false;
  try {
    const { data } = await exchange().catch((error: unknown) => {
      isAnswerLost = isUnclear(error);
      if (isAnswerLost) return exchange();
      throw error;
    });
    const session = readSession(data);
    if (session === undefined) throw malformed();
    hideSecret(session.apiKey);
    return session;
  } catch (error) {
    if (isUnclear(error) || (isAnswerLost && isInvalidGrant(error))) throw lost(error);
    if (isInvalidGrant(error)) throw invalidGrant(error);
    throw error;
  }
}

function isUnclear(error: unknown): error is Error {
  return error instanceof Error && error.name === 'OutcomeUnknownError';
}

function isInvalidGrant(error: unknown): error is Error & { requestId?: string } {
  return error instanceof Error && error.name === 'ApiError' && (error as Error & { status?: number }).status === 400;
}

function invalidGrant({ requestId }: { requestId?: string }): Failure {
  return new Failure({
    exit: exitCodes.notAllowed,
    code: 'invalid_grant',
    message: 'The code is no longer valid: it was used, has expired, or belongs to another login.',
    hint: 'Run perp login to start over.',
    status: 400,
    requestId,
  });
}

/** The original error is not passed on, because it contains the request and with it the code. */
function lost(error: Error): Failure {
  return new Failure({
    exit: exitCodes.outcomeUnknown,
    code: 'outcome_unknown',
    message: `The host answered the login, but its answer was lost (${error.message}).`,
    hint: 'Run perp login to start over. If a session was created, nobody has its credential, and it will expire on its own.',
  });
}

function malformed(): Failure {
  return new Failure({
    exit: exitCodes.unavailable,
    code: 'bad_answer',
    message: "The host's answer to the code exchange contains no session.",
    hint: 'Check that the address is that of the API.',
  });
}

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
