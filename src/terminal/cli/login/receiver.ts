import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../../base/failure/failure.ts';
import { hideSecret } from '../../../base/text/plain-text.ts';
import type { Outside, Page } from '../../console/terminal/outside.ts';

const address = '127.0.0.1';
const path = '/callback';

/**
 * Waits on the loopback address for the one answer that the browser delivers (RFC 8252, 7.3). Accepts one answer with
 * this login's state and ignores others, such as forged ones. The browser gets its page when the login has ended.
 */
export class LoopbackReceiver {
  readonly redirectUri: string;
  /** The query of the answer. */
  readonly answer: Promise<URLSearchParams>;
  readonly #server: Server;
  readonly #isOurs: (query: URLSearchParams) => boolean;
  #browser: ServerResponse | undefined;
  #receive!: (query: URLSearchParams) => void;

  private constructor(server: Server, isOurs: (query: URLSearchParams) => boolean) {
    this.#server = server;
    this.#isOurs = isOurs;
    this.redirectUri = `http://${address}:${(server.address() as AddressInfo).port}${path}`;
    this.answer = new Promise((resolve) => {
      this.#receive = resolve;
    });
    server.on('request', (request, response) => this.#serve(request, response));
  }

  /** Listens on a free port, or on the given one. Rejects with a Failure if it can't listen. */
  static async open(isOurs: (query: URLSearchParams) => boolean, port = 0): Promise<LoopbackReceiver> {
    const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000, maxHeaderSize: 16 * 1024 });
    server.on('clientError', (_, socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error)));
      server.listen(port, address, resolve);
    });
    return new LoopbackReceiver(server, isOurs);
  }

  /**
   * Shows the result in the browser that delivered the answer, and stops listening; if possible, a page that says so
   * stays behind. Only the first call counts.
   */
  async close(page: ResultPage = failurePage, { leavePage }: Pick<Outside, 'leavePage'> = {}): Promise<void> {
    if (!this.#server.listening) return;
    if (this.#browser !== undefined) {
      send(this.#browser, page);
      if (leavePage !== undefined) await leavePage(this.#server, pageOf(answeredPage));
    }
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if (this.#browser === undefined) this.#server.closeAllConnections();
    else {
      this.#server.closeIdleConnections();
      setTimeout(() => this.#server.closeAllConnections(), 1_000).unref();
    }
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? '', this.redirectUri);
    if (url?.pathname !== path || !isNavigation(request, this.redirectUri)) {
      send(response, otherLoginPage);
      return;
    }
    if (this.#browser !== undefined) {
      send(response, answeredPage);
      return;
    }
    if (!this.#isOurs(url.searchParams)) {
      send(response, foreignPage);
      return;
    }
    this.#browser = response;
    this.#receive(url.searchParams);
  }
}

/**
 * Whether the request is a browser window returning from the approval page: not a script, image or frame of another
 * page, and not a host name rebound to this machine.
 */
function isNavigation({ method, headers }: IncomingMessage, redirectUri: string): boolean {
  if (method !== 'GET' || headers.host !== new URL(redirectUri).host) return false;
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}

function send(response: ServerResponse, page: ResultPage): void {
  const { status, headers, html } = pageOf(page);
  response.writeHead(status, headers).end(response.req.method === 'HEAD' ? '' : html);
}

function pageOf(page: ResultPage): Page {
  const html = pageHtml(page);
  const headers = { ...pageHeaders, 'content-length': `${Buffer.byteLength(html)}` };
  return { status: page.status, headers, html };
}

function cannotListen(error: NodeJS.ErrnoException): Failure {
  const isTaken = error.code === 'EADDRINUSE';
  return new Failure({
    code: isTaken ? 'port_taken' : 'no_receiver',
    message: isTaken
      ? `The port on ${address} for the browser's answer is in use.`
      : `Can't listen on ${address} for the browser's answer: ${error.message}.`,
    hint: isTaken
      ? 'Run perp login again; it picks another port.'
      : 'Log in on a machine that allows it, or use PERP_API_KEY.',
  });
}

/** The page that the browser shows at the end. */
interface ResultPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** The login is done and stored. */
export const successPage: ResultPage = {
  status: 200,
  title: 'You are logged in',
  text: 'You can close this window and return to the terminal.',
};

/** The login failed; the terminal shows the reason. */
export const failurePage: ResultPage = {
  status: 400,
  title: 'You are not logged in',
  text: 'The terminal shows the reason. You can close this window.',
};

/** For a page that is reloaded. */
const answeredPage: ResultPage = {
  status: 410,
  title: 'This login was already answered',
  text: 'The terminal shows how it ended. You can close this window.',
};

/** For an answer with another login's state: from an earlier window, or forged by a web page. */
const foreignPage: ResultPage = {
  status: 400,
  title: 'This answer is for another login',
  text: 'The login in the terminal is not affected and is still waiting for its own answer. You can close this window.',
};

/** For any other request. */
const otherLoginPage: ResultPage = {
  status: 404,
  title: 'Not found',
  text: 'This address only accepts the answer to one login.',
};

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
`;

/**
 * The page loads, runs and sends nothing, can't be framed, and does not reveal its address, which contained the code.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  connection: 'close',
};

/** The page as HTML, with fixed text only: nothing from the request is in it. */
function pageHtml({ title, text }: ResultPage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · perp</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`;
}

/** The way out of a login that can't be finished. */
export const startOver = 'Run perp login to start over.';

/** Whether an answer (a code or a refusal) belongs to the login with this state. Compares in constant time. */
export function isAnswerTo(query: URLSearchParams, state: string): boolean {
  const given = only(query, 'state');
  return given !== undefined && isSame(given, state);
}

/**
 * The code in the browser's answer. The state is compared first and in constant time, so nothing from elsewhere is even
 * read. Throws a Failure if the answer belongs to another login, is a refusal, or contains no code.
 */
export function codeOf(query: URLSearchParams, state: string): string {
  if (!isAnswerTo(query, state))
    throw new Failure({
      code: 'state_mismatch',
      message: 'The answer belongs to another login (its state differs), so it was not used.',
      hint: 'If it came from an older browser window, close it and run perp login again. Otherwise, a web page tried to log you in.',
    });
  const error = only(query, 'error');
  if (error === 'access_denied')
    throw new Failure({
      code: 'access_denied',
      message: 'The login was denied in the browser. No access was granted.',
    });
  if (error !== undefined) throw refused(error, only(query, 'error_description'));
  const code = only(query, 'code');
  if (code === undefined || !isCode(code)) throw refused('no code', undefined);
  hideSecret(code);
  return code;
}

/**
 * The code in pasted text: the full address at which the browser ended up, its query, or the code alone. Undefined if
 * it is none of these. Throws as {@link codeOf}; a code alone has no state, and works only with the verifier of this
 * login.
 */
export function pastedCode(pasted: string, state: string): string | undefined {
  const text = pasted.trim();
  const query = /^https?:\/\//i.test(text)
    ? URL.parse(text)?.searchParams
    : isQuery(text)
      ? new URLSearchParams(text)
      : undefined;
  if (query !== undefined) return query.has('code') || query.has('error') ? codeOf(query, state) : undefined;
  if (!isCode(text) || text.includes('://')) return undefined;
  hideSecret(text);
  return text;
}

function isQuery(text: string): boolean {
  return /^\??([\w.-]+=[^&\s]*)(&[\w.-]+=[^&\s]*)+$/.test(text);
}

function isCode(text: string): boolean {
  return /^[\x21-\x7e]{4,2048}$/.test(text);
}

/** A parameter that occurs exactly once: readers disagree about duplicates. */
function only(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

/** Digests have equal length, so the comparison takes constant time. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

function refused(error: string, description: string | undefined): Failure {
  const said = [error, description].filter((part) => part !== undefined).join(': ');
  return new Failure({
    code: 'login_refused',
    message: `The approval page did not grant the login (${said.slice(0, 200)}).`,
    hint: startOver,
  });
}
