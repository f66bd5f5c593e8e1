import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  autocorrelation,
  correlation,
  excessKurtosis,
  mean,
  minuteFigures,
  moveCorrelation,
  movesOf,
  playedFigures,
} from '../../../src/exchange/markets/statistics/figures.ts';
import { measureGates } from '../../../src/exchange/markets/statistics/gates.ts';
import { sample } from '../../../src/exchange/markets/statistics/samples.ts';
import { Tally } from '../../../src/exchange/markets/statistics/strategies.ts';
import { seed } from '../../seed.ts';
import { it, trial } from '../../tiers.ts';
import { Chance } from '../engine/chance.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from '../engine/scripted-source.ts';

const second = 1000;
const day = 86_400 * second;
const one = definition();
const other = definition({ marketId: 'binance|OTHER' });

const book = (time: number, mid: number, market = one.marketId): ScriptedEvent => ({
  time,
  market,
  bids: [[mid - 1, 10]] as Level[],
  asks: [[mid + 1, 10]] as Level[],
});

/** A market with one print in every second, followed by a move in its direction. */
function following(from: number, seconds: number, market = one.marketId, start = 10_000): ScriptedEvent[] {
  let mid = start;
  const script: ScriptedEvent[] = [book(from - 1, mid, market)];
  for (let at = 0; at < seconds; at += 1) {
    const size = 1 + ((at * 7) % 5);
    const aggressor = (at * 13) % 3 === 0 ? 'buy' : 'sell';
    const time = from + at * second + 300;
    mid += aggressor === 'buy' ? size : -size;
    script.push({ time, market, print: [mid, size], aggressor }, book(time + 100, mid, market));
  }
  return script;
}

function figuresOf(script: readonly ScriptedEvent[], to: number): Map<string, number> {
  const samples = sample(new ScriptedSource(script, [one]), one.marketId, 0, to);
  return new Map(playedFigures(samples).map(({ name, value }) => [name, value]));
}

describe('statistics of a market', () => {
  it('count how long a book was known: ten seconds after it, less where a newer one or a gap comes first', () => {
    const script: ScriptedEvent[] = [
      ...[book(second, 100), book(second, 101), book(3 * second, 100)],
      ...[{ time: 4 * second, gap: 'connection' } as const, book(100 * second, 100)],
    ];
    const { knownMs } = sample(new ScriptedSource(script, [one]), one.marketId, 0, 200 * second);
    assert.equal(knownMs, 13 * second);
  });

  it('do not treat a gap, or a book that is too old, as a market that stands still', () => {
    const whole = figuresOf(following(second, 100), 101 * second);
    const gap: ScriptedEvent = { time: 101 * second, gap: 'connection' };
    const holed = figuresOf([...following(second, 100), gap, ...following(500 * second, 100)], 700 * second);
    assert.equal(Math.round(whole.get('book known')! * 3600), 100);
    const known = holed.get('book known')! * 3600;
    assert.ok(known > 205 && known < 211, `${known} s: 100, 100, and ten until the last book is too old`);
    for (const name of ['mid unchanged after 450 ms', 'prints', 'books'])
      assert.ok(Math.abs(holed.get(name)! / whole.get(name)! - 1) < 0.12, `${name}: ${holed.get(name)}`);
    assert.ok(holed.get('flow and move in 1 s, correlation')! > 0.95);
  });

  it('take no more samples in a gap of years than in one of two days', () => {
    const years = sample(
      new ScriptedSource([...following(second, 60), ...following(3 * 365 * day, 60, one.marketId, 20_000)], [one]),
      one.marketId,
      0,
      3 * 365 * day + 60 * second,
    );
    assert.ok(years.times.length < (2 * day) / second + 200);
    assert.equal(years.times.at(-1), 3 * 365 * day + 60 * second);
    const moves = [1, 60, 3600].flatMap((step) => [...movesOf(years.mids, step)]).filter((move) => !Number.isNaN(move));
    assert.ok(moves.length > 100);
    assert.ok(
      moves.every((move) => Math.abs(move) < 0.1),
      'no move from 10,000 to 20,000',
    );
  });

  it('compare the same seconds of two markets, wherever their books start', () => {
    const script = [...following(second, 200), ...following(second, 200, other.marketId).slice(101)];
    const source = new ScriptedSource(
      script.sort((a, b) => a.time - b.time),
      [one, other],
    );
    const [left, right] = [one, other].map(({ marketId }) => sample(source, marketId, 0, 201 * second));
    assert.ok(moveCorrelation(left!, right!) > 0.999);
  });

  it('of prints only cover the prints', () => {
    const prints = following(second, 100).filter((event) => 'print' in event);
    const figures = figuresOf(prints, 101 * second);
    assert.equal(figures.get('prints'), 1);
    assert.ok(Number.isNaN(figures.get('spread, mean')!));
  });

  it('of an empty, a one-sided or a very short recording are unknown, not wrong', () => {
    const oneSided = [1, 2, 3].map((at): ScriptedEvent => ({ time: at * second, bids: [[9, 1]] as Level[], asks: [] }));
    for (const script of [[], oneSided, following(second, 5)]) {
      const figures = figuresOf(script, 6 * second);
      for (const name of ['kurtosis of 1 s moves, without the 5 largest', 'flow and move in 1 s, correlation'])
        assert.ok(Number.isNaN(figures.get(name)!), name);
    }
    assert.deepEqual(minuteFigures([1, 2, Number.NaN]), []);
  });
});

