import { gunzipSync } from 'node:zlib';
import type { Dispatcher, WebSocket as UndiciWebSocket } from 'undici';
import type { Ms } from '../../engine/model.ts';
import { messageOf } from '../recorded/recording-error.ts';
import type { HttpAnswer, HttpRequest, Outside, Socket, SocketEvents } from './outside.ts';

/** Maximum length of an answer; no venue sends longer ones. */
const longestAnswer = 64 * 2 ** 20;
const connectTimeoutMs = 10_000;

export interface NetworkOptions {
  /** Certificate authorities to trust, PEM; default: those of the system. */
  ca?: string;
}

/**
 * The real clock, randomness and network: the machine's clock, and undici's WebSocket and fetch. Honors HTTPS_PROXY,
 * HTTP_PROXY and NO_PROXY.
 */
export async function openNetwork(options: NetworkOptions = {}): Promise<Outside & { close(): Promise<void> }> {
  // In the bundle, a CommonJS package has only a default export.
  const { EnvHttpProxyAgent, fetch, WebSocket } = (await import('undici')).default;
  const tls = options.ca === undefined ? {} : { ca: options.ca };
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: connectTimeoutMs, ...tls },
    requestTls: tls,
    allowH2: false,
  });
  return {
    now: Date.now,
    uptime: () => performance.now(),
    random: Math.random,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    connect(url, events) {
      const refusal: Refusal = {};
      const noting = dispatcher.compose(
        (dispatch) => (request, handler) => dispatch(request, notingRefusal(handler, refusal)),
      );
      return connected(new WebSocket(url, { dispatcher: noting }), events, refusal);
    },
    fetch: (url, request) => fetched(fetch, dispatcher, url, request),
    close: () => dispatcher.destroy(),
  };
}

/** The answer of a server that refused a WebSocket, which undici's WebSocket does not report. */
interface Refusal {
  status?: number;
  retryAfterMs?: Ms;
}

function notingRefusal(handler: Dispatcher.DispatchHandler, refusal: Refusal): Dispatcher.DispatchHandler {
  const noting = Object.create(handler) as Dispatcher.DispatchHandler;
  noting.onResponseStart = (controller, status, headers, message) => {
    refusal.status = status;
    const seconds = Number(headers['retry-after'] ?? Number.NaN);
    if (seconds > 0) refusal.retryAfterMs = seconds * 1_000;
    return handler.onResponseStart?.(controller, status, headers, message);
  };
  return noting;
}

function connected(socket: UndiciWebSocket, { onOpen, onFrame, onClose }: SocketEvents, refusal: Refusal): Socket {
  let isOver = false;
  let problem = '';
  socket.binaryType = 'arraybuffer';
  const end = (reason: string) => {
    if (isOver) return;
    isOver = true;
    const { status, retryAfterMs } = refusal;
    onClose(status === undefined ? reason : `refused with HTTP status ${status}`, retryAfterMs);
  };
  socket.addEventListener('open', () => {
    if (!isOver) onOpen();
  });
  socket.addEventListener('message', ({ data }) => {
    if (!isOver) onFrame(typeof data === 'string' ? data : textIn(data as ArrayBuffer));
  });
  socket.addEventListener('error', ({ message, error }) => {
    problem = causeOf(error) ?? message;
  });
  socket.addEventListener('close', ({ code, reason }) => {
    const why = reason || problem;
    end(why === '' ? `closed with code ${code}` : `${why} (code ${code})`);
  });
  return {
    send(text) {
      if (!isOver && socket.readyState === socket.OPEN) socket.send(text);
    },
    abandon() {
      isOver = true;
      socket.close();
      // A half-open connection never answers a close; it must not keep the process alive until the kernel drops it.
      (socket as unknown as Record<symbol, (() => void) | undefined>)[Symbol.for('nodejs.unref')]?.();
    },
  };
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
  dispatcher: Dispatcher,
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

/** The first informative message in the chain of causes: undici's own message is only "fetch failed". */
function causeOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.cause === undefined && cause.message !== '') return cause.message;
  }
  return null;
}
