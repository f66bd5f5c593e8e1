import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PracticeExchange, practiceExchange } from '../../../wire/client/practice-exchange.ts';
import { writeTrials } from '../../../wire/client/write-trials.ts';
import { Desk } from '../practice.ts';
import { type DoublingProxy, doublingProxy } from './doubling-proxy.ts';

let exchange: PracticeExchange;
let proxy: DoublingProxy;

before(async () => {
  exchange = await practiceExchange();
  proxy = await doublingProxy(exchange.baseUrl);
});
after(async () => {
  await proxy.close();
  await exchange.stop();
});

/**
 * A new copy group's second delivery can't be distinguished from an intended second group (API 4.7). A login has no
 * key.
 */
const others = ['saveCopyTradingConfigurations', 'revokeCliSession'];

test('a write that a proxy delivers twice takes effect once and is reported as done', async () => {
  using desk = new Desk();
  const told: string[] = [];
  for (const [name, prepare] of Object.entries(writeTrials)) {
    if (others.includes(name)) continue;
    const { argv, effects } = await prepare(exchange.world);
    const variables = {
      PERP_ENV: 'live',
      PERP_BASE_URL: proxy.url,
      PERP_ACCOUNT: exchange.world.accountId,
      PERP_API_KEY: exchange.key,
    };
    const run = await desk.perp([...argv, '--json'], { variables });
    assert.equal(run.exit, 0, `${name}: ${run.err}`);
    assert.equal(await effects(), 1, name);
    assert.deepEqual(await desk.json('pending'), [], name);
    const [first, second] = proxy.doubled.at(-1)!;
    assert.ok(first < 300, `${name}: ${first}`);
    if (second >= 400) {
      assert.match(run.err, /The write was refused \(.*\), but it is done: .*delivered twice\./, name);
      told.push(`${name} ${second}`);
    }
    await exchange.world.tidy();
  }
  assert.ok(told.length >= 4, told.join(', '));
});

test('a real refusal is reported as one', async () => {
  using desk = new Desk();
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: exchange.baseUrl, PERP_API_KEY: exchange.key };
  const { id } = await exchange.world.rest();
  assert.equal((await desk.perp(['order', 'cancel', id], { variables })).exit, 0);
  const again = await desk.perp(['order', 'cancel', id, '--json'], { variables });
  assert.deepEqual([again.exit, again.error.code], [6, 'order_terminal']);
  const amended = await desk.perp(['order', 'amend', id, '--price', '20001', '--json'], { variables });
  assert.deepEqual([amended.exit, amended.error.code], [6, 'order_terminal']);
  const gone = await desk.perp(['twap', 'cancel', 'twap_none', '--json'], { variables });
  assert.deepEqual([gone.exit, gone.error.code], [3, 'not_found']);
  assert.deepEqual(await desk.json('pending'), []);
});
