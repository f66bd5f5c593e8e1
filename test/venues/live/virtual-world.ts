import type { HttpAnswer, HttpRequest, Network, Socket, SocketEvents } from '../../../src/venues/live/network.ts';

/** The server's end of a WebSocket. */
export interface ServerSocket {
  readonly url: string;
  send(text: string): void;
  /** Closes the connection; the client is notified. */
  close(reason: string): void;
  readonly isOpen: boolean;
}

/** A server in a virtual world: it answers frames and requests, and may send frames itself. */
export interface VirtualServer {
  onConnect(socket: ServerSocket): void;
  onFrame(socket: ServerSocket, text: string): void;
  onClose?(socket: ServerSocket): void;
  onRequest(path: string, body: string | undefined): VirtualAnswer | null;
}

export interface VirtualAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** Duration of the answer, in virtual milliseconds. */
  afterMs?: number;
}

/** The network between client and server: it may drop, change or delay everything. */
export interface Route {
  /** The server's frames as they arrive: none, one or more, each after a number of milliseconds. */
  down?(text: string, socket: ServerSocket): { text: string; afterMs: number }[];
  /** Whether a frame from the client arrives. */
  up?(text: string): boolean;
  /**
   * Whether a connection can be opened: why not, and how long the server asks to wait; null if nothing ever answers.
   */
  open?(url: string): true | { reason: string; retryAfterMs?: number } | null;
}

interface Timer {
  at: number;
  order: number;
  run: () => void;
}

/** A test's time, randomness and network: everything that happens is scheduled, in the same order each time. */
export class VirtualWorld implements Network {
  route: Route = {};
  /** Milliseconds from sending a frame to its arrival. */
  latencyMs = 5;
  /** By how much the wall clock was set, ms. */
  wallSetMs = 0;
  private time: number;
  private order = 0;
  private readonly timers: Timer[] = [];
  private readonly server: VirtualServer;
  private seed: number;
  private underWay = 0;

  constructor(server: VirtualServer, startMs: number, seed = 1) {
    this.server = server;
    this.time = startMs;
    this.seed = seed;
  }

  now(): number {
    return this.time + this.wallSetMs;
  }

  uptime(): number {
    return this.time;
  }

  random(): number {
    // Mulberry32.
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Number of scheduled calls. */
  get pending(): number {
    return this.timers.length;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + Math.max(0, ms), order: this.order++, run };
    let place = this.timers.length;
    while (place > 0 && isLater(this.timers[place - 1]!, timer)) place -= 1;
    this.timers.splice(place, 0, timer);
    return () => {
      const at = this.timers.indexOf(timer);
      if (at >= 0) this.timers.splice(at, 1);
    };
  }

  connect(url: string, events: SocketEvents): Socket {
    let state: 'connecting' | 'open' | 'over' = 'connecting';
    const end = (reason: string, isTold: boolean, retryAfterMs?: number) => {
      if (state === 'over') return;
      const wasOpen = state === 'open';
      state = 'over';
      if (wasOpen) this.server.onClose?.(socket);
      if (isTold) events.onClose(reason, retryAfterMs);
    };
    const socket: ServerSocket = {
      url,
      get isOpen() {
        return state === 'open';
      },
      send: (text) => {
        const arrivals = this.route.down?.(text, socket) ?? [{ text, afterMs: 0 }];
        for (const arrival of arrivals) {
          this.after(this.latencyMs + arrival.afterMs, () => {
            if (state === 'open') events.onFrame(arrival.text);
          });
        }
      },
      close: (reason) => void this.after(this.latencyMs, () => end(reason, true)),
    };
    const admission = this.route.open?.(url) ?? true;
    if (admission !== null && admission !== true) {
      this.after(2 * this.latencyMs, () => end(admission.reason, true, admission.retryAfterMs));
    } else if (admission === true) {
      this.after(2 * this.latencyMs, () => {
        if (state !== 'connecting') return;
        state = 'open';
        events.onOpen();
        this.server.onConnect(socket);
      });
    }
    return {
      send: (text) => {
        if (state !== 'open' || this.route.up?.(text) === false) return;
        this.after(this.latencyMs, () => {
          if (state === 'open') this.server.onFrame(socket, text);
        });
      },
      abandon: () => end('', false),
    };
  }

  fetch(url: string, { body, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
    const { pathname, search } = new URL(url);
    this.underWay += 1;
    return new Promise<HttpAnswer>((resolve, reject) => {
      this.after(this.latencyMs, () => {
        const answer = this.server.onRequest(pathname + search, body);
        if (answer === null || (answer.afterMs ?? 0) > timeoutMs) {
          this.after(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)));
          return;
        }
        const headers = answer.headers ?? {};
        const told = { ...answer, header: (name: string) => headers[name.toLowerCase()] ?? null };
        this.after(this.latencyMs + (answer.afterMs ?? 0), () => resolve(told));
      });
    }).finally(() => {
      this.underWay -= 1;
    });
  }

  /** Advances time, and runs everything that becomes due. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms;
    await this.settle();
    let settledAt = this.time;
    while (this.timers.length > 0 && this.timers[0]!.at <= until) {
      const timer = this.timers.shift()!;
      this.time = Math.max(this.time, timer.at);
      timer.run();
      // Promises go on while time passes, also those that wait for no request.
      if (this.underWay > 0 || this.time - settledAt >= 10) {
        settledAt = this.time;
        await this.settle();
      }
    }
    this.time = until;
    await this.settle();
  }

  /** Lets settled promises run their handlers, and the handlers of those. */
  private settle(): Promise<void> {
    return new Promise((resolve) => process.nextTick(resolve));
  }
}

function isLater(one: Timer, other: Timer): boolean {
  return one.at > other.at || (one.at === other.at && one.order > other.order);
}
