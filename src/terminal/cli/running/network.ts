import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely, TLSSocket } from 'node:tls';
import { ProxyError, type ProxyInUse, proxyTo } from '../../../base/sockets/proxy.ts';

/**
 * The command that starts a program in its own network: the words before its supervisor's command, and before its own.
 */
export interface OwnNetwork {
  readonly supervisor: readonly string[];
  readonly program: readonly string[];
  /** This machine's address there: where the hosts are. */
  readonly addresses: readonly string[];
}

/** The files in which systems keep the certificates that programs trust. */
export const trustFiles: readonly string[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Its first argument is the folder with the files that the program sees in place of the system's. They are mounted in a
 * mount namespace, so nobody else sees them, and they are gone with it.
 */
const setUp = `
set -e
PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
mount --bind "$0/hosts" /etc/hosts
if [ -e /etc/nsswitch.conf ]; then mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf; fi
if [ -d /run/nscd ]; then mount -t tmpfs none /run/nscd; fi
for file in ${trustFiles.join(' ')}; do
  if [ -e "$file" ]; then mount --bind "$0/${'certificates.pem'}" "$file"; fi
done
exec "$@"
`;

/**
 * A separate network for one program, in which these names mean this machine (Linux namespaces, without privileges); or
 * the reason why there is none, in one sentence. The folder has `certificates.pem`.
 */
export function ownNetwork(folder: string, names: readonly string[]): OwnNetwork | { problem: string } {
  if (process.platform !== 'linux') return { problem: 'only Linux can give a single program its own network' };
  writeFileSync(join(folder, 'hosts'), hostsWith(names, ['127.0.0.1']));
  writeFileSync(join(folder, 'nsswitch.conf'), nameServices());
  const isRoot = process.getuid?.() === 0;
  const asUser = ['--user', '--map-root-user'];
  let problem = '';
  // Root in a container may lack the permissions, and can become root of a namespace anyway.
  for (const user of isRoot ? [[], asUser] : [asUser]) {
    const supervisor = ['unshare', ...user, '--net', '--mount', 'sh', '-c', setUp, folder];
    const [file, ...args] = [...supervisor, 'cat', '/proc/net/if_inet6'];
    const tried = spawnSync(file!, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    if (tried.error !== undefined) return { problem: 'unshare (util-linux) is not installed' };
    // A system without IPv6 has no such file.
    const isSetUp = tried.status === 0 || /if_inet6/.test(tried.stderr);
    problem ||= inWords(tried.stderr.trim().split('\n').at(-1) || 'unshare failed');
    if (!isSetUp) continue;
    const addresses = ['127.0.0.1', ...(/^0{31}1 /m.test(tried.stdout) ? ['::1'] : [])];
    writeFileSync(join(folder, 'hosts'), hostsWith(names, addresses));
    // The supervisor is root there; the program runs as its user.
    const program = isRoot
      ? []
      : ['unshare', '--user', `--map-user=${process.getuid!()}`, `--map-group=${process.getgid!()}`, '--'];
    return { supervisor, program, addresses };
  }
  return { problem };
}

/** Why there is no separate network, from the last line of the attempt. */
function inWords(line: string): string {
  if (/No space left/.test(line)) return 'this system allows no more namespaces (its limits are in /proc/sys/user)';
  if (/not permitted|denied/.test(line)) return `this system or its container does not allow namespaces (${line})`;
  return line;
}

/** The system's hosts file, in which the names mean this machine. */
function hostsWith(names: readonly string[], addresses: readonly string[]): string {
  const known = existsSync('/etc/hosts') ? readFileSync('/etc/hosts', 'utf8').split('\n') : [];
  const isOther = (line: string) => !line.split(/\s+/).some((word) => names.includes(word.toLowerCase()));
  const own = addresses.flatMap((address) => names.map((name) => `${address} ${name}`));
  return [...own, ...known.filter(isOther), ''].join('\n');
}

/** The system's name services, in which files come first for hosts. */
function nameServices(): string {
  const file = '/etc/nsswitch.conf';
  const known = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return ['hosts: files dns', ...known.filter((line) => !/^\s*hosts\s*:/.test(line)), ''].join('\n');
}

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
      return joinTo(socket, host, Number(port), proxy);
    } catch (error) {
      if (!(error instanceof ProxyError)) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      passed(host, error.message);
      return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    }
  });
  return { server, user };
}

/** Joins a connection with another host's; another proxy answers for itself. */
function joinTo(socket: Socket, host: string, port: number, proxy: ProxyInUse | undefined): void {
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
