import type { Timing } from '../../../../src/base/sockets/timing.ts';
import type { StreamEvents, StreamTransport } from '../../../../src/wire/contract/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
type Frame = any;

/** One connection of a scripted host. */
export class ScriptedConnection {
  readonly target: string;
  readonly events: StreamEvents;
  readonly sent: Frame[] = [];
  isClosed = false;

  constructor(target: string, events: StreamEvents) {
    this.target = target;
    this.events = events;
  }

  say(...frames: Frame[]): void {
    if (!this.isClosed) for (const frame of frames) this.events.text(JSON.stringify(frame));
  }

  /**
   * Accepts every subscription, without a replay; the first has this handle, the second has it with a 2 appended, and
   * so on.
   */
  accept(handle: string): void {
    for (const [index, { id }] of this.sent.filter(({ op }) => op === 'sub').entries())
      this.say({ op: 'sub_ok', id, sub: index === 0 ? handle : `${handle}${index + 1}`, snapshotBoundary: false });
  }

  lose(code = 1006, reason = ''): void {
    this.isClosed = true;
    this.events.closed({ code, reason });
  }

  last(op: string): Frame {
    return this.sent.findLast((frame) => frame.op === op);
  }
}

/** A host whose every frame a test writes. */
export class ScriptedHost {
  readonly connections: ScriptedConnection[] = [];
  /** Refuses connections while it is down. */
  isDown = false;

  readonly transport: StreamTransport = (target, events) => {
    const connection = new ScriptedConnection(target, events);
    this.connections.push(connection);
    queueMicrotask(() => {
      if (this.isDown) connection.lose(1006, 'connect ECONNREFUSED');
      else if (!connection.isClosed) events.opened();
    });
    return {
      send: (text) => connection.sent.push(JSON.parse(text)),
      close: () => {
        connection.isClosed = true;
      },
    };
  };

  get newest(): ScriptedConnection {
    return this.connections.at(-1)!;
  }
}

/** A clock that tests advance. */
export class VirtualTime implements Timing {
  #now = 0;
  #timers: { at: number; run: () => void }[] = [];

  uptime(): number {
    return this.#now;
  }

  random(): number {
    return 0.5;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Advances time, timer by timer, with a turn of the event loop after each. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await turn();
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
      await turn();
    }
    this.#now = until;
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
