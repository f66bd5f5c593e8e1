import type { FrontAnswer } from '../../../base/sockets/front.ts';

/** The state of a stream, as its follower reports it. */
export type StreamState =
  /** Accepted by the service: every subscription is confirmed, or the snapshots are complete. */
  | { kind: 'live' }
  /** Nothing has arrived for longer than expected. */
  | { kind: 'stale'; silentMs: number }
  /** Lost, or never accepted; the follower reconnects automatically. */
  | { kind: 'reconnecting'; reason: string; inMs: number; end: StreamEnding };

/** How a connection of a stream ended. */
export interface StreamEnding {
  /** The close code; 1006 if there was none. */
  readonly code: number;
  /** The HTTP status of a handshake that the service refused. */
  readonly status?: number | undefined;
  /** How long a service that refused a handshake asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The answer from something in front of the service, and what to do about it. */
  readonly front?: FrontAnswer | undefined;
}

/** A stream has ended for good. The command line maps its code or status to an exit status. */
export class StreamEndError extends Error {
  override readonly name = 'StreamEndError';
  readonly end: StreamEnding;

  constructor(message: string, end: StreamEnding) {
    super(message);
    this.end = end;
  }
}

/** Whether the same handshake would be refused again: a client error that is about neither time nor load. */
export function isRefusedForGood({ status = 0 }: StreamEnding): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

/**
 * The state after a connection has ended. The HTTP status says more than any reason, and a reason more than the code.
 */
export function reconnecting(ending: StreamEnding & { reason: string }, inMs: number): StreamState {
  const { code, reason, status, front } = ending;
  if (front !== undefined) return { kind: 'reconnecting', reason: front.says, inMs, end: { code, status, front } };
  if (status !== undefined)
    return {
      kind: 'reconnecting',
      reason: `the handshake was refused with HTTP ${status}`,
      inMs,
      end: { code, status },
    };
  return {
    kind: 'reconnecting',
    reason: reason === '' ? `the connection was lost (code ${code})` : reason,
    inMs,
    end: { code },
  };
}

/** Said of a stream without an address. */
export function unaddressed(stream: string): string {
  return `The address of the ${stream} stream is not set.`;
}

/** Said where what was told belongs to an earlier run of a simulation. */
export const anotherRun = 'The simulation was reset or restored: another run has begun.';
