import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, buildPerp, freshWorld, machine, type Served, servedWorld } from '../../terminal/cli/built-perp.ts';
import { CuttingProxy } from '../../wire/client/streams/cutting-proxy.ts';

const here = machine();
let served: Served;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  served = await servedWorld(here.variables);
});
after(async () => {
  await served.stop();
  here.remove();
});

async function buy(market: string): Promise<void> {
  const words = ['order', 'place', market, 'buy', '0.1', '--leverage', '1', '--margin', 'cross', '--json'];
  const { exit, err } = await new BuiltRun(words, here.variables).ended;
  assert.equal(exit, 0, err);
}

test('with both streams cut, a guard keeps polling, acts once, and follows them again when they return', async (t) => {
  const rules = join(here.folder, 'rules.toml');
  writeFileSync(rules, '[fills]\n[price]\nmarket = "BTC"\nabove = 1\n[max-trades]\ntrades = 2\ndo = ["flatten"]\n');
  const proxy = await CuttingProxy.open(t, served.baseUrl);
  const host = { PERP_ENV: 'live', PERP_BASE_URL: served.baseUrl, PERP_API_KEY: served.key };
  const streams = { PERP_MARKET_STREAM_URL: proxy.url, PERP_ACCOUNT_STREAM_URL: proxy.url };
  const variables = { ...here.variables, ...host, ...streams };
  const guard = new BuiltRun(['guard', '--rules', rules, '-o', 'ndjson'], variables);
  t.after(() => guard.process.kill('SIGKILL'));
  await guard.printed(/"rule":"price"/);
  await buy('BTC');
  await guard.printed(/Filled: buy 0\.1 BTC/);
  proxy.isCut = true;
  proxy.cut();
  await buy('ETH');
  await guard.printed(/Filled: sell 0\.1 BTC/);
  await guard.printed(/Filled: sell 0\.1 ETH/);
  const open = async () =>
    (await served.world.direct.call('listOpenPositions', { query: { account_id: served.world.accountId } })).data;
  assert.deepEqual(await open(), []);
  const before = proxy.connections;
  proxy.isCut = false;
  while (proxy.connections < before + 2) await delay(50);
  await buy('SOL');
  await guard.printed(/Filled: buy 0\.1 SOL/);
  assert.equal((await open()).length, 1);
  assert.equal(guard.out.match(/"event":"fired"[^\n]*"rule":"max-trades"/g)!.length, 1);
  assert.doesNotMatch(guard.out, /"event":"blind"/);
});
