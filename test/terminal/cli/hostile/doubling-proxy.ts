import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy that delivers every write twice, and forwards the answer to the second one. */
export interface DoublingProxy {
  url: string;
  /** Status of the first and second answer to each write. */
  doubled: [first: number, second: number][];
  close(): Promise<void>;
}

interface Passed {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export async function doublingProxy(targetUrl: string): Promise<DoublingProxy> {
  const doubled: [number, number][] = [];
  const server = http.createServer(async (request, response) => {
    try {
      const body = await bytesOf(request);
      const pass = () => passOn(targetUrl, request, body);
      const first = await pass();
      const answer = request.method === 'GET' ? first : await pass();
      if (request.method !== 'GET') doubled.push([first.status, answer.status]);
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    } catch {
      // The client or the service has gone.
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    doubled,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function passOn(targetUrl: string, { method, url, headers }: http.IncomingMessage, body: Buffer): Promise<Passed> {
  const { host: _, ...own } = headers;
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(url!, targetUrl), { method: method!, headers: own }, async (response) => {
      resolve({ status: response.statusCode!, headers: response.headers, body: await bytesOf(response) });
    });
    request.on('error', reject).end(body);
  });
}

async function bytesOf(stream: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
