import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket, WebSocketServer } from 'ws';
import { closeCodes, streamPaths } from '../contract/streams.ts';
import { Failure, refusalResponse } from './failure.ts';
import type { HostEnvironment } from './keys.ts';
import type { MemoryRelease } from './memory-release.ts';
import type { Origins } from './origins.ts';
import { type HostNames, headerRefusal, newRequestId, type RequestLine } from './read-request.ts';
import type { Outlet, StreamConnection, StreamHost } from './stream-host.ts';

/** The most that all connections together may hold of incomplete messages. */
const maxHeldBytes = 16 * 1024 * 1024;
/** The overhead of a piece of a message, in bytes. */
const pieceBytes = 128;

/**
 * Bounds the memory of unfinished WebSocket messages, summed over all connections: beyond the bound, the connection
 * that holds most is ended. It follows the frames on the socket (RFC 6455, 5.2), since ws does not say what it holds.
 */
export class UnfinishedFrames {
  readonly #held = new Map<Message, () => void>();
  #sum = 0;

  /** Follows a connection; `end` is called if it holds too much. */
  follow(socket: Socket, end: () => void): void {
    const message = new Message();
    this.#held.set(message, end);
    socket.on('data', (chunk: Buffer) => {
      this.#sum -= message.held;
      message.take(chunk);
      this.#sum += message.held;
      while (this.#sum > maxHeldBytes) this.#endLargest();
    });
    socket.on('close', () => this.#forget(message));
  }

  #endLargest(): void {
    let largest: Message | undefined;
    for (const message of this.#held.keys())
      if (largest === undefined || message.held > largest.held) largest = message;
    const end = this.#held.get(largest!)!;
    this.#forget(largest!);
    end();
  }

  #forget(message: Message): void {
    if (!this.#held.delete(message)) return;
    this.#sum -= message.held;
    message.isForgotten = true;
  }
}

/** The message that a connection is sending. */
class Message {
  /** The bytes received so far, including the overhead of each piece. */
  held = 0;
  isForgotten = false;
  readonly #header: number[] = [];
  /** Bytes of the current frame's payload that have not arrived. */
  #missing = 0;
  #isControl = false;
  #isLast = true;

  take(chunk: Buffer): void {
    if (this.isForgotten) return;
    let at = 0;
    while (at < chunk.length) {
      if (this.#missing === 0) {
        this.#header.push(chunk[at++]!);
        this.#readHeader();
        continue;
      }
      const bytes = Math.min(this.#missing, chunk.length - at);
      at += bytes;
      this.#missing -= bytes;
      if (!this.#isControl) this.held += bytes;
      if (this.#missing === 0) this.#endFrame();
    }
    // Each chunk of an unfinished frame is kept as a separate buffer.
    if (!this.#isControl && this.#missing > 0) this.held += pieceBytes;
  }

  /** Once the header is complete: its first byte, the length in one, three or nine bytes, and a mask of four. */
  #readHeader(): void {
    const header = this.#header;
    if (header.length < 2) return;
    const short = header[1]! & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskBytes = (header[1]! & 0x80) === 0 ? 0 : 4;
    if (header.length < 2 + lengthBytes + maskBytes) return;
    let length = lengthBytes === 0 ? short : 0;
    for (let index = 2; index < 2 + lengthBytes; index += 1) length = length * 256 + header[index]!;
    this.#isControl = (header[0]! & 0x08) !== 0;
    if (!this.#isControl) {
      this.#isLast = (header[0]! & 0x80) !== 0;
      if (length > 0) this.held += pieceBytes;
    }
    this.#missing = length;
    header.length = 0;
    if (length === 0) this.#endFrame();
  }

  #endFrame(): void {
    if (!this.#isControl && this.#isLast) this.held = 0;
  }
}

/** The longest frame that a client may send; one beyond `maxReadBytes` is not even read. */
const maxFrameBytes = 64 * 1024;
const maxReadBytes = 4 * 1024 * 1024;
/** How many frames of a client may wait for their turn. */
const mostWaiting = 256;
/** How long a client has to answer a close before it is disconnected. */
const closeMs = 2_000;

/** Dependencies of a host's WebSocket upgrades. */
interface UpgradeOptions {
  streams: StreamHost;
  environment: HostEnvironment;
  origins: Origins;
  names: HostNames;
  log: ((line: RequestLine) => void) | null;
}

/** Whether a path is that of a stream, with or without a slash at its end. */
export function isStreamPath(path: string): boolean {
  return pathsOf.has(withoutSlash(path));
}

const pathsOf: ReadonlySet<string> = new Set(Object.values(streamPaths));

/** Turns requests for a stream into WebSockets; errors are answered before the upgrade. */
export class Upgrades {
  readonly #options: UpgradeOptions;
  readonly #unfinished = new UnfinishedFrames();
  readonly #memory: MemoryRelease;
  #server: WebSocketServer | null = null;

  constructor(options: UpgradeOptions, memory: MemoryRelease) {
    this.#options = options;
    this.#memory = memory;
  }

  take(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const cut = () => socket.destroy();
    socket.on('error', cut);
    this.#take(request, socket, head).catch((error) => {
      const requestId = newRequestId();
      const failure = this.#options.streams.failureOf(error, requestId);
      this.#log(request, failure.status, requestId, failure.body(requestId));
      refuse(socket, failure, requestId);
    });
  }

  /** Closes every connection at once. */
  cut(): void {
    for (const client of this.#server?.clients ?? []) client.terminate();
  }

  async #take(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = withoutSlash(url.pathname);
    this.#refuseForeign(request);
    const { streams } = this.#options;
    if (streams.isStopping) throw new Failure('unavailable', 'The service is stopping.', { retryAfterSeconds: 1 });
    const { authorization } = request.headers;
    const open = await streams.admit({ path, search: url.searchParams, authorization });
    this.#server ??= await webSocketServer(() => streams.headers ?? {});
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.#log(request, 101, newRequestId());
      this.#memory.opened();
      client.on('close', () => this.#memory.closed());
      this.#unfinished.follow(socket, () => {
        client.close(closeCodes.tooLarge, 'too much of unfinished frames is waiting');
        client.terminate();
      });
      serve(client, open(outletOf(client, socket)));
    });
  }

