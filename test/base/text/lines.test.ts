import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../src/base/text/lines.ts';
import { anyText } from '../../any-text.ts';

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const lines = async (text: string, sizes: readonly number[] = []) =>
  Array.fromAsync(linesOf(cut(Buffer.from(text), sizes)));

test('lines are numbered from 1, and the last one needs no newline', async () => {
  assert.deepEqual(await lines('a\n\nb'), [
    { number: 1, text: 'a' },
    { number: 2, text: '' },
    { number: 3, text: 'b' },
  ]);
  assert.deepEqual(await lines(''), []);
  assert.deepEqual(await lines('a\n'), [{ number: 1, text: 'a' }]);
});

test('lines do not depend on how the input is chunked', async () => {
  const text = fc.array(anyText().map((line) => line.replaceAll('\n', ''))).map((all) => all.join('\n'));
  const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(text, sizes, async (whole, cuts) =>
      assert.deepEqual(await lines(whole, cuts), await lines(whole)),
    ),
  );
});

test('an endless line takes no memory, and the line after it is read', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 200; count++) yield Buffer.alloc(1 << 16, 'x');
    yield Buffer.from('\nnext\n');
  }
  assert.deepEqual(await Array.fromAsync(linesOf(endless())), [
    { number: 1, problem: 'The line is too long for a command.' },
    { number: 2, text: 'next' },
  ]);
});

test('a line has at most a mebibyte', async () => {
  const found = await lines(`${'x'.repeat(1 << 20)}\n${'x'.repeat((1 << 20) + 1)}`);
  assert.deepEqual(
    found.map((one) => 'problem' in one),
    [false, true],
  );
});

test('invalid text is reported by line, however it arrives, and other lines are unaffected', async () => {
  const notText = /not UTF-8/;
  const table: [what: string, bytes: number[], text: string | RegExp][] = [
    ['a byte of Latin-1', [0x63, 0xe9, 0x64], notText],
    ['a character cut off by the end of the line', [0x61, 0xe2, 0x82], notText],
    ['an overlong form', [0xc0, 0xaf], notText],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80], notText],
    ['a NUL', [0x61, 0x00, 0x62], /NUL/],
    ['a comment in Latin-1, which does nothing', [0x20, 0x23, 0xe9], ' #\ufffd'],
    ['UTF-8', [0xc3, 0xa9], '\u00e9'],
    ['a byte order mark that is not at the start', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
  ];
  for (const [what, bytes, wanted] of table) {
    const input = Buffer.concat([Buffer.from('before\n'), Buffer.from(bytes), Buffer.from('\nafter')]);
    for (const sizes of [[], [1], [2, 3]]) {
      const [before, line, after, ...more] = await Array.fromAsync(linesOf(cut(input, sizes)));
      assert.deepEqual([before, after, more], [{ number: 1, text: 'before' }, { number: 3, text: 'after' }, []], what);
      if (typeof wanted === 'string') assert.deepEqual(line, { number: 2, text: wanted }, what);
      else assert.match((line as { problem: string }).problem, wanted, what);
    }
  }
});

test('a byte order mark at the start is ignored', async () => {
  assert.deepEqual(await lines('\ufeffa\r\n\r\nb'), [
    { number: 1, text: 'a\r' },
    { number: 2, text: '\r' },
    { number: 3, text: 'b' },
  ]);
  assert.deepEqual(await lines('\ufeff', [1]), [{ number: 1, text: '' }]);
});
