import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/**
 * The delivery of one request: forwarded, forwarded without returning its answer, cut before it is sent, or answered
 * here.
 */
export type Delivery =
  | 'pass'
  | 'lose answer'
  | 'cut'
  | { status: number; body: unknown; headers?: Record<string, string> };

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A gateway between the command line and the service that can misbehave like networks and malicious servers. */
export class Gateway {
  readonly requests: Passed[] = [];
  /** Decides about each request; `attempt` counts the requests to its path from 1. */
  decide: (request: Passed, attempt: number) => Delivery = () => 'pass';
  readonly #server: Server;
  readonly #upstream: string;

  private constructor(server: Server, upstream: string) {
    this.#server = server;
    this.#upstream = upstream;
    // It fails if the client or the service has gone.
    server.on('request', (request, response) => void this.#serve(request, response).catch(() => response.destroy()));
  }

  static async open(t: Context, upstream: string): Promise<Gateway> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return new Gateway(server, upstream);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const passed = { method, path, authorization: headers.authorization, body };
    this.requests.push(passed);
    const delivery = this.decide(passed, this.requests.filter((one) => one.path === path).length);
    if (delivery === 'cut') request.socket.destroy();
    else if (typeof delivery === 'object') {
      response
        .writeHead(delivery.status, { 'content-type': 'application/json', ...delivery.headers })
        .end(JSON.stringify(delivery.body));
    } else {
      const answer = await fetch(this.#upstream + path, {
        method,
        headers: {
          ...(headers.authorization !== undefined && { authorization: headers.authorization }),
          ...(typeof headers['idempotency-key'] === 'string' && { 'idempotency-key': headers['idempotency-key'] }),
          ...(body !== '' && { 'content-type': 'application/json' }),
        },
        ...(body !== '' && { body }),
      });
      const text = await answer.text();
      if (delivery === 'lose answer') request.socket.destroy();
      else
        response
          .writeHead(answer.status, {
            'content-type': 'application/json',
            'x-request-id': answer.headers.get('x-request-id')!,
          })
          .end(text);
    }
  }
}
