import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** Answers a request instead of forwarding it; undefined forwards it. The body may be promised. */
export type Alteration = (method: string, path: string) => { status: number; body: unknown } | 'silence' | undefined;

/** A host in front of another one that answers some requests itself, or not at all; returns its address. */
export async function alteringHost(t: TestContext, target: string, alter: Alteration): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const [method = 'GET', path = '/'] = [request.method, request.url];
    const altered = alter(method, path);
    if (altered === 'silence') return;
    if (altered !== undefined) {
      response
        .writeHead(altered.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(await altered.body));
      return;
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    try {
      const answer = await fetch(new URL(path, target), {
        method,
        headers: headers as Record<string, string>,
        ...(body === '' ? {} : { body }),
      });
      const { 'content-encoding': ____, 'transfer-encoding': _____, ...kept } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, kept).end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      // The other host has closed, as it does at the end of a test; so is the connection here.
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
