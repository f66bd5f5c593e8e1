import assert from 'node:assert/strict';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../../cli/practice.ts';

trial('--jq filters JSON: text without quotes, one result per line, and NDJSON record by record', async () => {
  using desk = new Desk();
  const ids = await desk.perp(['markets', '--search', 'BTC', '--jq', '.[] | [.symbol, .provider] | @tsv']);
  assert.match(ids.out, /^BTC\tbinance\n/);
  const lines = await desk.perp(['markets', '--search', 'BTC', '-o', 'ndjson', '--jq', '{symbol}']);
  assert.match(lines.out, /^\{"symbol":"BTC"\}\n/);
  assert.equal((await desk.perp(['markets', '--jq', 'empty'])).out, '');
});

trial('an invalid jq expression is exit 2 with jq’s message, before anything is sent', async () => {
  using desk = new Desk();
  const run = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--jq', '.[']);
  assert.equal(run.exit, 2);
  assert.match(run.error.message, /--jq failed: syntax error, unexpected end of file/);
  assert.deepEqual(await desk.json('fills'), []);
  const late = await desk.perp(['markets', '--jq', '.[0].symbol.x']);
  assert.deepEqual([late.exit, late.out], [2, '']);
  assert.match(late.error.message, /Cannot index string/);
  const table = await desk.perp(['markets', '-o', 'csv', '--jq', '.']);
  assert.match(table.error.message, /--jq filters JSON, but -o is csv/);
});

test('a jq expression that fails on the result of a write prints the whole result, because the write is done', async () => {
  using desk = new Desk();
  const run = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--jq', '.id.x']);
  assert.deepEqual([run.exit, run.json.status], [0, 'filled']);
  assert.match(run.err, /carried out.*Cannot index string/);
});

test('results of jq can’t control the terminal', async () => {
  using desk = new Desk();
  const run = await desk.perp(['markets', '--jq', '"a\\u001b[31mb", "c\\td"']);
  assert.equal(run.out, 'a\\u001b[31mb\nc\td\n');
});

test('a stream accepts --jq', async () => {
  using desk = new Desk();
  const run = await desk.perp(['stream', 'ticks', 'BTC', '--max-events', '1', '--json', '--jq', '.kind']);
  assert.match(run.out, /^(last|mid|mark)\n$/);
});

trial(
  'a jq expression that fails on the result of a reset prints the whole result, because the state is gone',
  async () => {
    using desk = new Desk();
    await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--yes']);
    const invalid = await desk.perp(['sim', 'reset', '--yes', '--json', '--jq', 'BAD']);
    assert.equal(invalid.exit, 2);
    assert.equal((await desk.json('fills')).length, 1, 'an invalid one changes nothing');
    const late = await desk.perp(['sim', 'reset', '--yes', '--json', '--jq', '.seed.x']);
    assert.deepEqual([late.exit, late.json.state], [0, 'default']);
    assert.match(late.err, /carried out.*Cannot index number/);
  },
);

trial('a jq expression that needs more memory than there is ends with a line', async () => {
  using desk = new Desk();
  const run = await desk.perp(['markets', '--jq', 'def f: 1 + f; f']);
  assert.deepEqual([run.exit, run.error.code], [2, 'usage']);
  assert.match(run.error.message, /--jq failed/);
});
