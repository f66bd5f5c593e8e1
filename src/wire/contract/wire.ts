/**
 * One request and one answer of the API, no matter what carries them: the in-process simulation and HTTP are both
 * functions of this shape, so a client can't tell which of the two it talks to.
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

/** An answer as it came, its body parsed from JSON. */
export interface WireResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Parsed JSON; undefined when the answer has no body or it is not JSON. */
  body: unknown;
}

/** Sends one request and resolves with its answer, or throws if none came. */
export type Transport = (
  request: WireRequest,
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
) => Promise<WireResponse>;

/** Callbacks of a stream. `closed` is called once, last, whether or not it ever opened. */
export interface StreamEvents {
  /** Called with the headers of the opening answer, their names in lower case. */
  opened(headers?: Readonly<Record<string, string>>): void;
  /** A frame from the service. */
  text(text: string): void;
  /**
   * `code`: of the WebSocket's close, 1006 if there was none; `status`: of a handshake that was refused over HTTP;
   * `retryAfterMs`: how long the service then asks to wait.
   */
  closed(end: { code: number; reason: string; status?: number | undefined; retryAfterMs?: number | undefined }): void;
}

/** A stream as its opener sees it; after `close`, nothing more is reported. */
export interface OpenedStream {
  send(text: string): void;
  close(): void;
}

/** Opens a stream: `target` is its path with query. Like a Transport, it runs over a WebSocket or in this process. */
export type StreamTransport = (target: string, events: StreamEvents) => OpenedStream;
