import { once } from 'node:events';
import net from 'node:net';

/** An address that can be shut: every connection is then reset once it is used, as with a service that is down. */
export interface Gate {
  url: string;
  /** Waits until clients have sent a text that matches, from now on. */
  sent(pattern: RegExp): Promise<void>;
  /** Resets all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** A gate in front of `targetUrl` that is shut while `isShut` says so. */
export async function gate(targetUrl: string, isShut: () => boolean): Promise<Gate> {
  const target = new URL(targetUrl);
  const sockets = new Set<net.Socket>();
  const track = (socket: net.Socket) => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  };
  const listeners = new Set<(text: string) => void>();
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    track(client);
    if (isShut()) {
      client.resetAndDestroy();
      return;
    }
    const through = track(net.connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true }));
    through.on('error', () => client.resetAndDestroy());
    client.on('error', () => through.resetAndDestroy());
    client.on('data', (bytes) => {
      if (isShut()) {
        client.resetAndDestroy();
        through.destroy();
      }
      for (const listener of listeners) listener(bytes.toString('latin1'));
    });
    client.pipe(through).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    sent(pattern) {
      let text = '';
      return new Promise((resolve) => {
        const listener = (more: string) => {
          text += more;
          if (!pattern.test(text)) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
    },
    cut() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
