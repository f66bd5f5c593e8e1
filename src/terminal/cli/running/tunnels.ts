import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, TLSSocket } from 'node:tls';
import { ProxyError, type ProxyInUse, proxyTo } from '../../../base/sockets/proxy.ts';

/** The targets of a program's proxy connections. */
interface TunnelEnds {
  /** Host names that end here. */
  names: ReadonlySet<string>;
  /** Serves a connection to one of them. */
  take(socket: Socket): void;
  /** The variables that name the proxies that lead to all others. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Called when another host is requested; `problem`: why its proxy can't be used, so that it can't be reached. */
  passed(host: string, problem?: string): void;
}

/** A proxy for one program (HTTP CONNECT), and its required credentials. */
export interface Tunnels {
  server: Server;
  user: string;
}

/** A proxy that redirects some names here and sends all others to their real address. */
export function tunnels({ names, take, variables, passed }: TunnelEnds): Tunnels {
  const user = `perp:${randomBytes(12).toString('base64url')}`;
  const wanted = `Basic ${Buffer.from(user).toString('base64')}`;
  const server = createServer((_, response) => response.writeHead(405, { connection: 'close' }).end());
  server.on('connect', ({ url = '', headers }, stream, head) => {
    const socket = stream as Socket;
    socket.on('error', () => socket.destroy());
    if (headers['proxy-authorization'] !== wanted)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="perp"\r\n\r\n');
    const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(url) ?? [];
    if (head.length > 0) socket.unshift(head);
    if (names.has(host.toLowerCase())) {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      return take(socket);
    }
    if (host === '' || !(Number(port) <= 65_535)) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    try {
      const proxy = proxyTo(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, variables);
      passed(host);
      return join(socket, host, Number(port), proxy);
    } catch (error) {
      if (!(error instanceof ProxyError)) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      passed(host, error.message);
      return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    }
  });
  return { server, user };
}

/** Joins a connection with another host's; another proxy answers for itself. */
function join(socket: Socket, host: string, port: number, proxy: ProxyInUse | undefined): void {
  const other = proxy === undefined ? connect(port, host) : connectTo(new URL(proxy.address));
  let isJoined = false;
  other.on(other instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
    isJoined = true;
    if (proxy === undefined) socket.write('HTTP/1.1 200 OK\r\n\r\n');
    else other.write(requestTo(`${host}:${port}`, proxy));
    socket.pipe(other).pipe(socket);
  });
  other.on('error', () => {
    if (isJoined) socket.destroy();
    else socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  socket.on('close', () => other.destroy());
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return connect(Number(port || 80), host);
  return connectSecurely({ host, port: Number(port || 443), ...(isIP(host) === 0 && { servername: host }) });
}

function requestTo(authority: string, { authorization }: ProxyInUse): string {
  const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}
