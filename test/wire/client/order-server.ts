import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredOrder {
  id: string;
  status: 'resting' | 'canceled';
  mode: unknown;
  limit_price: number;
  size: number;
  client_order_id?: string;
}

/**
 * The smallest service that keeps the API's promises: one order per idempotency key, amend, cancel, look up. It counts
 * its effects, so that a test can detect duplicates.
 */
export interface OrderServer {
  url: string;
  orders: Map<string, StoredOrder>;
  /** Number of orders created for each key. */
  madeFor(key: string): number;
  /** Number of times that an order was changed or canceled. */
  changes: string[];
  close(): Promise<void>;
}

export async function orderServer(): Promise<OrderServer> {
  const orders = new Map<string, StoredOrder>();
  const byKey = new Map<string, StoredOrder[]>();
  const changes: string[] = [];

  const answers: Record<
    string,
    (id: string, body: Record<string, unknown>, key: string) => [status: number, data: unknown]
  > = {
    POST: (_id, body, key) => {
      const earlier = byKey.get(key)?.[0];
      if (earlier !== undefined) return [200, earlier];
      const order: StoredOrder = {
        ...(body as unknown as StoredOrder),
        // Of fixed length, so that all answers have the same length.
        id: `ord_${String(orders.size + 1).padStart(9, '0')}`,
        mode: body.type,
        status: 'resting',
      };
      orders.set(order.id, order);
      byKey.set(key, [...(byKey.get(key) ?? []), order]);
      return [201, order];
    },
    GET: (id) => [200, orders.get(id)],
    PATCH: (id, body) => {
      const order = orders.get(id)!;
      order.limit_price = body.price as number;
      changes.push(`${id} ${order.limit_price}`);
      return [200, order];
    },
    DELETE: (id) => {
      const order = orders.get(id)!;
      if (order.status === 'canceled') return [409, undefined];
      order.status = 'canceled';
      changes.push(`${id} canceled`);
      return [200, { id, canceled: true }];
    },
  };

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    // A truncated body is not a request: nothing happens.
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!request.complete) return;
      const text = Buffer.concat(chunks).toString();
      const id = request.url!.split('/')[3] ?? '';
      const wanted = new URL(request.url!, 'http://host').searchParams.get('client_order_id');
      const isAccount = request.url!.startsWith('/v1/accounts/');
      const [status, data] = isAccount
        ? [200, { id, balance: 1, risk: { observed_at: Date.now() } }]
        : wanted === null
          ? answers[request.method!]!(
              id,
              text === '' ? {} : JSON.parse(text),
              String(request.headers['idempotency-key']),
            )
          : [200, [...orders.values()].filter((order) => order.client_order_id === wanted)];
      const requestId = randomUUID();
      const body =
        data === undefined
          ? { error: { code: 'order_terminal', message: 'the order has ended', request_id: requestId } }
          : { data };
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': requestId });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders,
    changes,
    madeFor: (key) => byKey.get(key)?.length ?? 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
