import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayMs, nextTradingDayStart, tradingDayStart } from '../../../../src/base/terms/day.ts';
import { beginning } from '../../../seed.ts';
import { Desk } from '../practice.ts';

const day = (desk: Desk, ...more: string[]) => desk.json('day', ...more);
// biome-ignore lint/suspicious/noExplicitAny: as the command prints it.
const ruleOf = ({ review }: any, name: RegExp) => review.rules.find(({ rule }: { rule: string }) => name.test(rule));

test('before trading, the day shows room, the next floor, the carry to come and what no stop covers', async () => {
  using desk = new Desk();
  const quiet = await day(desk);
  assert.deepEqual(
    quiet.ahead.floors.map(({ rule, floor, room }: Record<string, unknown>) => [rule, floor, room]),
    [
      ['daily loss', 97_000, 3_000],
      ['drawdown', 97_000, 3_000],
    ],
  );
  assert.equal(quiet.ahead.ends_at, nextTradingDayStart(beginning.startTime));
  assert.equal(quiet.ahead.carry, 0);
  assert.equal(ruleOf(quiet, /begins with a stop/).says, 'nothing was opened');
  await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '2%', '--yes');
  await desk.json('order', 'place', 'ETH', 'buy', '2', '--yes');
  const { ahead, review } = await day(desk);
  assert.deepEqual(
    ahead.held
      .map(({ symbol, uncovered, trading, session }: Record<string, unknown>) => [symbol, uncovered, trading, session])
      .sort(),
    [
      ['BTC', 0, 'open', 'around the clock'],
      ['ETH', 2, 'open', 'around the clock'],
    ],
  );
  assert.equal(review.fills, 2);
  assert.deepEqual(ruleOf({ review }, /begins with a stop/).says, '1 of 2 did');
  assert.equal(ruleOf({ review }, /begins with a stop/).kept, false);
  assert.ok(Math.abs(ahead.next_daily_floor - (ahead.equity - ahead.carry - 3_000)) < 1e-6);
});

test('after the day, its result, and which rules were kept and which were broken', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
  await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '2%', '--yes');
  await desk.json('positions', 'close', 'BTC', '--yes');
  const now = (await desk.json('sim', 'status')).time;
  await desk.json('sim', 'advance', `${nextTradingDayStart(now) - now + 3_600_000}ms`);
  const yesterday = await day(desk, 'yesterday');
  assert.equal(yesterday.ahead, null);
  assert.equal(yesterday.review.to, nextTradingDayStart(now) - 1);
  assert.equal(yesterday.review.trips, 1);
  assert.ok(yesterday.review.net < 0);
  assert.equal(ruleOf(yesterday, /begins with a stop/).kept, true);
  assert.equal(ruleOf(yesterday, /larger than its risk/).kept, true);
  assert.equal(ruleOf(yesterday, /daily loss/).kept, true);
  assert.match(ruleOf(yesterday, /daily loss/).says, /^never less than [\d,]+\.\d\d above the floor$/);
  const today = await day(desk);
  assert.equal(today.review.from, tradingDayStart(now + dayMs));
  assert.equal(today.review.fills, 0);
});

test("the guard's rules of the day count as unknown without a guard", async () => {
  using desk = new Desk();
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, '[max-trades]\ntrades = 3\n');
  const { guard, review } = await day(desk, '--rules', rules);
  assert.equal(guard, false);
  assert.deepEqual(ruleOf({ review }, /guard: max-trades/), {
    rule: 'guard: max-trades',
    kept: null,
    says: 'no guard ran until the end',
  });
});

test('a day that has not begun, or in which there was no account, is refused', async () => {
  using desk = new Desk();
  assert.equal((await desk.perp(['day', '2031-01-01'])).exit, 2);
  assert.equal((await desk.perp(['day', '2001-01-01'])).exit, 2);
});
