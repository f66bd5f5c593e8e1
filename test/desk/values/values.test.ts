import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../src/base/failure/failure.ts';
import { parseValue } from '../../../src/desk/values/values.ts';

const refusal = (kind: Parameters<typeof parseValue>[0], text: string, maximum?: number): string => {
  try {
    parseValue(kind, text, 'X', { maximum });
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.equal(error.facts.exit, 2);
    return `${error.message} ${error.facts.hint ?? ''}`.trim();
  }
  return assert.fail(`${text} was accepted as a ${kind}`);
};

test('sizes are in the base asset, a notional in usd, or a percentage', () => {
  const table: [string, object][] = [
    ['0.05', { unit: 'base', amount: 0.05, text: '0.05' }],
    ['.5', { unit: 'base', amount: 0.5, text: '.5' }],
    ['1e-3', { unit: 'base', amount: 0.001, text: '1e-3' }],
    ['500usd', { unit: 'usd', amount: 500, text: '500usd' }],
    ['500 USD', { unit: 'usd', amount: 500, text: '500 USD' }],
    ['50%', { unit: 'percent', amount: 50, text: '50%' }],
    ['100%', { unit: 'percent', amount: 100, text: '100%' }],
  ];
  for (const [text, size] of table) assert.deepEqual(parseValue('size', text, 'SIZE'), size);
});

