import type { Dispatcher } from 'undici';
import { dispatcherTo } from '../../../base/sockets/dispatchers.ts';
import { openWebSocket, type RawSocket, type SocketEnd } from '../../../base/sockets/web-socket.ts';
import { closeCodes } from '../../contract/streams.ts';
import type { OpenedStream, StreamEvents, StreamTransport } from '../../contract/wire.ts';
import { streamOrigin } from '../addresses.ts';

/** The credential and the limits of WebSockets to one host. */
export interface WebSocketOptions {
  /** The credential for the upgrade; absent for streams that need none. Called for each connection. */
  credential?: (() => Promise<string | undefined>) | undefined;
  /** Time to establish a connection, including TLS, ms. Default 10,000. */
  connectTimeoutMs?: number | undefined;
}

/** The largest frame that is read. */
const maxFrameBytes = 16 * 1024 * 1024;

/**
 * Streams over WebSockets to one origin. No redirect is followed, so a credential is only sent to this origin. Throws
 * TypeError for an address that can't be used: not wss, or ws to another machine, or more than an origin.
 */
export function webSocketTransport(address: string, options: WebSocketOptions = {}): StreamTransport {
  const origin = streamOrigin(address);
  return (target, events) => new SocketStream(origin + target, options, events);
}

/** One WebSocket, with its own dispatcher so that nothing outlives it. */
class SocketStream implements OpenedStream {
  readonly #events: StreamEvents;
  #socket: RawSocket | null = null;
  #dispatcher: Dispatcher | null = null;
  #isOver = false;

  constructor(url: string, options: WebSocketOptions, events: StreamEvents) {
    this.#events = events;
    this.#open(url, options).catch((error: Error) => this.#end({ code: 1006, reason: error.message }));
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#letGo();
  }

  async #open(url: string, { credential, connectTimeoutMs = 10_000 }: WebSocketOptions): Promise<void> {
    // In the bundle, a CommonJS package has only a default export.
    const {
      default: { WebSocket },
    } = await import('undici');
    const key = await credential?.();
    if (this.#isOver) return;
    this.#dispatcher = dispatcherTo(url, { connectTimeoutMs, maxFrameBytes });
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    this.#socket = openWebSocket(
      url,
      { WebSocket, dispatcher: this.#dispatcher, headers },
      {
        opened: (headers) => this.#events.opened(headers),
        text: (text) => this.#events.text(text),
        binary: () => this.#end({ code: closeCodes.malformed, reason: 'the service sent a binary frame' }),
        closed: (end) => this.#end(end),
      },
    );
  }

  #end(end: SocketEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#letGo();
    this.#events.closed(end);
  }

  /** A half-open connection does not answer a close: it is cut after a moment, and keeps nothing alive until then. */
  #letGo(): void {
    this.#socket?.abandon();
    const dispatcher = this.#dispatcher;
    if (dispatcher === null) return;
    setTimeout(() => dispatcher.destroy().catch(() => {}), 500).unref();
  }
}
