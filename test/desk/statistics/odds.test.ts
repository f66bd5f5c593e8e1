import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dayMs, hourMs } from '../../../src/base/terms/day.ts';
import { blockLengthOf } from '../../../src/desk/statistics/bootstrap.ts';
import {
  type ChallengeRules,
  type Draws,
  ends,
  Fold,
  type Start,
  type Trade,
  tableOfTrades,
} from '../../../src/desk/statistics/fold.ts';
import { carried, oddsOf, type Question, wilsonOf } from '../../../src/desk/statistics/odds.ts';
import { numbersOf, startFor, tradeOf } from './traders.ts';

const rules: ChallengeRules = { dailyLoss: 3_000, drawdownFloor: 97_000, target: 109_000, minimumDays: 0 };
const start: Start = {
  time: 0,
  equity: 100_000,
  dayStart: 100_000,
  daysTraded: 0,
  hasTradedToday: false,
  midnights: Float64Array.from({ length: 10 }, (_, at) => (at + 1) * dayMs),
  open: [],
};

/** How one list of trades ends, in USD. */
function endOf(trades: readonly Trade[], changes: Partial<ChallengeRules> = {}, from: Partial<Start> = {}) {
  let at = -1;
  const draws: Draws = { next: () => (++at < trades.length ? at : -1), chance: () => 0 };
  const fold = new Fold(tableOfTrades(trades), { ...rules, ...changes }, { ...start, ...from });
  const { end, day } = fold.run(draws, { fixed: 1, share: 0 });
  return end === 0 ? ['undecided'] : [ends[end], day];
}

const one = (gap: number, ...steps: [after: number, change: number, worst?: number][]): Trade => ({
  gap,
  steps: steps.map(([after, change, worst = Math.min(0, change)]) => ({ after, change, worst })),
});

describe('one path', () => {
  it('touches a floor inside a trade that ends as a winner', () => {
    assert.deepEqual(endOf([one(hourMs, [hourMs, 9_500, -3_000])]), ['maximum-drawdown', 0]);
    assert.deepEqual(endOf([one(hourMs, [hourMs, 9_500, -2_999])]), ['passed', 0]);
  });

  it('touches the daily floor by two trades that are open at once, and not by two of two days', () => {
    const both = [one(hourMs, [5 * hourMs, -1_600]), one(hourMs, [2 * hourMs, -1_600])];
    assert.deepEqual(endOf(both, { drawdownFloor: null }), ['daily-loss', 0]);
    const apart = [one(hourMs, [hourMs, -1_600]), one(dayMs, [hourMs, -1_600])];
    assert.deepEqual(endOf(apart, { drawdownFloor: null }), ['undecided']);
  });

  it('counts what is open at midnight into the floor of the next day', () => {
    const overnight = one(20 * hourMs, [3 * hourMs, 2_000], [8 * hourMs, -3_100]);
    assert.deepEqual(endOf([overnight], { drawdownFloor: null }), ['daily-loss', 1]);
    assert.deepEqual(endOf([one(20 * hourMs, [8 * hourMs, -1_100])], { drawdownFloor: null }), ['undecided']);
  });

  it('passes only with nothing open, and once enough days had a fill', () => {
    const runs = [one(hourMs, [hourMs, 9_500]), one(0, [30 * hourMs, 100])];
    assert.deepEqual(endOf(runs), ['passed', 1]);
    assert.deepEqual(endOf([one(hourMs, [hourMs, 9_500]), one(dayMs, [hourMs, 0])], { minimumDays: 2 }), ['passed', 1]);
    assert.deepEqual(endOf([one(hourMs, [hourMs, 9_500])], { minimumDays: 2 }), ['undecided']);
    assert.deepEqual(
      endOf([one(hourMs, [hourMs, 9_500])], { minimumDays: 2 }, { daysTraded: 1, hasTradedToday: true }),
      ['undecided'],
    );
  });

  it('ends what is open when it begins', () => {
    const open = [{ first: 0, second: 1, chance: 1 }];
    const table = [one(0, [hourMs, -3_000]), one(0, [hourMs, 100])];
    assert.equal(
      new Fold(tableOfTrades(table), rules, { ...start, open }).run(
        { next: () => -1, chance: () => 0.5 },
        { fixed: 9, share: 0 },
      ).end,
      3,
    );
  });

  it('has room for any number of trades that are open at once', () => {
    const many = Array.from({ length: 200 }, () => one(1, [hourMs, 50]));
    assert.deepEqual(endOf(many), ['passed', 0]);
  });
});

