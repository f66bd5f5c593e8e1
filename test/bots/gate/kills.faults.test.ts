import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { killed, mostInAMinute, slowRate } from './trials/kill-trials.ts';

const kills = process.env.PERP_LONG ? 200 : 4;

test('a gate that is killed in the middle of orders loses none, doubles none, and forgets no budget', {
  timeout: 3_600_000,
}, async (t) => {
  const outcome = await killed(t, kills, new Chance(seed));
  const { acknowledged, listed } = outcome;
  const busy = [...listed].filter(([name]) => name.startsWith('gate-busy_'));
  assert.deepEqual(
    busy.filter(([, ids]) => ids.length !== 1),
    [],
    'doubled',
  );
  assert.deepEqual(
    new Set(busy.flatMap(([, ids]) => ids)),
    new Set(acknowledged.values()),
    'lost, or not acknowledged',
  );
  const { told, listed: ladders } = outcome.ladders;
  assert.equal(new Set(told).size, told.length, 'an older ladder was taken for a new one');
  assert.deepEqual(new Set(ladders), new Set(told), 'a ladder was doubled or lost');
  const rate = mostInAMinute(outcome.slow);
  t.diagnostic(
    `${outcome.kills} kills, ${acknowledged.size} orders, ${told.length} ladders, ${rate} of the slow bot in a minute, ${outcome.refusedForLoss} refused for the loss`,
  );
  assert.ok(rate <= slowRate && rate > 0, `${rate} orders in a minute`);
  assert.equal(outcome.afterLoss, 0, 'an order after the loss of the day was reached');
  assert.ok(outcome.refusedForLoss > 0);
});
