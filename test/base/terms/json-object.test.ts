import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonObjectIn, nestsDeeper, parsedJson } from '../../../src/base/terms/json-object.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('depth is counted by brackets outside of texts', () => {
  const cases: [text: string, depth: number][] = [
    ['1', 0],
    ['[]', 1],
    ['{"a":[1,{"b":2}]}', 3],
    ['"[[[["', 0],
    ['["\\"[[[", "\\\\", [1]]', 2],
    ['[[],[],[[]]]', 3],
  ];
  for (const [text, depth] of cases)
    assert.deepEqual([nestsDeeper(text, depth), depth > 0 && nestsDeeper(text, depth - 1)], [false, depth > 0], text);
});

test('a text that nests too deeply is refused at the first bracket too many, however long it is', () => {
  assert.doesNotThrow(() => parsedJson(nested(64)));
  assert.throws(() => parsedJson(nested(65)), SyntaxError);
  const endless = '['.repeat(10_000_000);
  const startedAt = performance.now();
  assert.throws(() => parsedJson(endless), /nests deeper than 64/);
  assert.equal(jsonObjectIn(`{"a":${endless}`), null);
  assert.ok(performance.now() - startedAt < 5_000, 'parsing it took half a minute');
});

test('every other text is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parsedJson(text), JSON.parse(text));
    }),
  );
});
