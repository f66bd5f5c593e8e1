import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkedIdempotencyKey,
  credentialEnvironment,
  newIdempotencyKey,
} from '../../../src/wire/client/form-request.ts';
import { payloadHash } from '../../../src/wire/client/intent.ts';

test('the end of a key’s prefix names its environment', () => {
  const table: [string, 'live' | 'test' | undefined][] = [
    ['sim_live_abc', 'live'],
    ['sim_test_abc', 'test'],
    ['live_abc', 'live'],
    ['ck-test_abc', 'test'],
    ['sim_live_x_test_y', 'live'],
    ['sim_test_x_live_y', 'test'],
    ['contest_live_abc', 'live'],
    ['session-token', undefined],
    ['alive_abc', undefined],
    ['', undefined],
  ];
  for (const [key, environment] of table) assert.equal(credentialEnvironment(key), environment, key);
});

test('new keys are unique and within their limits', () => {
  const keys = new Set(Array.from({ length: 1_000 }, newIdempotencyKey));
  assert.equal(keys.size, 1_000);
  for (const key of keys) assert.equal(checkedIdempotencyKey(key), key);
});

test('the payload hash does not depend on the order of fields or the client order id', () => {
  const hash = (body: unknown) => payloadHash('POST', '/v1/orders', body);
  assert.equal(hash({ side: 'buy', size: 1 }), hash({ size: 1, side: 'buy', client_order_id: 'x' }));
  assert.notEqual(hash({ side: 'buy', size: 1 }), hash({ side: 'buy', size: 2 }));
  assert.notEqual(payloadHash('DELETE', '/v1/orders/a', undefined), payloadHash('DELETE', '/v1/orders/b', undefined));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
      const reversed = Object.fromEntries(Object.entries(body).reverse());
      assert.equal(hash(body), hash(reversed));
    }),
  );
});
