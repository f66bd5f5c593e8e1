import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WireRequest, WireResponse } from '../contract/wire.ts';
import type { HostCertificate } from './certificates.ts';
import { Failure } from './failure.ts';
import type { HostEnvironment } from './keys.ts';
import { MemoryRelease } from './memory-release.ts';
import type { Origins } from './origins.ts';
import {
  type Body,
  type BodyProblems,
  type HostNames,
  headerRefusal,
  newRequestId,
  type RequestLine,
  receivedBody,
} from './read-request.ts';
import type { StreamHost } from './stream-host.ts';
import { Turns } from './turns.ts';
import { isStreamPath, Upgrades } from './upgrades.ts';

/** Answers requests outside the API; null leaves the request to the service. */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  host: ListeningHost,
) => Promise<void> | null;

/** The context of a request. */
export interface Received extends BodyProblems {
  /** The address that a rate limit counts. */
  remoteAddress: string;
}

/** One host: its answers, environment and port. */
export interface HostOptions {
  /** Answers a request of the API. If it rejects, no truthful answer exists, and the connection ends without one. */
  answer: (request: WireRequest, received: Received) => Promise<WireResponse>;
  /** Receives rejections of `answer`, and bugs. */
  onError: (error: unknown, during: string) => void;
  environment: HostEnvironment;
  /** 0: any free port. */
  port: number;
  /** Documents and pages besides the API. */
  page: PageHandler;
  /** Handles WebSocket connections. */
  streams: StreamHost;
  /** Web pages that may use it. */
  origins: Origins;
  /** Names under which it answers. */
  names: HostNames;
  /** With TLS; absent: plain HTTP. */
  secure?: HostCertificate | undefined;
  log: ((line: RequestLine) => void) | null;
  /** With TLS: called with the reason when a client does not accept the certificate. */
  onDistrust?: ((reason: string) => void) | undefined;
}

/** A running host. */
export interface ListeningHost {
  readonly environment: HostEnvironment;
  readonly url: string;
  /** Once it is stopping, each connection ends with its pending answer. */
  readonly isStopping: boolean;
  /** Serves a connection that was accepted elsewhere. */
  take(socket: Socket): void;
  /** Accepts nothing new, lets requests in flight finish, and cuts those that take longer. */
  stop(): Promise<void>;
}

const address = '127.0.0.1';
const maxWaitMs = 5_000;
/** How much of a refused body a client may still send, so that it gets to read the refusal. */
const discardedBytes = 4 * 1024 * 1024;

