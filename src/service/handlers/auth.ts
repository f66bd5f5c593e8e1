import { hash, timingSafeEqual } from 'node:crypto';
import type { CodeRecord } from '../../store/service-tables.ts';
import { unauthorized } from '../authenticate.ts';
import { Failure } from '../failure.ts';
import { hashSecret, newKey } from '../keys.ts';
import { found, type Handler } from '../operations.ts';

const sessionLifetimeMs = 30 * 24 * 3_600_000;

/** POST /v1/auth/cli/token (API 5): a code is good once, on the live host, for who holds the verifier of its challenge. */
export const exchangeCliAuthorizationCode: Handler<'exchangeCliAuthorizationCode'> = (
  { body, simulation, environment, urls },
  { store },
) => {
  if (environment !== 'live')
    throw new Failure('invalid_grant', `Sessions exist on the live host only: exchange the code on ${urls.live}.`);
  const now = simulation.wallTime();
  const codeHash = hashSecret(body.code);
  const code = store.credentials.code(codeHash);
  if (code === null || !answersChallenge(body.code_verifier, code) || !store.credentials.useCode(codeHash, now))
    throw new Failure('invalid_grant', 'The authorization code is not valid, was used, or has expired. Log in again.');
  const key = newKey('live', 'sim_session_');
  const expiresAt = now + sessionLifetimeMs;
  store.credentials.addKey({
    hash: hashSecret(key),
    owner: code.owner,
    environment: 'live',
    scope: 'trade',
    name: code.deviceName,
    kind: 'session',
    createdAt: now,
    expiresAt,
    revokedAt: null,
  });
  return found({ api_key: key, token_type: 'Bearer', expires_at: expiresAt, name: code.deviceName });
};

/** POST /v1/auth/cli/revoke (API 4.1): only a session ends itself, so only on live; nothing else is a credential for it. */
export const revokeCliSession: Handler<'revokeCliSession'> = ({ principal, simulation }, { store }) => {
  if (principal.kind !== 'session')
    throw unauthorized('Only a command-line session can be revoked, on the live host; this credential is none.');
  return found({ revoked: store.credentials.revokeKey(principal.credentialHash!, simulation.wallTime()) });
};

/** PKCE S256 (RFC 7636, 4.6). */
function answersChallenge(verifier: string, { challenge }: CodeRecord): boolean {
  const answer = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return answer.length === expected.length && timingSafeEqual(answer, expected);
}
