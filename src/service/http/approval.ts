import type { IncomingMessage, ServerResponse } from 'node:http';
import { Approvals, type LoginRequest, readLoginRequest, redirectOf } from '../approvals.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { Simulation } from '../simulation.ts';
import { approvalPage, contentSecurityPolicy, problemPage } from './approval-page.ts';
import { readBody } from './read-body.ts';

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
    const body = await readBody(request);
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
