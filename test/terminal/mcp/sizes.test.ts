import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usd } from '../../../src/base/text/format.ts';
import { sized } from '../../../src/terminal/mcp/shapes.ts';

test('a size is worth what is known of it, to the cent; what is not known is null', () => {
  // Half a cent is rounded as people read it, whatever its binary form.
  assert.equal(usd(1.005), '1.01');
  assert.deepEqual(sized(2, 10.0033, 1.005), { base: 2, usd: 20.01, risk_usd: 1.01 });
  for (const unknown of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
    assert.deepEqual(sized(2, unknown, unknown), { base: 2, usd: null, risk_usd: null });
});
