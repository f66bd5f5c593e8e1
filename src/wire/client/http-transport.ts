import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Transport, WireRequest, WireResponse } from '../contract/wire.ts';
import { ConnectionError, NoAnswerError } from './client-errors.ts';
import { AnswerReader, decodeBody, headersOf } from './http-answer.ts';

/** Codes of failures that retrying soon won't fix, and their meanings. */
const permanent: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate chain is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate can't be verified",
  UNABLE_TO_GET_ISSUER_CERT: "the issuer of the server's certificate is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the issuer of the server's certificate is unknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not use TLS on this port',
  ERR_INVALID_CHAR: '',
  ERR_UNESCAPED_CHARACTERS: '',
};

const passing: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was reset',
  EAI_AGAIN: 'DNS did not answer',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it did not answer in time',
};

/** Why no connection to `origin` was made, in words, and whether trying again can help. */
function connectionFailure(origin: string, error: Error): ConnectionError {
  const code = codeOf(error);
  const reason = (code !== undefined && (permanent[code] || passing[code])) || error.message || 'no reason given';
  const named = code === undefined || reason.includes(code) ? reason : `${reason} (${code})`;
  const retryable = code === undefined || !(code in permanent);
  return new ConnectionError(`no connection to ${origin}: ${named}`, { code, retryable, cause: error });
}

/** The code of the error, or of the first address tried if a name has several. */
function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error ? codeOf(first) : undefined;
}

/** Limits and trust of connections to one host. */
export interface HttpTransportOptions {
  /** Time to establish a connection, including TLS, ms. Default 5,000. */
  connectTimeoutMs?: number;
  /** Largest answer body that is read. Default 16 MiB. */
  maxAnswerBytes?: number;
  /** Maximum number of open connections; each carries one request at a time. Default 16. */
  connections?: number;
}

/** A transport with connections: `close` ends all of them, `renew` stops using those that are open. */
export interface HttpTransport extends Transport {
  close(): Promise<void>;
  renew(): void;
}

/**
 * Carries requests to `baseUrl` over HTTP/1.1 with kept-alive connections. A request is written at most once: a failure
 * before its first byte is a ConnectionError, one after it a NoAnswerError. Redirects are ordinary answers and never
 * followed, so a credential is only sent to this origin. Throws TypeError for an address that can't be used: not http
 * or https, with a user or query, or without TLS to another machine.
 *
 * This is Node's own HTTP. undici carries WebSockets and the requests to venues, but its HTTP parser is WebAssembly that
 * each new process compiles: a command with one order would start a tenth slower, or need private parts of it.
 */
export function httpTransport(baseUrl: string, options: HttpTransportOptions = {}): HttpTransport {
  const base = checkedBaseUrl(baseUrl);
  const { origin } = base;
  const reader = new AnswerReader(options.maxAnswerBytes ?? 16 * 1024 * 1024);
  const underWay = new UnderWay();
  let connections = new HttpConnections(base, options);
  let isClosed = false;
  const carry: Transport = (request, limits) =>
    new Promise<WireResponse>((resolve, reject) => {
      const stopped = limits.signal?.aborted === true ? 'stopped before anything was sent' : undefined;
      const reason = isClosed ? `no connection to ${origin}: it was closed` : stopped;
      if (reason !== undefined) {
        reject(new ConnectionError(reason, { retryable: false, cause: limits.signal?.reason }));
        return;
      }
      const trip = new RoundTrip(request, origin, reader, { resolve, reject, underWay }, limits);
      underWay.add(trip);
      trip.begin(connections);
    });
  return Object.assign(carry, {
    async close() {
      isClosed = true;
      underWay.end();
      connections.destroy();
    },
    renew() {
      // Other requests may still be in flight on the old connections: they finish first.
      connections.retire();
      connections = new HttpConnections(base, options);
    },
  });
}

/** How long a connection is kept for the next request, ms: shorter than hosts usually keep it. */
const idleMs = 4_000;

/** Connections to one origin, each with one request at a time. */
class HttpConnections {
  readonly #way: { agent: Agent; protocol: string; host: string; port: string };
  readonly #prefix: string;
  readonly #host: string;
  readonly #connectTimeoutMs: number;
  /** Those that are open, TLS included. */
  readonly #open = new WeakSet<Socket>();

