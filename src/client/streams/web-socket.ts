import type { Agent, Dispatcher, WebSocket } from 'undici';
import { closeCodes } from '../../contract/streams.ts';
import type { OpenedStream, StreamEvents, StreamTransport } from '../../contract/wire.ts';
import { streamOrigin } from './stream-origin.ts';

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
  return (target, events) => new Connection(origin + target, options, events);
}

/** One undici WebSocket, with its own dispatcher so that nothing outlives it. */
class Connection implements OpenedStream {
  readonly #events: StreamEvents;
  #socket: WebSocket | null = null;
  #agent: Agent | null = null;
  #isOver = false;
  #problem = '';
  /** HTTP status of a handshake that was refused. */
  #status: number | undefined;

  constructor(url: string, options: WebSocketOptions, events: StreamEvents) {
    this.#events = events;
    this.#open(url, options).catch((error: Error) => this.#end(1006, error.message));
  }

  send(text: string): void {
    if (!this.#isOver && this.#socket?.readyState === this.#socket?.OPEN) this.#socket?.send(text);
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket?.close(1000);
    this.#letGo();
  }

  async #open(url: string, { credential, connectTimeoutMs = 10_000 }: WebSocketOptions): Promise<void> {
    // By its default export: in the bundle, a CommonJS package has no other.
    const {
      default: { Agent, WebSocket },
    } = await import('undici');
    const key = await credential?.();
    if (this.#isOver) return;
    this.#agent = new Agent({
      connect: { timeout: connectTimeoutMs },
      allowH2: false,
      webSocket: { maxPayloadSize: maxFrameBytes },
    });
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const dispatcher = this.#agent.compose(
      (dispatch) => (request, handler) => dispatch(request, this.#noting(handler)),
    );
    this.#socket = new WebSocket(url, { dispatcher, headers });
    this.#socket.addEventListener('open', () => {
      if (!this.#isOver) this.#events.opened();
    });
    this.#socket.addEventListener('message', ({ data }) => {
      if (this.#isOver) return;
      if (typeof data === 'string') this.#events.text(data);
      else {
        this.#socket?.close(1000);
        this.#end(closeCodes.malformed, 'the service sent a binary frame');
      }
    });
    this.#socket.addEventListener('error', ({ error, message }) => {
      this.#problem = causeOf(error) ?? message;
    });
    this.#socket.addEventListener('close', ({ code, reason }) => this.#end(code, reason || this.#problem));
  }

  /** Notes the HTTP status of an answer that is not an upgrade; WebSockets do not report it. */
  #noting(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    const noted = Object.create(handler) as Dispatcher.DispatchHandler;
    noted.onResponseStart = (controller, status, headers, message) => {
      this.#status = status;
      return handler.onResponseStart?.(controller, status, headers, message);
    };
    return noted;
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#letGo();
    this.#events.closed({ code, reason, status: this.#status });
  }

  /** A half-open connection does not answer a close: it is cut after a moment, and keeps nothing alive until then. */
  #letGo(): void {
    const agent = this.#agent;
    if (agent === null) return;
    setTimeout(() => agent.destroy().catch(() => {}), 500).unref();
  }
}

/** The first non-empty message in the chain of causes: undici's own message says little. */
function causeOf(error: unknown): string | undefined {
  let found: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause.message !== '') found = cause.message;
  return found;
}
