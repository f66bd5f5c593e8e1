import type { StreamState } from './stream-state.ts';

/** The live data that a reader depends on: prices, and the credential's accounts. */
export type Subject = 'market' | 'account';

/** How current what is known about a subject is. */
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
 * The state, source and age of everything that live readers show or act on. There is no other account of it: `perp
 * watch`, `perp stream`, `--wait` and the guard all ask this table what they know.
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

  /** Whether anything is known. Before that, "none" can't be said of it. */
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
