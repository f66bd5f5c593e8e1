import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../seed.ts';
import { type HealthyDay, healthyDay } from './staged/healthy-day.ts';

const count = process.env.PERP_LONG === '1' ? 1_000 : 2;

test(`in ${count} healthy days of random trading, a guard flattens nothing`, { timeout: 3_600_000 }, async (t) => {
  const days: HealthyDay[] = [];
  let drawn = seed * 100_000;
  for (; days.length < count; drawn++) {
    const day = await healthyDay(drawn);
    if (day === undefined) continue;
    days.push(day);
    assert.deepEqual(day.actions, [], `seed ${drawn}, ${day.room} USD from the limit`);
  }
  const near = days.filter(({ room }) => room < 200).length;
  const trades = days.reduce((sum, day) => sum + day.trades, 0);
  t.diagnostic(
    `seeds ${seed * 100_000} to ${drawn - 1}: ${trades} trades; ${near} days came within 200 USD of the limit`,
  );
});
