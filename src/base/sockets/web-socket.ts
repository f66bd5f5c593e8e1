import type { Dispatcher, WebSocket } from 'undici';
import { type FrontAnswer, frontAnswer, retryAfterMs } from './front.ts';

/** How a WebSocket ended. */
export interface SocketEnd {
  /** The close code; 1006 if there was none. */
  code: number;
  /** The peer's reason, or what went wrong; empty if nothing is known. */
  reason: string;
  /** The HTTP status of a handshake that was refused. */
  status?: number | undefined;
  /** How long a server that refused the handshake asks to wait. */
  retryAfterMs?: number | undefined;
  /** An answer from something in front of the server. */
  front?: FrontAnswer | undefined;
}

/** Callbacks of a WebSocket. */
interface WebSocketEvents {
  /** With the headers of the answer to the handshake, their names in lower case. */
  opened(headers: Readonly<Record<string, string>>): void;
  text(text: string): void;
  binary(bytes: ArrayBuffer): void;
  /** It has ended without being abandoned; called once, and nothing follows. */
  closed(end: SocketEnd): void;
}

/** An open WebSocket, or one that is being opened. */
export interface RawSocket {
  send(text: string): void;
  /** Sends a ping of the protocol, whose answer nobody sees. */
  ping(): void;
  /** Ends it without waiting for the other side; nothing more is reported. */
  abandon(): void;
}

/** How a WebSocket is opened: undici's class, what carries the request, and headers of the handshake. */
export interface WebSocketWay {
  WebSocket: typeof WebSocket;
  dispatcher: Dispatcher;
  headers?: Record<string, string>;
  /** The server's name; by default it is the service, which signs each of its answers (X-Request-Id). */
  server?: string;
}

/** Opens a WebSocket. No redirect is followed. */
export function openWebSocket(url: string, { WebSocket, ...way }: WebSocketWay, events: WebSocketEvents): RawSocket {
  const handshake: Handshake = { answer: {}, headers: {} };
  const dispatcher = way.dispatcher.compose(
    (dispatch) => (request, handler) => dispatch(request, notingHandshake(handler, handshake, way.server)),
  );
  const socket = new WebSocket(url, { dispatcher, headers: way.headers ?? {} });
  let isOver = false;
  let problem = '';
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => {
    if (!isOver) events.opened(handshake.headers);
  });
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return;
    if (typeof data === 'string') events.text(data);
    else events.binary(data as ArrayBuffer);
  });
  socket.addEventListener('error', ({ error, message }) => {
    problem = causeOf(error) ?? message;
  });
  socket.addEventListener('close', ({ code, reason }) => {
    if (isOver) return;
    isOver = true;
    events.closed({ code, reason: reason || problem || (handshake.problem ?? ''), ...handshake.answer });
  });
  return {
    send(text) {
      if (!isOver && socket.readyState === socket.OPEN) socket.send(text);
    },
    ping() {
      // It is loaded: the class that made the socket comes from there.
      void import('undici').then(({ default: { ping } }) => {
        if (!isOver && socket.readyState === socket.OPEN) ping(socket);
      });
    },
    abandon() {
      if (isOver) return;
      isOver = true;
      socket.close(1000);
      // A half-open connection never answers a close; it must not keep the process alive until the kernel drops it.
      (socket as unknown as Record<symbol, (() => void) | undefined>)[Symbol.for('nodejs.unref')]?.();
    },
  };
}

/** The last non-empty message in the chain of causes: undici's own message says little. */
export function causeOf(error: unknown): string | undefined {
  let found: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause.message !== '') found = cause.message;
  return found;
}

/** The answer to a handshake, and why there is no connection: a WebSocket doesn't report it. */
interface Handshake {
  /** A server's answer that refuses the upgrade. */
  answer: Pick<SocketEnd, 'status' | 'retryAfterMs' | 'front'>;
  /** Why none answered. */
  problem?: string | undefined;
  /** A server's answer that accepts it. */
  headers: Record<string, string>;
}

function notingHandshake(
  handler: Dispatcher.DispatchHandler,
  handshake: Handshake,
  server: string | undefined,
): Dispatcher.DispatchHandler {
  const noting = Object.create(handler) as Dispatcher.DispatchHandler;
  noting.onResponseStart = (controller, status, headers, message) => {
    handshake.answer.status = status;
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const wait = retryAfterMs(named, Date.now());
    if (wait !== undefined && wait > 0) handshake.answer.retryAfterMs = wait;
    // A bare refusal may be the service's own.
    const isUnsigned = server === undefined && named['x-request-id'] === undefined && named.server !== undefined;
    handshake.answer.front = frontAnswer(status, named, server, isUnsigned);
    return handler.onResponseStart?.(controller, status, headers, message);
  };
  noting.onRequestUpgrade = (controller, status, headers, socket) => {
    for (const [name, value] of Object.entries(headers)) handshake.headers[name.toLowerCase()] = String(value);
    return handler.onRequestUpgrade?.(controller, status, headers, socket);
  };
  noting.onResponseError = (controller, error) => {
    handshake.problem = causeOf(error);
    return handler.onResponseError?.(controller, error);
  };
  return noting;
}
