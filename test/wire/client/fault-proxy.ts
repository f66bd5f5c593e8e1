import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * What goes wrong on one connection, at a byte position of what the client sends (`request`) or gets (`response`):
 * - `cut`: both sides see the connection end there (FIN);
 * - `truncate`: the receiver sees the end there; the other side does not notice and may still be answered;
 * - `reset`: both sides see it reset there (RST);
 * - `stall`: nothing more passes in that direction, without notice;
 * - `delay`: it continues after `delayMs`;
 * - `drop`: the client is reset there, while the server still gets the whole request, `delayMs` later (`request` only);
 * - `duplicate`: from there on the bytes so far are delivered once more: a request on a connection of its own, as a
 *   proxy does that tries again, a response on the same one.
 */
export interface Fault {
  side: 'request' | 'response';
  kind: 'cut' | 'truncate' | 'reset' | 'stall' | 'delay' | 'drop' | 'duplicate';
  position: number;
  delayMs?: number;
  /**
   * The position counts from the start of this write, whatever connection carries it (0: the first write); without it,
   * from the start of the next connection.
   */
  write?: number;
}

/** A TCP proxy on real sockets. It forwards everything, except on connections with an armed fault. */
export interface FaultProxy {
  url: string;
  /** The next connection gets the first fault, the one after it the next; later connections get none. */
  arm(...faults: Fault[]): void;
  /** Whether the position of an armed fault has been reached. */
  struck(): boolean;
  /** Waits until everything that a fault delayed has been delivered and read. */
  settled(): Promise<void>;
  /** Bytes forwarded on the latest connection that carried a write, or on the latest one. */
  passed(): { request: number; response: number };
  /** Bytes of each write and its answer, with what followed on its connection until the next write. */
  writeLengths(): { request: number; response: number }[];
  close(): Promise<void>;
}