/** A record of wins and losses. */
const question = (multiples: readonly number[], changes: Partial<Question> = {}): Question => ({
  record: multiples.map((r) => tradeOf(r, 3)),
  open: [],
  rules,
  start: startFor({ perDay: 3, days: 60 }),
  size: { fixed: 0, share: 0.005 },
  seed: 1,
  ...changes,
});
const number = numbersOf(3);
const multiples = Array.from({ length: 60 }, () => (number() < 0.45 ? 1.6 : -1));

describe('odds', () => {
  it('are the same for the same seed; every path ends in one way', () => {
    const odds = oddsOf(question(multiples));
    assert.deepEqual(oddsOf(question(multiples)), odds);
    assert.notDeepEqual(oddsOf(question(multiples, { seed: 2 })), odds);
    assert.equal(
      Object.values(odds.ends).reduce((sum, { count }) => sum + count, 0),
      odds.paths,
    );
    for (const { value, low, high } of [...Object.values(odds.ends), odds.failed, odds.nextTrade])
      assert.ok(0 <= low && low <= value && value <= high && high <= 1, `${low} ${value} ${high}`);
  });

  it('of a record leave more open than the number of paths does; supposed ones do not', () => {
    const { passed } = oddsOf(question(multiples)).ends;
    assert.ok(passed.high - passed.low > 10 * passed.error);
    const supposed = oddsOf(question(multiples, { isIndependent: true })).ends.passed;
    assert.ok(supposed.high - supposed.low < 0.03);
  });

  it('do not exclude that the next trade loses more than any before', () => {
    const { nextTrade } = oddsOf(question(multiples));
    assert.equal(nextTrade.count, 0);
    assert.ok(nextTrade.high > 0.04 && nextTrade.high < 0.05, String(nextTrade.high));
  });

  it('have no digit that the interval does not carry', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const said = carried({ value: (low + high) / 2, low, high });
        assert.ok(said.low <= low + 1e-9 && said.high >= high - 1e-9);
        assert.equal(said.value === null, high - low > 0.4);
        const digits = said.value === null ? 0 : String(said.value).replace(/^[01]\.?/, '').length;
        assert.ok(digits <= (high - low >= 0.02 ? 2 : 3));
      }),
    );
    assert.deepEqual(carried({ value: 0.6375, low: 0.52, high: 0.75 }), {
      value: 0.6,
      low: 0.52,
      high: 0.75,
      unit: 0.1,
    });
  });
});

describe('what the odds stand on', () => {
  it('blocks are longer, the longer a series remembers', () => {
    const remembering = (share: number) => {
      const draw = numbersOf(5);
      let last = 0;
      return blockLengthOf(Array.from({ length: 400 }, () => (last = share * last + draw() - 0.5)));
    };
    assert.ok(remembering(0) < 3 && remembering(0.5) > remembering(0) && remembering(0.9) > 2 * remembering(0.5));
    assert.equal(blockLengthOf([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), 1);
  });

  it('the interval of a share is that of Wilson: 81 of 263, as Newcombe (1998) worked it out', () => {
    const { low, high } = wilsonOf(81, 263, 1.959964);
    assert.deepEqual([low.toFixed(4), high.toFixed(4)], ['0.2553', '0.3662']);
    assert.equal(wilsonOf(0, 20, 1.96).low, 0);
    assert.equal(wilsonOf(20, 20, 1.96).high, 1);
  });
});
