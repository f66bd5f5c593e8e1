import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';

/** V8's own. */
const defaultBudget = 13_000_000;

interface HttpConnection {
  client: Client;
  underWay: number;
}

/** Receives undici's events for a request, and tells when the round trip is over, whatever its result. */
export interface RoundTripHandler extends Dispatcher.DispatchHandler {
  whenOver(onOver: () => void): void;
}

/**
 * Connections to one origin, each with one request at a time. A free connection is used before another is opened, so
 * sequential requests use one connection; undici's own pool would open two.
 */
export class HttpConnections {
  readonly #origin: string;
  readonly #most: number;
  readonly #connect: buildConnector.connector;
  readonly #connections: HttpConnection[] = [];
  /** Every socket, including those still connecting: undici keeps waiting for them when a client is destroyed. */
  readonly #sockets = new Set<Socket>();

  constructor(origin: string, options: { connections: number; connectTimeoutMs: number }) {
    this.#origin = origin;
    this.#most = options.connections;
    const connect = buildConnector({ timeout: options.connectTimeoutMs, allowH2: false }) as (
      ...parameters: Parameters<buildConnector.connector>
    ) => Socket;
    this.#connect = (target, callback) => {
      const socket = connect(target, (...result) => untiered(() => callback(...result)));
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    };
  }

  /** Gives a request to a connection, which counts as busy until the round trip is over. */
  dispatch(request: Dispatcher.DispatchOptions, trip: RoundTripHandler): void {
    const connection = this.#leastBusy();
    connection.underWay++;
    trip.whenOver(() => {
      connection.underWay--;
    });
    connection.client.dispatch(request, trip);
  }

  /** Lets requests in flight end, then closes. */
  async retire(): Promise<void> {
    await Promise.all(this.#connections.map(({ client }) => client.close()));
  }

  /** Ends everything now. */
  async destroy(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#connections.map(({ client }) => client.destroy()));
  }

  #leastBusy(): HttpConnection {
    const free = this.#connections.find((connection) => connection.underWay === 0);
    if (free !== undefined) return free;
    if (this.#connections.length < this.#most) return this.#open();
    return this.#connections.reduce((least, other) => (other.underWay < least.underWay ? other : least));
  }

  #open(): HttpConnection {
    const client = new Client(this.#origin, {
      connect: this.#connect,
      // One request at a time, so undici never has a reason to write one again.
      pipelining: 1,
      allowH2: false,
      // Each round trip has its own timeout, from queuing to the last byte of its answer.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection = { client, underWay: 0 };
    this.#connections.push(connection);
    return connection;
  }
}

let isParserCompiled = false;

/**
 * Makes the first connection, which compiles undici's HTTP parser, with settings under which V8 does not compile it
 * twice. The parser is WebAssembly; after two or three answers V8 would compile an optimized version in the background,
 * which takes about 50 ms, and a process that ends in the meantime would have to wait for it. With a tiering budget a
 * hundred times the default, only processes that send hundreds of requests pay for that. The default is then restored,
 * because Node ignores its compile cache under flags other than those at startup.
 */
function untiered(connected: () => void): void {
  if (isParserCompiled) {
    connected();
    return;
  }
  isParserCompiled = true;
  setFlagsFromString(`--wasm-tiering-budget=${100 * defaultBudget}`);
  try {
    connected();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${defaultBudget}`);
  }
}
