import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Desk } from '../practice.ts';

test('after the first target has filled, a guard with [plans] moves the stop to the entry, also one started later', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '20%', '--yes');
  await desk.json('plan', 'BTC', '1/2@0.05% be', '--yes');
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, '[plans]\n');
  const guard = () => desk.perp(['guard', '--once', '--rules', rules]);
  const stopOf = async () => (await desk.json('positions'))[0]?.computed.stop_price as number | undefined;
  const before = await stopOf();
  assert.equal((await guard()).exit, 0);
  assert.equal(await stopOf(), before);
  for (let hour = 0; hour < 48 && (await desk.json('positions'))[0].size === 0.05; hour++)
    await desk.json('sim', 'advance', '30m');
  const [position] = await desk.json('positions');
  assert.equal(position.size, 0.025);
  const isAbove = position.computed.mark > position.entry_price;
  const run = await guard();
  if (isAbove) assert.equal(await stopOf(), position.entry_price, run.err);
  else assert.deepEqual(await desk.json('positions'), [], run.err);
});
