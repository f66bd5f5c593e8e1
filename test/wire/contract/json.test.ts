import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../src/wire/contract/json.ts';

const issuesOf = (text: string) => {
  const reading = parseJson(text);
  return reading.ok ? [] : reading.issues.map(({ field, issue }) => `${field} ${issue}`);
};

describe('reading JSON strictly', () => {
  it('reads every JSON text like JSON.parse', () => {
    const text = fc
      .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'))
      .map(([value, space]) => JSON.stringify(value, null, space));
    fc.assert(fc.property(text, (json) => assert.deepEqual(parseJson(json), { ok: true, value: JSON.parse(json) })));
  });

  it('refuses exactly what JSON.parse refuses', () => {
    const nearlyJson = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\u0/ab1.-+eE \n\ttrue'), maxLength: 12 });
    const isJson = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const isRead = (text: string) => issuesOf(text).every((issue) => issue.endsWith('is given more than once'));
    fc.assert(
      fc.property(nearlyJson, (text) => assert.equal(isRead(text), isJson(text), text)),
      { numRuns: 1000 },
    );
  });

  it('refuses every truncated text', () => {
    const whole = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(whole, fc.nat(), (text, at) => assert.equal(parseJson(text.slice(0, at % text.length)).ok, false)),
    );
  });
});

describe('a key given twice', () => {
  const cases: readonly [name: string, text: string, issues: string[]][] = [
    ['at the top', '{"size":1,"size":2}', ['size is given more than once']],
    ['three times', '{"a":1,"a":2,"a":3}', ['a is given more than once', 'a is given more than once']],
    ['inside a list', '{"operations":[{},{"price":1,"price":1}]}', ['operations[1].price is given more than once']],
    ['inside an object', '{"a":{"b":1,"b":2}}', ['a.b is given more than once']],
    ['written differently', '{"size":1,"\\u0073ize":2}', ['size is given more than once']],
    ['in a list of the top', '[{"a":1,"a":1}]', ['body[0].a is given more than once']],
    ['the prototype', '{"__proto__":1,"__proto__":2}', ['__proto__ is given more than once']],
    ['next to a key followed by a space', '{"a":1,"a":2,"b" :3}', ['a is given more than once']],
    ['next to a value that looks like the end of a key', '{"a":1,"a":":"}', ['a is given more than once']],
    ['in two objects is fine', '{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}', []],
    ['as a value is fine', '{"a":"b","b":"a: \\"a\\""}', []],
  ];
  for (const [name, text, issues] of cases) it(name, () => assert.deepEqual(issuesOf(text), issues));
});

describe('a text that is not JSON', () => {
  const cases: readonly [text: string, issue: string][] = [
    ['', 'body must not be empty'],
    [' \n ', 'body must not be empty'],
    ['{', 'body is not valid JSON: expected a key in double quotes at line 1, column 2; the text ends there'],
    ['{"a":1', 'body is not valid JSON: expected "," or "}" at line 1, column 7; the text ends there'],
    ['{"a":1,}', 'body is not valid JSON: expected a key in double quotes at line 1, column 8'],
    ['{"a" 1}', 'body is not valid JSON: expected ":" at line 1, column 6'],
    ["{'a':1}", 'body is not valid JSON: expected a key in double quotes at line 1, column 2'],
    ['{\n  "a": nul\n}', 'body is not valid JSON: expected a value at line 2, column 8'],
    ['[1 2]', 'body is not valid JSON: expected "," or "]" at line 1, column 4'],
    ['{} {}', 'body is not valid JSON: expected the end of the text at line 1, column 4'],
    ['{"a":"\t"}', 'body is not valid JSON: expected a complete string with valid escapes at line 1, column 6'],
    ['NaN', 'body is not valid JSON: expected a value at line 1, column 1'],
    ['01', 'body is not valid JSON: expected the end of the text at line 1, column 2'],
  ];
  for (const [text, issue] of cases) it(JSON.stringify(text), () => assert.deepEqual(issuesOf(text), [issue]));
});

describe('nesting', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  it('accepts 32 levels', () => assert.deepEqual(issuesOf(nested(32)), []));

  it('is refused beyond that', () =>
    assert.deepEqual(issuesOf(nested(33)), ['body must not nest more than 32 levels deep']));

  it('does not exhaust the stack', () => {
    assert.deepEqual(issuesOf('['.repeat(200_000)), ['body must not nest more than 32 levels deep']);
    assert.deepEqual(issuesOf('{"a":'.repeat(200_000)), ['body must not nest more than 32 levels deep']);
  });
});
