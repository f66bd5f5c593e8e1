import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** How far a host goes before it neither reads nor writes anymore, without closing anything. */
export type Silence = 'from the start' | 'after the handshake';

/**
 * A host whose connections are half open, as after a cable is pulled: it accepts them, answers up to some point, and
 * then says nothing, not even to a close. `passing` names a service that answers plain requests in the meantime.
 */
export class HalfOpenHost implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server: net.Server;

  private constructor(silence: Silence, passing: string | undefined) {
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket.on('error', () => {}));
      socket.once('data', (bytes: Buffer) => {
        const head = bytes.toString('latin1');
        const key = /sec-websocket-key: (\S+)/i.exec(head)?.[1];
        if (key !== undefined && silence === 'after the handshake') socket.write(upgrade(key));
        else if (key === undefined && passing !== undefined) {
          pass(socket, bytes, passing);
          return;
        }
        socket.pause();
      });
    });
  }

  static async open(silence: Silence, passing?: string): Promise<HalfOpenHost> {
    const host = new HalfOpenHost(silence, passing);
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function upgrade(key: string): string {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}

function pass(socket: Socket, first: Buffer, to: string): void {
  const { hostname, port } = new URL(to);
  const service = net.connect({ host: hostname, port: Number(port) });
  service.on('error', () => {});
  service.write(first);
  socket.pipe(service).pipe(socket);
}
