import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { averagePrice, decimal, usd } from '../../src/service/present/wire-form.ts';

test('money of any size is written as the same decimal', () => {
  const cases: [bigint, number][] = [
    [0n, 0],
    [1n, 1e-8],
    [-1n, -1e-8],
    [10_000_000_000_000n, 100_000],
    [464_018_000_000n, 4640.18],
    [123_456_789_012_345_678_901n, 1_234_567_890_123.4568],
  ];
  for (const [money, expected] of cases) assert.equal(usd(money), expected);
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (money) =>
      assert.equal(usd(money), Number(`${money}e-8`)),
    ),
  );
});

test('lots and prices are written as the same decimal, and off-grid numbers as they were sent', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 12 }), (units, decimals) =>
      assert.equal(decimal(units, decimals), Number(`${units}e-${decimals}`)),
    ),
  );
  assert.equal(decimal(50.01, 3), 0.05001);
  assert.equal(decimal(0.1, 3), 0.0001);
});

test('an average price is the nearest number to notional over size', () => {
  // 2 at 67010, 1 at 67025.5: the ladder of two levels, to the last digit.
  assert.equal(averagePrice(20_104_550_000_000n, 3_000, 3), 67_015.166_666_666_67);
  assert.equal(averagePrice(464_018_000_000n, 50, 3), 92_803.6);
  assert.equal(averagePrice(1_234n, 1, 0), 0.000_012_34);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: 4 }),
      (price, lots, sizeDecimals) => {
        // One level: price in units of 1e-4 times size is exact money, and the average is the price again.
        const notional = BigInt(price) * BigInt(lots) * 10n ** BigInt(4 - sizeDecimals);
        assert.equal(averagePrice(notional, lots, sizeDecimals), price / 10_000);
      },
    ),
  );
});
