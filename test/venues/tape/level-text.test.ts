import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DecimalText } from '../../../src/exchange/markets/recorded/decimal-text.ts';
import { LineProblem } from '../../../src/exchange/markets/recorded/recording-error.ts';
import { decimalText, Levels, readDecimal, readLevels } from '../../../src/venues/tape/level-text.ts';
import { microseconds } from '../../../src/venues/tape/tape-lines.ts';

function read(text: string, priceDecimals = 1, sizeDecimals = 3) {
  const levels = new Levels();
  readLevels(text, priceDecimals, sizeDecimals, levels);
  const { flat, count, isOrdered, hasEmpty } = levels;
  return { flat: flat.slice(0, 2 * count), isOrdered, hasEmpty };
}

test('levels are read in units, with or without trailing zeros', () => {
  assert.deepEqual(read('[["61800.20","2.909"],["61800","0"]]'), {
    flat: [618002, 2909, 618000, 0],
    isOrdered: true,
    hasEmpty: true,
  });
  assert.deepEqual(read('[]'), { flat: [], isOrdered: true, hasEmpty: false });
});

test('levels out of order, or with a price twice, are reported', () => {
  const isOrdered = (...prices: string[]) => read(JSON.stringify(prices.map((price) => [price, '1']))).isOrdered;
  assert.equal(isOrdered('3', '2', '1'), true);
  assert.equal(isOrdered('1', '2', '3'), true);
  assert.equal(isOrdered('1', '2', '2'), false);
  assert.equal(isOrdered('2', '2.0'), false);
  assert.equal(isOrdered('1', '3', '2'), false);
});

const wrong = [
  '',
  '[',
  '[]]',
  '[["1","1"]',
  '[["1","1"]] ',
  '[ ["1","1"]]',
  '[["1", "1"]]',
  '[["1","1"],]',
  '[["1"]]',
  '[["1","1","1"]]',
  '[[1,"1"]]',
  '[["1",1]]',
  '[["","1"]]',
  '[["1.","1"]]',
  '[[".5","1"]]',
  '[["-1","1"]]',
  '[["1e3","1"]]',
  '[["1.2.3","1"]]',
  '[["١","1"]]',
  '[["1\u0000","1"]]',
  '[["0.0","1"]]',
  '[["1.25","1"]]',
  '[["1","0.0005"]]',
  '[["9007199254740993","1"]]',
  '[["1","99999999999999999999"]]',
  '{"1":"1"}',
];

for (const text of wrong) {
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => read(text), LineProblem);
  });
}

test('property: a decimal is read as recordings read it, and written back unchanged', () => {
  const decimal = fc.tuple(fc.nat({ max: 10 ** 7 }), fc.nat({ max: 6 })).map(([digits, decimals]) => {
    return { text: decimalText(digits, decimals), digits, decimals };
  });
  fc.assert(
    fc.property(decimal, fc.nat({ max: 8 }), ({ text }, unitDecimals) => {
      const recorded = new DecimalText();
      recorded.read(text, 'it');
      if (recorded.decimals > unitDecimals) {
        assert.throws(() => readDecimal(text, unitDecimals), LineProblem);
        return;
      }
      const units = recorded.units(unitDecimals, 'it');
      assert.equal(readDecimal(text, unitDecimals), units);
      assert.equal(readDecimal(decimalText(units, unitDecimals), unitDecimals), units);
    }),
  );
});

test('a time that no tape can hold is unknown', () => {
  const times = [1_700_000_000_000, 0, -1, 8_640_000_000_000_001, Number.NaN];
  assert.deepEqual(times.map(microseconds), [1_700_000_000_000_000, null, null, null, null]);
});
