import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { GateWorld } from './gate-world.ts';

test('an amendment that would leave an order as it is shown counts until it has arrived after an earlier one', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  const held = new Map<number, () => void>();
  const { carry } = world;
  world.carry = async (request, limits) => {
    if (request.method === 'PATCH')
      await new Promise<void>((arrive) => held.set((JSON.parse(request.body!) as { size: number }).size, arrive));
    return await carry(request, limits);
  };
  world.mandates.set('scalper', world.allowing(undefined, { largestPositionUsd: 2_550 }));
  const gate = await world.gate();
  const send = (request: WireRequest) => gate.handle('scalper', request);
  const resting = { type: 'limit', limit_price: 50_000, size: 0.02 };
  const id = idOf(await send(world.order(resting, 'first')));
  await world.advance(500);
  const amend = (size: number) =>
    send({ ...world.order({}, `to-${size}`), method: 'PATCH', target: `/v1/orders/${id}`, body: bodyOf(size) });
  const smaller = amend(0.01);
  await until(() => held.has(0.01));
  const back = amend(0.02);
  await until(() => held.has(0.02));
  await send(world.order({ ...resting, size: 1 }, 'refused'));
  held.get(0.01)!();
  assert.equal((await smaller).status, 200);
  await world.advance(500);
  assert.equal((await send(world.order({ ...resting, size: 0.03 }, 'second'))).status, 422, 'it may be 0.02 again');
  held.get(0.02)!();
  assert.equal((await back).status, 200);
});

test('a stopped bot may amend no size of what adds: it would come on top of what fills before', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('scalper', world.allowing());
  const gate = await world.gate();
  const id = idOf(
    await gate.handle('scalper', world.order({ type: 'limit', limit_price: 50_000, size: 0.02 }, 'first')),
  );
  await world.advance(500);
  gate.stop('scalper');
  const target = `/v1/orders/${id}`;
  for (const size of [0.01, 0.03]) {
    const answer = await gate.handle('scalper', { ...world.order(), method: 'PATCH', target, body: bodyOf(size) });
    assert.equal(answer.status, 422, `to ${size}`);
  }
  assert.equal(
    (await gate.handle('scalper', { ...world.order(), method: 'DELETE', target, body: undefined })).status,
    200,
  );
});

test('an amendment to the size that an order has adds nothing for what fills before it arrives, also of a stopped bot', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  const held: (() => void)[] = [];
  const { carry } = world;
  world.carry = async (request, limits) => {
    if (request.method === 'PATCH') await new Promise<void>((arrive) => held.push(arrive));
    return await carry(request, limits);
  };
  world.mandates.set('scalper', world.allowing());
  const gate = await world.gate();
  const ask = async (target: string) => ((await world.direct({ target })).body as { data: unknown }).data;
  const market = encodeURIComponent(world.market('BTC'));
  const { bid } = (await ask(`/v1/markets/${market}/quote`)) as { bid: number };
  const large = { type: 'limit', limit_price: bid, size: 1, leverage: 10 };
  const id = idOf(await gate.handle('scalper', world.order(large, 'large')));
  await world.advance(500);
  gate.stop('scalper');
  const body = JSON.stringify({ price: bid, size: 1 });
  const same = gate.handle('scalper', { ...world.order(), method: 'PATCH', target: `/v1/orders/${id}`, body });
  await until(() => held.length === 1);
  const order = async () => (await ask(`/v1/orders/${id}`)) as { size: number; filled_size: number; status: string };
  for (let step = 0; step < 600 && (await order()).filled_size === 0; step += 1) await world.advance(100);
  held[0]!();
  await same;
  const { status, size, filled_size: filled } = await order();
  const left = status === 'resting' ? size : 0;
  assert.ok(filled + left < 1 + 1e-9, `${filled} have filled, and ${left} are left of 1`);
});

test('what fills before an amendment to a smaller size arrives and what is left after it are within the mandate', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('scalper', world.allowing(undefined, { largestPositionUsd: 1_550 }));
  const gate = await world.gate();
  const id = idOf(
    await gate.handle('scalper', world.order({ type: 'limit', limit_price: 50_000, size: 0.02 }, 'first')),
  );
  await world.advance(500);
  const amend = async (body: string) =>
    (await gate.handle('scalper', { ...world.order(), method: 'PATCH', target: `/v1/orders/${id}`, body })).status;
  assert.equal(await amend(bodyOf(0.012)), 422);
  assert.equal(await amend(JSON.stringify({ price: 50_100 })), 200);
  assert.equal(await amend(bodyOf(0.01)), 200);
});

function bodyOf(size: number): string {
  return JSON.stringify({ price: 50_000, size });
}

function idOf({ body }: WireResponse): string {
  return (body as { data: { id: string } }).data.id;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
