import { gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { dispatcherTo } from '../../base/sockets/dispatchers.ts';
import { realTiming } from '../../base/sockets/timing.ts';
import { causeOf, openWebSocket, type WebSocketWay } from '../../base/sockets/web-socket.ts';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import type { HttpAnswer, HttpRequest, Network, Socket, SocketEvents } from './network.ts';

/** Maximum length of an answer; no venue sends longer ones. */
const longestAnswer = 64 * 2 ** 20;
const connectTimeoutMs = 10_000;

/** The certificates that connections to venues trust. */
export interface NetworkOptions {
  /** Certificate authorities to trust, PEM; default: those of the system. */
  ca?: string;
}

/**
 * The real clock, randomness and network: the machine's clock, and undici's WebSocket and fetch, by the proxy that the
 * variables name.
 */
export async function openNetwork({ ca }: NetworkOptions = {}): Promise<Network & { close(): Promise<void> }> {
  // In the bundle, a CommonJS package has only a default export.
  const { fetch, WebSocket } = (await import('undici')).default;
  const dispatchers = new Map<string, Dispatcher>();
  const wayTo = (url: string) => {
    const origin = new URL(url.replace(/^ws/, 'http')).origin;
    const dispatcher = dispatchers.get(origin) ?? dispatcherTo(origin, { ca, connectTimeoutMs });
    dispatchers.set(origin, dispatcher);
    return dispatcher;
  };
  return {
    ...realTiming,
    now: Date.now,
    connect: (url, events) => connected(url, WebSocket, wayTo, events),
    fetch: (url, request) => fetched(fetch, wayTo, url, request),
    async close() {
      await Promise.all(dispatchers.values().map((dispatcher) => dispatcher.destroy()));
    },
  };
}

type WayTo = (url: string) => Dispatcher;

function connected(
  url: string,
  WebSocket: WebSocketWay['WebSocket'],
  wayTo: WayTo,
  { onOpen, onFrame, onClose }: SocketEvents,
): Socket {
  try {
    return openWebSocket(
      url,
      { WebSocket, dispatcher: wayTo(url), server: new URL(url).host },
      {
        opened: onOpen,
        text: onFrame,
        binary: (bytes) => onFrame(textIn(bytes)),
        closed({ code, reason, status, retryAfterMs, front }) {
          const why = reason === '' ? `closed with code ${code}` : `${reason} (code ${code})`;
          const refused = status === undefined ? why : `refused with HTTP status ${status}`;
          onClose(front?.says ?? refused, retryAfterMs);
        },
      },
    );
  } catch (error) {
    // A proxy that can't be used.
    const timer = setImmediate(() => onClose(messageOf(error)));
    return { send() {}, abandon: () => clearImmediate(timer) };
  }
}

/** The text of a binary frame, which may be compressed; a frame that can't be read is one that can't be parsed. */
function textIn(data: ArrayBuffer): string {
  const bytes = Buffer.from(data);
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: longestAnswer }) : bytes;
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch {
    return '{ a binary frame';
  }
}

async function fetched(
  fetch: typeof import('undici').fetch,
  wayTo: WayTo,
  url: string,
  { body, timeoutMs }: HttpRequest,
): Promise<HttpAnswer> {
  const post = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...post, dispatcher: wayTo(url), signal, redirect: 'manual' });
    return { status: response.status, body: await textOf(response), header: (name) => response.headers.get(name) };
  } catch (error) {
    throw new Error(signal.aborted ? `no answer within ${timeoutMs} ms` : (causeOf(error) ?? messageOf(error)), {
      cause: error,
    });
  }
}

async function textOf(response: Awaited<ReturnType<typeof import('undici').fetch>>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > longestAnswer) throw new Error('the answer is too long');
  }
  return text + decoder.decode();
}
