import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GateWorld } from './gate-world.ts';

test('an order is judged, sent once, and answered with the id that its bot gave it; its key repeats it', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  const order = world.order({ client_order_id: 'mine' });
  world.sent.length = 0;
  const answer = await gate.handle('grid', order);
  assert.equal(answer.status, 201);
  assert.equal(orderIn(answer).client_order_id, 'mine');
  assert.equal(world.sent.length, 1);
  const again = await gate.handle('grid', order);
  assert.deepEqual([again.status, orderIn(again).id], [200, orderIn(answer).id]);
  const other = await gate.handle('grid', { ...order, body: order.body.replace('0.01', '0.02') });
  assert.deepEqual([other.status, errorIn(other).code], [409, 'idempotency_conflict']);
  const found = await gate.handle('grid', { method: 'GET', target: '/v1/orders?client_order_id=mine', headers: {} });
  assert.deepEqual((found.body as { data: unknown }).data, [orderIn(again)]);
  const there = await world.direct({ target: `/v1/orders/${orderIn(answer).id}` });
  assert.equal(orderIn(there).client_order_id, 'gate-grid_mine');
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
function orderIn({ body }: { body: unknown }): any {
  return (body as { data: unknown }).data;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
function errorIn({ body }: { body: unknown }): any {
  return (body as { error: unknown }).error;
}
