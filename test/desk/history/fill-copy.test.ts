import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { copyFile, extend, readCopy, type Stretch, writeCopy } from '../../../src/desk/history/read-host.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';

const idOf = String;
/** A host's list of numbers, newest first, in pages; it fails after some pages. */
function hostOf(newest: number, pageSize: number, maxPages: number) {
  let pages = 0;
  return async (cursor: string | undefined) => {
    pages += 1;
    if (pages > maxPages) throw new Error('rate limited');
    const from = cursor === undefined ? newest : Number(cursor);
    const items = Array.from({ length: Math.min(pageSize, from) }, (_, at) => from - at);
    const next = from - items.length;
    return { items, cursor: next > 0 ? String(next) : undefined };
  };
}

test('reads that stop at any point add up to the whole list, and read each page once', async () => {
  const reading = fc.record({ added: fc.nat(12), pages: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(reading, { maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      async (readings, pageSize) => {
        const stretches: Stretch<number>[] = [];
        let newest = 0;
        for (const { added, pages } of readings) {
          newest += added;
          await extend(stretches, idOf, hostOf(newest, pageSize, pages)).catch(() => {});
        }
        await extend(stretches, idOf, hostOf(newest, pageSize, Number.POSITIVE_INFINITY));
        assert.deepEqual(
          stretches.map(({ items }) => items),
          [Array.from({ length: newest }, (_, at) => newest - at)],
        );
      },
    ),
    { numRuns: 100 },
  );
});

test('a complete list with nothing new takes one page', async () => {
  const stretches: Stretch<number>[] = [];
  await extend(stretches, idOf, hostOf(100, 10, 10));
  await extend(stretches, idOf, hostOf(100, 10, 1));
  assert.equal(stretches[0]!.items.length, 100);
});

test('a copy is private, belongs to one host and account, and is not trusted when damaged', (t) => {
  const variables = { PERP_STATE_DIR: join(temporaryDirectory(t), 'state') };
  const of = { environment: 'live', baseUrl: 'https://one.example', accountId: 'acc_1' };
  const file = copyFile(variables, of);
  assert.notEqual(file, copyFile(variables, { ...of, baseUrl: 'https://two.example' }));
  assert.notEqual(file, copyFile(variables, { ...of, accountId: 'acc_2' }));
  const copy = { fills: [{ items: [], cursor: 'abc' }], positions: [] };
  writeCopy(file, copy);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  let damages = 0;
  const read = () =>
    readCopy(file, () => {
      damages += 1;
    });
  assert.deepEqual([read(), damages], [copy, 0]);
  const whole = readFileSync(file, 'utf8');
  for (const text of [whole.replace('abc', 'abd'), whole.slice(0, -3), '', '{}', 'null\n{}']) {
    writeFileSync(file, text);
    assert.deepEqual(read(), { fills: [], positions: [] });
    assert.deepEqual(read(), { fills: [], positions: [] });
  }
  assert.equal(damages, 5);
});
