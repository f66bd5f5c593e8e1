import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

const recording = join(import.meta.dirname, '../../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

test('what is no folder is an error, and a folder without tapes an empty list', async () => {
  using desk = new Desk();
  const none = await desk.perp(['sim', 'tapes', 'list', join(desk.folder, 'none')]);
  assert.equal(none.exit, 3);
  assert.match(none.err, /There is no folder .*none/);
  const file = join(desk.folder, 'a-file');
  writeFileSync(file, '');
  const wrong = await desk.perp(['sim', 'tapes', 'list', file]);
  assert.equal(wrong.exit, 2);
  assert.match(wrong.err, /is a file, not a folder/);
  mkdirSync(join(desk.folder, 'empty'));
  assert.deepEqual(await desk.json('sim', 'tapes', 'list', join(desk.folder, 'empty')), []);
});

trial('a recording is listed like a tape, and what is none with the reason', async () => {
  using desk = new Desk();
  const folder = join(desk.folder, 'recordings');
  mkdirSync(folder);
  copyFileSync(recording, join(folder, 'day.jsonl.gz'));
  writeFileSync(join(folder, 'damaged.jsonl'), '{"time":1}\n');
  const [damaged, whole] = await desk.json('sim', 'tapes', 'list', folder);
  assert.deepEqual(
    [whole.file, whole.problem, whole.markets[0].market_id],
    [join(folder, 'day.jsonl.gz'), null, 'binance|BTCUSDT'],
  );
  assert.match(damaged.problem, /not a recording/);
});