export async function faultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<net.Socket>();
  let armed: Fault[] = [];
  let passages: SlicedAdvance[] = [];
  let writes: { passage: SlicedAdvance; from: { request: number; response: number } }[] = [];
  /** A write starts on a connection: returns the fault that was armed for it. */
  const write = (passage: SlicedAdvance): Fault | undefined => {
    const at = armed.findIndex((fault) => fault.write === writes.length);
    writes.push({ passage, from: { ...passage.passed } });
    return at < 0 ? undefined : armed.splice(at, 1)[0];
  };
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const dial = () =>
      track(net.connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true }), sockets);
    const fault = armed[0]?.write === undefined ? armed.shift() : undefined;
    passages.push(new SlicedAdvance(track(client, sockets), dial, fault, write));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const chosen = () => writes.at(-1)?.passage ?? passages.at(-1);
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    arm: (...faults) => {
      armed = faults;
      passages = [];
      writes = [];
    },
    struck: () => passages.some((passage) => passage.struck),
    settled: async () => {
      await Promise.all(passages.map(({ delivered }) => delivered));
      // Each turn of the event loop reads what a socket has received, and there are a few turns between here and the
      // service.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
    passed: () => chosen()?.passed ?? { request: 0, response: 0 },
    writeLengths: () =>
      writes.map(({ passage, from }, at) => {
        const next = writes.slice(at + 1).find((other) => other.passage === passage);
        const to = next?.from ?? passage.passed;
        return { request: to.request - from.request, response: to.response - from.response };
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function track(socket: net.Socket, sockets: Set<net.Socket>): net.Socket {
  sockets.add(socket);
  socket.setNoDelay(true);
  return socket.on('close', () => sockets.delete(socket)).on('error', () => {});
}

/** One connection of the client, and the corresponding one to the server. */
class SlicedAdvance {
  struck = false;
  /** Resolves once everything that a fault delayed has been forwarded. */
  delivered = Promise.resolve();
  readonly passed = { request: 0, response: 0 };
  readonly #client: net.Socket;
  readonly #server: net.Socket;
  readonly #dial: () => net.Socket;
  #fault: Fault | undefined;
  readonly #write: (passage: SlicedAdvance) => Fault | undefined;
  readonly #history: Record<Fault['side'], Buffer[]> = { request: [], response: [] };
  /** Directions that forward nothing anymore. */
  readonly #closed = new Set<Fault['side']>();

  constructor(
    client: net.Socket,
    dial: () => net.Socket,
    fault: Fault | undefined,
    write: (passage: SlicedAdvance) => Fault | undefined,
  ) {
    this.#client = client;
    this.#dial = dial;
    this.#fault = fault;
    this.#write = write;
    this.#server = dial();
    this.#pipe('request', client, this.#server);
    this.#pipe('response', this.#server, client);
    // Nobody is left to receive the delayed bytes.
    client.on('close', () => this.#fault?.kind === 'stall' && this.#server.destroy());
    if (fault?.position === 0) this.#strike(fault, Buffer.alloc(0));
  }

  #pipe(side: Fault['side'], from: net.Socket, to: net.Socket): void {
    from.on('data', (chunk: Buffer) => this.#pass(side, to, chunk));
    from.on('end', () => this.#closed.has(side) || to.end());
    from.on('error', () => this.#closed.has(side) || to.resetAndDestroy());
  }

  #pass(side: Fault['side'], to: net.Socket, chunk: Buffer): void {
    const isWrite = side === 'request' && /^(?:POST|PUT|PATCH|DELETE) /.test(chunk.toString('latin1', 0, 8));
    const armed = isWrite && !this.struck ? this.#write(this) : undefined;
    if (armed !== undefined) this.#fault = { ...armed, position: armed.position + this.passed[armed.side] };
    const fault = this.#fault;
    const before = this.passed[side];
    if (this.struck && fault?.kind === 'drop' && side === 'request') {
      this.#history.request.push(chunk);
      return;
    }
    if (this.#closed.has(side)) return;
    const isHere = !this.struck && fault?.side === side && before + chunk.length >= fault.position;
    const now = isHere ? chunk.subarray(0, fault.position - before) : chunk;
    this.#history[side].push(now);
    this.passed[side] += now.length;
    if (now.length > 0 && !to.destroyed) to.write(now);
    if (isHere) this.#strike(fault, chunk.subarray(now.length));
  }

  #strike(fault: Fault, rest: Buffer): void {
    this.struck = true;
    const to = fault.side === 'request' ? this.#server : this.#client;
    const strikes: Record<Fault['kind'], () => void> = {
      cut: () => {
        this.#close();
        this.#client.end();
        this.#server.end();
      },
      truncate: () => {
        this.#closed.add(fault.side);
        to.end();
      },
      reset: () => {
        this.#close();
        this.#client.resetAndDestroy();
        this.#server.resetAndDestroy();
      },
      stall: () => void this.#closed.add(fault.side),
      delay: () => this.#goOnLater(fault, to, rest),
      drop: () => this.#deliverWithoutClient(fault, rest),
      duplicate: () => this.#deliverAgain(fault, to, rest),
    };
    strikes[fault.kind]();
  }

  #close(): void {
    this.#closed.add('request').add('response');
  }

  #goOnLater(fault: Fault, to: net.Socket, rest: Buffer): void {
    const from = fault.side === 'request' ? this.#client : this.#server;
    from.pause();
    this.delivered = delay(fault.delayMs ?? 20).then(() => {
      if (rest.length > 0 && !to.destroyed) to.write(rest);
      from.resume();
    });
  }

  /** Everything that the client sent reaches the server late; nobody receives the answer. */
  #deliverWithoutClient(fault: Fault, rest: Buffer): void {
    const sent = this.#history.request.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#closed.add('response');
    this.#history.request.push(rest);
    this.#client.resetAndDestroy();
    this.delivered = delay(fault.delayMs ?? 20).then(() => {
      if (!this.#server.destroyed) this.#server.end(Buffer.concat(this.#history.request).subarray(sent));
    });
  }

  #deliverAgain(fault: Fault, to: net.Socket, rest: Buffer): void {
    if (fault.side === 'response') to.write(Buffer.concat([rest, ...this.#history.response, rest]));
    else {
      to.write(rest);
      this.#dial()
        .resume()
        .end(Buffer.concat([...this.#history.request, rest]));
    }
  }
}
