import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, TLSSocket } from 'node:tls';

/** Where connections of a program's proxy end. */
export interface TunnelEnds {
  /** Host names that end here. */
  names: ReadonlySet<string>;
  /** Serves a connection to one of them. */
  take(socket: Socket): void;
  /** The proxy that leads to all others, or why it can't: then none is reached; undefined: there is none. */
  onward: URL | { problem: string } | undefined;
  /** Called when another host is reached. */
  passed(host: string): void;
}

/** A proxy for one program (HTTP CONNECT), and the credentials that it asks for. */
export interface Tunnels {
  server: Server;
  user: string;
}

/** A proxy that leads some names here and all others to where they are. */
export function tunnels({ names, take, onward, passed }: TunnelEnds): Tunnels {
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
    passed(host);
    if (onward !== undefined && 'problem' in onward) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    return join(socket, host, Number(port), onward);
  });
  return { server, user };
}

/** Joins a connection with another host's; another proxy answers for itself. */
function join(socket: Socket, host: string, port: number, onward: URL | undefined): void {
  const other = onward === undefined ? connect(port, host) : proxyAt(onward);
  let isJoined = false;
  other.on(other instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
    isJoined = true;
    if (onward === undefined) socket.write('HTTP/1.1 200 OK\r\n\r\n');
    else other.write(requestTo(`${host}:${port}`, onward));
    socket.pipe(other).pipe(socket);
  });
  other.on('error', () => {
    if (isJoined) socket.destroy();
    else socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  socket.on('close', () => other.destroy());
}

function proxyAt({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return connect(Number(port || 80), host);
  return connectSecurely({ host, port: Number(port || 443), ...(isIP(host) === 0 && { servername: host }) });
}

function requestTo(authority: string, { username, password }: URL): string {
  const user = `${decoded(username)}:${decoded(password)}`;
  const credentials = username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(user).toString('base64')}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}

/** A part of a URL as it was meant; one with a percent sign of its own is as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
