import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { readMultiples } from '../../../../src/terminal/cli/history/show-odds.ts';
import { Desk } from '../practice.ts';

const list = (...lines: (string | number)[]) => `${lines.join('\n')}\n`;
const good = Array.from({ length: 40 }, (_, at) => (at % 5 < 2 ? 1.7 : -1));

describe('what perp odds can not know, it says in a sentence', () => {
  for (const [says, lines, status] of [
    ['no ended round trip', [], 'unknown'],
    ['1 ended round trip', [1], 'unknown'],
    ['no loss among 32 trades', Array.from({ length: 32 }, () => 1), 'unknown'],
    ['no win among 32 trades', Array.from({ length: 32 }, () => -1), 'unknown'],
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

  it('an account without floors, and a position without a stop', async () => {
    using desk = new Desk();
    const file = join(desk.folder, 'r.csv');
    writeFileSync(file, list(...good));
    const odds = () => desk.json('odds', '--from', file);
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--yes');
    assert.match((await odds()).reason, /^BTC has no stop/);
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

  it('may have a header, the other columns of perp journal, and empty cells', () => {
    using desk = new Desk();
    const file = join(desk.folder, 'r.csv');
    const from = (...lines: (string | number)[]) => {
      writeFileSync(file, list(...lines));
      return readMultiples(file);
    };
    const rows = good.map((r, at) => `pos_${at},"a, b",${r}`);
    assert.deepEqual(from('position_id,note,r', ...rows, 'pos_x,,'), { multiples: good, skipped: 1 });
    assert.deepEqual(from('result', ...good), { multiples: good, skipped: 0 });
    assert.deepEqual(from(...good), { multiples: good, skipped: 0 });
  });

  for (const [text, says] of [
    [list('r', 1, 'NaN'), /line 3, is "NaN", not a number/],
    [list('Infinity', ...good), /line 1, is "Infinity", not a number/],
    [list('1,5', '-1'), /2 columns/],
    [list('1', '1,5'), /line 2: "1,5" is not one number/],
    [list('r', '1,5'), /line 2: "1,5" is not one number/],
    [list('id,r', '1,1,5'), /line 2, has 3 cells, but the first line has 2/],
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
    [/--win-rate and --reward must be used together/, '--win-rate', '45%'],
    [/a share of the room/, '--risk', '10%room'],
    [/--max-failure is 0%/, '--max-failure', '0%'],
    [/can't be read/, '--from', join(desk.folder, 'none.csv')],
  ] as const) {
    const { exit, error } = await desk.perp(['odds', ...words, '--json']);
    assert.deepEqual([exit, error.code], [2, 'usage']);
    assert.match(error.message, says);
  }
});
