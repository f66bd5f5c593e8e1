import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compareUnits,
  decimalsOf,
  divideRounded,
  moneyToNumber,
  roundedUnits,
  significantFiguresOf,
  toMoney,
  toNumber,
  toUnits,
} from '../../../src/base/terms/decimal.ts';

test('a JSON number becomes units by its shortest decimal notation', () => {
  const table: [value: number, decimals: number, units: number, exact: boolean][] = [
    [0.1, 1, 1, true],
    [0.3, 1, 3, true],
    [0.1 + 0.2, 1, 3.0000000000000004, false],
    [1.15, 2, 115, true],
    [61_789.4, 1, 617_894, true],
    [1e-7, 7, 1, true],
    [1.5e-7, 7, 1.5, false],
    [1e21, 0, 1e21, false],
    [0.0005, 3, 0.5, false],
    [20, 0, 20, true],
    [-2.5, 1, -25, true],
    [0, 3, 0, true],
  ];
  for (const [value, decimals, units, exact] of table) {
    assert.deepEqual(toUnits(value, decimals), { units, exact }, `${value} with ${decimals} decimals`);
  }
});

test('units convert back to the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 46 }), fc.integer({ min: 0, max: 8 }), (units, decimals) => {
      assert.deepEqual(toUnits(toNumber(units, decimals), decimals), { units, exact: true });
    }),
  );
});

test('a number of units is the decimal as it is read, and a number that is off the grid stays as it was sent', () => {
  const units = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.maxSafeInteger(), fc.double());
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 24 }), (number, decimals) => {
      fc.pre(Number.isFinite(number));
      const text = String(number);
      const [mantissa, power = '0'] = text.split('e');
      const read = Number(`${mantissa}e${Number(power) - decimals}`);
      assert.equal(toNumber(number, decimals), read, `${text} with ${decimals} decimals`);
      assert.equal(toUnits(number, decimals).units, Number(`${mantissa}e${Number(power) + decimals}`), text);
    }),
  );
});

test('a comparison with a JSON number is exact however close the two are', () => {
  const table: [units: number, decimals: number, value: number, sign: number][] = [
    [617_894, 1, 61_789.4, 0],
    [617_894, 1, 61_789.40000000001, -1],
    [617_894, 1, 61_789.39999999999, 1],
    [2_251_799_813_685_249, 0, 2_251_799_813_685_248.5, 1],
    [0, 2, 1e-12, -1],
    // 5_336_728_498_608_213.5 units, which no double is.
    [5_336_728_498_608_214, 18, 0.0053367284986082135, 1],
  ];
  for (const [units, decimals, value, sign] of table) {
    assert.equal(Math.sign(compareUnits(units, decimals, value)), sign, `${units} against ${value}`);
  }
});

test('money is rounded half away from zero beyond eight decimals', () => {
  assert.equal(toMoney(100_000), 10_000_000_000_000n);
  assert.equal(toMoney(0.000000005), 1n);
  assert.equal(toMoney(-0.000000005), -1n);
  assert.equal(toMoney(1e-9), 0n);
  assert.equal(divideRounded(-5n, 2n), -3n);
  assert.equal(divideRounded(5n, 2n), 3n);
  assert.equal(moneyToNumber(1_389_666_207n), 13.89666207);
});

test('units and decimals are those of the notation, however a number was computed', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.nat(9), fc.nat(12), (drawn, places, decimals) => {
      for (const value of [drawn, Number(drawn.toFixed(places)), drawn / 1e12]) {
        const [mantissa = '', power = '0'] = value.toExponential().split('e');
        const [whole = '', fraction = ''] = mantissa.split('.');
        assert.equal(decimalsOf(value), value === 0 ? 0 : Math.max(0, fraction.length - Number(power)));
        const scale = 10n ** BigInt(Math.max(0, fraction.length - Number(power)));
        const exact = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, Number(power) - fraction.length));
        const units = divideRounded(exact * 10n ** BigInt(decimals), scale);
        assert.equal(roundedUnits(value, decimals), units, `${value} with ${decimals} decimals`);
      }
    }),
  );
});

test('the notation of a number gives its decimals and significant figures', () => {
  assert.equal(decimalsOf(0.25), 2);
  assert.equal(decimalsOf(1200), 0);
  assert.equal(significantFiguresOf(123_400), 4);
  assert.equal(significantFiguresOf(0.00012), 2);
});
