import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditPlace } from '../../../src/desk/audit/chain.ts';
import { newestRecords } from '../../../src/desk/audit/read-log.ts';
import { NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { GateWorld } from './gate-world.ts';

const wanted = process.env.PERP_LONG ? 10_000 : 500;
const perWorld = 250;
const limitUsd = 3_000;
const bots = ['one', 'two', 'three', 'four'] as const;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

/**
 * Four bots share one account and its room, and repeat their keys, while answers and requests are lost, the gate restarts,
 * its clock steps, and the simulation is reset. The service itself says what they got.
 */
test('whatever is repeated after whatever has happened, nothing is beyond a mandate or without a record', async (t) => {
  const totals = { attempts: 0, done: 0, resets: 0, restarts: 0, steps: 0 };
  for (let round = 0; totals.attempts < wanted; round += 1) {
    const chance = new Chance(seed * 1_000 + round);
    const world = await GateWorld.open(t, { accounts: 1 });
    for (const bot of bots) world.mandates.set(bot, world.allowing(undefined, { largestPositionUsd: limitUsd }));
    const { transport } = world.simulation;
    world.carry = async (request, limits) => {
      if (request.method === 'GET') return await transport(request, limits);
      const fate = chance.next();
      if (fate < 0.04) throw new NoAnswerError('lost on the way');
      const answer = await transport(request, limits);
      if (fate < 0.08) throw new NoAnswerError('the answer was lost');
      return answer;
    };
    let gate = await world.gate();
    const asked: { bot: string; request: WireRequest }[] = [];
    for (let attempt = 0; attempt < perWorld; attempt += 1) {
      totals.attempts += 1;
      const event = chance.next();
      if (event < 0.02) {
        totals.resets += 1;
        await world.reset();
      } else if (event < 0.04) {
        totals.restarts += 1;
        await gate[Symbol.asyncDispose]();
        gate = await world.gate();
      } else if (event < 0.06) {
        totals.steps += 1;
        const step = chance.pick([-600_000, 0, 60_000]);
        world.now = () => Date.now() + step;
      }
      const isAgain = asked.length > 0 && chance.chance(0.4);
      const next = () => ({
        bot: chance.pick(bots),
        request: world.order(
          { side: chance.pick(['buy', 'buy', 'sell']), size: chance.pick([0.003, 0.008, 0.02]) },
          `key-${round}-${attempt}`,
        ),
      });
      const one = isAgain ? chance.pick(asked) : next();
      asked.push(one);
      const answer = await gate.handle(one.bot, one.request);
      if (answer.status < 300) totals.done += 1;
      await check(world, `seed ${seed}, round ${round}, attempt ${attempt}`);
    }
  }
  t.diagnostic(`seed ${seed}: ${JSON.stringify(totals)}`);
  for (const [what, count] of Object.entries(totals)) assert.ok(count > 0, what);
});

async function check(world: GateWorld, where: string): Promise<void> {
  const [account] = world.accounts;
  const positions = dataOf(await world.direct({ target: `/v1/positions?account_id=${account}` }));
  for (const { size, entry_price: price } of positions)
    assert.ok(size * price <= limitUsd * 1.02, `${where}: ${size * price} USD`);
  const orders = dataOf(await world.direct({ target: `/v1/orders?account_id=${account}&limit=100` }));
  const recorded = new Set(
    [...newestRecords(auditPlace(world.variables))].flatMap((record) =>
      record.kind === 'asked' && record.decision === 'allowed' ? [record.upstream?.clientOrderId] : [],
    ),
  );
  const ids: string[] = orders.map(({ client_order_id: id }: Body) => id);
  assert.equal(new Set(ids).size, ids.length, `${where}: an order was doubled`);
  for (const id of ids) assert.ok(recorded.has(id), `${where}: ${id} has no record`);
}

function dataOf({ body }: WireResponse): Body {
  return (body as { data: unknown }).data;
}
