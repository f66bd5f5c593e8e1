import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isLiquidatable,
  liquidationPoint,
  type MarginPool,
  type PoolPosition,
} from '../../../src/base/margin/liquidation-price.ts';
import type { Direction } from '../../../src/exchange/engine/model.ts';

const usd = (amount: number) => BigInt(Math.round(amount * 100)) * 1_000_000n;

/** One isolated position; prices in cents, sizes in tenths. */
function isolated(direction: Direction, size: number, entry: number, margin: number, ratioBps = 500): MarginPool {
  const position = { direction, size: size * 10, cost: usd(size * entry), mark: entry * 200, decimals: 3 };
  return { cash: usd(margin), positions: [position], maintenanceRatioBps: ratioBps };
}

test('isolated liquidation prices agree with those published by other venues and engines', () => {
  const table: [MarginPool, number | null][] = [
    [isolated('long', 1, 100, 15), 89.473684],
    [isolated('long', 0.5, 250, 25), 210.526315789],
    [isolated('long', 0.5, 250, 35), 189.473684],
    [isolated('short', 1, 100, 15), 109.523809],
    [isolated('long', 1, 100, 100), null],
    [isolated('long', 1, 100, 99), 1.052631],
    [isolated('long', 1, 100, 15, 10_000), null],
  ];
  for (const [pool, expected] of table) {
    const point = liquidationPoint(pool, 0);
    if (expected === null) assert.equal(point, null);
    else assert.ok(Math.abs(point!.price / 100 - expected) < 1e-6, `${point!.price / 100} is not ${expected}`);
  }
});

test('a mark exactly at the price liquidates; half a price unit before it does not', () => {
  // 100 - 15 + 5% of 80 = ... : margin 24 at 5%: p = (100 - 24) / 0.95 = 80 exactly.
  const pool = isolated('long', 1, 100, 24);
  assert.deepEqual(liquidationPoint(pool, 0), { mark: 16_000, price: 8_000 });
  assert.equal(isLiquidatable(at(pool, 0, 16_000)), true);
  assert.equal(isLiquidatable(at(pool, 0, 16_001)), false);
});

test('cross positions share one balance: each price depends on the marks of the others', () => {
  const long: PoolPosition = { direction: 'long', size: 10, cost: usd(100), mark: 20_000, decimals: 3 };
  const short: PoolPosition = { direction: 'short', size: 10, cost: usd(100), mark: 20_000, decimals: 3 };
  const pool: MarginPool = { cash: usd(20), positions: [long, short], maintenanceRatioBps: 500 };
  // a = 20 - 2 x 5 = 10: the long may fall 10 / 0.95, the short rise 10 / 1.05.
  assert.ok(Math.abs(liquidationPoint(pool, 0)!.price / 100 - (100 - 10 / 0.95)) < 1e-9);
  assert.ok(Math.abs(liquidationPoint(pool, 1)!.price / 100 - (100 + 10 / 1.05)) < 1e-9);
  const moved = at(pool, 1, 21_000);
  assert.ok(liquidationPoint(moved, 0)!.mark > liquidationPoint(pool, 0)!.mark);
});

const position: fc.Arbitrary<PoolPosition> = fc.record({
  direction: fc.constantFrom<Direction>('long', 'short'),
  size: fc.integer({ min: 1, max: 1_000_000 }),
  cost: fc.bigInt({ min: 1n, max: 10n ** 15n }),
  mark: fc.integer({ min: 1, max: 20_000_000 }),
  decimals: fc.integer({ min: 0, max: 10 }),
});
const pool: fc.Arbitrary<MarginPool> = fc.record({
  cash: fc.bigInt({ min: -(10n ** 14n), max: 10n ** 15n }),
  positions: fc.array(position, { minLength: 1, maxLength: 5 }),
  maintenanceRatioBps: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.double({ min: 0, max: 500, noNaN: true })),
});

test('for random portfolios, the price is exactly where liquidation starts, whatever the side', () => {
  fc.assert(
    fc.property(pool, fc.nat(4), fc.nat(1_000_000), (random, pick, distance) => {
      const index = pick % random.positions.length;
      const point = liquidationPoint(random, index);
      const long = random.positions[index]!.direction === 'long';
      if (point === null) {
        const anywhere = isLiquidatable(at(random, index, Number.MAX_SAFE_INTEGER));
        assert.equal(isLiquidatable(at(random, index, 1 + distance)), anywhere);
        return;
      }
      const beyond = long ? Math.max(1, point.mark - distance) : point.mark + distance;
      const before = long ? point.mark + 1 + distance : point.mark - 1 - distance;
      assert.equal(isLiquidatable(at(random, index, beyond)), true);
      if (before > 0) assert.equal(isLiquidatable(at(random, index, before)), false);
      // The API's price is the threshold, with an error of less than half a price unit.
      const ahead = long ? point.price * 2 - point.mark : point.mark - point.price * 2;
      assert.ok(ahead > -1e-6 * point.mark && ahead < 1 + 1e-6 * point.mark);
    }),
    { numRuns: process.env.PERP_LONG ? 5_000 : 150 },
  );
});

function at(pool: MarginPool, index: number, mark: number): MarginPool {
  return { ...pool, positions: pool.positions.map((one, place) => (place === index ? { ...one, mark } : one)) };
}
