import type { Dispatcher } from 'undici';
import type { Transport, WireRequest, WireResponse } from '../contract/wire.ts';
import { ConnectionError, NoAnswerError } from './errors.ts';
import { AnswerReader, decodeBody, flattenHeaders } from './http-answer.ts';
import { HttpConnections, type RoundTripHandler } from './http-connections.ts';

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
  UND_ERR_DESTROYED: 'it was closed',
  UND_ERR_INVALID_ARG: '',
};

const passing: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was reset',
  EAI_AGAIN: 'DNS did not answer',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_SOCKET: 'the connection was closed',
};

/** Why no connection to `origin` was made, in words, and whether trying again can help. */
export function connectionFailure(origin: string, error: Error): ConnectionError {
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
 */
export function httpTransport(baseUrl: string, options: HttpTransportOptions = {}): HttpTransport {
  const base = checkedBaseUrl(baseUrl);
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, '');
  const reader = new AnswerReader(options.maxAnswerBytes ?? 16 * 1024 * 1024);
  const open = () =>
    new HttpConnections(base.origin, {
      connections: options.connections ?? 16,
      connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    });
  let connections = open();
  const carry: Transport = (request, limits) =>
    new Promise<WireResponse>((resolve, reject) => {
      if (limits.signal?.aborted) {
        const cause = limits.signal.reason;
        reject(new ConnectionError('stopped before anything was sent', { retryable: false, cause }));
        return;
      }
      const trip = new RoundTrip(request, base.origin, reader, { resolve, reject });
      trip.limit(limits.timeoutMs, limits.signal);
      const { method, headers, body = null } = request;
      connections.dispatch({ method, path: prefix + request.target, headers, body }, trip);
    });
  return Object.assign(carry, {
    close: () => connections.destroy(),
    renew: () => {
      // Other requests may still be in flight on the old connections: they finish first.
      connections.retire().catch(() => {});
      connections = open();
    },
  });
}

/** One request and its answer, as undici reports them. */
class RoundTrip implements RoundTripHandler {
  readonly #request: WireRequest;
  readonly #origin: string;
  readonly #reader: AnswerReader;
  readonly #done: { resolve: (answer: WireResponse) => void; reject: (error: Error) => void };
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #stopTiming = () => {};
  #onOver = () => {};
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    request: WireRequest,
    origin: string,
    reader: AnswerReader,
    done: { resolve: (answer: WireResponse) => void; reject: (error: Error) => void },
  ) {
    this.#request = request;
    this.#origin = origin;
    this.#reader = reader;
    this.#done = done;
  }

  /** Gives up at the timeout, or when the signal aborts. */
  limit(timeoutMs: number, signal: AbortSignal | undefined): void {
    const timer = setTimeout(() => this.#giveUp(`within ${timeoutMs} ms`, undefined, 'ETIMEDOUT'), timeoutMs);
    const stop = () => this.#giveUp('before it was stopped', signal?.reason, 'ABORT_ERR');
    signal?.addEventListener('abort', stop, { once: true });
    this.#stopTiming = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
  }

  whenOver(onOver: () => void): void {
    this.#onOver = onOver;
  }

  /** Called immediately before the request's first byte is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) {
      // Given up while it waited for a connection: it was reported as not sent, which must stay true.
      controller.abort(new Error('given up'));
      return;
    }
    if (this.#controller !== undefined) {
      // Never allow the library to write the same request twice, whatever its reason.
      controller.abort(new Error('the connection was lost and the request is not written twice'));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = flattenHeaders(headers);
    const objection = this.#reader.objection(this.#request, this.#headers);
    if (objection !== undefined) controller.abort(new Error(objection));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#reader.maxBytes) {
      controller.abort(new Error(`the answer is longer than ${this.#reader.maxBytes} bytes`));
      return;
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    const body = decodeBody(this.#headers, this.#chunks, this.#reader.maxBytes);
    this.#done.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#end()) return;
    if (this.#controller === undefined) this.#done.reject(connectionFailure(this.#origin, error));
    else this.#done.reject(this.#noAnswer(error.message, error));
  }

  #giveUp(when: string, reason: unknown, code: string): void {
    if (!this.#end()) return;
    if (this.#controller === undefined) {
      const message = `no connection to ${this.#origin} ${when}`;
      this.#done.reject(new ConnectionError(message, { code, cause: reason, retryable: reason === undefined }));
      return;
    }
    this.#done.reject(this.#noAnswer(`no complete answer ${when}`, reason, code));
    this.#controller.abort(new Error('given up'));
  }

  #noAnswer(what: string, cause: unknown, code = errorCode(cause)): NoAnswerError {
    const got = this.#status === 0 ? '' : ` (status ${this.#status}, ${this.#bytes} bytes of its body)`;
    return new NoAnswerError(`${this.#request.method} to ${this.#origin} was sent, but ${what}${got}`, { code, cause });
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#stopTiming();
    this.#onOver();
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
