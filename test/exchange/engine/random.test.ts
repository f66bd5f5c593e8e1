import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { draw, drawBetween } from '../../../src/exchange/engine/random.ts';

test('the same seed, purpose and id always give the same number; any other combination a different one', () => {
  assert.equal(draw(1, 'delay', 'ord_1'), draw(1, 'delay', 'ord_1'));
  const drawn = [
    draw(1, 'delay', 'ord_1'),
    draw(2, 'delay', 'ord_1'),
    draw(1, 'size', 'ord_1'),
    draw(1, 'delay', 'ord_2'),
  ];
  assert.equal(new Set(drawn).size, 4);
});

test('draws are in [0, 1) and uniform', () => {
  const buckets = new Array<number>(10).fill(0);
  for (let index = 0; index < 10_000; index += 1) {
    const number = draw(7, 'spread', String(index));
    assert.ok(number >= 0 && number < 1);
    buckets[Math.floor(number * 10)]! += 1;
  }
  for (const count of buckets) assert.ok(count > 850 && count < 1150, buckets.join(' '));
});

test('a random whole number stays within its bounds', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), fc.nat(1000), fc.nat(1000), (seed, id, min, span) => {
      const number = drawBetween(seed, 'delay', id, min, min + span);
      assert.ok(Number.isInteger(number) && number >= min && number <= min + span);
    }),
  );
});
