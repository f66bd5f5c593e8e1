import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../src/cli/batch/lines.ts';

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const lines = async (text: string, sizes: readonly number[] = []) =>
  Array.fromAsync(linesOf(cut(Buffer.from(text), sizes)));

test('lines are counted from 1, the last one may lack its end', async () => {
  assert.deepEqual(await lines('a\n\nb'), [
    { number: 1, text: 'a' },
    { number: 2, text: '' },
    { number: 3, text: 'b' },
  ]);
  assert.deepEqual(await lines(''), []);
  assert.deepEqual(await lines('a\n'), [{ number: 1, text: 'a' }]);
});

test('however the input arrives, the lines are the same', async () => {
  const text = fc
    .array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', '')))
    .map((all) => all.join('\n'));
  const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(text, sizes, async (whole, cuts) =>
      assert.deepEqual(await lines(whole, cuts), await lines(whole)),
    ),
  );
});

test('a line without end takes no memory, and the next one is read', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 200; count++) yield Buffer.alloc(1 << 16, 'x');
    yield Buffer.from('\nnext\n');
  }
  assert.deepEqual(await Array.fromAsync(linesOf(endless())), [
    { number: 1, text: undefined },
    { number: 2, text: 'next' },
  ]);
});
