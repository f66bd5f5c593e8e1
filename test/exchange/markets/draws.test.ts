import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exp, ln, normal } from '../../../src/exchange/markets/synthetic/draws.ts';

test('logarithms and powers are those of mathematics to nine digits, on every machine the same', () => {
  for (let value = -30; value <= 30; value += 0.37) {
    assert.ok(Math.abs(exp(value) / Math.exp(value) - 1) < 1e-9, `exp ${value}`);
    const power = Math.exp(value);
    assert.ok(Math.abs(ln(power) - value) < 1e-9 * Math.max(1, Math.abs(value)), `ln ${power}`);
  }
});

test('hashes spread evenly draw a normal variate: mean 0, variance 1, 68% within 1, rising with the hash', () => {
  const count = 100_000;
  let [sum, squares, within, last] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < count; at += 1) {
    const drawn = normal(Math.floor(((at + 0.5) / count) * 2 ** 32));
    assert.ok(drawn >= last, `${at}`);
    last = drawn;
    sum += drawn;
    squares += drawn * drawn;
    if (Math.abs(drawn) < 1) within += 1;
  }
  assert.ok(Math.abs(sum / count) < 1e-3);
  assert.ok(Math.abs(squares / count - 1) < 0.01, `${squares / count}`);
  assert.ok(Math.abs(within / count - 0.6827) < 0.002, `${within / count}`);
});
