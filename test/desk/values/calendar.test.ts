import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneValue } from '../../../src/desk/values/values.ts';
import type { Failure } from '../../../src/ground/failure/failure.ts';

const expires = (text: string) => oneValue({ kind: 'time', summary: 'when' }, text, '--expires');

test('a day that its month does not have is rejected, not moved to the next month', () => {
  for (const text of ['2027-02-29', '2027-02-30', '2027-02-31T10:00Z', '2027-04-31 10:00', '2027-01-32', '2100-02-29'])
    assert.throws(() => expires(text), /is ".*", (a day that does not exist|not a time)\./, text);
  assert.throws(
    () => expires('2027-02-30'),
    (error: Failure) => error.facts.hint === '2027-02 has the days 01 to 28.',
  );
});

test('existing days are accepted, including leap days', () => {
  for (const text of ['2028-02-29', '2000-02-29', '2027-12-31', '2027-02-28T23:59:59.999+02:00'])
    assert.deepEqual(expires(text), { at: Date.parse(text) }, text);
});

test('invalid months and other text are not times', () => {
  for (const text of ['2027-13-01', '2027-00-10', '2027-1-1', 'tomorrow'])
    assert.throws(() => expires(text), /not a time/);
});