test('a mistyped size is rejected with a suggestion', () => {
  const table: [string, RegExp][] = [
    ['50USDT', /Write 50usd for a notional of 50 USD, or 50 for 50 of the base asset/],
    ['$50', /Write 50usd/],
    ['0.1btc', /Write 0.1 for 0.1 of the base asset/],
    ['1,000', /Write 1000 if the comma separates thousands, or 1 if it is a decimal point/],
    ['1,000usd', /Write 1000usd if .*, or 1usd/],
    ['$1,000', /Write 1000usd if .*, or 1usd/],
    ['0,05', /Write 5 if .*, or 0\.05/],
    ['0,050', /Write 50 if .*, or 0\.05/],
    ['1000,5', /Write 10005 if .*, or 1000\.5/],
    ['1.000,5', /Write 1000\.5\./],
    ['10m', /Write 10000000 for millions, or 0\.01 for thousandths/],
    ['half', /Write 50%/],
    ['0,05btc', /Write 5 if .*, or 0\.05/],
    ['12,34,567', /Use a decimal point and no thousands separators/],
    ['1_000_0', /Write a size such as/],
    ['005', /can't have leading zeros/],
    ['00.5', /can't have leading zeros/],
    ['010usd', /can't have leading zeros/],
    ['0', /must be above zero/],
    ['-1', /must be above zero/],
    ['101%', /maximum is 100%/],
    ['NaN', /not a size/],
    ['Infinity', /not a size/],
    ['1e400', /between -1e15 and 1e15/],
    ['1e16usd', /between -1e15 and 1e15/],
    ['1e-400', /too small/],
    ['0x10', /not a/],
    ['', /empty/],
    ['\u001b[31m1', /not a size/],
    ['939163.3698174451', /more digits than the API's numbers can hold/],
    ['0.12345678901234567', /more digits than the API's numbers can hold/],
  ];
  for (const [text, says] of table) assert.match(refusal('size', text), says, text);
});

test('prices are positive decimals', () => {
  assert.equal(parseValue('price', '61650.5', 'P'), 61650.5);
  for (const text of ['0', '0.0', 'abc', '61,650', '1e999', '٣']) refusal('price', text);
  assert.match(refusal('price', '61,650'), /Write 61650 if .*, or 61\.65/);
  assert.equal(parseValue('optionalPrice', 'none', 'P'), null);
});

test('a number with a comma is read where it has one meaning, else refused with both', () => {
  for (const text of ['0,05', '1000,5', '1,000', '61,650'])
    assert.match(refusal('number', text), /Write [\d.]+ if .*, or [\d.]+ if/);
  assert.match(refusal('number', '12,34,567'), /no thousands separators/);
  for (const [text, value] of [
    ['1,234.5', 1234.5],
    ['1,234,567', 1_234_567],
    ['10k', 10_000],
    ['1.5k', 1500],
  ] as const)
    assert.equal(parseValue('number', text, 'X'), value);
  assert.match(refusal('price', '061650'), /can't have leading zeros/);
  assert.equal(parseValue('amount', '0', 'N'), 0);
  assert.equal(parseValue('amount', '0.50', 'N'), 0.5);
  assert.deepEqual([parseValue('leverage', '10x', 'L'), parseValue('leverage', '3', 'L')], [10, 3]);
});

test('slippage is in basis points, and a percentage suggests its basis points', () => {
  assert.equal(parseValue('basisPoints', '50', 'S'), 50);
  assert.equal(parseValue('basisPoints', '50bps', 'S'), 50);
  assert.equal(parseValue('gap', '4.2 bps', 'G'), 4.2);
  assert.equal(parseValue('gap', '0', 'G'), 0);
  assert.match(refusal('gap', '0.05%'), /Write 5\./);
  assert.match(refusal('gap', '-1'), /can't be negative/);
  assert.match(refusal('basisPoints', '0.5%'), /its unit is basis points \(1% is 100\)\. Write 50\./);
  assert.match(refusal('basisPoints', '0.07%'), /Write 7\./);
  for (const text of ['x', 'x%', '0']) assert.doesNotMatch(refusal('basisPoints', text), /price/, text);
});

test('negative numbers are accepted where they make sense', () => {
  assert.equal(parseValue('number', '-1.5', 'N'), -1.5);
  assert.match(refusal('amount', '-1'), /can't be negative/);
});

test('counts are positive whole numbers with a maximum', () => {
  assert.equal(parseValue('count', '50', 'N', { maximum: 100 }), 50);
  assert.match(refusal('count', '0'), /not a positive whole number/);
  assert.match(refusal('count', '1.5'), /whole number/);
  assert.match(refusal('count', '101', 100), /the maximum is 100/);
});

test('durations add up', () => {
  const table: [string, number][] = [
    ['45s', 45_000],
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['0.5s', 500],
    ['250ms', 250],
  ];
  for (const [text, ms] of table) assert.equal(parseValue('duration', text, 'D'), ms);
  for (const text of ['30', 'm', '0s', '-5m', '5 minutes', '1.5ms']) refusal('duration', text);
});

test('times are absolute in UTC, Unix milliseconds, or relative to now', () => {
  const table: [string, object][] = [
    ['2026-11-21T10:00Z', { at: Date.UTC(2026, 10, 21, 10) }],
    ['2026-11-21 10:00', { at: Date.UTC(2026, 10, 21, 10) }],
    ['2026-11-21', { at: Date.UTC(2026, 10, 21) }],
    ['2026-11-21T10:00+02:00', { at: Date.UTC(2026, 10, 21, 8) }],
    ['1795255200000', { at: 1795255200000 }],
    ['30m', { inMs: 1_800_000 }],
  ];
  for (const [text, time] of table) assert.deepEqual(parseValue('time', text, 'T'), time);
  assert.match(refusal('time', '1795255200'), /Unix milliseconds: write 1795255200000/);
  for (const text of ['tomorrow', '2026-13-01', '2026-11-31T25:00Z', '10:00']) refusal('time', text);
});

test('no number above 1e15 is accepted, whatever its kind', () => {
  const kinds = ['price', 'basisPoints', 'optionalPrice', 'amount', 'number', 'size'] as const;
  for (const kind of kinds) {
    for (const text of ['1e305', '1e308', '9e999', '1000000000000001', '1.1e15'])
      assert.match(refusal(kind, text), /X is .*between -1e15 and 1e15/, `${kind} ${text}`);
    assert.doesNotThrow(() => parseValue(kind, '1e15', 'X'), kind);
  }
  assert.match(refusal('number', '-1e16'), /between -1e15 and 1e15/);
  assert.match(refusal('duration', '99999999999999d'), /between -1e15 and 1e15/);
  assert.match(refusal('duration', `${'9'.repeat(90)}d`), /between -1e15 and 1e15/);
  assert.match(refusal('time', '9999999999999999'), /between -1e15 and 1e15/);
  assert.match(refusal('time', '99999999999999d'), /between -1e15 and 1e15/);
});

test('an overlong value is rejected at once and shown shortened', () => {
  const long = 100_000;
  const lengthy = ['1', '1,', '1.', 'e1', 'a', ' ', '1m', '-', '0', '1e', '\u0000', '💥'].map((part) =>
    part.repeat(long / part.length),
  );
  const kinds = [
    'price',
    'basisPoints',
    'optionalPrice',
    'amount',
    'number',
    'count',
    'port',
    'size',
    'duration',
  ] as const;
  for (const kind of [...kinds, 'time', 'text', 'market', 'file'] as const) {
    for (const text of lengthy) {
      const said = refusal(kind, text);
      assert.match(said, /too long \(100000 characters\)/);
      assert.ok(said.length < 600, `${kind}: ${said.length}`);
    }
  }
  for (const text of lengthy.map((whole) => whole.slice(0, 100)))
    for (const kind of kinds)
      if (kind !== 'duration' || !/^(1m)+$/.test(text)) assert.ok(refusal(kind, text).length < 600);
});
