import type { Timing } from '../../base/sockets/timing.ts';
import type { Ms } from '../../exchange/engine/model.ts';

/** A feed's access to the outside world: time, randomness, and network hosts. Tests replace it. */
export interface Network extends Timing {
  /** The wall clock, Unix ms. It may be set, forward or back. */
  now(): Ms;
  /** The same in microseconds, where it is known so exactly. */
  nowUs?(): number;
  /** Opens a WebSocket. `onClose` reports any failure, once. */
  connect(url: string, events: SocketEvents): Socket;
  /** Sends an HTTP request; rejects if the answer is not complete within `timeoutMs`. */
  fetch(url: string, request: HttpRequest): Promise<HttpAnswer>;
}

/** The same world for limited work: its timers do not fire after `end`. */
export function scoped(network: Network): Network & { end(): void } {
  const cancels = new Set<() => void>();
  let isOver = false;
  return {
    now: () => network.now(),
    uptime: () => network.uptime(),
    random: () => network.random(),
    connect: (url, events) => network.connect(url, events),
    fetch: (url, request) => network.fetch(url, request),
    after(ms, run) {
      if (isOver) return () => {};
      const cancel = network.after(ms, () => {
        cancels.delete(cancel);
        run();
      });
      cancels.add(cancel);
      return () => {
        cancels.delete(cancel);
        cancel();
      };
    },
    end() {
      isOver = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}

/** Events of a socket; `onClose` comes last, once. */
export interface SocketEvents {
  onOpen(): void;
  /** A text frame. */
  onFrame(text: string): void;
  /**
   * The connection is closed, for this reason; nothing follows. `retryAfterMs`: how long a server that refused the
   * connection asks to wait.
   */
  onClose(reason: string, retryAfterMs?: Ms): void;
}

/** A WebSocket to a venue. */
export interface Socket {
  send(text: string): void;
  /** Sends a ping of the protocol. */
  ping?(): void;
  /** Ends the connection without waiting for the other side; `onClose` is not called. */
  abandon(): void;
}

/** A request to a venue's REST API. */
export interface HttpRequest {
  /** JSON; makes it a POST. */
  body?: string | undefined;
  timeoutMs: Ms;
}

/** A venue's answer, its body as text. */
export interface HttpAnswer {
  status: number;
  body: string;
  header(name: string): string | null;
}