it('unknown values are excluded from means, pairs and distributions', () => {
  const series = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? Number.NaN : Math.sin(at)));
  const known = series.filter((value) => !Number.isNaN(value));
  assert.equal(mean(series), mean(known));
  assert.ok(Math.abs(correlation(series, series) - 1) < 1e-12);
  assert.equal(excessKurtosis(series), excessKurtosis(known));
  assert.ok(Number.isNaN(autocorrelation(series.slice(0, 20), 1)));
});

describe('gates of a market', () => {
  /** A book every half second around a constant mid; a print of `size` at `price` between the books of every minute. */
  function steady(minutes: number, price: number, size: number): ScriptedEvent[] {
    return Array.from({ length: minutes * 120 }, (_, i): ScriptedEvent[] => {
      const time = second + i * 500;
      const print: ScriptedEvent = { time: time + 100, print: [price, size], aggressor: 'buy' };
      return i % 120 === 7 ? [book(time, 10_000), print] : [book(time, 10_000)];
    }).flat();
  }

  function gatesOf(script: readonly ScriptedEvent[], minutes: number): Map<string, number> {
    const source = new ScriptedSource(script, [one]);
    const to = minutes * 60 * second;
    const samples = sample(source, one.marketId, 0, to);
    const { figures } = measureGates(source, one, { from: 0, to, samples, leader: null });
    return new Map(figures.map(({ name, value }) => [name, value]));
  }

  it('are met by prints that take the displayed touch', () => {
    const gates = gatesOf(steady(30, 10_001, 4), 30);
    for (const name of [
      'volume printed outside the neighboring books',
      'wick of a minute beyond its best prices, largest',
      'prints through the displayed touch',
      'volume that the book did not display',
    ])
      assert.equal(gates.get(name), 0, name);
    // Ten lots are ahead at the back: the third print of four exceeds them by two.
    assert.equal(gates.get('maker at the back of both touches, share of volume'), 1 / 6);
    assert.ok(gates.get('maker at their front, share of volume')! > 1 / 6);
  });

  trial('notice prints beyond the books, and more of them than was there', () => {
    const gates = gatesOf(steady(30, 10_051, 25), 30);
    assert.equal(gates.get('volume printed outside the neighboring books'), 100);
    assert.equal(gates.get('prints through the displayed touch'), 100);
    assert.equal(gates.get('volume that the book did not display'), 100);
    assert.ok(Math.abs(gates.get('wick of a minute beyond its best prices, largest')! - 50) < 0.1);
  });

  it('count moves that meet within two seconds of a minute’s end apart from those inside one minute', () => {
    const chance = new Chance(seed);
    const mids = [10_000];
    while (mids.length < 900) mids.push(mids.at(-1)! + chance.between(-3, 3));
    const gates = gatesOf(
      mids.map((mid, at) => book((1 + at) * second, mid)),
      15,
    );
    const midAt = (at: number) => mids[at - 1]!;
    for (const length of [10, 20]) {
      const memoryWhere = (isIn: (at: number) => boolean) => {
        const meetings = mids.map((_, i) => i + 1).filter((at) => at > length && at + length < 15 * 60 && isIn(at));
        return correlation(
          meetings.map((at) => midAt(at) / midAt(at - length) - 1),
          meetings.map((at) => midAt(at + length) / midAt(at) - 1),
        );
      };
      const inMinute = (at: number) => at % 60;
      for (const [words, isIn] of [
        ['', () => true],
        [', inside a minute', (at: number) => inMinute(at) >= length && inMinute(at) + length <= 60],
        [', across its end', (at: number) => [58, 59, 0, 1, 2].includes(inMinute(at))],
      ] as const) {
        const found = gates.get(`autocorrelation of ${length} s moves${words}`)!;
        assert.ok(Math.abs(found - memoryWhere(isIn)) < 1e-9, `${length} s${words}: ${found}`);
      }
    }
  });

  trial('notice a market that pays for waiting', () => {
    const gates = gatesOf(steady(120, 10_101, 25), 120);
    assert.ok(gates.get('best cell of resting orders')! > 4.5, 'orders 40 and 60 bp away sell at wicks of 100 bp');
  });
});

it('results of a strategy are as certain as their number of blocks, however many come at once', () => {
  const [alone, together] = [new Tally(), new Tally()];
  for (let i = 0; i < 400; i += 1) {
    const value = Math.sin(i * i);
    alone.add(value, i * 600_000);
    for (let copy = 0; copy < 10; copy += 1) together.add(value, i * 600_000 + copy);
  }
  assert.ok(Math.abs(alone.mean - together.mean) < 1e-12 && Math.abs(alone.error / together.error - 1) < 1e-9);
  const both = new Tally();
  both.merge(alone);
  both.merge(together);
  assert.equal(both.count, 4400);
});
