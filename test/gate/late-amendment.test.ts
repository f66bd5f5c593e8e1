import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireRequest, WireResponse } from '../../src/contract/wire.ts';
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
  world.mandates.set('scalper', world.allowing(undefined, { largestPositionUsd: 1_050 }));
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
  assert.equal((await send(world.order({ ...resting, size: 0.01 }, 'second'))).status, 422, 'it may be 0.02 again');
  held.get(0.02)!();
  assert.equal((await back).status, 200);
});

test('a stopped bot may undo an amendment that grows its order, and none that shrinks it', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  const held: (() => void)[] = [];
  const { carry } = world;
  world.carry = async (request, limits) => {
    if (request.method === 'PATCH') await new Promise<void>((arrive) => held.push(arrive));
    return await carry(request, limits);
  };
  world.mandates.set('scalper', world.allowing());
  const gate = await world.gate();
  const send = (request: WireRequest) => gate.handle('scalper', request);
  const resting = { type: 'limit', limit_price: 50_000, size: 0.02 };
  const under = [];
  for (const [name, size, status] of [
    ['grown', 0.03, 200],
    ['shrunk', 0.01, 422],
  ] as const) {
    const id = idOf(await send(world.order(resting, name)));
    await world.advance(500);
    const amend = (to: number) =>
      send({ ...world.order({}, `${name}-${to}`), method: 'PATCH', target: `/v1/orders/${id}`, body: bodyOf(to) });
    under.push(amend(size));
    await until(() => held.length === under.length);
    gate.stop('scalper');
    const back = amend(0.02);
    if (status === 200) {
      under.push(back);
      await until(() => held.length === under.length);
    } else assert.equal((await back).status, status);
    gate.resume('scalper');
  }
  for (const arrive of held) arrive();
  for (const answer of await Promise.all(under)) assert.equal(answer.status, 200);
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

function bodyOf(size: number): string {
  return JSON.stringify({ price: 50_000, size });
}

function idOf({ body }: WireResponse): string {
  return (body as { data: { id: string } }).data.id;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
