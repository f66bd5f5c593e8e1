import type { Failure } from './failure.ts';

/** Where the frames of one connection go: a WebSocket, or a consumer in this process. */
export interface Outlet {
  send(text: string): void;
  /** Bytes that were queued and not sent yet. */
  readonly buffered: number;
  close(code: number, reason: string): void;
}

/** A reader with more than this waiting is disconnected. */
export const maxBufferedBytes = 8 * 1024 * 1024;
/** Why the connection of a client that does not read is closed. */
export const tooSlowReason = `more than ${maxBufferedBytes / 1024 / 1024} MiB are waiting to be read`;

/** A request for a stream. */
export interface StreamRequest {
  /** One of the contract's stream paths. */
  path: string;
  search: URLSearchParams;
  authorization: string | undefined;
}

/** An open connection, as its transport sees it. */
export interface StreamConnection {
  /** A text frame from the client. */
  receive(text: string): void;
  /** A WebSocket ping from the client. */
  pinged(): void;
  /** How many of its frames wait for their turn. */
  readonly waiting: number;
  /** The connection is gone. */
  end(): void;
}

/** The streams of a host. */
export interface StreamHost {
  readonly isStopping: boolean;
  /** The answer that opens a stream. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Admits a request before the upgrade, and returns what then opens it; what it throws is answered over HTTP. */
  admit(request: StreamRequest): Promise<(outlet: Outlet) => StreamConnection>;
  /** The answer to an error; a bug is also reported. */
  failureOf(error: unknown, requestId: string): Failure;
}
