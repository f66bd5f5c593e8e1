import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ms } from '../exchange/engine/model.ts';
import { hashSecret } from '../wire/hosting/keys.ts';
import type { RateLimit } from '../wire/hosting/rate-limit.ts';
import { receivedBody } from '../wire/hosting/read-request.ts';
import { localOwner } from './simulation/keys.ts';
import type { Simulation } from './simulation/simulation.ts';

/** A login that requests approval, as given in its URL (simulation 8.1). */
interface LoginRequest {
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
function readLoginRequest(query: URLSearchParams): LoginRequest | { problem: string } {
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
  /** Answered logins, and how long they are remembered. */
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

/** The browser's destination, with the answer. */
function redirectOf({ redirectUri, state }: LoginRequest, answer: { code: string } | { error: string }): string {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state })) address.searchParams.set(name, value);
  return address.href;
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Parts that all pages of one login share. */
const nameOf = ({ challenge, state, redirectUri }: LoginRequest) => JSON.stringify([challenge, state, redirectUri]);

/** A different name for each page, so that two logins at once do not overwrite each other's cookie. */
const cookieName = (token: string) => `perp_approval_${token.slice(0, 8)}`;

/**
 * The page at /cli/authorize (simulation 8.1). Against forged approval: the form's token works only with the cookie set
 * with it (SameSite=Strict, HttpOnly), and only if the browser says that the form is ours. Against framing: no frame
 * may contain it. Against rebinding: the Host check before it. Against guessing: 256 random bits, valid once.
 */
export class ApprovalPages {
  readonly #simulation: Simulation;
  readonly #approvals: Approvals;
  readonly #rateLimit: RateLimit | null;

  constructor(simulation: Simulation, rateLimit: RateLimit | null) {
    this.#simulation = simulation;
    this.#approvals = new Approvals(simulation);
    this.#rateLimit = rateLimit;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const waitSeconds = this.#rateLimit?.admit(request.socket.remoteAddress ?? '', performance.now()) ?? 0;
    if (waitSeconds > 0)
      sendPage(response, 429, problemPage('Too many requests. Wait a minute.'), { 'retry-after': String(waitSeconds) });
    else if (request.method === 'GET') this.#show(request, response);
    else if (request.method === 'POST') await this.#decide(request, response);
    else sendPage(response, 405, problemPage('This page only accepts GET and POST.'), { allow: 'GET, POST' });
  }

  #show(request: IncomingMessage, response: ServerResponse): void {
    const login = readLoginRequest(new URL(request.url ?? '', 'http://localhost').searchParams);
    if ('problem' in login) {
      sendPage(response, 400, problemPage(login.problem));
      return;
    }
    if (this.#approvals.isAnswered(login)) {
      sendPage(response, 410, problemPage('This login was already answered. You can close this window.'));
      return;
    }
    const { token, cookie } = this.#approvals.ask(login);
    sendPage(response, 200, approvalPage(login.deviceName, token), {
      'content-security-policy': contentSecurityPolicy(new URL(login.redirectUri).origin),
      'set-cookie': `${cookieName(token)}=${cookie}; Path=/cli/authorize; HttpOnly; SameSite=Strict; Max-Age=600`,
    });
  }

  async #decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnForm(request)) {
      sendPage(response, 403, problemPage('This answer did not come from the approval page.'));
      return;
    }
    const body = await receivedBody(request);
    const fields = new URLSearchParams('text' in body ? body.text : '');
    const token = fields.get('token') ?? '';
    const login = this.#approvals.take(token, cookieOf(request, token));
    if (login === null) sendPage(response, 403, problemPage('This page was already answered, or has expired.'));
    else await this.#answer(login, fields.get('decision') === 'approve', response);
  }

  async #answer(login: LoginRequest, isApproved: boolean, response: ServerResponse): Promise<void> {
    const answer = isApproved ? { code: this.#approvals.grant(login) } : { error: 'access_denied' };
    await this.#simulation.store.unsynced();
    response.writeHead(303, { location: redirectOf(login, answer), ...privately, 'content-length': 0 });
    response.end();
  }
}

const privately = {
  'cache-control': 'no-store',
  // With no-referrer, a browser would also hide the form's origin from us.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * A browser sends the origin of a form that it posts. Refuse another page's origin, and a missing one, which no browser
 * sends.
 */
function isOwnForm({ headers }: IncomingMessage): boolean {
  const own = headers.host === undefined ? null : `http://${headers.host}`;
  return headers.origin === own && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
}

function cookieOf({ headers }: IncomingMessage, token: string): string {
  const name = `${cookieName(token)}=`;
  const pair = (headers.cookie ?? '').split(/;\s*/).find((part) => part.startsWith(name));
  return pair?.slice(name.length) ?? '';
}

function sendPage(response: ServerResponse, status: number, html: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'content-security-policy': contentSecurityPolicy(null),
    ...privately,
    ...headers,
  });
  response.end(html);
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.2rem; margin: 1.5rem 0; }
dt { opacity: .7; }
dd { margin: 0; overflow-wrap: anywhere; }
form { display: flex; gap: .8rem; margin-top: 1.8rem; }
button { font: inherit; padding: .55rem 1.3rem; border-radius: .4rem; border: 1px solid; cursor: pointer; }
button[value=approve] { background: #1a6b3c; border-color: #1a6b3c; color: #fff; }
`;

/** The page may use only its own style: nothing is loaded, run or framed, and its form is sent only to this service. */
function contentSecurityPolicy(redirectOrigin: string | null): string {
  const styleHash = hash('sha256', style, 'base64');
  const formAction = redirectOrigin === null ? "'none'" : `'self' ${hostSource(redirectOrigin)}`;
  return `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}

/** A policy can't name an IPv6 address (CSP 3, 2.3.1): its scheme is the narrowest source that browsers accept. */
function hostSource(origin: string): string {
  return origin.includes('[') ? 'http:' : origin;
}

/** Shows what the user must know to decide: which device, its permissions, and for how long. */
function approvalPage(deviceName: string, token: string): string {
  return page(
    'Allow this command line to log in?',
    `<p>A command line on this machine wants to log in to the simulated exchange.</p>
<dl>
<dt>Device</dt><dd id="device">${escaped(deviceName)}</dd>
<dt>It may</dt><dd>see and trade every account you own here</dd>
<dt>For</dt><dd>30 days, or until <code>perp logout</code></dd>
</dl>
<p>If you did not just run <code>perp login</code>, deny this.</p>
<form method="post" action="/cli/authorize">
<input type="hidden" name="token" value="${escaped(token)}">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  );
}

/** A request that can't be approved, and why. */
function problemPage(problem: string): string {
  return page(
    "This login can't continue",
    `<p id="problem">${escaped(problem)}</p><p>Nothing was granted. Run <code>perp login</code> to start again.</p>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · perp</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
