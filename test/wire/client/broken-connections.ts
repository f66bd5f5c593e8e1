import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import { ApiError, ConnectionError, OutcomeUnknownError } from '../../../src/wire/client/client-errors.ts';
import { newIdempotencyKey } from '../../../src/wire/client/form-request.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { outcome as settle } from '../../../src/wire/client/outcome.ts';
import { faultsOf, type Lengths, undisturbed } from './fault-plan.ts';
import { type FaultProxy, faultProxy } from './fault-proxy.ts';
import { type OrderServer, orderServer } from './order-server.ts';
import { finish } from './outcomes.ts';

let server: OrderServer;
let proxy: FaultProxy;

/** Runs with its own connection, so that the armed fault affects its first request. */
async function withClient<T>(attempts: number, timeoutMs: number, run: (client: Client) => Promise<T>): Promise<T> {
  const transport = httpTransport(proxy.url);
  try {
    return await run(createClient({ transport, keepsKeys: true, timeoutMs, retry: { attempts, baseDelayMs: 1 } }));
  } finally {
    await transport.close();
  }
}

function newOrder() {
  const wanted = {
    account_id: 'a',
    market_id: 'm',
    side: 'buy',
    size: 1,
    leverage: 1,
    margin_mode: 'cross',
    limit_price: 100,
  } as const;
  return {
    body: { ...wanted, type: 'limit' as const, client_order_id: randomUUID() },
    idempotencyKey: newIdempotencyKey(),
  };
}

/** Bytes of one request and its answer without faults. */
function lengths(run: (client: Client) => Promise<unknown>): Promise<Lengths> {
  return undisturbed(proxy, () => withClient(1, 5_000, run));
}

async function failure(promise: Promise<unknown>): Promise<Error | undefined> {
  return await promise.then(
    () => undefined,
    (error: Error) => error,
  );
}

const both = ['request', 'response'] as const;

/** Connections that break at this many bytes of each request and answer. */
export function brokenConnections(places: number): void {
  before(async () => {
    server = await orderServer();
    proxy = await faultProxy(server.url);
  });
  after(async () => {
    await proxy.close();
    await server.close();
  });

  test('an order is placed exactly once, whatever byte the connection breaks at, and the client gets its answer', async () => {
    const length = await lengths((client) => client.call('createOrder', newOrder()));
    const all = [
      ...faultsOf(['cut', 'reset', 'duplicate', 'delay'], both, length, places),
      ...faultsOf(['drop'], ['request'], length, places),
    ];
    for (const fault of all) {
      const wanted = newOrder();
      proxy.arm(fault);
      const { data } = await withClient(4, 5_000, (client) => client.call('createOrder', wanted));
      assert.equal(data.client_order_id, wanted.body.client_order_id, JSON.stringify(fault));
      if (fault.kind === 'drop') await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal(server.madeFor(wanted.idempotencyKey), 1, JSON.stringify(fault));
    }
  });

  test('an order is placed exactly once when its answer never arrives', async () => {
    const length = await lengths((client) => client.call('createOrder', newOrder()));
    for (const fault of faultsOf(['stall', 'truncate'], both, length, Math.ceil(places / 6))) {
      const wanted = newOrder();
      proxy.arm(fault);
      // Only the first connection fails; the others may be slow on a busy machine.
      await withClient(10, 60, (client) => client.call('createOrder', wanted));
      assert.equal(server.madeFor(wanted.idempotencyKey), 1, JSON.stringify(fault));
    }
  });

  test('with a single attempt, the client reports what it knows, and settling finds out the rest', async () => {
    const length = await lengths((client) => client.call('createOrder', newOrder()));
    const seen = new Set<string>();
    for (const fault of faultsOf(['cut', 'reset'], both, length, places)) {
      const wanted = newOrder();
      proxy.arm(fault);
      await withClient(1, 5_000, async (client) => {
        const error = await failure(client.call('createOrder', wanted));
        seen.add(error?.name ?? 'answered');
        if (error === undefined) return;
        if (error instanceof ConnectionError) return assert.equal(server.madeFor(wanted.idempotencyKey), 0);
        assert.ok(error instanceof OutcomeUnknownError, `${error.stack} ${JSON.stringify(fault)}`);
        const settlement = await settle(client, error.intent);
        assert.equal(settlement.verdict, 'applied');
        assert.equal(server.madeFor(wanted.idempotencyKey), 1);
      });
    }
    assert.ok(seen.has('OutcomeUnknownError') && seen.has('answered'), [...seen].join());
  });

  test('an amendment and a cancellation take effect, and the client knows it, whatever byte the connection breaks at', async () => {
    const finished = (client: Client, call: Promise<unknown>, before?: unknown) =>
      call.catch((error: unknown) => {
        if (!(error instanceof OutcomeUnknownError)) throw error;
        return finish(client, error, { before, arrivalMs: 1 });
      });
    const amend = (client: Client, id: string) =>
      finished(
        client,
        client.call('modifyOrder', { path: { order_id: id }, body: { price: 101 } }),
        server.orders.get(id),
      );
    const cancel = (client: Client, id: string) =>
      finished(client, client.call('cancelOrder', { path: { order_id: id } }));
    const place = () => withClient(4, 5_000, async (client) => (await client.call('createOrder', newOrder())).data.id);
    for (const [name, act, isDone] of [
      ['amend', amend, (id: string) => server.orders.get(id)!.limit_price === 101],
      ['cancel', cancel, (id: string) => server.orders.get(id)!.status === 'canceled'],
    ] as const) {
      const first = await place();
      const length = await lengths((client) => act(client, first));
      for (const fault of faultsOf(['cut', 'reset', 'duplicate'], both, length, Math.ceil(places / 2))) {
        const id = await place();
        proxy.arm(fault);
        const error = await withClient(4, 5_000, (client) => failure(act(client, id)));
        // If a proxy delivers a cancellation twice, perhaps only the second answer arrives: it is too late by then, and
        // says so.
        const isHonest =
          error === undefined || (fault.kind === 'duplicate' && error instanceof ApiError && error.status === 409);
        assert.ok(isHonest, `${name} ${JSON.stringify(fault)} ${error?.stack}`);
        assert.ok(isDone(id), `${name} ${JSON.stringify(fault)}`);
      }
    }
  });
}
