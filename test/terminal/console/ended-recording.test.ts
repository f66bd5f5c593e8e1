import assert from 'node:assert/strict';
import { join } from 'node:path';
import { trial } from '../../tiers.ts';
import { Desk } from '../cli/practice.ts';

const books = join(import.meta.dirname, '../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

trial('a recording that has ended says so: in sim status, in a quote and in a refused order', async () => {
  using desk = new Desk();
  const during = await desk.perp(['sim', 'status', '--books', books, '--clock', 'manual', '--state', 'rec']);
  assert.doesNotMatch(during.out, /is over/);
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--state', 'rec');
  await desk.json('sim', 'advance', '--end', '--state', 'rec');
  const past = await desk.perp(['sim', 'advance', '1m', '--state', 'rec']);
  assert.match(past.out, /The recording ended at 2024-08-09 00:00:01Z: nothing moves/);
  assert.match((await desk.perp(['sim', 'status', '--state', 'rec'])).out, /ended +the recording is over/);
  const quote = await desk.perp(['quote', 'BTC', '--state', 'rec']);
  assert.deepEqual([quote.exit, /The recording ended at 2024-08-09 00:00:01Z\./.test(quote.err)], [7, true], quote.err);
  const order = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--state', 'rec', '--json']);
  assert.deepEqual([order.exit, order.error.rule_id], [5, 'stale-book']);
  assert.match(order.error.message, /The recording ended/);
  assert.match(order.error.hint, /perp --state rec sim reset/);
  const shown = await desk.perp(['accounts', 'show', '--state', 'rec']);
  assert.match(shown.err, /The book of BTC is too old/, 'markets are written by their names in notes, too');
});
