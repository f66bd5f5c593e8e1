import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pastMoment } from '../../../src/desk/resolve/time.ts';
import { Desk } from '../../terminal/cli/practice.ts';

test('a past time is seen from now; a day begins and ends at midnight in New York', () => {
  const [yesterday, today] = [Date.UTC(2026, 10, 20, 5), Date.UTC(2026, 10, 21, 5)];
  const now = today + 5_000;
  const table: [Parameters<typeof pastMoment>[0], from: number, to: number][] = [
    [{ at: 7 }, 7, 7],
    [{ agoMs: 2_000 }, now - 2_000, now - 2_000],
    [{ day: 'today' }, today, now],
    [{ day: 'yesterday' }, yesterday, today - 1],
  ];
  for (const [time, from, to] of table)
    assert.deepEqual([pastMoment(time, now, 'from'), pastMoment(time, now, 'to')], [from, to], JSON.stringify(time));
});

test('a time from now, and a time before now, are on the clock of the exchange', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const { time } = await desk.json('sim', 'status');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  await desk.json('sim', 'advance', '--to', '2h');
  assert.equal((await desk.json('sim', 'status')).time, time + 7_200_000);
  const fills = async (since: string) => (await desk.json('fills', '--since', since)).length;
  assert.deepEqual([await fills('3h'), await fills('1h')], [1, 0]);
  assert.deepEqual([await fills(String(time - 60_000)), await fills(String(time + 3_600_000))], [1, 0]);
});