/** Serves one environment over HTTP, on this machine only (simulation 8.1). Rejects when the port is taken. */
export async function listen(options: HostOptions): Promise<ListeningHost> {
  const server = await serverOf(options.secure, {
    // A client must not hold a connection open by sending slowly.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    // A missing Host is checked below, like a wrong one.
    requireHostHeader: false,
    noDelay: true,
    // A request for another protocol anywhere else is answered in HTTP.
    shouldUpgradeCallback: ({ url, headers }) =>
      isStreamPath(pathOf(url ?? '')) && headers.upgrade?.toLowerCase() === 'websocket',
  });
  const memory = new MemoryRelease();
  const upgrades = new Upgrades(options, memory);
  const turns = new Turns((error) => options.onError(error, 'a turn'));
  server.on('upgrade', (request, socket, head) => upgrades.take(request, socket as Socket, head));
  const malformed = new MalformedRequests();
  server.on('tlsClientError', ({ code = '' }: NodeJS.ErrnoException) => {
    const alert = code.split('_ALERT_')[1]?.toLowerCase().replaceAll('_', ' ');
    // Some clients name no reason and hang up.
    if (alert !== undefined || code === 'ECONNRESET') options.onDistrust?.(alert ?? 'it hung up');
  });
  server.on('clientError', (error, socket) => malformed.answer(error, socket as Socket));
  server.on('checkExpectation', (request, response) => {
    if (request.headers.expect === '') return server.emit('request', request, response);
    const unmet = new Failure('invalid_request', 'The only supported expectation is 100-continue.');
    const refusal = headerRefusal(request, options.names);
    return refuse(response, refusal ?? unmet, refusal?.status ?? 417);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  let isStopping = false;
  const host: ListeningHost = {
    environment: options.environment,
    url: `${options.secure === undefined ? 'http' : 'https'}://${address}:${port}`,
    get isStopping() {
      return isStopping;
    },
    take: (socket) => server.emit('connection', socket),
    stop() {
      isStopping = true;
      upgrades.cut();
      return stop(server);
    },
  };
  const shared = { ...options, turns };
  server.on('request', (request, response) => {
    memory.requested();
    malformed.begin(response);
    serve(request, response, shared, host).catch((error) => {
      // No answer: the outcome is unknown, and the client finds out by asking again.
      options.onError(error, `${request.method} on the ${options.environment} host`);
      response.destroy();
    });
  });
  return host;
}

async function serverOf(secure: HostCertificate | undefined, settings: ServerOptions): Promise<Server> {
  if (secure === undefined) return createServer(settings);
  const { createServer: createSecureServer } = await import('node:https');
  return createSecureServer({ ...settings, key: secure.key, cert: secure.certificate });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: HostOptions & { turns: Turns },
  host: ListeningHost,
): Promise<void> {
  const refusal = headerRefusal(request, options.names);
  if (refusal !== null) {
    const requestId = refuse(response, refusal);
    const { method = '', url = '' } = request;
    const line = { environment: options.environment, method, path: pathOf(url), status: refusal.status, durationMs: 0 };
    options.log?.({ ...line, requestId, error: refusal.body(requestId) });
    return;
  }
  if (options.origins.admit(request, response)) return;
  if (isStreamPath(pathOf(request.url ?? ''))) {
    const failure = new Failure('invalid_request', 'This path is a stream: connect to it with a WebSocket.');
    response.setHeader('upgrade', 'websocket');
    refuse(response, failure, 426);
    return;
  }
  const page = options.page(request, response, host);
  if (page !== null) return page;
  const body = await receivedBody(request);
  const problem = 'problem' in body ? body.problem : null;
  if (problem === 'aborted') return;
  // A client that sends many requests at once does not keep others from theirs.
  if (!options.turns.admits(request.socket)) await options.turns.whenTurn(request.socket);
  const startedAt = options.log === null ? 0 : performance.now();
  const wire = wireRequest(request, body);
  const received = {
    remoteAddress: request.socket.remoteAddress ?? '',
    bodyProblem: problem ?? undefined,
  };
  const { status, headers, body: json } = await options.answer(wire, received);
  if (problem === 'too_large') closeAfter(request, response);
  if (host.isStopping) response.shouldKeepAlive = false;
  send(response, status, headers, json);
  options.log?.({
    environment: options.environment,
    method: request.method ?? '',
    path: pathOf(wire.target),
    status,
    durationMs: performance.now() - startedAt,
    requestId: headers['x-request-id']!,
    error: status < 400 ? undefined : (json as { error?: object }).error,
  });
}

function wireRequest(request: IncomingMessage, body: Body): WireRequest {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return {
    // Any other request line names no operation, which the router reports.
    method: method as WireRequest['method'],
    target: targetOf(request.url ?? '/'),
    headers: request.headers as Record<string, string>,
    body: 'text' in body ? body.text : '',
  };
}

/** A proxy's request line has the full URL; only its path and query matter. */
function targetOf(url: string): string {
  return url.startsWith('http://') ? url.replace(/^http:\/\/[^/?]*/, '') || '/' : url;
}

function pathOf(target: string): string {
  return target.split('?', 1)[0]!;
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, json: unknown): void {
  const text = JSON.stringify(json);
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes,
    'cache-control': 'no-store',
    ...headers,
  });
  // Most answers are ASCII, which is also latin1 and is sent faster that way.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/** Refuses a request before it reaches the service: the same envelope, with its own request id. */
function refuse(response: ServerResponse, failure: Failure, status = failure.status): string {
  const requestId = newRequestId();
  closeAfter(response.req, response);
  send(response, status, { 'x-request-id': requestId }, { error: failure.body(requestId) });
  return requestId;
}

/** The rest of the request is read and dropped for a limited time: resetting the connection could lose the answer. */
function closeAfter(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardedBytes) request.destroy();
  });
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), maxWaitMs);
  await closed;
  clearTimeout(cut);
}

/**
 * Answers input that is not HTTP, with the error envelope, and closes its connection. Complete requests before it on
 * the same connection get their own answers first: they may have placed orders.
 */
class MalformedRequests {
  /** The request that each connection sent last, complete or in part. */
  readonly #last = new WeakMap<Socket, ServerResponse>();

  /** A request has started to arrive. */
  begin(response: ServerResponse): void {
    this.#last.set(response.req.socket, response);
  }

  answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const status = isLate ? 408 : 400;
    const message = isLate ? 'The request took too long to arrive.' : 'This is not a valid HTTP request.';
    const failure = new Failure('invalid_request', message);
    const last = this.#last.get(socket);
    if (last === undefined || last.writableFinished) endWith(socket, failure, status);
    // A request that was cut off in its body was not carried out and never will be.
    else if (!last.req.complete && !last.headersSent) refuse(last, failure, status);
    else endAfter(last, socket);
  }
}

/** Answers are sent in the order of their requests, so nothing is left to send after the last one. */
function endAfter(last: ServerResponse, socket: Socket): void {
  if (last.headersSent) last.once('finish', () => socket.end());
  else last.shouldKeepAlive = false;
}

/** Without a request to answer, the envelope is written by hand. */
function endWith(socket: Socket, failure: Failure, status: number): void {
  const requestId = newRequestId();
  const text = JSON.stringify({ error: failure.body(requestId) });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  );
}
