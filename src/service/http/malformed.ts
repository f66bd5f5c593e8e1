import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../failure.ts';
import { newRequestId } from '../request-id.ts';

type Refuse = (response: ServerResponse, failure: Failure, status: number) => void;

/**
 * Answers input that is not HTTP, with the error envelope, and closes its connection. Complete requests before it on
 * the same connection get their own answers first: they may have placed orders.
 */
export class MalformedRequests {
  readonly #refuse: Refuse;
  /** The request that each connection sent last, complete or in part. */
  readonly #last = new WeakMap<Socket, ServerResponse>();

  constructor(refuse: Refuse) {
    this.#refuse = refuse;
  }

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
    else if (!last.req.complete && !last.headersSent) this.#refuse(last, failure, status);
    else closeAfter(last, socket);
  }
}

/** Answers are sent in the order of their requests, so nothing is left to send after the last one. */
function closeAfter(last: ServerResponse, socket: Socket): void {
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
