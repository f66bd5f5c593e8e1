import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { draw } from '../../../src/exchange/engine/random.ts';
import { planSlices, sliceCount, sliceSize } from '../../../src/exchange/engine/strategies/plan.ts';

const minute = 60_000;
const twap = { startedAt: 1_000, durationMs: 5 * minute, intervalMs: 30_000, weights: null, random: null };

test('a duration is divided into whole intervals, at least two', () => {
  const table: [number, number, number][] = [
    [5 * minute, 30_000, 10],
    [5 * minute, 150_000, 2],
    [5 * minute, 149_000, 2],
    [7 * minute, 200_000, 2],
    [7 * minute, 130_000, 3],
  ];
  for (const [duration, interval, count] of table) assert.equal(sliceCount(duration, interval), count);
});

test('a TWAP plans equal slices floored to the lot, at start + i x interval', () => {
  const plan = planSlices({ ...twap, totalSize: 1_005 });
  assert.deepEqual(plan.plannedCumulative, [100, 201, 301, 402, 502, 603, 703, 804, 904, 1_005]);
  assert.deepEqual(plan.sliceTimes.slice(0, 3), [1_000, 31_000, 61_000]);
  assert.equal(plan.sliceTimes.at(-1), 1_000 + 9 * 30_000);
});

test('a VWAP plans in proportion to its weights', () => {
  const weights = [1, 1, 2, 4, 2, 1, 1, 1, 1, 2];
  const plan = planSlices({ ...twap, totalSize: 1_600, weights });
  assert.deepEqual(plan.plannedCumulative, [100, 200, 400, 800, 1_000, 1_100, 1_200, 1_300, 1_400, 1_600]);
});

test('a VWAP without any volume falls back to equal slices', () => {
  assert.deepEqual(
    planSlices({ ...twap, totalSize: 100, weights: new Array(10).fill(0) }),
    planSlices({ ...twap, totalSize: 100 }),
  );
});

test('a slice trades what the plan has reached so far, at most three planned slices, never less than zero', () => {
  const planned = [100, 200, 300, 400];
  const table: [number, number, number][] = [
    // slice, filled so far, size
    [0, 0, 100],
    [1, 100, 100],
    [1, 0, 200],
    [3, 0, 300],
    [3, 350, 50],
    [2, 300, 0],
    [2, 320, 0],
  ];
  for (const [slice, filled, size] of table) assert.equal(sliceSize(planned, slice, filled), size);
});

const shape = fc.record({
  totalSize: fc.integer({ min: 1, max: 1e12 }),
  durationMinutes: fc.integer({ min: 5, max: 1_440 }),
  seed: fc.nat(),
  vwap: fc.boolean(),
  randomize: fc.boolean(),
});

test('every plan reaches its total in order of time; randomization changes slices by at most a fifth', () => {
  fc.assert(
    fc.property(
      shape,
      fc.integer({ min: 30, max: 43_200 }),
      ({ totalSize, durationMinutes, seed, vwap, randomize }, s) => {
        const durationMs = durationMinutes * minute;
        const intervalMs = Math.min(s * 1_000, durationMs / 2);
        const count = sliceCount(durationMs, intervalMs);
        const weights = vwap ? Array.from({ length: count }, (_, i) => draw(seed, 'volume', String(i)) + 0.1) : null;
        const order = { startedAt: 0, durationMs, intervalMs, totalSize, weights };
        const even = planSlices({ ...order, random: null });
        const plan = randomize
          ? planSlices({ ...order, random: (purpose, slice) => draw(seed, purpose, String(slice)) })
          : even;
        assert.equal(plan.plannedCumulative.length, count);
        assert.equal(plan.plannedCumulative.at(-1), totalSize);
        for (let i = 0; i < count; i += 1) {
          assert.ok(plan.plannedCumulative[i]! >= (plan.plannedCumulative[i - 1] ?? 0));
          assert.ok(i === 0 || plan.sliceTimes[i]! > plan.sliceTimes[i - 1]!);
          assert.ok(plan.sliceTimes[i]! >= 0 && plan.sliceTimes[i]! < durationMs);
          assert.ok(Math.abs(plan.sliceTimes[i]! - i * intervalMs) <= 0.2 * intervalMs + 1);
          const size = plan.plannedCumulative[i]! - (plan.plannedCumulative[i - 1] ?? 0);
          const evenSize = even.plannedCumulative[i]! - (even.plannedCumulative[i - 1] ?? 0);
          assert.ok(Math.abs(size - evenSize) <= 0.2 * evenSize + 2 + totalSize / 2 ** 30);
        }
      },
    ),
  );
});

test('whatever slices miss, children never exceed the total, and a full run of fills reaches it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 1e6 }),
      fc.array(fc.nat(3), { minLength: 10, maxLength: 10 }),
      (total, luck) => {
        const { plannedCumulative } = planSlices({ ...twap, totalSize: total });
        let filled = 0;
        let always = 0;
        for (let slice = 0; slice < 10; slice += 1) {
          const size = sliceSize(plannedCumulative, slice, filled);
          filled += Math.floor((size * luck[slice]!) / 3);
          always += sliceSize(plannedCumulative, slice, always);
          assert.ok(filled <= plannedCumulative[slice]!);
        }
        assert.equal(always, total);
      },
    ),
  );
});
