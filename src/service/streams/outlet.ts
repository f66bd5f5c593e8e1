/** Where the frames of one connection go: a WebSocket, or a consumer in this process. */
export interface Outlet {
  send(text: string): void;
  /** Bytes that were queued and not sent yet. */
  readonly buffered: number;
  close(code: number, reason: string): void;
}

/** Above this many waiting bytes, only what must not be dropped is sent: prints, final candles, account frames. */
export const busyBytes = 1024 * 1024;
/** A reader with more than this waiting is disconnected. */
export const maxBufferedBytes = 8 * 1024 * 1024;
/** Why the connection of a client that does not read is closed. */
export const tooSlowReason = `more than ${maxBufferedBytes / 1024 / 1024} MiB are waiting to be read`;
