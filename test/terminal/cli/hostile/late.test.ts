import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anOrder } from '../../../wire/client/write-answers.ts';
import type { Behavior, HostAnswer } from './fake-host.ts';
import { Lane } from './lane.ts';

const resize = 'order amend ord_1 --price 60500 --size 0.4 --force --json';
const shown = (order: object): HostAnswer => ({ status: 200, body: { data: order } });

/** A host that never answers amendments; the order it shows is `order`. */
const swallowing =
  (order: object): Behavior =>
  (id, honest) =>
    id === 'modifyOrder' ? undefined : id === 'getOrder' ? shown(order) : honest;

test('a write that may still arrive when the command gives up stays open, and the message says for how long', async () => {
  const lane = await Lane.open(6);
  try {
    const { exit, error } = await lane.run(`${resize} --timeout 1`, swallowing(anOrder));
    assert.deepEqual([exit, error.code], [8, 'outcome_unknown']);
    assert.match(error.message, /it was not done within 1 s; it may still arrive within the next 5 s/);
    const [pending, ...others] = await lane.pending();
    assert.deepEqual([pending?.operation, others], ['modifyOrder', []]);
    const again = await lane.run(resize, swallowing(anOrder));
    assert.deepEqual([again.exit, again.error.code], [6, 'unsettled_write'], 'no second one is sent');

    const moved = { ...anOrder, limit_price: 60_500, trigger_price: undefined, size: 0.4 };
    let looks = 0;
    const late: Behavior = (id, honest) => (id === 'getOrder' ? shown(looks++ === 0 ? anOrder : moved) : honest);
    const resumed = await lane.run('pending resume --timeout 1 --json', late);
    assert.deepEqual([resumed.exit, resumed.json[0].outcome, looks], [0, 'done', 2], 'perp waits until the end');
    assert.deepEqual(await lane.pending(), []);
  } finally {
    await lane.close();
  }
});

test('a write that has not taken effect by the end of the arrival window was not done, and the message says how long perp waited', async () => {
  const lane = await Lane.open(0.2);
  try {
    const { exit, error } = await lane.run(`${resize} --timeout 2`, swallowing(anOrder));
    assert.deepEqual([exit, error.code], [7, 'no_answer']);
    assert.match(error.message, /it was not done within 0\.2 s of the last attempt/);
    assert.deepEqual(await lane.pending(), []);
  } finally {
    await lane.close();
  }
});
