import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openSimulation } from '../../../src/service/public.ts';
import { serve } from '../../../src/service/serve.ts';
import { ask } from '../../service/serving.ts';
import { test, trial } from '../../tiers.ts';
import { Desk } from './practice.ts';

/**
 * A simulation whose resting bid, as a bug could have left it, got its price in the far future: its fill breaks an
 * invariant.
 */
async function damaged(desk: Desk): Promise<string> {
  await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
  const { bid } = await desk.json('quote', 'BTC');
  const { id } = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', String(bid - 20));
  const simulation = await openSimulation({ stateDir: join(desk.folder, 'state'), state: 'default' });
  simulation.write(({ store, exchange }) => {
    const changes = exchange.takeChanges();
    changes.orders.set(id, { ...store.order(id)!, pricedAt: Date.UTC(2100, 0, 1) });
    store.write(changes);
  });
  simulation.close();
  return id;
}

test('a broken invariant is a clean stop: the command says so, nothing is changed, and all else still works', async () => {
  using desk = new Desk();
  const id = await damaged(desk);
  const before = await desk.json('sim', 'status');
  for (let nth = 0; nth < 2; nth++) {
    const { exit, error, out } = await desk.perp(['sim', 'advance', '6h', '--json']);
    assert.deepEqual([exit, error.code, out], [1, 'bug', '']);
    assert.match(
      error.message,
      /^A bug in perp at src\/exchange\/engine\/fills\/.*: Nothing fills before .*\(fill-after-order\)\.$/,
    );
  }
  assert.deepEqual(await desk.json('sim', 'status'), before);
  assert.equal((await desk.json('order', 'show', id)).status, 'resting');
  await desk.json('order', 'place', 'ETH', 'buy', '1', '--yes');
  await desk.json('order', 'cancel', id);
  await desk.json('sim', 'advance', '6h');
});

trial('a write that meets one is answered 500 over HTTP, and the exchange continues from the store', async (t) => {
  using desk = new Desk();
  const id = await damaged(desk);
  const bugs: unknown[] = [];
  const options = { stateDir: join(desk.folder, 'state'), port: 0, sandboxPort: 0, drainMs: 50 };
  const serving = await serve({ ...options, onBug: (bug) => bugs.push(bug) });
  t.after(() => serving.stop());
  const send = (method: string, path: string, json?: object) =>
    ask(serving.baseUrl + path, serving.key, { method, ...(json !== undefined && { json }) });
  const { status, body } = await send('POST', '/sim/advance', { duration_ms: 6 * 3_600_000 });
  assert.deepEqual([status, body.error.code], [500, 'internal']);
  assert.match(body.error.message, /broke its own rule fill-after-order; nothing was changed/);
  assert.match(String(bugs[0]), /^InvariantBroken: Nothing fills before/);
  assert.equal((await send('GET', `/v1/orders/${id}`)).body.data.status, 'resting');
  assert.equal((await send('DELETE', `/v1/orders/${id}`)).status, 200);
  assert.equal((await send('POST', '/sim/advance', { duration_ms: 6 * 3_600_000 })).status, 200);
});
