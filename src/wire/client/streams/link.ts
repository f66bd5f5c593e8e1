import type { Timing } from '../../../base/sockets/timing.ts';
import { jsonObjectIn } from '../../../base/terms/json-object.ts';
import { closeCodes } from '../../contract/streams.ts';
import type { OpenedStream, StreamTransport } from '../../contract/wire.ts';
import type { StreamLoss, StreamState } from './stream-state.ts';

/** How much silence, ms, makes a stream stale, and dead. */
export interface Silence {
  staleMs: number;
  deadMs: number;
}

/** The service sends something every 15 s, and answers a ping at once. */
export const usualSilence: Silence = { staleMs: 25_000, deadMs: 45_000 };

/** How a stream is reached, and the listeners for its states. */
export interface FollowerOptions {
  transport: StreamTransport;
  onState?: ((state: StreamState) => void) | undefined;
  /** A connection was opened, to this run of a simulation; called before its first frame, and not for a host. */
  onRun?: ((run: string) => void) | undefined;
  silence?: Silence | undefined;
  firstRetryMs?: number | undefined;
  timing?: Timing | undefined;
}

/** Events of one connection; `lost` comes last, once. */
export interface LinkEvents {
  opened(headers?: Readonly<Record<string, string>>): void;
  stale(silentMs: number): void;
  /** Frames arrive again. */
  revived(): void;
  /**
   * A frame; returns what is wrong with it. After an invalid frame, nothing on the connection is trusted: it is lost.
   */
  frame(frame: Record<string, unknown>): string | undefined;
  /** The link was lost: it ended without being closed by its owner. */
  lost(end: StreamLoss): void;
}

/** One connection to a stream: parses its frames, and closes when nothing arrives anymore. */
export class Link {
  isOpen = false;
  readonly #timing: Timing;
  readonly #silence: Silence;
  readonly #events: LinkEvents;
  readonly #stream: OpenedStream;
  #isOver = false;
  #receivedAt: number;
  #isStale = false;
  #cancelTimer = () => {};

  /** Silence counts from the beginning, including the time to connect. */
  constructor(transport: StreamTransport, target: string, timing: Timing, silence: Silence, events: LinkEvents) {
    this.#timing = timing;
    this.#silence = silence;
    this.#events = events;
    this.#receivedAt = timing.uptime();
    this.#watch(silence.staleMs);
    this.#stream = transport(target, {
      opened: (headers) => this.#opened(headers),
      text: (text) => this.#receive(text),
      closed: (end) => this.#lost(end),
    });
  }

  send(frame: object): void {
    if (!this.#isOver) this.#stream.send(JSON.stringify(frame));
  }

  /** Ends it; nothing more is reported. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer();
    this.#stream.close();
  }

  #opened(headers?: Readonly<Record<string, string>>): void {
    if (this.#isOver) return;
    this.isOpen = true;
    this.#receivedAt = this.#timing.uptime();
    this.#events.opened(headers);
  }

  #receive(text: string): void {
    if (this.#isOver) return;
    this.#receivedAt = this.#timing.uptime();
    if (this.#isStale) this.#events.revived();
    this.#isStale = false;
    const frame = jsonObjectIn(text);
    if (frame === null) this.#refuse('it is not a JSON object, or nests too deeply');
    else {
      const issue = this.#events.frame(frame);
      if (issue !== undefined) this.#refuse(issue);
    }
  }

  #refuse(issue: string): void {
    if (this.#isOver) return;
    this.#stream.close();
    this.#lost({ code: closeCodes.malformed, reason: `a frame could not be read: ${issue}` });
  }

  #lost(end: StreamLoss): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.#events.lost(end);
  }

  #watch(ms: number): void {
    this.#cancelTimer = this.#timing.after(ms, () => {
      const { staleMs, deadMs } = this.#silence;
      const silentMs = this.#timing.uptime() - this.#receivedAt;
      if (silentMs >= deadMs) {
        this.#stream.close();
        this.#lost({ code: 1006, reason: `nothing arrived for ${Math.round(silentMs / 1000)} s` });
        return;
      }
      if (silentMs >= staleMs && !this.#isStale) {
        this.#isStale = true;
        this.#events.stale(silentMs);
      }
      this.#watch(Math.max(1, (silentMs < staleMs ? staleMs : deadMs) - silentMs));
    });
  }
}
