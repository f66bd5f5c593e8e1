import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { unsettledWrites } from '../../../../src/desk/intents/intent-files.ts';
import { BuiltRun, buildPerp, freshWorld, machine, type Served, servedWorld } from '../built-perp.ts';

const here = machine();
let served: Served;
let variables: Record<string, string>;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  served = await servedWorld(here.variables);
  variables = { ...here.variables, PERP_ENV: 'live', PERP_BASE_URL: served.baseUrl, PERP_API_KEY: served.key };
});
after(async () => {
  await served.stop();
  here.remove();
});

const place = (price: number) => `order place BTC buy 0.01 --limit-price ${price} --leverage 2 --margin isolated`;

test('endless input takes no more memory than short input', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async () => {
  const batch = new BuiltRun(['batch'], variables);
  const comment = `# ${'x'.repeat(997)}\n`.repeat(1_000);
  const peakMegabytes = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${batch.process.pid}/status`, 'utf8'))![1]) / 1_024;
  batch.process.stdin.write('config list\n');
  await batch.printed(/"line":1/);
  const before = peakMegabytes();
  for (let megabyte = 0; megabyte < 120; megabyte++) {
    if (!batch.process.stdin.write(comment)) await once(batch.process.stdin, 'drain');
  }
  const grown = peakMegabytes() - before;
  batch.process.stdin.end();
  assert.equal((await batch.ended).exit, 0);
  assert.ok(grown < 60, `${grown.toFixed(0)} MB more`);
});

test('a batch that is killed at any time and repeated with its key places every order exactly once', async () => {
  const count = process.env.PERP_LONG === '1' ? 1_000 : 150;
  const prices = Array.from({ length: count }, (_, at) => 40_000 + at);
  const run = () => {
    const batch = new BuiltRun(['batch', '--idempotency-key', 'monday'], variables);
    batch.process.stdin.end(prices.map(place).join('\n'));
    return batch;
  };
  for (let kills = 0; kills < 8; kills++) {
    const batch = run();
    await Promise.race([batch.printed(new RegExp(`"line":${1 + kills * 18},`)), batch.ended]);
    await delay(kills % 4);
    batch.process.kill('SIGKILL');
    await batch.ended;
    if (kills % 2 === 0) assert.equal((await new BuiltRun(['pending', 'resume'], variables).ended).exit, 0);
  }
  const { exit, out } = await run().ended;
  assert.equal(
    exit,
    0,
    out.split('\n').find((line) => line.includes('"ok":false')),
  );
  const working = (await served.world.workingOrders()).map(({ limit_price }) => limit_price!);
  assert.deepEqual(
    working.filter((price) => price >= 40_000 && price < 50_000).sort((a, b) => a - b),
    prices,
  );
  assert.deepEqual(unsettledWrites(`${here.variables.PERP_STATE_DIR}/intents`), { writes: [], damages: [] });
});
