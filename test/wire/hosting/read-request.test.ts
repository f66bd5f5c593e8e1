import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonicalText, isJsonType, requestHash } from '../../../src/wire/hosting/read-request.ts';

test('JSON in UTF-8 is accepted, however its type is written', () => {
  for (const type of [
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json;',
    'application/json ; ; ',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; Charset="Utf-8"',
    'application/json; charset=utf8',
    'application/json; charset = "utf-8" ; x=1',
    'application/json;charset="UTF8";',
    'application/json; charset="ut\\f-8"',
    'application/json; version=1',
    'application/json; odata.metadata=minimal; charset=utf-8; IEEE754Compatible=true',
    'application/json; profile="https://example.com/a;charset=latin1"; charset=utf-8',
    'application/json; profile="a \\"quoted\\"; charset=latin1"',
    'application/json; q=0.9, strange',
    'application/json; word',
    'application/json; x="never closed; charset=latin1',
  ])
    assert.equal(isJsonType(type), true, type);
});

test('a media type other than JSON, or a charset other than UTF-8, is refused', () => {
  for (const type of [
    undefined,
    '',
    ';',
    ';application/json',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json5; charset=utf-8',
    'application/problem+json',
    'application/json, text/plain',
    'application / json',
    '"application/json"',
    'application/x-www-form-urlencoded; charset=utf-8',
    'multipart/form-data; boundary=application/json',
    'application/json; charset=latin1',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset="UTF-16LE"',
    'application/json; version=1; charset=utf-7',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=utf-80',
    'application/json; charset = latin1 ',
    'application/json; charset=',
    'application/json; charset',
  ])
    assert.equal(isJsonType(type), false, String(type));
});

test('a malicious type is parsed quickly', () => {
  for (const piece of ['"\\', ';"', '\\"', '; charset=utf-8', '"']) {
    const { user } = process.threadCpuUsage();
    isJsonType(`application/json;${piece.repeat(16_384 / piece.length)}`);
    assert.ok(process.threadCpuUsage().user - user < 100_000, `${piece} takes more than 0.1 s of CPU time`);
  }
});

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
