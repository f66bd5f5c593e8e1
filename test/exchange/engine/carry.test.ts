import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '../../../src/base/terms/day.ts';
import { hourlyCarry } from '../../../src/exchange/engine/accounts/carry.ts';
import type { Policy } from '../../../src/exchange/engine/model.ts';
import { Scenario, usd } from './scenario.ts';
import type { Level } from './scripted-source.ts';

const rates = { feeBps: { crypto: 0 }, carryBpsPerDay: { crypto: 24 } };
const patient = {
  rates,
  policy: (policy: Policy) => {
    policy.limits.maxBookStalenessMs = 1e9;
  },
};
const flat = (time: number, mid: number) => ({
  time,
  bids: [[mid - 1, 1_000]] as Level[],
  asks: [[mid + 1, 1_000]] as Level[],
});

test('one hour of carry is the mark notional at a twenty-fourth of the daily rate', () => {
  assert.equal(hourlyCarry(usd(100_000), 3), usd(1.25));
  assert.equal(hourlyCarry(usd(100_000), 1.5), usd(0.625));
  assert.equal(hourlyCarry(usd(1), 0.5), 208n);
});

test('longs and shorts pay on every full hour at the last mark, exactly once, downtime included', () => {
  for (const side of ['buy', 'sell'] as const) {
    const scenario = new Scenario([flat(0, 1_000), flat(90 * 60_000, 2_000)], patient);
    scenario.to(30 * 60_000).place(side, 10);
    scenario.to(hourMs - 1);
    assert.equal(scenario.position()!.funding, 0n);
    scenario.to(hourMs);
    assert.equal(scenario.position()!.funding, usd(1));
    scenario.to(4 * hourMs);
    assert.equal(scenario.position()!.funding, usd(1 + 3 * 2));
    const funding = scenario.ledger.filter(({ kind }) => kind === 'funding');
    assert.deepEqual(
      funding.map(({ time, amount }) => [time, amount]),
      [
        [hourMs, -usd(1)],
        [2 * hourMs, -usd(2)],
        [3 * hourMs, -usd(2)],
        [4 * hourMs, -usd(2)],
      ],
    );
  }
});

test('a position opened on the hour pays no carry for that hour', () => {
  const scenario = new Scenario([flat(0, 1_000)], patient);
  scenario.to(hourMs).place('buy', 10);
  scenario.to(2 * hourMs - 1);
  assert.equal(scenario.position()!.funding, 0n);
});
