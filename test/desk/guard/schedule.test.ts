import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestOccurrence, parseMoment, parseWindow, windowAt } from '../../../src/desk/guard/schedule.ts';
import { at } from './views.ts';

const berlin = 'Europe/Berlin';
const span = (text: string, time: string, zone = berlin) => {
  const found = windowAt(parseWindow(text, 'hours'), at(time), zone);
  return found === undefined ? undefined : [found.start, found.end].map((ms) => new Date(ms).toISOString());
};

test('hours may cross midnight and belong to the day on which they start', () => {
  const night = ['2026-06-12T20:00:00.000Z', '2026-06-13T00:00:00.000Z'];
  assert.deepEqual(span('Fri 22:00-02:00', '2026-06-12T20:00:00Z'), night);
  assert.deepEqual(span('Fri 22:00-02:00', '2026-06-12T23:59:59Z'), night);
  assert.equal(span('Fri 22:00-02:00', '2026-06-13T00:00:00Z'), undefined);
  assert.equal(span('Fri 22:00-02:00', '2026-06-11T20:00:00Z'), undefined);
});

test('days without hours are whole days, and ranges may cross the end of the week', () => {
  assert.deepEqual(span('Sat', '2026-06-13T10:00:00Z'), ['2026-06-12T22:00:00.000Z', '2026-06-13T22:00:00.000Z']);
  for (const [day, isIt] of [
    ['12', true],
    ['13', true],
    ['14', true],
    ['15', true],
    ['16', false],
  ] as const)
    assert.equal(span('Fri-Mon', `2026-06-${day}T10:00:00Z`) !== undefined, isIt, day);
  assert.ok(span('Mon,Wed 10:00-11:00', '2026-06-10T08:30:00Z'));
});

test('hours on the days of clock changes are local hours', () => {
  // 02:00 to 03:00 does not exist on March 29, 2026 in Berlin, and exists twice on October 25.
  assert.deepEqual(span('00:00-04:00', '2026-03-29T00:30:00Z'), [
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T02:00:00.000Z',
  ]);
  assert.deepEqual(span('00:00-04:00', '2026-10-25T00:30:00Z'), [
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T03:00:00.000Z',
  ]);
});

test('the latest occurrence of a time of day', () => {
  const latest = (text: string, time: string) => {
    const found = latestOccurrence(parseMoment(text, 'times'), at(time), 'America/New_York');
    return found === undefined ? undefined : new Date(found).toISOString();
  };
  assert.equal(latest('16:55', '2026-06-10T20:55:00Z'), '2026-06-10T20:55:00.000Z');
  assert.equal(latest('16:55', '2026-06-10T20:54:59Z'), '2026-06-09T20:55:00.000Z');
  assert.equal(latest('16:55', '2026-12-10T21:55:00Z'), '2026-12-10T21:55:00.000Z');
  assert.equal(latest('Fri 16:30', '2026-06-10T20:55:00Z'), undefined);
  assert.equal(latest('2026-12-10 08:25', '2026-12-10T13:26:00Z'), '2026-12-10T13:25:00.000Z');
  assert.equal(latest('2026-03-08 02:30', '2026-03-08T12:00:00Z'), '2026-03-08T07:30:00.000Z');
});
