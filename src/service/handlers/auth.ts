import { hash, timingSafeEqual } from 'node:crypto';
import type { Ms } from '../../exchange/engine/model.ts';
import type { CodeRecord } from '../../exchange/store/service-tables.ts';
import type { Store } from '../../exchange/store/store.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { hashSecret, newKey, noSession } from '../../wire/hosting/keys.ts';
import { found, type Handler } from './operations.ts';

const sessionLifetimeMs = 30 * 24 * 3_600_000;

/** POST /v1/auth/cli/token (API 5): a code works once, on the live host, with the verifier of its challenge. */
export const exchangeCliAuthorizationCode: Handler<'exchangeCliAuthorizationCode'> = (
  { body, simulation, environment, urls },
  { store },
) => {
  if (environment !== 'live')
    throw new Failure('invalid_grant', `Sessions exist on the live host only: exchange the code on ${urls.live}.`);
  const now = simulation.wallTime();
  const codeHash = hashSecret(body.code);
  const code = store.credentials.code(codeHash);
  if (code === null || !answersChallenge(body.code_verifier, code)) throw invalidCode();
  const key = newKey('live', 'sim_session_');
  if (!store.credentials.useCode(codeHash, hashSecret(key), now)) throw invalidCode(endSession(store, code, now));
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

function invalidCode(more = ''): Failure {
  return new Failure(
    'invalid_grant',
    `The authorization code is not valid, was used, or has expired.${more} Log in again.`,
  );
}

/**
 * A second use of a code also has its verifier: one of the two users stole it, so the session is ended (RFC 6749,
 * 4.1.2).
 */
function endSession(store: Store, { sessionHash }: CodeRecord, now: Ms): string {
  const isEnded = sessionHash !== null && store.credentials.revokeKey(sessionHash, now);
  return isEnded ? ' It was used twice, so its session was ended.' : '';
}

/** POST /v1/auth/cli/revoke (API 4.1): a session can only end itself, and only on live; no other credential works. */
export const revokeCliSession: Handler<'revokeCliSession'> = ({ principal, simulation }, { store }) => {
  if (principal.kind !== 'session') throw noSession();
  return found({ revoked: store.credentials.revokeKey(principal.credentialHash!, simulation.wallTime()) });
};

/** PKCE S256 (RFC 7636, 4.6). */
function answersChallenge(verifier: string, { challenge }: CodeRecord): boolean {
  const answer = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return answer.length === expected.length && timingSafeEqual(answer, expected);
}

/** GET /v1 (API 4.1): the documentation is on the same host. */
export const getApiInformation: Handler<'getApiInformation'> = ({ environment, urls }) =>
  found({
    name: 'perp simulated exchange',
    version: 'v1',
    environment,
    documentation: `${urls[environment]}/openapi.json`,
  });

/** Sorted. The live service has its own list; these are rows for clients to work with (simulation 10.1). */
const restrictedCountries = ['CU', 'IR', 'KP', 'SY'];

/** GET /v1/restricted-countries (API 4.1): may be cached for five minutes, as on the live service. */
export const listRestrictedCountries: Handler<'listRestrictedCountries'> = () => ({
  ...found(restrictedCountries.map((country) => ({ country }))),
  headers: { 'cache-control': 'public, max-age=300' },
});
