import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { SyntheticMarkets } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { syntheticVersions } from '../../../src/exchange/markets/versions.ts';
import {
  day,
  hour,
  logsOf,
  type Memories,
  memoriesOf,
  minute,
  type Series,
  second,
  type Verdict,
  verdicts,
  withPairs,
} from './memory.ts';

const monday = Date.UTC(2026, 0, 5);
const isLong = process.env.PERP_LONG !== undefined;
const seeds = Array.from({ length: isLong ? 50 : 12 }, (_, at) => 1000 * syntheticVersions.prices + at);
const symbols = isLong
  ? ['BTC', 'ETH', 'SOL', 'XRP', 'HYPE', 'LINK', 'NVDA', 'SP500', 'GOLD', 'SILVER', 'CL', 'EUR']
  : ['BTC', 'ETH', 'SOL', 'NVDA', 'GOLD'];
/** How many days of each seed are measured at each resolution. */
const days = new Map(
  isLong
    ? [
        [day, 25_000],
        [hour, 900],
        [minute, 40],
        [second, 1],
      ]
    : [
        [day, 1500],
        [hour, 100],
        [minute, 5],
        [second, 1 / 24],
      ],
);

/** The correlations of adjacent moves at a resolution, over all seeds; `change` may plant a memory. */
function measured(step: number, change = (logs: Float64Array) => logs): Verdict[] {
  const all = seeds.map((seed): Memories => {
    const markets = new SyntheticMarkets(seed, defaultCatalog);
    const from = step === second ? monday + (seed % 7) * day + 13 * hour : monday;
    const series = symbols.map((name): Series => {
      const { path, timetable } = markets.at(defaultCatalog.find(({ symbol }) => symbol === name)!.marketId);
      return {
        name,
        logs: change(logsOf(path, timetable.slotsPerMinute / 60, step, [from, from + days.get(step)! * day])),
      };
    });
    return memoriesOf(withPairs(series), step, from);
  });
  return verdicts(all).filter(({ name }) => !isExcepted(name));
}

/**
 * Below five seconds, only markets whose books come as often are compared: a book that comes a third of a second later
 * shows a move later, and so makes a pair turn around. Slow markets follow within their minute.
 */
function isExcepted(name: string): boolean {
  const [of, scale] = [name.slice(0, name.lastIndexOf(' ', name.lastIndexOf(' ') - 1)), name.split(' ').at(-2)!];
  if (!scale.endsWith('s') || of === 'BTC-ETH') return false;
  const isPaired = of.includes('-') || of.endsWith('component');
  const isSlow = /GOLD|SILVER|CL|EUR|LINK/.test(of) || of.endsWith('component');
  return isPaired && (isSlow || Number.parseInt(scale, 10) < 5);
}

/** Of all the thousands of figures, none of a market without memory is farther from 0, in 30 runs of 31. */
const most = 4.5;

for (const [step, name] of [
  [day, 'days'],
  [hour, 'hours'],
  [minute, 'minutes'],
  [second, 'seconds'],
] as const)
  test(`no phase of any scale of ${name} knows the move before it: markets, pairs and their components`, () => {
    const all = measured(step);
    const worst = all[0]!;
    assert.ok(Math.abs(worst.errors) < most, JSON.stringify(worst));
    if (!isLong) return;
    for (const [of, values] of Map.groupBy(all, ({ name: one }) => one.slice(0, one.lastIndexOf(' ')))) {
      // Phases are independent of each other.
      const mean = values.reduce((sum, value) => sum + value.mean, 0) / values.length;
      const error = Math.hypot(...values.map((value) => value.error)) / values.length;
      assert.ok(Math.abs(mean) + 2.58 * error < 0.03, `${of} ${mean} ${error}`);
    }
  });

test('a memory of 5 % that is planted at one phase is found', () => {
  // Every second half hour takes back a twentieth of the one before it.
  const planted = (logs: Float64Array) => {
    let shift = 0;
    return logs.map((value, at) => {
      const inHour = at % 60;
      if (inHour > 30 && at >= 30) shift -= (0.05 / 30) * (logs[at - inHour + 30]! - logs[at - inHour]!);
      return value + shift;
    });
  };
  const found = measured(minute, planted).filter(({ name }) => name.includes('30m 1'));
  const mean = found.reduce((sum, one) => sum + one.mean, 0) / found.length;
  assert.ok(mean < -0.03, `${mean}`);
  if (isLong) assert.ok(Math.abs(found[0]!.errors) > most, JSON.stringify(found[0]));
});
