import assert from 'node:assert/strict';
import { test } from 'node:test';
import { powerOfTen } from '../../../src/base/margin/notional.ts';

test('powers of ten are exact, however large', () => {
  for (let exponent = 0; exponent <= 100; exponent++)
    assert.equal(String(powerOfTen(exponent)), `1${'0'.repeat(exponent)}`);
});
