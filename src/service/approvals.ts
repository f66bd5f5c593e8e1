import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ms } from '../exchange/engine/model.ts';
import { hashSecret } from '../wire/hosting/keys.ts';
import { localOwner } from './simulation/keys.ts';
import type { Simulation } from './simulation/simulation.ts';

/** A login that requests approval, as given in its URL (simulation 8.1). */
export interface LoginRequest {
  /** S256 of the verifier. */
  challenge: string;
  redirectUri: string;
  state: string;
  deviceName: string;
}

const codeLifetimeMs = 5 * 60_000;
const approvalLifetimeMs = 10 * 60_000;
const maximumPending = 100;

/** Reads the query of GET /cli/authorize; returns a message for the user if perp can't have sent it. */
export function readLoginRequest(query: URLSearchParams): LoginRequest | { problem: string } {
  const one = (name: string) => {
    const [value = '', ...more] = query.getAll(name);
    return more.length === 0 ? value : '';
  };
  const [challenge, redirectUri, state] = [one('code_challenge'), one('redirect_uri'), one('state')];
  if (one('response_type') !== 'code') return { problem: 'It does not request a code (response_type).' };
  if (one('code_challenge_method') !== 'S256') return { problem: 'It does not use PKCE with S256.' };
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) return { problem: 'Its code_challenge is not an S256 challenge.' };
  if (!isLoopback(redirectUri)) return { problem: 'It would send the answer to another machine.' };
  if (state === '' || state.length > 512) return { problem: 'Its state is missing or has more than 512 characters.' };
  return { challenge, redirectUri, state, deviceName: shownName(one('device_name')) };
}

/**
 * Only a listener on this machine's own address may get a code, whatever the URL looks like to a human (RFC 8252, 7.3).
 * Other clients use `localhost` for it (8.3); anything else that it may resolve to can't use a code without its
 * verifier.
 */
function isLoopback(address: string): boolean {
  if (!/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost):\d{1,5}(\/[A-Za-z0-9._~/-]*)?$/.test(address)) return false;
  return URL.canParse(address);
}

/** A device's name as a label: one line, no control or direction characters, at most 64. */
function shownName(name: string): string {
  const shown = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return [...shown].slice(0, 64).join('') || 'Unnamed device';
}

interface Pending {
  login: LoginRequest;
  /** Hash of the cookie set with the page. */
  cookieHash: string;
  expiresAt: Ms;
}

/**
 * Logins waiting for approval. Each page has its own token, which works once and only from the browser that was shown
 * the page. The login it approves was fixed when the page was shown, not by the form that is sent back.
 */
export class Approvals {
  readonly #simulation: Simulation;
  readonly #pending = new Map<string, Pending>();
  /** Logins that were answered, and until when that is remembered. */
  readonly #answered = new Map<string, Ms>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Starts an approval: returns the token for the page's form and the cookie for its browser. */
  ask(login: LoginRequest): { token: string; cookie: string } {
    const now = this.#simulation.wallTime();
    for (const [token, { expiresAt }] of this.#pending) if (expiresAt <= now) this.#pending.delete(token);
    if (this.#pending.size >= maximumPending) this.#pending.delete(this.#pending.keys().next().value!);
    const token = randomBytes(32).toString('base64url');
    const cookie = randomBytes(32).toString('base64url');
    this.#pending.set(token, { login, cookieHash: hashSecret(cookie), expiresAt: now + approvalLifetimeMs });
    return { token, cookie };
  }

  /** Whether a login was answered on another page, or on this one before the browser went back. */
  isAnswered(login: LoginRequest): boolean {
    const now = this.#simulation.wallTime();
    for (const [known, until] of this.#answered) if (until <= now) this.#answered.delete(known);
    return this.#answered.has(nameOf(login));
  }

  /** The login of a token and its cookie; works once. null if they do not match or have expired. */
  take(token: string, cookie: string): LoginRequest | null {
    const pending = this.#pending.get(token);
    if (pending === undefined || !isSame(hashSecret(cookie), pending.cookieHash)) return null;
    this.#pending.delete(token);
    const now = this.#simulation.wallTime();
    if (pending.expiresAt <= now || this.isAnswered(pending.login)) return null;
    this.#answered.set(nameOf(pending.login), now + approvalLifetimeMs);
    return pending.login;
  }

  /** A code for an approved login: valid once, for five minutes, with the verifier (API 5). */
  grant({ challenge, deviceName }: LoginRequest): string {
    const code = randomBytes(32).toString('base64url');
    const now = this.#simulation.wallTime();
    this.#simulation.write(({ store }) => {
      store.credentials.dropExpiredCodes(now);
      store.credentials.addCode({
        hash: hashSecret(code),
        challenge,
        owner: localOwner,
        deviceName,
        expiresAt: now + codeLifetimeMs,
        usedAt: null,
        sessionHash: null,
      });
    });
    return code;
  }
}

/** Where the browser is sent with the answer. */
export function redirectOf({ redirectUri, state }: LoginRequest, answer: { code: string } | { error: string }): string {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state })) address.searchParams.set(name, value);
  return address.href;
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** What all pages of one login have in common. */
const nameOf = ({ challenge, state, redirectUri }: LoginRequest) => JSON.stringify([challenge, state, redirectUri]);
