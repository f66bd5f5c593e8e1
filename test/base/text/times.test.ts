import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { dateTime, showTimesInUtc, timeOfDay } from '../../../src/base/text/format.ts';

const zone = process.env.TZ;
const moment = Date.UTC(2026, 10, 20, 22, 10, 3, 125);

afterEach(() => {
  process.env.TZ = zone;
  showTimesInUtc(false);
});

const zones: [zone: string, shown: string, clock: string][] = [
  ['UTC', '2026-11-20 22:10:03Z', '22:10:03.125Z'],
  ['Europe/Berlin', '2026-11-20 23:10:03+01:00', '23:10:03.125+01:00'],
  ['Asia/Kolkata', '2026-11-21 03:40:03+05:30', '03:40:03.125+05:30'],
  ['America/New_York', '2026-11-20 17:10:03-05:00', '17:10:03.125-05:00'],
];

for (const [name, shown, clock] of zones) {
  test(`times in text output are in ${name}, with their offset, and in UTC with --utc`, () => {
    process.env.TZ = name;
    assert.deepEqual([dateTime(moment), timeOfDay(moment)], [shown, clock]);
    assert.equal(Date.parse(dateTime(moment).replace(' ', 'T')), moment - 125);
    showTimesInUtc(true);
    assert.equal(dateTime(moment), '2026-11-20 22:10:03Z');
  });
}

test('an invalid time is shown as received', () => {
  assert.equal(dateTime(Number.NaN), '-');
  assert.equal(dateTime(9e15), '9000000000000000');
});
