import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Desk } from '../practice.ts';

test('odds from here read the trips of the account, with what they lost inside', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--plan', 'prime', '--yes');
  const lines = Array.from({ length: 32 }, (_, at) => [
    `order place BTC ${at % 3 === 0 ? 'sell' : 'buy'} risk:0.5% --stop-loss 1% --yes`,
    'sim advance 3h',
    'flatten --yes',
  ]).flat();
  const file = join(desk.folder, 'trading.txt');
  writeFileSync(file, lines.join('\n'));
  assert.equal((await desk.perp(['batch', file])).exit, 0);
  await desk.json('order', 'place', 'ETH', 'buy', '1', '--stop-loss', '1%', '--yes');
  const json = await desk.json('odds');
  assert.deepEqual([json.from, json.record.trades], ['here', 32]);
  assert.match(json.risk, /^risk:0\.(4|5)\d*%$/);
  const { statistics } = await desk.json('pnl', '--stats');
  assert.equal(
    statistics.sides.reduce((sum: number, { trips }: { trips: number }) => sum + trips, 0),
    32,
  );
  assert.ok(
    statistics.win_rate.low < statistics.win_rate.value && statistics.expectancy_r.low < statistics.expectancy_r.high,
  );
  assert.equal(statistics.annual, null);
  assert.equal(statistics.rules.find(({ rule }: { rule: string }) => /begins with a stop/.test(rule)).kept, true);
  assert.doesNotMatch((await desk.perp(['pnl', '--stats'])).out, /NaN|Infinity/);
  const today = await desk.json('day');
  assert.deepEqual(today.odds, json.status === 'known' ? json.odds.passed : null);
  const { odds } = json;
  assert.ok(odds.passed.low < odds.passed.high);
  assert.deepEqual(json.remarks, []);
});

test('a supposed trader has odds from the start of a plan; the screen has 24 rows of 80 columns', async () => {
  using desk = new Desk();
  const words = ['odds', '--win-rate', '45%', '--reward', '1.8', '--plan', 'select'];
  const { json } = await desk.perp([...words, '--json']);
  assert.equal(json.supposed, true);
  assert.ok(json.odds.passed.value > 0.75 && json.odds.passed.value < 0.95);
  assert.match(json.passes_most.risk, /^risk:\d+(\.\d+)?%$/);
  assert.ok(json.largest_risk.failed.value <= 0.07);
  const { out } = await desk.perp(words, { columns: 80 });
  const rows = out.trimEnd().split('\n');
  assert.ok(rows.length <= 24 && rows.every((row) => row.length <= 100), out);
  assert.match(out, /daily loss +none of the 10000 paths drawn/);
});
