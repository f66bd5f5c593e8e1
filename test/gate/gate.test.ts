import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { NoAnswerError } from '../../src/client/errors.ts';
import type { WireRequest } from '../../src/contract/wire.ts';
import { auditPlace } from '../../src/desk/audit/chain.ts';
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

/** A request of a bot. */
const get = (target: string): WireRequest => ({ method: 'GET', target, headers: {} });

/** Lets the simulation do a write and loses its answer, as long as `isLosing` says so. */
function losingAnswers(world: GateWorld, isLosing: () => boolean): void {
  const { transport } = world.simulation;
  world.carry = async (request, limits) => {
    const answer = await transport(request, limits);
    if (request.method !== 'GET' && isLosing()) throw new NoAnswerError('the answer was lost');
    return answer;
  };
}

test('a write whose answer is lost is looked up, and done once', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  let lost = 0;
  losingAnswers(world, () => lost++ === 0);
  const answer = await gate.handle('grid', world.order());
  assert.equal(answer.status, 200);
  assert.equal(orderIn(await world.direct({ target: '/v1/orders' })).length, 1);
});

test('a gate that was killed knows keys and open writes again: nothing is done twice, and no key is spent on nothing', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const killed = await world.gate();
  const { transport } = world.simulation;
  const never = new Promise<never>(() => {});
  // The gate dies before the answer to one write arrives, and before another one is sent.
  const isUnsent = (body = '') => body.includes('unsent');
  world.carry = async (request, limits) => {
    if (request.method !== 'GET' && isUnsent(request.body)) return await never;
    const answer = await transport(request, limits);
    return request.method !== 'GET' && request.body?.includes('done') !== true ? await never : answer;
  };
  const done = world.order({ client_order_id: 'done' }, 'key-done');
  const open = world.order({ client_order_id: 'open' }, 'key-open');
  const unsent = world.order({ client_order_id: 'unsent' }, 'key-unsent');
  assert.equal((await killed.handle('grid', done)).status, 201);
  void killed.handle('grid', open);
  void killed.handle('grid', unsent);
  while (world.sent.filter(({ method }) => method === 'POST').length < 3) await new Promise(setImmediate);
  world.carry = transport;

  const gate = await world.gate();
  assert.equal((await gate.handle('grid', done)).status, 200);
  const other = await gate.handle('grid', { ...done, body: done.body.replace('0.01', '0.02') });
  assert.equal(errorIn(other).code, 'idempotency_conflict');
  assert.equal((await gate.handle('grid', open)).status, 200);
  const late = await gate.handle('grid', unsent);
  const sentAgain = late.status === 503 ? await gate.handle('grid', unsent) : late;
  assert.equal(sentAgain.status, 201);
  const orders = orderIn(await world.direct(get('/v1/orders')));
  assert.deepEqual(orders.map(({ client_order_id: id }: { client_order_id: string }) => id).sort(), [
    'gate-grid_done',
    'gate-grid_open',
    'gate-grid_unsent',
  ]);
});

test('while the service is slow, a stopping gate answers everything that waits, and refuses the rest', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  world.carry = () => new Promise(() => {});
  const order = gate.handle('grid', world.order());
  const cancel = gate.handle('grid', {
    method: 'POST',
    target: `/v1/accounts/${world.accounts[0]}/cancel-all-orders`,
    headers: { 'idempotency-key': 'c' },
  });
  while (world.sent.filter(({ method }) => method === 'POST').length < 2) await new Promise(setImmediate);
  gate.drain();
  for (const answer of [await order, await cancel]) {
    assert.deepEqual([answer.status, errorIn(answer).code], [503, 'unavailable']);
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  }
  const refused = await gate.handle('grid', get('/v1/accounts'));
  assert.deepEqual([refused.status, errorIn(refused).code], [503, 'unavailable']);
});

test('a stopped bot may only reduce, also after a restart, and flattening does not wait for what is slow', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  assert.equal((await gate.handle('grid', world.order())).status, 201);
  const { transport } = world.simulation;
  // Whatever bots send from now on hangs; the gate's own requests do not.
  world.carry = (request, limits) =>
    request.headers['idempotency-key']?.startsWith('gate-') === true
      ? new Promise(() => {})
      : transport(request, limits);
  const hung = world.order({ side: 'buy', size: 0.02 }, 'hung');
  void gate.handle('grid', hung);
  gate.stop('grid');
  const refused = await gate.handle('grid', world.order({}, 'more'));
  assert.deepEqual([refused.status, errorIn(refused).rule_id], [422, 'mandate-stopped']);
  world.carry = transport;
  const reducing = await gate.handle('grid', world.order({ side: 'sell', size: 0.004, reduce_only: true }, 'less'));
  assert.equal(reducing.status, 201);
  const again = await world.gate();
  assert.equal(errorIn(await again.handle('grid', world.order({}, 'still'))).rule_id, 'mandate-stopped');
  again.resume('grid');
  assert.equal((await again.handle('grid', world.order({}, 'on'))).status, 201);
  const [flattened] = await again.flatten();
  assert.equal(flattened?.is_flat, true);
  assert.deepEqual(orderIn(await world.direct(get(`/v1/positions?account_id=${world.accounts[0]}`))), []);
});

test('the gate’s own trouble with the service is no trouble with a bot’s key', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  const headers = { 'x-request-id': '1', 'content-type': 'application/json' };
  world.carry = async () => ({ status: 401, headers, body: { error: { code: 'unauthorized', message: 'no' } } });
  for (const request of [get('/v1/accounts'), world.order()]) {
    const answer = await gate.handle('grid', request);
    assert.deepEqual([answer.status, errorIn(answer).code], [503, 'unavailable']);
  }
  assert.match(world.notes.join(), /does not accept the credential of the gate/);
  const revoke = await gate.handle('grid', { method: 'POST', target: '/v1/auth/cli/revoke', headers: {} });
  assert.equal(revoke.status, 401);
  const body = JSON.stringify({ code: 'c', code_verifier: 'v' });
  const exchange = {
    method: 'POST',
    target: '/v1/auth/cli/token',
    headers: { 'content-type': 'application/json' },
    body,
  } as const;
  const refused = await gate.handle('grid', exchange);
  assert.deepEqual([refused.status, (refused.body as { code: string }).code], [400, 'invalid_grant']);
});

test('nothing is sent that can’t be recorded', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  rmSync(auditPlace(world.variables).folder, { recursive: true });
  world.sent.length = 0;
  const answer = await gate.handle('grid', world.order());
  assert.deepEqual([answer.status, errorIn(answer).code], [503, 'unavailable']);
  assert.deepEqual(world.sent, []);
  assert.equal((await gate.handle('grid', get('/v1/accounts'))).status, 200);
});
