import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type WebSocket, WebSocketServer } from 'ws';
import type { VenueAddress } from '../../../../src/venues/live/venue-feed.ts';
import { exampleTls } from '../../../base/sockets/connect-proxy.ts';
import type { ServerSocket } from '../virtual-world.ts';
import type { VenueServer } from './server.ts';

/** The self-signed certificate of the TLS servers. */
export const certificate = exampleTls.cert;

/** A venue's server on a local port: REST and WebSocket; its markets move by themselves. */
export class ListeningVenue {
  readonly server: VenueServer;
  readonly address: VenueAddress;
  /** Open connections, by the server's end. */
  readonly sockets = new Map<ServerSocket, WebSocket>();
  /** Frames leave compressed. */
  compresses = false;
  /** Headers of the answer that refuses connections; null if they are accepted. */
  refusal: string[] | null = null;
  /** Clients' answers to the server's pings. */
  pongs = 0;
  private readonly close: () => Promise<void>;
  private timer: NodeJS.Timeout | null = null;

  /** `secure`: over TLS. */
  static async open(server: VenueServer, { secure = false } = {}): Promise<ListeningVenue> {
    // It fails if the client has gone.
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void respond(server, request, response).catch(() => response.destroy());
    const http = secure ? createTlsServer(exampleTls, answer) : createServer(answer);
    await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve));
    const { port } = http.address() as AddressInfo;
    const webSockets = new WebSocketServer({ noServer: true });
    http.on('upgrade', (request, socket, head) => {
      if (venue.refusal === null)
        webSockets.handleUpgrade(request, socket, head, (opened) => venue.take(opened, request.url ?? ''));
      else socket.end(`${venue.refusal.join('\r\n')}\r\n\r\n`);
    });
    const venue = new ListeningVenue(server, `${secure ? 's' : ''}://localhost:${port}`, async () => {
      for (const socket of webSockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    });
    return venue;
  }

  private constructor(server: VenueServer, place: string, close: () => Promise<void>) {
    this.server = server;
    this.address = { wsUrl: `ws${place}`, restUrl: `http${place}` };
    this.close = close;
  }

  /** Moves a market every `ms` milliseconds. */
  move(everyMs: number): void {
    clearInterval(this.timer ?? undefined);
    let count = 0;
    this.timer = setInterval(() => {
      const { markets } = this.server;
      this.server.step(markets[count++ % markets.length]!);
    }, everyMs);
  }

  /** Stops the markets. */
  rest(): void {
    clearInterval(this.timer ?? undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.rest();
    await this.close();
  }

  private take(socket: WebSocket, url: string): void {
    const end: ServerSocket = {
      url,
      get isOpen() {
        return socket.readyState === socket.OPEN;
      },
      send: (frame) => socket.send(this.compresses ? gzipSync(frame) : frame),
      close: (reason) => socket.close(1012, reason),
    };
    this.sockets.set(end, socket);
    this.server.onConnect(end);
    socket.on('message', (data) => this.server.onFrame(end, String(data)));
    socket.on('pong', () => {
      this.pongs += 1;
    });
    socket.on('close', () => {
      this.sockets.delete(end);
      this.server.onClose(end);
    });
    socket.on('error', () => {});
  }
}

async function respond(server: VenueServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const answer = server.onRequest(request.url ?? '/', body === '' ? undefined : body);
  if (answer === null) return;
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(answer.body);
}
