import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { Desk } from '../practice.ts';

const list = (...lines: (string | number)[]) => `${lines.join('\n')}\n`;
const good = Array.from({ length: 20 }, (_, at) => (at % 5 < 2 ? 1.7 : -1));

describe('what perp odds can not know, it says in a sentence', () => {
  for (const [says, lines, status] of [
    ['no ended round trip', [], 'unknown'],
    ['1 ended round trip', [1], 'unknown'],
    ['no loss among 12 trades', Array.from({ length: 12 }, () => 1), 'unknown'],
    ['no win among 12 trades', Array.from({ length: 12 }, () => -1), 'unknown'],
  ] as const) {
    it(says, async () => {
      using desk = new Desk();
      const file = join(desk.folder, 'r.csv');
      writeFileSync(file, list('r', ...lines));
      const { json, out } = await desk.perp(['odds', '--from', file, '--plan', 'select', '--json']);
      assert.deepEqual([json.status, json.odds], [status, null]);
      assert.match(json.reason, new RegExp(says));
      assert.doesNotMatch(out, /NaN|Infinity|100\.0/);
    });
  }

  it('an account without floors, an ended one, and a position without a stop', async () => {
    using desk = new Desk();
    const file = join(desk.folder, 'r.csv');
    writeFileSync(file, list(...good));
    const odds = () => desk.json('odds', '--from', file);
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--yes');
    assert.match((await odds()).reason, /^BTC has no stop/);
    await desk.json('stop', 'BTC', '1%', '--yes');
    assert.notEqual((await odds()).status, 'unknown');
    await desk.json('sim', 'reset', '--plan', 'none', '--yes');
    assert.match((await odds()).reason, /no floors/);
  });
});

describe('a record of R from a file', () => {
  const read = async (text: string) => {
    using desk = new Desk();
    const file = join(desk.folder, 'r.csv');
    writeFileSync(file, text);
    return await desk.perp(['odds', '--from', file, '--plan', 'select', '--json']);
  };

  it('may have a header, the other columns of perp journal, and empty cells', async () => {
    const rows = good.map((r, at) => `pos_${at},"a, b",${r}`);
    const { json } = await read(list('position_id,note,r', ...rows, 'pos_x,,'));
    assert.equal(json.record.trades, 20);
    assert.match(json.remarks[0], /^1 row without R/);
    assert.equal((await read(list('result', ...good))).json.record.trades, 20);
  });

  for (const [text, says] of [
    [list('r', 1, 'NaN'), /line 3, is "NaN", not a number/],
    [list('Infinity', ...good), /line 1, is "Infinity", not a number/],
    [list('1,5', '-1'), /2 columns/],
    [list('1', '1,5'), /line 2: "1,5" is not one number/],
    [list('r', '1e99'), /between -1e15 and 1e15/],
  ] as const)
    it(`is refused where it is wrong: ${says.source}`, async () => {
      const { exit, error } = await read(text);
      assert.deepEqual([exit, error.code], [2, 'usage']);
      assert.match(error.message, says);
    });
});

test('options that can not be are refused by name', async () => {
  using desk = new Desk();
  for (const [says, ...words] of [
    [/--win-rate is 100%/, '--win-rate', '100%', '--reward', '1'],
    [/--win-rate is 0%/, '--win-rate', '0%', '--reward', '1'],
    [/--win-rate is "45", not a percentage/, '--win-rate', '45', '--reward', '1'],
    [/--win-rate and --reward go together/, '--win-rate', '45%'],
    [/a share of the room/, '--risk', '10%room'],
    [/--max-failure is 0%/, '--max-failure', '0%'],
    [/can't be read/, '--from', join(desk.folder, 'none.csv')],
  ] as const) {
    const { exit, error } = await desk.perp(['odds', ...words, '--json']);
    assert.deepEqual([exit, error.code], [2, 'usage']);
    assert.match(error.message, says);
  }
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

test('odds from here read the trips of the account, with what they lost inside', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--plan', 'prime', '--yes');
  const lines = Array.from({ length: 12 }, (_, at) => [
    `order place BTC ${at % 3 === 0 ? 'sell' : 'buy'} risk:0.5% --stop-loss 2% --yes`,
    'sim advance 3h',
    'flatten --yes',
  ]).flat();
  const file = join(desk.folder, 'trading.txt');
  writeFileSync(file, list(...lines));
  assert.equal((await desk.perp(['batch', file])).exit, 0);
  const json = await desk.json('odds');
  assert.deepEqual([json.from, json.record.trades], ['here', 12]);
  assert.match(json.risk, /^risk:0\.(4|5)\d*%$/);
  const { statistics } = await desk.json('pnl', '--stats');
  assert.equal(
    statistics.sides.reduce((sum: number, { trips }: { trips: number }) => sum + trips, 0),
    12,
  );
  assert.ok(
    statistics.win_rate.low < statistics.win_rate.value && statistics.expectancy_r.low < statistics.expectancy_r.high,
  );
  assert.equal(statistics.annual, null);
  assert.equal(statistics.rules.find(({ rule }: { rule: string }) => /begins with a stop/.test(rule)).kept, true);
  assert.doesNotMatch((await desk.perp(['pnl', '--stats'])).out, /NaN|Infinity/);
  assert.equal((await desk.json('day')).odds, null);
  const { odds } = json;
  assert.ok(odds.passed.low < odds.passed.high);
  assert.deepEqual(json.remarks, []);
});
