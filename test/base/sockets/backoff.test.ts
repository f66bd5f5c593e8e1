import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../../src/base/sockets/persistent-link.ts';

test('waits double up to their limit, and are shortened by up to half at random', () => {
  const waits = new Backoff(1_000, 30_000, () => 1);
  assert.deepEqual(
    Array.from({ length: 7 }, () => waits.next()),
    [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000],
  );
  waits.reset();
  assert.equal(waits.next(), 1_000);
  assert.equal(new Backoff(1_000, 30_000, () => 0).next(), 500);
});
