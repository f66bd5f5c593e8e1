import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, buildPerp, freshWorld, machine, type Served, servedWorld } from '../../terminal/cli/built-perp.ts';
import { Lane } from '../../terminal/cli/hostile/lane.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';
import { type Gate, gate } from '../intents/gate.ts';

const here = machine();
let served: Served;
let entrance: Gate;
let isShut = false;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  served = await servedWorld(here.variables);
  entrance = await gate(served.baseUrl, () => isShut);
});
after(async () => {
  await entrance.close();
  await served.stop();
  here.remove();
});

let price = 30_000;

/** Places a resting order and waits for its end; returns once it is placed. */
async function waiting(...flags: string[]): Promise<{ run: BuiltRun; id: string }> {
  price += 1;
  const order = [
    'order',
    'place',
    'BTC',
    'buy',
    '0.01',
    '--limit-price',
    String(price),
    '--leverage',
    '2',
    '--margin',
    'cross',
  ];
  const remote = { PERP_ENV: 'live', PERP_BASE_URL: entrance.url, PERP_API_KEY: served.key };
  const run = new BuiltRun([...order, '--wait', '--json', ...flags], { ...here.variables, ...remote });
  for (;;) {
    const placed = (await served.world.workingOrders()).find(({ limit_price }) => limit_price === price);
    if (placed !== undefined) return { run, id: placed.id };
    await delay(10);
  }
}

const cancel = (id: string) => served.world.direct.call('cancelOrder', { path: { order_id: id } });

trial('--wait ends with the order, and prints its final state', async () => {
  const { run, id } = await waiting();
  await delay(300);
  assert.equal(run.out, '', 'nothing is printed before');
  await cancel(id);
  const { exit, out, err } = await run.ended;
  assert.deepEqual([exit, JSON.parse(out).status], [0, 'canceled']);
  // Accounts of this world have no floors.
  assert.match(
    err,
    /^The host reports no floor [^\n]*\n\*\*\* LIVE 127\.0\.0\.1:\d+ acc_\w+ \(a simulation, synthetic\) \*\*\*\n$/,
  );
});

trial('an order that is rejected when it fills exits 5', async () => {
  const { world } = served;
  const limits = { execution_delay_min_ms: 2_000, execution_delay_max_ms: 2_000 };
  const clock = (speed: number) => world.direct.call('simSetClock', { body: { running: true, speed } });
  await clock(0.001);
  await world.direct.call('simSetPolicy', { body: { account_id: world.accountId, limits } });
  const run = new BuiltRun(['order', 'place', 'ETH', 'buy', '1', '--wait', '--json'], here.variables);
  for (let pending = 0; pending === 0; await delay(10)) pending = (await world.workingOrders()).length;
  await world.direct.call('simSetPolicy', { body: { account_id: world.accountId, restriction: 'reduce_only' } });
  await clock(100);
  const { exit, out } = await run.ended;
  await clock(1);
  const free = { restriction: null, limits: { execution_delay_min_ms: 0, execution_delay_max_ms: 0 } };
  await world.direct.call('simSetPolicy', { body: { account_id: world.accountId, ...free } });
  assert.deepEqual([exit, JSON.parse(out).status], [5, 'rejected'], out);
});

trial('--timeout ends the wait, not the order, with exit 130', async (t) => {
  const lane = await Lane.open();
  t.after(() => lane.close());
  const clock = performance.now.bind(performance);
  const order = 'order place BTC buy 0.01 --limit-price 60500 --force --wait --timeout 60 --json';
  const { exit, json, err } = await lane.run(order, (id, honest) => {
    // While the command reads its order, its time runs out.
    if (id === 'getOrder') t.mock.method(performance, 'now', () => clock() + 60_000);
    return honest;
  });
  assert.deepEqual([exit, json.status], [130, 'resting']);
  assert.match(
    err,
    new RegExp(`The --timeout has passed\\. The order is still resting; see perp order show ${json.id}`),
  );
});

/** The same; returns once the command knows its order, and reads it again. */
async function following(...flags: string[]): Promise<{ run: BuiltRun; id: string }> {
  const reading = entrance.sent(/^GET \/v1\/orders\/\w/m);
  const started = await waiting(...flags);
  await reading;
  return started;
}

trial('Ctrl-C ends the wait, not the order, and says so', async () => {
  const { run, id } = await following();
  run.process.kill('SIGINT');
  const { exit, out, err } = await run.ended;
  assert.deepEqual([exit, JSON.parse(out).id], [130, id]);
  assert.match(err, /Stopped waiting\. The order is still resting;/);
  assert.equal((await served.world.order(id)).status, 'resting');
  await cancel(id);
});

trial('a temporary outage of the service is tolerated', async () => {
  const { run, id } = await following('--timeout', '60');
  served.process.process.kill('SIGSTOP');
  entrance.cut();
  isShut = true;
  await delay(1_500);
  isShut = false;
  served.process.process.kill('SIGCONT');
  await cancel(id);
  const { exit, out } = await run.ended;
  assert.deepEqual([exit, JSON.parse(out).status], [0, 'canceled']);
});

trial('if killed while waiting, the order is in pending', async () => {
  const { run, id } = await waiting();
  run.process.kill('SIGKILL');
  await run.ended;
  const remote = { PERP_ENV: 'live', PERP_BASE_URL: entrance.url, PERP_API_KEY: served.key };
  const resumed = await new BuiltRun(['pending', 'resume', '--json'], { ...here.variables, ...remote }).ended;
  const [settled] = JSON.parse(resumed.out);
  assert.deepEqual([resumed.exit, settled.outcome, settled.resource.id], [0, 'done', id]);
  await cancel(id);
});

test('between two reads of an order that nobody reports on, the command waits', async () => {
  using desk = new Desk();
  const place = ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000', '--force', '--debug'];
  const { exit, err } = await desk.perp([...place, '--wait', '--timeout', '1']);
  assert.equal(exit, 130, err);
  const reads = err.match(/^debug: GET \/v1\/orders\/ord_/gm) ?? [];
  // After 100 ms, 250, 475, 813 and at the end; fewer on a slow machine.
  assert.ok(reads.length >= 1 && reads.length <= 6, err);
});
