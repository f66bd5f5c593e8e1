import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey, served } from '../../../service/serving.ts';
import { Desk } from '../practice.ts';

test('reverse turns a long into a short of the same size in one order, and back', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--leverage', '3', '--margin', 'isolated');
  await desk.json('positions', 'exits', 'BTC', '--stop-loss', '20000', '--far-stop');
  const order = await desk.json('reverse', 'BTC', '--take-profit', '20000');
  assert.deepEqual([order.side, order.size, order.status], ['sell', 0.1, 'filled']);
  const [short] = await desk.json('positions');
  assert.deepEqual([short.side, short.size, short.leverage, short.margin_mode], ['short', 0.05, 3, 'isolated']);
  const [exit] = await desk.json('order', 'list', '--status', 'working');
  assert.deepEqual([exit.side, exit.target_position_id], ['buy', short.id]);
  await desk.json('reverse', short.id);
  assert.equal((await desk.json('positions'))[0].side, 'long');
});

test('reverse shows both sides and asks; without a position it is exit 3', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'ETH', 'sell', '0.5');
  const run = await desk.perp(['reverse', 'ETH'], { terminal: true, answer: false });
  assert.equal(run.exit, 130);
  assert.match(run.err, /Reverse {2}short 0\.5 ETH to long 0\.5 ETH[\s\S]*new position +long 0\.5 ETH/);
  assert.match(desk.questions.at(-1)!, /^Reverse short 0\.5 ETH to long 0\.5 ETH on SIM default, synthetic/);
  assert.equal((await desk.perp(['reverse', 'BTC'])).exit, 3);
});

test('a position that changes before the order is sent is not reversed', async (t) => {
  const serving = await served(t);
  using desk = new Desk();
  const here = { PERP_ENV: 'live', PERP_BASE_URL: serving.baseUrl, PERP_API_KEY: issueKey(serving) };
  await desk.perp(['order', 'place', 'BTC', 'buy', '0.05'], { variables: here });
  const run = await desk.perp(['reverse', 'BTC', '--json'], {
    variables: here,
    terminal: true,
    answer: true,
    meanwhile: () => desk.perp(['positions', 'close', 'BTC', '--size', '0.02'], { variables: here }),
  });
  assert.deepEqual([run.exit, run.error.code], [6, 'position_changed'], run.err);
  assert.equal((await desk.perp(['positions', '--json'], { variables: here })).json[0].size, 0.03);
});