  constructor(base: URL, { connections = 16, connectTimeoutMs = 5_000 }: HttpTransportOptions) {
    const { protocol, hostname, port, pathname } = base;
    // TLS takes long to load.
    const OwnAgent = protocol === 'https:' ? process.getBuiltinModule('node:https').Agent : Agent;
    const agent = new OwnAgent({ keepAlive: true, keepAliveMsecs: 60_000, maxSockets: connections, timeout: idleMs });
    // All of its connections are alike.
    agent.getName = () => base.host;
    this.#way = { agent, protocol, host: hostname.replace(/^\[|\]$/g, ''), port };
    this.#host = base.host;
    this.#prefix = pathname.replace(/(?<!\/)\/+$/, '');
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /** A request of which nothing is written yet; throws for headers or a target that can't be written. */
  request({ method, target, headers, body }: WireRequest): ClientRequest {
    // As a list, headers are written as they are; set one by one, they would take as long as the rest of the request.
    const lines = ['host', this.#host];
    for (const name of Object.keys(headers)) lines.push(name, headers[name]!);
    if (method !== 'GET') lines.push('content-length', String(Buffer.byteLength(body ?? '')));
    return httpRequest({ ...this.#way, path: this.#prefix + target, method, headers: lines });
  }

  /** Calls back as soon as this connection can be written to; `late` if that takes too long. */
  whenOpen(socket: Socket, ready: () => void, late: () => void): void {
    if (this.#open.has(socket)) {
      ready();
      return;
    }
    const timer = setTimeout(late, this.#connectTimeoutMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once(this.#way.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      this.#open.add(socket);
      ready();
    });
  }

  /** Lets requests in flight end; their connections are not kept. */
  retire(): void {
    const { agent } = this.#way;
    agent.maxFreeSockets = 0;
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }

  /** Ends everything now. */
  destroy(): void {
    this.#way.agent.destroy();
  }
}

/** Requests that are not answered yet. One timer, and one listener per signal, serve all of them. */
class UnderWay {
  readonly #trips = new Set<RoundTrip>();
  readonly #signals = new WeakSet<AbortSignal>();
  /** Aborts at the end, so that no signal keeps a listener. */
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer goes off, in the time of `performance`. */
  #wakesAt = Number.POSITIVE_INFINITY;

  add(trip: RoundTrip): void {
    this.#trips.add(trip);
    const { endsAt, signal } = trip;
    if (endsAt < this.#wakesAt) this.#wakeAt(endsAt);
    if (signal === undefined || this.#signals.has(signal)) return;
    this.#signals.add(signal);
    const stop = () => {
      for (const one of this.#trips) if (one.signal === signal) one.stop('before it was stopped', signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true, signal: this.#end.signal });
  }

  delete(trip: RoundTrip): void {
    this.#trips.delete(trip);
  }

  /** Stops all of them. */
  end(): void {
    clearTimeout(this.#timer);
    this.#end.abort();
    for (const trip of this.#trips) trip.stop('before it was closed', new Error('closed'));
  }

  #wakeAt(time: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = time;
    // A request under way keeps the process; its limit does not.
    this.#timer = setTimeout(() => this.#wake(), Math.ceil(time - performance.now())).unref();
  }

  #wake(): void {
    // A timer may be up to one millisecond early.
    const now = performance.now() + 1;
    let next = Number.POSITIVE_INFINITY;
    for (const trip of this.#trips) {
      if (trip.endsAt <= now) trip.timeOut();
      else next = Math.min(next, trip.endsAt);
    }
    this.#wakesAt = next;
    if (next < Number.POSITIVE_INFINITY) this.#wakeAt(next);
  }
}

/** What becomes of one request. */
interface Fate {
  resolve(answer: WireResponse): void;
  reject(error: Error): void;
  underWay: UnderWay;
}

/** One request and its answer. */
class RoundTrip {
  readonly #request: WireRequest;
  readonly #origin: string;
  readonly #reader: AnswerReader;
  readonly #fate: Fate;
  readonly #timeoutMs: number;
  /** When it is given up, in the time of `performance`. */
  readonly endsAt: number;
  readonly signal: AbortSignal | undefined;
  #sending: ClientRequest | undefined;
  /** Whether its first byte may have been written. */
  #isSent = false;
  #isOver = false;
  #answer: IncomingMessage | undefined;
  #bytes = 0;

  constructor(
    request: WireRequest,
    origin: string,
    reader: AnswerReader,
    fate: Fate,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ) {
    this.#request = request;
    this.#origin = origin;
    this.#reader = reader;
    this.#fate = fate;
    this.#timeoutMs = timeoutMs;
    this.endsAt = performance.now() + timeoutMs;
    this.signal = signal;
  }

  /** Sends the request. */
  begin(connections: HttpConnections): void {
    try {
      const sending = connections.request(this.#request);
      this.#sending = sending;
      const late = () => this.#giveUp('in time', undefined, 'ETIMEDOUT');
      sending.on('socket', (socket) => connections.whenOpen(socket, () => this.#write(sending), late));
      sending.on('response', (answer) => this.#read(answer));
      sending.on('error', (error) => this.#fail(error));
      sending.on('close', () => {
        // An answer that is complete still has to be read to its end.
        if (this.#answer?.complete !== true) this.#fail(new Error('the connection was closed'));
      });
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** Gives up because it takes too long. */
  timeOut(): void {
    this.#giveUp(`within ${this.#timeoutMs} ms`, undefined, 'ETIMEDOUT');
  }

  /** Gives up because nobody waits for it any more. */
  stop(when: string, reason: unknown): void {
    this.#giveUp(when, reason, 'ABORT_ERR');
  }

  /** The connection is there: from now on, nobody knows what has been written. */
  #write(sending: ClientRequest): void {
    if (this.#isOver) return;
    this.#isSent = true;
    sending.end(this.#request.body);
  }

  #read(answer: IncomingMessage): void {
    this.#answer = answer;
    const headers = headersOf(answer.rawHeaders);
    const objection = this.#reader.objection(this.#request, headers);
    if (objection !== undefined) this.#refuse(objection);
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#reader.maxBytes) this.#refuse(`the answer is longer than ${this.#reader.maxBytes} bytes`);
      else chunks.push(chunk);
    });
    answer.on('end', () => {
      if (!this.#end()) return;
      const body = decodeBody(headers, chunks, this.#reader.maxBytes);
      this.#fate.resolve({ status: answer.statusCode!, headers, body });
    });
  }

  /** The rest of the answer is not read. */
  #refuse(why: string): void {
    this.#fail(new Error(why));
    this.#sending?.destroy();
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    this.#fate.reject(this.#isSent ? this.#noAnswer(error.message, error) : connectionFailure(this.#origin, error));
  }

  #giveUp(when: string, reason: unknown, code: string): void {
    if (!this.#end()) return;
    this.#sending?.destroy();
    const options = { code, cause: reason, retryable: reason === undefined };
    this.#fate.reject(
      this.#isSent
        ? this.#noAnswer(`no complete answer ${when}`, reason, code)
        : new ConnectionError(`no connection to ${this.#origin} ${when}`, options),
    );
  }

  #noAnswer(what: string, cause: unknown, code = errorCode(cause)): NoAnswerError {
    const status = this.#answer?.statusCode;
    const got = status === undefined ? '' : ` (status ${status}, ${this.#bytes} bytes of its body)`;
    return new NoAnswerError(`${this.#request.method} to ${this.#origin} was sent, but ${what}${got}`, { code, cause });
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#fate.underWay.delete(this);
    return true;
  }
}

function errorCode(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

function checkedBaseUrl(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new TypeError(`not a valid address: ${JSON.stringify(baseUrl)}`);
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('the address must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw new TypeError('the address must not contain a user or password');
  if (url.search !== '' || url.hash !== '') throw new TypeError('the address must not contain a query or fragment');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new TypeError(`http:// would send the credential unencrypted to ${url.hostname}: use https://`);
  }
  return url;
}

function isLoopback(hostname: string): boolean {
  return /^localhost\.?$/.test(hostname) || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
