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

/** How a connection was lost, and why. */
export type StreamLoss = StreamEnding & { reason: string };

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
 * The state after a connection has ended. The HTTP status is more specific than any reason, and a reason more than the
 * code.
 */
export function reconnecting(ending: StreamLoss, inMs: number): StreamState {
  const { code, reason, status, front } = ending;
  const said = reason === '' ? `the connection was lost (code ${code})` : reason;
  return {
    kind: 'reconnecting',
    reason: front?.says ?? (status === undefined ? said : `the handshake was refused with HTTP ${status}`),
    inMs,
    end: { code, ...(status !== undefined && { status }), ...(front !== undefined && { front }) },
  };
}

/** The message for a stream without an address. */
export function unaddressed(stream: string): string {
  return `The address of the ${stream} stream is not set.`;
}

/** The message for data that belongs to an earlier run of a simulation. */
export const anotherRun = 'The simulation was reset or restored: another run has begun.';

/** The live data that a reader depends on: prices, and the credential's accounts. */
export type Subject = 'market' | 'account';

/** How current the data about a subject is. */
export interface StreamRow {
  /** The stream; `absent` if the host has none, `connecting` until it is accepted. */
  readonly stream: StreamState | { kind: 'absent' } | { kind: 'connecting' } | { kind: 'ended'; reason: string };
  /** Where the latest data came from; null before the first, when nothing is known. */
  readonly source: 'stream' | 'rest' | null;
  /** When it came, ms of a steady clock. */
  readonly at: number;
  /** Whether the service has accepted the stream at least once. */
  readonly wasAccepted: boolean;
  /** Since when the stream has not been live, ms of a steady clock; null while it is. */
  readonly downSince: number | null;
  /** Why the latest read over REST failed; null if it did not. */
  readonly restProblem: string | null;
}

/** How long a stream may be down before its data is read over REST, ms. A refused handshake does not wait. */
const restAfterMs = 3_000;

/**
 * The state, source and age of everything that live readers show or act on. It is the only record of that: `perp
 * watch`, `perp stream`, `--wait` and the guard all read this table.
 */
export class StreamTable {
  readonly #now: () => number;
  readonly #rows: Record<Subject, StreamRow>;

  /** `now`: a steady clock, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    const row: StreamRow = {
      stream: { kind: 'connecting' },
      source: null,
      at: 0,
      wasAccepted: false,
      downSince: now(),
      restProblem: null,
    };
    this.#rows = { market: row, account: row };
  }

  of(subject: Subject): StreamRow {
    return this.#rows[subject];
  }

  /** Takes over the state of a stream, as its follower reports it. */
  took(subject: Subject, stream: StreamRow['stream']): void {
    const row = this.#rows[subject];
    const isLive = stream.kind === 'live';
    this.#change(subject, {
      stream,
      wasAccepted: row.wasAccepted || isLive,
      downSince: isLive ? null : (row.downSince ?? this.#now()),
      ...(isLive && { restProblem: null }),
    });
    if (isLive) this.heard(subject, 'stream');
  }

  /** Data has arrived. */
  heard(subject: Subject, source: 'stream' | 'rest'): void {
    this.#change(subject, { source, at: this.#now(), ...(source === 'rest' && { restProblem: null }) });
  }

  /** A read over REST failed. */
  notRead(subject: Subject, restProblem: string): void {
    this.#change(subject, { restProblem });
  }

  /** The values come from an earlier run. */
  forget(): void {
    for (const subject of ['market', 'account'] as const) this.#change(subject, { source: null });
  }

  /** Whether anything is known. Before that, an empty result may only mean that nothing was read. */
  isKnown(subject: Subject): boolean {
    return this.#rows[subject].source !== null;
  }

  isLive(subject: Subject): boolean {
    return this.#rows[subject].stream.kind === 'live';
  }

  /** How old the latest data is, ms; Infinity before the first. Data of a live stream is as new as its last frame. */
  ageMs(subject: Subject): number {
    const { source, at } = this.#rows[subject];
    return source === null ? Number.POSITIVE_INFINITY : this.#now() - at;
  }

  /** Whether REST has to take over. */
  needsRest(subject: Subject): boolean {
    const { stream, downSince } = this.#rows[subject];
    if (downSince === null) return false;
    const isRefused = stream.kind === 'reconnecting' && stream.end.status !== undefined;
    return isRefused || stream.kind === 'absent' || stream.kind === 'ended' || this.#now() - downSince >= restAfterMs;
  }

  #change(subject: Subject, change: Partial<StreamRow>): void {
    this.#rows[subject] = { ...this.#rows[subject], ...change };
  }
}
