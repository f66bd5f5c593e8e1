import type { Dispatcher } from 'undici';
import { pathEnd } from '../../base/files/folders.ts';
import { connectionsTo } from '../../base/sockets/dispatchers.ts';
import { ProxyError } from '../../base/sockets/proxy.ts';
import { codeOf, unreached } from '../../base/sockets/unreached.ts';
import { exactJson } from '../../base/terms/json-object.ts';
import { withoutEnd } from '../../base/text/plain-text.ts';
import type { Transport, WireRequest, WireResponse } from '../contract/wire.ts';
import { hostUrl } from './addresses.ts';
import { ConnectionError, NoAnswerError } from './client-errors.ts';

/** Why no connection to `origin` was made, and whether a retry can help. */
function connectionFailure(origin: string, error: Error): ConnectionError {
  if (error instanceof ProxyError) return new ConnectionError(error.message, { retryable: error.retryable });
  const { reason, code, retryable } = unreached(error);
  return new ConnectionError(`no connection to ${origin}: ${reason}`, { code, retryable, cause: error });
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
 * Carries requests to `baseUrl` over HTTP/1.1 with kept-alive connections, by the proxy that the variables name. A
 * request is written at most once: a failure before its first byte is a ConnectionError, one after it a NoAnswerError.
 * Redirects are ordinary answers and never followed, so a credential is only sent to this origin. Throws TypeError for
 * an address that can't be used: not http or https, with a user or query, or without TLS to another machine.
 */
export function httpTransport(baseUrl: string, options: HttpTransportOptions = {}): HttpTransport {
  const base = hostUrl(baseUrl);
  const { origin } = base;
  const reader = new AnswerReader(options.maxAnswerBytes ?? 16 * 1024 * 1024);
  /** Requests that are not answered yet. */
  const underWay = new Set<RoundTrip>();
  let lines = new Lines(base, options);
  let isClosed = false;
  const carry: Transport = (request, limits) =>
    new Promise<WireResponse>((resolve, reject) => {
      const stopped = limits.signal?.aborted === true ? 'stopped before anything was sent' : undefined;
      const reason = isClosed ? `no connection to ${origin}: it was closed` : stopped;
      if (reason !== undefined) {
        reject(new ConnectionError(reason, { retryable: false, cause: limits.signal?.reason }));
        return;
      }
      const trip = new RoundTrip(request, origin, reader, { resolve, reject, underWay, lines }, limits);
      underWay.add(trip);
      lines.take(trip);
    });
  return Object.assign(carry, {
    async close() {
      isClosed = true;
      lines.end(() => {
        for (const trip of underWay) trip.stop('before it was closed', new Error('closed'));
      });
    },
    renew() {
      // Other requests may still be in flight on the old connections: they finish first.
      lines.retire();
      lines = new Lines(base, options);
    },
  });
}

/** The lines to one origin. */
class Lines {
  readonly #origin: string;
  readonly #prefix: string;
  readonly #most: number;
  readonly connectTimeoutMs: number;
  readonly #all = new Set<Line>();
  /** Idle lines, the most recently used last: its connection is the likeliest to be open. */
  readonly #idle: Line[] = [];
  readonly #waiting = new Set<RoundTrip>();
  readonly #end = new AbortController();
  #connection: (() => Dispatcher) | undefined;
  #isRetired = false;
  /** Whether a connection that no request waits for may still be opening. */
  #isOpening = false;

  constructor({ origin, pathname }: URL, { connections = 16, connectTimeoutMs = 5_000 }: HttpTransportOptions) {
    this.#origin = origin;
    this.#prefix = withoutEnd(pathname.replace(pathEnd, ''), '/');
    this.#most = connections;
    this.connectTimeoutMs = connectTimeoutMs;
  }

  /** Gives a line to this request, now or when one is free. */
  take(trip: RoundTrip): void {
    const line = this.#idle.pop();
    if (line !== undefined) trip.begin(line);
    else if (this.#all.size >= this.#most) this.#waiting.add(trip);
    else {
      try {
        trip.begin(this.#newLine());
      } catch (error) {
        // For a proxy that can't be used.
        trip.fail(error as Error);
      }
    }
  }

  /** This request needs no line anymore, or never got one. */
  leave(trip: RoundTrip, line: Line | undefined): void {
    this.#waiting.delete(trip);
    if (line === undefined) return;
    this.#isOpening ||= line.isOpening;
    if (line.isCut) this.#all.delete(line);
    else this.#idle.push(line);
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      this.take(next);
    } else if (this.#isRetired) this.#endIdle();
  }

  /** Lets active and waiting requests finish; their connections are not reused. */
  retire(): void {
    this.#isRetired = true;
    this.#endIdle();
  }

  /** Ends everything now; `stop` stops the requests. */
  end(stop: () => void): void {
    this.#waiting.clear();
    stop();
    for (const line of this.#all) line.cut();
    if (this.#isOpening) this.#end.abort();
  }

  #newLine(): Line {
    const { signal } = this.#end;
    this.#connection ??= connectionsTo(this.#origin, { connectTimeoutMs: this.connectTimeoutMs, idleMs, signal });
    const line = new Line(this.#connection(), this.#origin, this.#prefix);
    this.#all.add(line);
    return line;
  }

  #endIdle(): void {
    for (const line of this.#idle.splice(0)) {
      line.cut();
      this.#all.delete(line);
    }
  }
}

/** At most one connection, with at most one request at a time; opened when it is needed, and again when it was lost. */
class Line {
  readonly #dispatcher: Dispatcher;
  readonly #origin: string;
  readonly #prefix: string;
  /** Whether a request waits for its connection. */
  isOpening = false;
  /** Whether it can't be used again. */
  isCut = false;

  constructor(dispatcher: Dispatcher, origin: string, prefix: string) {
    this.#dispatcher = dispatcher;
    this.#origin = origin;
    this.#prefix = prefix;
  }

  send({ method, target, headers, body }: WireRequest, handler: Dispatcher.DispatchHandler): void {
    this.isOpening = true;
    const path = this.#prefix + target;
    const request = { origin: this.#origin, path, method, headers, body: body ?? null };
    // Requests have their own limits.
    this.#dispatcher.dispatch({ ...request, reset: false, headersTimeout: 0, bodyTimeout: 0 }, handler);
  }

  /** Ends its connection. */
  cut(): void {
    if (this.isCut) return;
    this.isCut = true;
    this.#dispatcher.destroy().catch(() => {});
  }
}

/** How long a connection is kept for the next request, ms: shorter than hosts usually keep it. */
const idleMs = 4_000;

/** The outcome of one request. */
interface RequestOutcome {
  resolve(answer: WireResponse): void;
  reject(error: Error): void;
  underWay: Set<RoundTrip>;
  lines: Lines;
}

/** One request and its answer. */
class RoundTrip {
  readonly #request: WireRequest;
  readonly #origin: string;
  readonly #reader: AnswerReader;
  readonly #outcome: RequestOutcome;
  /** Gives up a request that takes too long. A request in progress keeps the process alive; its timers do not. */
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.stop('before it was stopped', this.#signal!.reason);
  /** Gives up a connection that does not open. */
  #opening: NodeJS.Timeout | undefined;
  #line: Line | undefined;
  /** Whether its first byte may have been written. */
  #isSent = false;
  #isOver = false;
  #status: number | undefined;
  #headers: Record<string, string> = {};
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    request: WireRequest,
    origin: string,
    reader: AnswerReader,
    outcome: RequestOutcome,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ) {
    this.#request = request;
    this.#origin = origin;
    this.#reader = reader;
    this.#outcome = outcome;
    this.#timer = setTimeout(() => this.#timeOut(`within ${timeoutMs} ms`), timeoutMs).unref();
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Sends the request as soon as the line's connection is open. */
  begin(line: Line): void {
    this.#line = line;
    this.#opening = setTimeout(() => this.#timeOut('in time'), this.#outcome.lines.connectTimeoutMs).unref();
    line.send(this.#request, {
      onRequestStart: () => this.#write(),
      onResponseStart: (controller, status) => this.#take(status, controller.rawHeaders as Buffer[]),
      onResponseData: (_, chunk) => this.#read(chunk),
      onResponseEnd: () => this.#complete(),
      onResponseError: (_, error) => this.fail(error),
    });
  }

  /** Gives up because nobody waits for it anymore. */
  stop(when: string, reason: unknown): void {
    this.#giveUp(when, reason, 'ABORT_ERR');
  }

  /** Something went wrong. */
  fail(error: Error): void {
    const isSent = this.#isSent;
    if (this.#end(isSent))
      this.#outcome.reject(isSent ? this.#noAnswer(error.message, error) : connectionFailure(this.#origin, error));
  }

  /** The connection is open: from now on, it is unknown what has been written. Throws if nothing may be written. */
  #write(): void {
    if (this.#isSent || this.#isOver) throw new Error('a request is written at most once');
    this.#isSent = true;
    this.#line!.isOpening = false;
    clearTimeout(this.#opening);
  }

  #take(status: number, rawHeaders: readonly Buffer[]): void {
    // Informational responses that precede the answer.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headersOf(rawHeaders.map((part) => part.toString('latin1')));
    const objection = this.#reader.objection(this.#request, this.#headers);
    if (objection !== undefined) throw new Error(objection);
  }

  #read(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const { maxBytes } = this.#reader;
    if (this.#bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    this.#chunks.push(chunk);
  }

  #complete(): void {
    if (!this.#end(false)) return;
    const body = decodeBody(this.#headers, this.#chunks, this.#reader.maxBytes);
    this.#outcome.resolve({ status: this.#status!, headers: this.#headers, body });
  }

  #timeOut(when: string): void {
    this.#giveUp(when, undefined, 'ETIMEDOUT');
  }

  #giveUp(when: string, reason: unknown, code: string): void {
    const isSent = this.#isSent;
    if (!this.#end(true)) return;
    const options = { code, cause: reason, retryable: reason === undefined };
    this.#outcome.reject(
      isSent
        ? this.#noAnswer(`no complete answer ${when}`, reason, code)
        : new ConnectionError(`no connection to ${this.#origin} ${when}`, options),
    );
  }

  #noAnswer(what: string, cause: unknown, code = codeOf(cause)): NoAnswerError {
    const status = this.#status;
    const got = status === undefined ? '' : ` (status ${status}, ${this.#bytes} bytes of its body)`;
    return new NoAnswerError(`${this.#request.method} to ${this.#origin} was sent, but ${what}${got}`, { code, cause });
  }

  /** `isBroken`: its connection is not used again. */
  #end(isBroken: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#opening);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (isBroken) this.#line?.cut();
    this.#outcome.underWay.delete(this);
    this.#outcome.lines.leave(this, this.#line);
    return true;
  }
}

/** Accepts an HTTP answer only within the size limit, and only if it does not repeat an earlier one. */
export class AnswerReader {
  readonly maxBytes: number;
  /** Request ids of the latest answers, each with its request line. */
  readonly #seen = new Map<string, string>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /**
   * Why these headers can't belong to the answer to this request; undefined if they can. Every answer has its own
   * X-Request-Id; an id seen before means that a connection delivered an answer twice and everything after it is one
   * answer late. Only a GET of the same address may legitimately repeat one, from a cache.
   */
  objection(request: WireRequest, headers: Record<string, string>): string | undefined {
    const id = headers['x-request-id'];
    if (id === undefined) return undefined;
    const line = `${request.method} ${request.target}`;
    const earlier = this.#seen.get(id);
    if (earlier !== undefined && !(request.method === 'GET' && earlier === line))
      return `an earlier answer was repeated (${id})`;
    this.#seen.set(id, line);
    if (this.#seen.size > 64) this.#seen.delete(this.#seen.keys().next().value!);
    return undefined;
  }
}

/**
 * The parsed JSON of a body; undefined when it is empty, of another content type, not JSON, nested too deeply, or
 * larger than `maxBytes` once it is unpacked.
 */
export function decodeBody(headers: Record<string, string>, chunks: readonly Buffer[], maxBytes: number): unknown {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type.trim())) return undefined;
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  try {
    const text = unpacked(bytes, headers['content-encoding'], maxBytes).toString('utf8');
    // Some servers begin a text with a byte order mark.
    return exactJson(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** The bytes of a body that a proxy has packed although nobody asked for that; throws if they can't be unpacked. */
function unpacked(bytes: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && (encoding === undefined || /^identity$/i.test(encoding.trim()))) return bytes;
  // Loading it takes milliseconds, and it is hardly ever needed.
  const { brotliDecompressSync, inflateSync, unzipSync } = process.getBuiltinModule('node:zlib');
  const most = { maxOutputLength: maxBytes };
  if (/^br$/i.test(encoding?.trim() ?? '')) return brotliDecompressSync(bytes, most);
  return isGzip ? unzipSync(bytes, most) : inflateSync(bytes, most);
}

/** Headers from names and values in turn, as received; the values of repeated ones are joined as in HTTP. */
export function headersOf(received: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < received.length; at += 2) {
    const name = received[at]!.toLowerCase();
    const value = received[at + 1]!;
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
