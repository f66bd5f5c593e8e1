import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

interface Test {
  after(fn: () => void): void;
}

/** What a host of streams does with a connection: refuses the handshake with an HTTP status, or speaks. */
export type Conduct = number | ((socket: WebSocket, target: string) => void);

/** A host of both streams that conducts itself as a test says; `connections` counts handshakes. */
export class StrangeStreams {
  readonly url: string;
  conduct: Conduct;
  connections = 0;

  private constructor(url: string, conduct: Conduct) {
    this.url = url;
    this.conduct = conduct;
  }

  static async open(t: Test, conduct: Conduct): Promise<StrangeStreams> {
    const http = createServer((_, response) => response.writeHead(404).end());
    const webSockets = new WebSocketServer({ noServer: true });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const host = new StrangeStreams(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`, conduct);
    http.on('upgrade', (request, socket, head) => {
      host.connections += 1;
      const { conduct: now } = host;
      socket.on('error', () => {});
      if (typeof now === 'number')
        socket.end(`HTTP/1.1 ${now} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      else webSockets.handleUpgrade(request, socket, head, (webSocket) => now(webSocket, request.url ?? ''));
    });
    t.after(() => {
      for (const socket of webSockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
    });
    return host;
  }
}
