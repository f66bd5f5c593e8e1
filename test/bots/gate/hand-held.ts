import type { Variables } from '../../../src/base/files/folders.ts';
import { realTiming, type Timing } from '../../../src/base/sockets/timing.ts';
import { SessionMemory } from '../../../src/desk/session/memory.ts';
import type { Access, Session } from '../../../src/desk/session/session.ts';
import { Client } from '../../../src/wire/client/client.ts';
import { unforbidden } from '../../../src/wire/client/proven-send.ts';
import type { StreamEvents, StreamTransport, Transport } from '../../../src/wire/contract/wire.ts';

/** Time that passes when a test says so, ms. */
export class HandHeldTime implements Timing {
  now = 0;
  #due: { at: number; run: () => void }[] = [];

  uptime(): number {
    return this.now;
  }

  random(): number {
    return 0.5;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.now + ms, run };
    this.#due.push(timer);
    return () => {
      this.#due = this.#due.filter((one) => one !== timer);
    };
  }

  /** Lets time pass, and runs what is due. */
  pass(ms: number): void {
    this.now += ms;
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= this.now).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) return;
      this.#due = this.#due.filter((one) => one !== next);
      next.run();
    }
  }
}

/** A stream whose frames arrive when a test says so, and whose connections break on request. */
export class HandHeldStream {
  readonly transport: StreamTransport;
  readonly #time: HandHeldTime;
  #held: { at: number; deliver: () => void }[] = [];
  #connection: { events: StreamEvents; close: () => void } | undefined;
  breaks = 0;
  /** The service does not know its streams any more. */
  forgets = false;

  constructor(inner: StreamTransport, time: HandHeldTime) {
    this.#time = time;
    this.transport = (target, events) => {
      let isOver = false;
      const hold = (deliver: () => void) => {
        this.#held.push({ at: time.now, deliver: () => isOver || deliver() });
      };
      const [path = '', query = ''] = target.split('?');
      const since = new URLSearchParams(query).get('since');
      const asked = this.forgets && since !== null ? `${path}?resume=none&last_seq=0&since=${since}` : target;
      const stream = inner(asked, {
        opened: () => hold(() => events.opened()),
        text: (text) => hold(() => events.text(text)),
        closed: (end) => hold(() => events.closed(end)),
      });
      const close = () => {
        isOver = true;
        stream.close();
      };
      this.#connection = { events, close };
      return { send: (text) => stream.send(text), close };
    };
  }

  /** Delivers so many of the oldest frames, and everything that is older than this, ms. */
  deliver(count: number, olderMs = Number.POSITIVE_INFINITY): void {
    for (let left = count; this.#held.length > 0; left -= 1) {
      const { at, deliver } = this.#held[0]!;
      if (left <= 0 && this.#time.now - at < olderMs) return;
      this.#held.shift();
      deliver();
    }
  }

  /** Breaks the connection: what has not arrived yet never does. */
  break(code = 1006): void {
    const broken = this.#connection;
    if (broken === undefined) return;
    this.#connection = undefined;
    this.#held = [];
    this.breaks += 1;
    broken.close();
    broken.events.closed({ code, reason: 'cut' });
  }
}

/** What a session of a test is made of. */
interface Parts {
  readonly transport: Transport;
  readonly streams: { readonly account: StreamTransport; readonly market: StreamTransport };
  readonly accountPath: string;
  /** Default: real time. */
  readonly time?: Timing;
  /** Unix ms; default: of `time`. */
  readonly now?: () => number;
  readonly variables?: Variables;
}

/** A session over any transport, with the time of a test. */
export function sessionOver({ transport, streams, accountPath, time = realTiming, ...parts }: Parts): Session {
  const client = new Client({ transport, keepsKeys: true });
  const access = {
    client,
    urgent: client,
    once: client,
    carrier: { transport },
    isInProcess: true,
    arrivalMs: 0,
    destination: { environment: 'sim', state: 'default', prices: 'synthetic' },
    bug: () => undefined,
    exposureProof: async () => unforbidden,
    streams: async () => ({ market: streams.market, account: { transport: streams.account, path: accountPath } }),
  } as unknown as Access;
  return {
    call: (id, request) => client.call(id, request),
    pages: (id, request) => client.pages(id, request),
    access: async () => access,
    signal: new AbortController().signal,
    note() {},
    settings: { environment: 'sim', dryRun: true, timeoutMs: 5_000 } as Session['settings'],
    memory: new SessionMemory({ isHost: false }),
    machine: {
      variables: parts.variables ?? {},
      now: parts.now ?? (() => time.uptime()),
      stage: { timers: time },
    } as unknown as Session['machine'],
  };
}