  /** Pages from elsewhere may not connect: browsers send the origin of a page. */
  #refuseForeign(request: IncomingMessage): void {
    const { names, origins } = this.#options;
    const refusal = headerRefusal(request, names) ?? origins.refusal(request.headers.origin);
    if (refusal !== null) throw refusal;
  }

  #log(request: IncomingMessage, status: number, requestId: string, error?: object): void {
    const { environment, log } = this.#options;
    const path = (request.url ?? '').split('?', 1)[0]!;
    log?.({ environment, method: request.method ?? '', path, status, durationMs: 0, requestId, error });
  }
}

async function webSocketServer(own: () => Readonly<Record<string, string>>): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({ noServer: true, maxPayload: maxReadBytes, perMessageDeflate: false });
  server.on('headers', (lines) => {
    for (const [name, value] of Object.entries(own())) lines.push(`${name}: ${value}`);
  });
  return server;
}

function serve(client: WebSocket, connection: StreamConnection): void {
  listen(client, (text) => {
    connection.receive(text);
    if (connection.waiting > mostWaiting) pause(client, connection);
  });
  client.on('ping', () => connection.pinged());
  client.on('close', () => connection.end());
}

function listen(client: WebSocket, onText: (text: string) => void): void {
  // An error on a connection also closes it.
  client.on('error', () => {});
  client.on('message', (data: Buffer, isBinary) => {
    if (isBinary) close(client, closeCodes.binary, 'frames are JSON text');
    else if (data.length > maxFrameBytes)
      close(client, closeCodes.tooLarge, `a frame has at most ${maxFrameBytes} bytes`);
    else onText(data.toString('utf8'));
  });
}

/** Reads nothing more from a client until most of its frames have had their turn. */
function pause(client: WebSocket, connection: StreamConnection): void {
  if (client.isPaused) return;
  client.pause();
  const look = () => {
    if (connection.waiting > mostWaiting / 2) setTimeout(look, 5).unref();
    else client.resume();
  };
  look();
}

/**
 * Frames of one turn of the event loop leave together, after the answers of that turn: a client waits for its answer.
 */
function outletOf(client: WebSocket, socket: Socket): Outlet {
  let isHeld = false;
  const release = () => {
    if (isHeld) socket.uncork();
    isHeld = false;
  };
  return {
    send(text) {
      if (!isHeld) {
        isHeld = true;
        socket.cork();
        setImmediate(release);
      }
      client.send(text);
    },
    get buffered() {
      return client.bufferedAmount;
    },
    close(code, reason) {
      // Anyone who closes may end the connection at once.
      release();
      close(client, code, reason);
    },
  };
}

/** Closes with a reason, and disconnects a client that does not answer: one that reads nothing never would. */
function close(client: WebSocket, code: number, reason: string): void {
  client.close(code, reason);
  setTimeout(() => client.terminate(), closeMs).unref();
}

function refuse(socket: Socket, failure: Failure, requestId: string): void {
  const answer = refusalResponse(failure, { requestId, operation: null });
  const body = JSON.stringify(answer.body);
  const lines = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
    ...answer.headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
