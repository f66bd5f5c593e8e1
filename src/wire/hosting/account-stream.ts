import { randomBytes } from 'node:crypto';
import { closeCodes, resumeWindowMs } from '../contract/streams.ts';
import { maxBufferedBytes, type Outlet, tooSlowReason } from './stream-host.ts';

/** Longest time without a frame, ms: clients treat 45 s of silence as a dead connection. */
const heartbeatMs = 15_000;
/** Maximum number of frames kept to resume a stream. */
const maxKeptFrames = 5_000;

/** Where a client stopped, as it says when it reconnects. */
export interface Resume {
  streamId: string;
  lastSeq: number;
  /** Time of its last frame, Unix ms; null: none. */
  since: number | null;
}

/** Where a client stopped, from its query; invalid values are ignored, and the stream starts over. */
export function resumeOf(search: URLSearchParams): Resume | null {
  const streamId = search.get('resume');
  if (streamId === null) return null;
  return { streamId, lastSeq: wholeNumber(search.get('last_seq')) ?? -1, since: wholeNumber(search.get('since')) };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

/** A frame without its number: `{"type":"order",` and what comes after `"seq":N`. */
export interface FrameText {
  head: string;
  tail: string;
}

/** A frame of any type; each stream adds its own number. */
export function frameText(type: string, rest: object): FrameText {
  return { head: `{"type":"${type}","seq":`, tail: `,${JSON.stringify(rest).slice(1)}` };
}

interface KeptFrame {
  seq: number;
  keptAt: number;
  text: string;
}

/**
 * One account stream: it outlives its connection, and can be resumed where it stopped as long as everything since then
 * is kept.
 */
export class AccountStream {
  readonly id = `st_${randomBytes(12).toString('base64url')}`;
  #outlet: Outlet | null = null;
  #isStillAllowed: () => boolean = () => true;
  #seq = 0;
  /** The number of the last snapshot: a client that did not get this far starts over. */
  #snapshotSeq = 0;
  #kept: KeptFrame[] = [];
  #sentAt = 0;
  /** When its credential was looked at. */
  #checkedAt = 0;
  #brokenOffAt: number | null = null;
  /** Frames since the connection dropped. */
  #unseen = 0;

  get isConnected(): boolean {
    return this.#outlet !== null;
  }

  /** Begins with everything open: one snapshot for each account. */
  begin(outlet: Outlet, isStillAllowed: () => boolean, snapshots: readonly FrameText[], wallMs: number): void {
    this.#connect(outlet, isStillAllowed, wallMs);
    this.#send(JSON.stringify({ type: 'hello', stream_id: this.id, resumed: false }));
    for (const snapshot of snapshots) this.send(snapshot, wallMs);
    // They are never sent again.
    this.#kept = [];
    this.#snapshotSeq = this.#seq;
    this.#send('{"type":"snapshot_end"}');
  }

  /** Resumes after `lastSeq` on another connection; returns false and does nothing if that is no longer possible. */
  resume(outlet: Outlet, isStillAllowed: () => boolean, lastSeq: number, wallMs: number): boolean {
    const isKept = lastSeq === this.#seq || (this.#kept[0] !== undefined && this.#kept[0].seq <= lastSeq + 1);
    if (lastSeq < this.#snapshotSeq || lastSeq > this.#seq || !isKept) return false;
    this.#outlet?.close(closeCodes.takenOver, 'the stream was resumed by another connection');
    this.#connect(outlet, isStillAllowed, wallMs);
    this.#send(JSON.stringify({ type: 'hello', stream_id: this.id, resumed: true }));
    for (const { seq, text } of this.#kept) if (seq > lastSeq) this.#send(text);
    return true;
  }

  send({ head, tail }: FrameText, wallMs: number): void {
    this.#seq += 1;
    if (this.#outlet === null) this.#unseen += 1;
    const text = `${head}${this.#seq}${tail}`;
    this.#kept.push({ seq: this.#seq, keptAt: wallMs, text });
    if (this.#kept.length > maxKeptFrames) this.#kept.splice(0, maxKeptFrames / 2);
    this.#sentAt = wallMs;
    this.#send(text);
  }

  /** Sends heartbeats, checks the credential, and drops old frames; true if the stream is over. */
  pulse(wallMs: number): boolean {
    const tooOld = this.#kept.findIndex(({ keptAt }) => wallMs - keptAt <= resumeWindowMs);
    if (tooOld !== 0) this.#kept.splice(0, tooOld < 0 ? this.#kept.length : tooOld);
    if (this.#outlet === null) return wallMs - this.#brokenOffAt! > resumeWindowMs;
    const isSilent = wallMs - this.#sentAt >= heartbeatMs;
    // A credential may expire in the middle of a busy stream.
    if (!isSilent && wallMs - this.#checkedAt < heartbeatMs) return false;
    this.#checkedAt = wallMs;
    if (this.#isStillAllowed()) {
      if (isSilent) {
        this.#sentAt = wallMs;
        this.#send('{"type":"heartbeat"}');
      }
      return false;
    }
    this.#send(
      JSON.stringify({ type: 'error', code: 'unauthorized', message: 'The credential was revoked or expired.' }),
    );
    this.#outlet.close(closeCodes.unauthorized, 'the credential was revoked or expired');
    return true;
  }

  /** The number of frames that nobody has seen, counted once. */
  takeUnseen(): number {
    const unseen = this.#unseen;
    this.#unseen = 0;
    return unseen;
  }

  /** Asks the client to reconnect. */
  askToReconnect(): void {
    this.#send('{"type":"reconnect"}');
  }

  close(code: number, reason: string): void {
    this.#outlet?.close(code, reason);
  }

  /** Closes, when it is called, the connection that it has now. */
  retirement(code: number, reason: string): () => void {
    const outlet = this.#outlet;
    return () => {
      if (this.#outlet === outlet) outlet?.close(code, reason);
    };
  }

  /** A connection is gone; if it is this stream's, the stream waits to be resumed. */
  disconnect(outlet: Outlet, wallMs: number): void {
    if (this.#outlet !== outlet) return;
    this.#outlet = null;
    this.#brokenOffAt = wallMs;
  }

  #connect(outlet: Outlet, isStillAllowed: () => boolean, wallMs: number): void {
    this.#outlet = outlet;
    this.#unseen = 0;
    this.#isStillAllowed = isStillAllowed;
    this.#sentAt = wallMs;
    this.#checkedAt = wallMs;
    this.#brokenOffAt = null;
  }

  #send(text: string): void {
    if (this.#outlet === null) return;
    if (this.#outlet.buffered > maxBufferedBytes) this.#outlet.close(closeCodes.tooSlow, tooSlowReason);
    else this.#outlet.send(text);
  }
}
