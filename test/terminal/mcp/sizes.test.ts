import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../src/terminal/mcp/sizes.ts';

test('a size is worth what is known of it, to the cent; what is not known is null', () => {
  assert.deepEqual(sized(2, 10.0033, 1.005), { base: 2, usd: 20.01, risk_usd: 1 });
  for (const unknown of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
    assert.deepEqual(sized(2, unknown, unknown), { base: 2, usd: null, risk_usd: null });
});
