import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Context {
  after(fn: () => void): void;
}

/** A wire between client and service that can be cut, and stay cut. */
export class CuttingProxy {
  readonly port: number;
  isCut = false;
  connections = 0;
  readonly #sockets: Set<Socket>;

  private constructor(port: number, sockets: Set<Socket>) {
    this.port = port;
    this.#sockets = sockets;
  }

  static async open(t: Context, url: string): Promise<CuttingProxy> {
    const target = Number(new URL(url).port);
    const sockets = new Set<Socket>();
    let proxy: CuttingProxy | null = null;
    const server = createServer((client) => {
      if (proxy?.isCut !== false) {
        client.destroy();
        return;
      }
      proxy.connections += 1;
      const service = connect(target, '127.0.0.1');
      for (const [from, to] of [
        [client, service],
        [service, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => {});
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const opened = new CuttingProxy((server.address() as AddressInfo).port, sockets);
    proxy = opened;
    t.after(() => {
      opened.cut();
      server.close();
    });
    return opened;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** Passes nothing on until it is released; connections stay open. */
  hold(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  release(): void {
    for (const socket of this.#sockets) socket.resume();
  }

  /** Cuts every open connection, in the middle of whatever it carries. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
