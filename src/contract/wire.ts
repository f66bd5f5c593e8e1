/**
 * One request and one answer of the API, independent of what carries them: the in-process simulation and HTTP are
 * both functions of this shape, so a client cannot tell which of the two it talks to.
 */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with query, as on the request line: `/v1/orders?account_id=acc_1`. */
  target: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** The body's JSON text, if any. */
  body?: string | undefined;
}

export interface WireResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Parsed JSON; undefined when the answer has no body or it is not JSON. */
  body: unknown;
}

/** Sends one request and resolves with its answer, or throws when none came. */
export type Transport = (
  request: WireRequest,
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
) => Promise<WireResponse>;

/** What becomes of a stream: `closed` comes once, last, whether it ever opened or not. */
export interface StreamEvents {
  opened(): void;
  /** A frame of the service's. */
  text(text: string): void;
  /** `code`: of the WebSocket's close, 1006 where there was none. */
  closed(end: { code: number; reason: string }): void;
}

/** A stream as whoever opened it sees it; after `close` it tells nothing more. */
export interface OpenedStream {
  send(text: string): void;
  close(): void;
}

/** Opens a stream: `target` is its path with query. Over a WebSocket or in this process, like a Transport. */
export type StreamTransport = (target: string, events: StreamEvents) => OpenedStream;
