import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

const tlsFile = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

/**
 * A certificate that signed itself, for names of the domain `example` and for localhost; made for tests only, valid for
 * a century.
 */
export const exampleTls = { cert: tlsFile('example-cert.pem'), key: tlsFile('example-key.pem') };

/** What a proxy on this machine does. */
export interface ProxyBehavior {
  /** Ports of this machine by name and port of the host that it leads to: `api.example:443`. */
  leads?: Record<string, number>;
  /** The user and the password that it wants: `user:password`. */
  user?: string;
  /** What it answers instead of opening a connection; empty: it closes; null: nothing. */
  answer?: string | null;
  /** Whether it is reached by TLS. */
  secure?: boolean;
}

/** A proxy (HTTP CONNECT) on this machine. It is the only way to hosts of the domain `example`. */
export class ConnectProxy implements AsyncDisposable {
  /** What it was asked to connect to, also if it refused. */
  readonly asked: string[] = [];
  behavior: ProxyBehavior;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async open(behavior: ProxyBehavior = {}): Promise<ConnectProxy> {
    const server = behavior.secure ? createTlsServer(exampleTls) : createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ConnectProxy(server, behavior);
  }

  private constructor(server: Server, behavior: ProxyBehavior) {
    this.#server = server;
    this.behavior = behavior;
    this.port = (server.address() as AddressInfo).port;
    server.on(behavior.secure ? 'secureConnection' : 'connection', (socket: Socket) => this.#serve(socket));
    if (behavior.secure) server.on('connection', (socket: Socket) => this.#keep(socket));
  }

  /** Its address, perhaps with a user and a password. */
  url(user?: string): string {
    const { secure = false } = this.behavior;
    return `${secure ? 'https' : 'http'}://${user === undefined ? '' : `${user}@`}localhost:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
  }

  #serve(socket: Socket): void {
    this.#keep(socket);
    let head = '';
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      this.#answer(socket, head);
    };
    socket.on('data', read);
  }

  #answer(socket: Socket, head: string): void {
    const [, target = head.split('\r\n')[0]!] = /^CONNECT (\S+) /.exec(head) ?? [];
    this.asked.push(target);
    const { answer, user, leads = {} } = this.behavior;
    if (answer === null) return;
    if (answer !== undefined) return void socket.end(answer);
    const wanted = user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
    const [, given] = /^proxy-authorization: (.*)\r$/im.exec(head) ?? [];
    if (given !== wanted)
      return void socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
      );
    const port = leads[target];
    if (port === undefined) return void socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    const other = connect(port, 'localhost', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(other).pipe(socket);
    });
    this.#keep(other);
    socket.on('close', () => other.destroy());
  }
}

/** Variables that lead to this proxy only; without one, to none. */
export function proxyVariables(HTTPS_PROXY?: string): Record<string, string | undefined> {
  const none = ['https_proxy', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'];
  return { ...Object.fromEntries(none.map((name) => [name, undefined])), HTTPS_PROXY };
}
