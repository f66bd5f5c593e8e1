import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { auditPlace, newestRecords } from '../../../src/desk/audit/chain.ts';
import { NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import type { WireRequest } from '../../../src/wire/contract/wire.ts';
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

test('a service that takes requests and never answers is 503 in time, and holds up no other bot', async (t) => {
  const world = await GateWorld.open(t);
  const [first, second] = world.accounts as [string, string];
  world.mandates.set('grid', world.allowing([first]));
  world.mandates.set('other', world.allowing([second]));
  const gate = await world.gate({ readMs: 300 });
  const { transport } = world.simulation;
  let hanging = 0;
  world.carry = (request, limits) => {
    if (!request.target.includes('unknown') && !request.target.includes(first)) return transport(request, limits);
    hanging += 1;
    assert.ok(limits.timeoutMs <= 300, `${limits.timeoutMs} ms`);
    return new Promise((_, reject) => setTimeout(() => reject(new NoAnswerError('nothing')), limits.timeoutMs));
  };
  // More than the bot has lanes; an order that neither id finds is read twice.
  const reads = Array.from({ length: 20 }, (_, at) => gate.handle('grid', get(`/v1/orders/unknown-${at}`)));
  const write = { ...world.order({}, 'amend'), method: 'PATCH', target: '/v1/orders/unknown' } as const;
  reads.push(gate.handle('grid', { ...write, body: '{"price":50000}' }));
  assert.equal((await gate.handle('other', get(`/v1/accounts/${second}`))).status, 200);
  assert.equal((await gate.handle('other', world.order({ account_id: second }))).status, 201);
  assert.ok(hanging > 0);
  for (const answer of await Promise.all(reads)) {
    assert.deepEqual([answer.status, errorIn(answer).code, answer.headers['retry-after']], [503, 'unavailable', '1']);
  }
  assert.ok(hanging < reads.length, `${hanging} requests were sent`);
});

test('a refusal is recorded under the name that the term has in files', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing(undefined, { largestOrderUsd: 100 }));
  const gate = await world.gate();
  assert.equal(errorIn(await gate.handle('grid', world.order())).rule_id, 'mandate-largest-order');
  const [record] = newestRecords(auditPlace(world.variables));
  assert.equal(record?.kind === 'asked' && record.term, 'largest-order');
});

test('the hours of a mandate are over when the clock says so, also after the machine has slept', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  const noon = Date.UTC(2026, 0, 5, 12, 30);
  world.now = () => noon;
  const hours = [{ days: [1, 2, 3, 4, 5, 6, 7], from: 12 * 60, to: 13 * 60 }];
  world.mandates.set('grid', world.allowing(undefined, { hours }));
  const gate = await world.gate();
  assert.equal((await gate.handle('grid', world.order())).status, 201);
  // The clock that nobody sets stands still while a machine sleeps.
  world.now = () => noon + 8 * 3_600_000;
  assert.equal(errorIn(await gate.handle('grid', world.order({}, 'key-2'))).rule_id, 'mandate-hours');
  assert.equal((await gate.handle('grid', world.order({ side: 'sell', reduce_only: true }, 'key-3'))).status, 201);
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
