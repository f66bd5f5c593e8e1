import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonicalText, requestHash } from '../../src/hosting/request-hash.ts';

test('a payload is the same whatever the order of its keys', () => {
  assert.equal(
    requestHash(null, { a: 1, b: { c: 2, d: [3, 4] } }),
    requestHash(null, { b: { d: [3, 4], c: 2 }, a: 1 }),
  );
});

test('an absent field and an undefined one are the same, null is not', () => {
  assert.equal(requestHash(null, { a: 1, b: undefined }), requestHash(null, { a: 1 }));
  assert.notEqual(requestHash(null, { a: 1, b: null }), requestHash(null, { a: 1 }));
});

test('a different path, value or order of a list is a different payload', () => {
  const hashes = [
    requestHash({ position_id: 'pos_1' }, { size: 1 }),
    requestHash({ position_id: 'pos_2' }, { size: 1 }),
    requestHash({ position_id: 'pos_1' }, { size: 2 }),
    requestHash({ position_id: 'pos_1' }, { size: '1' }),
    requestHash({ position_id: 'pos_1' }, [1, 2]),
    requestHash({ position_id: 'pos_1' }, [2, 1]),
    requestHash({ position_id: 'pos_1' }, null),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
});

test('values have the same canonical text exactly when they are the same JSON', () => {
  const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(plain(a), plain(b));
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      assert.equal(canonicalText(a) === canonicalText(b), isSame(a, b));
      assert.equal(canonicalText(plain(a)), canonicalText(a));
    }),
  );
});

test('a list never equals an object, whatever their contents', () => {
  const alike = [{ a: 1 }, ['a', 1], { members: ['a', 1] }, [{ a: 1 }], [['a', 1]], {}, []];
  assert.equal(new Set(alike.map(canonicalText)).size, alike.length);
});

/** -0 is written as 0. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
