import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exitCodes, Failure } from '../../ground/failure/failure.ts';
import { failurePage, foreignPage, otherLoginPage, pageHeaders, pageHtml, type ResultPage } from './pages.ts';

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

  /** Shows the result in the browser that delivered the answer, and stops listening. Only the first call counts. */
  async close(page: ResultPage = failurePage): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if (this.#browser === undefined) this.#server.closeAllConnections();
    else {
      send(this.#browser, page);
      this.#server.closeIdleConnections();
      setTimeout(() => this.#server.closeAllConnections(), 1_000).unref();
    }
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? '', this.redirectUri);
    if (url?.pathname !== path || this.#browser !== undefined || !isNavigation(request, this.redirectUri)) {
      send(response, otherLoginPage);
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
  const html = pageHtml(page);
  response.writeHead(page.status, { ...pageHeaders, 'content-length': Buffer.byteLength(html) });
  response.end(response.req.method === 'HEAD' ? '' : html);
}

function cannotListen(error: NodeJS.ErrnoException): Failure {
  const isTaken = error.code === 'EADDRINUSE';
  return new Failure({
    exit: isTaken ? exitCodes.conflict : exitCodes.unavailable,
    code: 'no_receiver',
    message: isTaken
      ? `The port on ${address} for the browser's answer is in use.`
      : `Can't listen on ${address} for the browser's answer: ${error.message}.`,
    hint: isTaken
      ? 'Run perp login again; it picks another port.'
      : 'Log in on a machine that allows it, or use PERP_API_KEY.',
  });
}
