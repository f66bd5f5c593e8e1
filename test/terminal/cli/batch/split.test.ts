import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitWords } from '../../../../src/desk/values/split.ts';
import { anyText } from '../../../any-text.ts';

test('a line is split as in a shell, and nothing is expanded', () => {
  const cases: [line: string, words: string[]][] = [
    ['order place BTC buy 0.05', ['order', 'place', 'BTC', 'buy', '0.05']],
    ['  order \t list  ', ['order', 'list']],
    ['', []],
    ['# a comment', []],
    ['order list # and why', ['order', 'list']],
    ['order show a#b', ['order', 'show', 'a#b']],
    ["order show 'my entry'", ['order', 'show', 'my entry']],
    ['order show "my entry"', ['order', 'show', 'my entry']],
    ['order show my\\ entry', ['order', 'show', 'my entry']],
    ['--client-order-id="a b"\'c d\'e', ['--client-order-id=a bc de']],
    [`'it'\\''s' "\\"x\\\\" '\\n'`, ["it's", '"x\\', '\\n']],
    ['\'\' ""', ['', '']],
    ['"keeps \\n and $HOME and `ls`" *', ['keeps \\n and $HOME and `ls`', '*']],
    [
      'quote binance|BTCUSDT ; rm -rf / && x > y',
      ['quote', 'binance|BTCUSDT', ';', 'rm', '-rf', '/', '&&', 'x', '>', 'y'],
    ],
    ['grün 注文 é', ['grün', '注文', 'é']],
  ];
  for (const [line, words] of cases) assert.deepEqual(splitWords(line), words, line);
});

test('a command that continues past its line is rejected', () => {
  for (const line of ["order 'show", 'order "show', 'order "show\\"', "a 'b' 'c", 'order show \\']) {
    assert.throws(() => splitWords(line), { name: 'Failure' }, line);
  }
});

test('quoted words are unchanged', () => {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const doubled = (word: string) => `"${word.replace(/["\\]/g, '\\$&')}"`;
  fc.assert(
    fc.property(fc.array(anyText()), (words) => {
      assert.deepEqual(splitWords(words.map(quoted).join(' ')), words);
      assert.deepEqual(splitWords(words.map(doubled).join('\t')), words);
    }),
  );
});

test('any line is split or rejected, quickly', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', '#', '\t') }), (line) => {
      try {
        splitWords(line);
      } catch (error) {
        assert.equal((error as Error).name, 'Failure');
      }
    }),
  );
  const { user } = process.threadCpuUsage();
  for (const line of [
    '\\'.repeat(200_000),
    `"${'a\\'.repeat(100_000)}`,
    "'".repeat(200_001),
    `"${'\\"'.repeat(100_000)}`,
  ]) {
    try {
      splitWords(line);
    } catch {
      // It may be refused, but not slowly.
    }
  }
  assert.ok(process.threadCpuUsage().user - user < 2_000_000, 'in two seconds of CPU time');
});
