import { once } from 'node:events';
import net from 'node:net';

/** An address that can be shut: connections are then reset at once, as with a service that is down. */
export interface Gate {
  url: string;
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
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    track(client);
    if (isShut()) {
      client.resetAndDestroy();
      return;
    }
    const through = track(net.connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true }));
    through.on('error', () => client.resetAndDestroy());
    client.on('error', () => through.resetAndDestroy());
    client.pipe(through).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
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
