import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../src/base/failure/failure.ts';
import { oneValue } from '../../../src/desk/values/values.ts';

const expires = (text: string) => oneValue({ kind: 'time', summary: 'when' }, text, '--expires');
const from = (text: string) => oneValue({ kind: 'pastTime', summary: 'since when' }, text, '--from');
const lasts = (text: string) => oneValue({ kind: 'duration', summary: 'how long' }, text, '--for');

test('a time without an offset is UTC, in whatever zone the machine is', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'Asia/Tokyo';
  try {
    for (const text of ['2027-03-01T10:00', '2027-03-01 10:00', '2027-03-01T10:00Z', '2027-03-01T12:00+02:00'])
      assert.deepEqual(expires(text), { at: Date.UTC(2027, 2, 1, 10) }, text);
    assert.deepEqual(expires('2027-03-01'), { at: Date.UTC(2027, 2, 1) });
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('a past time is a challenge day, a duration that counts back, or a moment', () => {
  assert.deepEqual(from('today'), { day: 'today' });
  assert.deepEqual(from('Yesterday'), { day: 'yesterday' });
  assert.deepEqual(from('1h30m'), { agoMs: 5_400_000 });
  assert.deepEqual(from('2026-11-21T10:00Z'), { at: Date.UTC(2026, 10, 21, 10) });
  assert.throws(
    () => from('2099'),
    (error: Failure) => /not a time/.test(error.facts.message) && /before now such as 7d/.test(error.facts.hint ?? ''),
  );
});

test('a unit without a number, or a number without a unit, is no duration', () => {
  for (const text of ['m', '7', '1h30', '-5m']) assert.throws(() => lasts(text), /is ".*", not a duration/, text);
  for (const text of ['0s', '0.4ms']) assert.throws(() => lasts(text), /above zero and in whole milliseconds/, text);
});

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
  for (const text of ['2027-13-01', '2027-13-40', '2027-00-10', '2027-00-40', '2027-1-1', 'tomorrow'])
    assert.throws(() => expires(text), /not a time/);
});
