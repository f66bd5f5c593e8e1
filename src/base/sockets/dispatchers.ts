// By its default export: in the bundle, a CommonJS package has no other.
import undici, { type Dispatcher } from 'undici';
import { outOfReach, ProxyError, type ProxyInUse, proxyTo, refused } from './proxy.ts';

/** The certificates that connections trust, and the time when they end. */
interface WayOptions {
  /** Certificate authorities to trust, PEM; default: those of the system. */
  ca?: string | undefined;
  /** Time to open a connection, ms. */
  connectTimeoutMs: number;
  /** Ends connections that are being opened. */
  signal?: AbortSignal | undefined;
  /** How long an unused connection is kept, ms. */
  idleMs?: number | undefined;
  /** The largest frame of a WebSocket that is read. */
  maxFrameBytes?: number | undefined;
}

/** Carries requests to this address, over as many connections as necessary. */
export function dispatcherTo(address: string, options: WayOptions): Dispatcher {
  const proxy = proxyTo(address);
  if (proxy !== undefined) return byProxy(proxy, options);
  return new undici.Agent({ ...shared(options), connect: opening(options) });
}

/** Makes single connections to this address. */
export function connectionsTo(address: string, options: WayOptions): () => Dispatcher {
  const proxy = proxyTo(address);
  if (proxy !== undefined) return () => byProxy(proxy, options, 1);
  const settings = { ...shared(options), connect: undici.buildConnector(opening(options)) };
  return () => new undici.Client(address, settings);
}

function shared({ idleMs, maxFrameBytes }: WayOptions) {
  return {
    ...(maxFrameBytes !== undefined && { webSocket: { maxPayloadSize: maxFrameBytes } }),
    ...(idleMs !== undefined && { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs }),
    allowH2: false,
    pipelining: 1,
  };
}

function opening({ ca, connectTimeoutMs: timeout, signal }: WayOptions) {
  return { timeout, allowH2: false, ...(ca !== undefined && { ca }), ...(signal !== undefined && { signal }) };
}

function byProxy(proxy: ProxyInUse, options: WayOptions, connections?: number): Dispatcher {
  const { connectTimeoutMs: timeout } = options;
  const { ca: _, ...toProxy } = options;
  return new undici.ProxyAgent({
    ...shared(options),
    ...(connections !== undefined && { connections }),
    uri: proxy.address,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    requestTls: opening(options),
    proxyTls: opening(toProxy),
    clientFactory: (origin, more) => toldBy(proxy, new undici.Pool(origin, { ...more, headersTimeout: timeout })),
  });
}

/** A proxy's own connections: what goes wrong there is told as the proxy's word. */
function toldBy(proxy: ProxyInUse, pool: Dispatcher): Dispatcher {
  const connect = pool.connect.bind(pool) as (request: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
  return Object.assign(pool, {
    async connect(request: Dispatcher.ConnectOptions) {
      const host = String(request.path);
      try {
        const answer = await connect(request);
        if (answer.statusCode === 200) return answer;
        answer.socket.on('error', () => {}).destroy();
        throw refused(proxy, host, answer.statusCode);
      } catch (error) {
        throw error instanceof ProxyError ? error : outOfReach(proxy, host, error);
      }
    },
  });
}
