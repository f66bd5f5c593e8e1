import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  dayMs,
  hourMs,
  hourStart,
  nextHourStart,
  nextTradingDayStart,
  tradingDayStart,
} from '../../../src/base/terms/day.ts';
import { test, trial } from '../../tiers.ts';

const at = (iso: string) => Date.parse(iso);

test('a trading day starts at midnight in New York, in winter and in summer', () => {
  const table: [string, string, string][] = [
    // time, start of its day, start of the next
    ['2024-01-15T12:00:00Z', '2024-01-15T05:00:00Z', '2024-01-16T05:00:00Z'],
    ['2024-01-15T04:59:59.999Z', '2024-01-14T05:00:00Z', '2024-01-15T05:00:00Z'],
    ['2024-01-15T05:00:00Z', '2024-01-15T05:00:00Z', '2024-01-16T05:00:00Z'],
    ['2024-08-08T03:59:59.999Z', '2024-08-07T04:00:00Z', '2024-08-08T04:00:00Z'],
    ['2024-08-08T04:00:00Z', '2024-08-08T04:00:00Z', '2024-08-09T04:00:00Z'],
    ['2024-12-31T23:59:59Z', '2024-12-31T05:00:00Z', '2025-01-01T05:00:00Z'],
    ['2025-01-01T04:00:00Z', '2024-12-31T05:00:00Z', '2025-01-01T05:00:00Z'],
  ];
  for (const [time, start, next] of table) {
    assert.equal(tradingDayStart(at(time)), at(start), time);
    assert.equal(nextTradingDayStart(at(time)), at(next), time);
  }
});

test('the day of the spring change has 23 hours, the day of the autumn change 25', () => {
  const spring = at('2026-03-08T05:00:00Z');
  assert.equal(tradingDayStart(at('2026-03-08T06:59:59Z')), spring);
  assert.equal(tradingDayStart(at('2026-03-08T07:00:00Z')), spring);
  assert.equal(nextTradingDayStart(spring), spring + 23 * hourMs);

  const autumn = at('2026-11-01T04:00:00Z');
  assert.equal(tradingDayStart(at('2026-11-01T05:59:59Z')), autumn);
  assert.equal(tradingDayStart(at('2026-11-01T06:00:00Z')), autumn);
  assert.equal(tradingDayStart(at('2026-11-02T04:30:00Z')), autumn);
  assert.equal(nextTradingDayStart(autumn), autumn + 25 * hourMs);
});

trial('every midnight from 1970 to 2100 matches the time zone database', () => {
  const newYork = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
  });
  let start = tradingDayStart(0);
  let days = 0;
  for (; start < Date.UTC(2100, 11, 31); start = nextTradingDayStart(start)) {
    days += 1;
    // Every day of the weeks around a change, and a sample of the others.
    const month = new Date(start).getUTCMonth();
    if (days % 11 !== 0 && month !== 2 && month !== 10) continue;
    assert.equal(newYork.format(start), '00:00', new Date(start).toISOString());
    assert.equal(newYork.format(start - 60_000), '23:59', new Date(start).toISOString());
  }
  assert.equal(days, Math.round((Date.UTC(2100, 11, 31) - Date.UTC(1970, 0, 1)) / dayMs) + 1);
});

test('a day contains its times and the next day begins where it ends', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2100, 11, 31) }), (time) => {
      const start = tradingDayStart(time);
      const next = nextTradingDayStart(time);
      assert.ok(start <= time && time < next);
      assert.equal(tradingDayStart(next - 1), start);
      assert.equal(tradingDayStart(next), next);
    }),
  );
});

test('full hours begin on the hour', () => {
  assert.equal(hourStart(at('2024-01-01T01:30:00Z')), at('2024-01-01T01:00:00Z'));
  assert.equal(nextHourStart(at('2024-01-01T01:00:00Z')), at('2024-01-01T02:00:00Z'));
});
