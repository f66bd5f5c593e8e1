import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditPlace, newestRecords } from '../../../src/desk/audit/chain.ts';
import { GateWorld } from './gate-world.ts';

const resting = { type: 'limit', limit_price: 50_000 };

test('flattening one bot stops it and ends everything in its accounts, and the others trade on', async (t) => {
  const { world, gate, mine, theirs } = await twoTraders(t);
  assert.deepEqual(await gate.flatten('grid'), [
    { account_id: mine, is_flat: true, canceled: 1, closed: 1, failures: [] },
  ]);
  assert.deepEqual(await heldIn(world, mine), { positions: 0, orders: 0 });
  assert.deepEqual(await heldIn(world, theirs), { positions: 1, orders: 1 });
  assert.deepEqual(stopped(gate), { grid: true, beside: false, other: false });
  assert.equal((await gate.handle('grid', world.order({}, 'again'))).status, 422);
  assert.equal((await gate.handle('other', world.order({ account_id: theirs }, 'again'))).status, 201);
  assert.deepEqual(eventsOf(world), [
    ['bot stopped', 'grid'],
    ['flattened', 'grid'],
  ]);
});

test('flattening without a name ends everything of every bot, once per account, until they are resumed', async (t) => {
  const { world, gate, mine, theirs } = await twoTraders(t);
  const flattened = await gate.flatten();
  assert.deepEqual(
    flattened.map(({ account_id, is_flat, canceled, closed }) => ({ account_id, is_flat, canceled, closed })),
    [mine, theirs].map((account_id) => ({ account_id, is_flat: true, canceled: 1, closed: 1 })),
  );
  for (const account of [mine, theirs]) assert.deepEqual(await heldIn(world, account), { positions: 0, orders: 0 });
  const place = (bot: string, account_id: string, key: string) => gate.handle(bot, world.order({ account_id }, key));
  const all = [
    ['grid', mine],
    ['beside', mine],
    ['other', theirs],
  ] as const;
  for (const [bot, account] of all) assert.equal((await place(bot, account, 'again')).status, 422);
  gate.resume();
  for (const [bot, account] of all) assert.equal((await place(bot, account, 'on')).status, 201);
});

/** Bots with an account each, which has a position and a resting order; another bot may trade in the first one's. */
async function twoTraders(t: Parameters<typeof GateWorld.open>[0]) {
  const world = await GateWorld.open(t);
  const [mine, theirs] = world.accounts as [string, string];
  world.mandates.set('grid', world.allowing([mine]));
  world.mandates.set('beside', world.allowing([mine]));
  world.mandates.set('other', world.allowing([theirs]));
  const gate = await world.gate();
  for (const [bot, account_id] of [
    ['grid', mine],
    ['other', theirs],
  ] as const)
    for (const fields of [{}, resting]) {
      const answer = await gate.handle(bot, world.order({ account_id, ...fields }, JSON.stringify(fields).slice(0, 9)));
      assert.equal(answer.status, 201);
    }
  return { world, gate, mine, theirs };
}

type Gate = Awaited<ReturnType<GateWorld['gate']>>;

function stopped(gate: Gate): Record<string, boolean> {
  return Object.fromEntries(gate.status().bots.map(({ bot, stopped_since: since }) => [bot, since !== null]));
}

async function heldIn(world: GateWorld, account: string): Promise<{ positions: number; orders: number }> {
  const count = async (target: string) => {
    const { body } = await world.direct({ target: `${target}account_id=${account}` });
    return (body as { data: unknown[] }).data.length;
  };
  return { positions: await count('/v1/positions?'), orders: await count('/v1/orders?status=working&') };
}

/** What the audit log says happened since the gate started, oldest first. */
function eventsOf(world: GateWorld): [event: string, bot: string | undefined][] {
  const events = [...newestRecords(auditPlace(world.variables))].reverse().filter((record) => record.kind === 'event');
  return events.filter(({ event }) => event !== 'started').map(({ event, bot }) => [event, bot]);
}
