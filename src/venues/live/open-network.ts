import { gunzipSync } from 'node:zlib';
import { realTiming } from '../../base/sockets/timing.ts';
import { causeOf, openWebSocket, type WebSocketWay } from '../../base/sockets/web-socket.ts';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import type { HttpAnswer, HttpRequest, Network, Socket, SocketEvents } from './network.ts';

/** Maximum length of an answer; no venue sends longer ones. */
const longestAnswer = 64 * 2 ** 20;
const connectTimeoutMs = 10_000;

/** What connections to venues trust. */
export interface NetworkOptions {
  /** Certificate authorities to trust, PEM; default: those of the system. */
  ca?: string;
}

/**
 * The real clock, randomness and network: the machine's clock, and undici's WebSocket and fetch. Honors HTTPS_PROXY,
 * HTTP_PROXY and NO_PROXY.
 */
export async function openNetwork(options: NetworkOptions = {}): Promise<Network & { close(): Promise<void> }> {
  // In the bundle, a CommonJS package has only a default export.
  const { EnvHttpProxyAgent, fetch, WebSocket } = (await import('undici')).default;
  const tls = options.ca === undefined ? {} : { ca: options.ca };
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: connectTimeoutMs, ...tls },
    requestTls: tls,
    allowH2: false,
  });
  return {
    ...realTiming,
    now: Date.now,
    connect: (url, events) => connected(url, { WebSocket, dispatcher }, events),
    fetch: (url, request) => fetched(fetch, dispatcher, url, request),
    close: () => dispatcher.destroy(),
  };
}

function connected(url: string, way: WebSocketWay, { onOpen, onFrame, onClose }: SocketEvents): Socket {
  return openWebSocket(url, way, {
    opened: onOpen,
    text: onFrame,
    binary: (bytes) => onFrame(textIn(bytes)),
    closed({ code, reason, status, retryAfterMs }) {
      const why = reason === '' ? `closed with code ${code}` : `${reason} (code ${code})`;
      onClose(status === undefined ? why : `refused with HTTP status ${status}`, retryAfterMs);
    },
  });
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
  dispatcher: WebSocketWay['dispatcher'],
  url: string,
  { body, timeoutMs }: HttpRequest,
): Promise<HttpAnswer> {
  const post = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...post, dispatcher, signal, redirect: 'error' });
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
