import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import type { MarketEvent, MarketSource } from '../../../src/exchange/engine/source.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { scrambledSource } from '../../../src/programs/lab/scrambled-source.ts';
import { EngineRun } from '../../../src/programs/sdk/strategy/engine-run.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from '../../exchange/engine/scripted-source.ts';
import { beginning, seed } from '../../seed.ts';
import { it, trial } from '../../tiers.ts';
import { drawnPlan, drawnStrategy } from '../sdk/strategy/drawn-strategy.ts';

const market = 'binance|TEST';
/** Every tenth event is a full book, the others change one level of it; a print follows each. */
function script(moves: readonly number[]): ScriptedEvent[] {
  let mid = 1_000;
  return moves.flatMap((move, at): ScriptedEvent[] => {
    const old = mid;
    mid += move;
    const time = 100 * (at + 1);
    const level = (price: number): Level => [price, 10];
    const bids = [1, 2, 3].map((far) => level(mid - far));
    const asks = [1, 2, 3].map((far) => level(mid + far));
    const gone = [1, 2, 3].flatMap((far) => [old - far, old + far]);
    const kept = new Set([...bids, ...asks].map(([price]) => price));
    const removed = gone.filter((price) => !kept.has(price)).map((price): Level => [price, 0]);
    const delta = at % 10 > 0;
    const below = removed.filter(([price]) => price < old);
    const above = removed.filter(([price]) => price > old);
    // What was a bid may be an ask now.
    const line = delta
      ? {
          time,
          delta,
          bids: [...below, ...asks.map(([price]): Level => [price, 0]), ...bids],
          asks: [...above, ...bids.map(([price]): Level => [price, 0]), ...asks],
        }
      : { time, bids, asks };
    return [line, { time: time + 50, print: [mid - 1, 5], aggressor: 'sell' }];
  });
}

const moves = Array.from({ length: 60 }, (_, at) => [2, -1, 3, -2, 0, 1, -3][at % 7]!);
const source = new ScriptedSource(script(moves), [definition()]);

function eventsOf(played: MarketSource, from = 0): MarketEvent[] {
  const tape = played.open(from);
  tape.watch(market, true);
  const events: MarketEvent[] = [];
  for (let event = tape.next(1e9); event !== null; event = tape.next(1e9)) events.push(structuredClone(event));
  return events;
}

const bidOf = (played: MarketSource, time: number) => played.book(market, time)!.bids[0]!;

describe('a scrambled market', () => {
  it('is the same up to a time, in its events and its books', () => {
    const scrambled = scrambledSource(source, { after: 3_000, seed: 5 });
    const upTo = (events: MarketEvent[]) => events.filter(({ time }) => time <= 3_000);
    assert.deepEqual(upTo(eventsOf(scrambled)), upTo(eventsOf(source)));
    for (let time = 100; time <= 3_000; time += 50)
      assert.deepEqual(scrambled.book(market, time), source.book(market, time));
  });

  it('has events at the same times afterward, on the grid, never crossed, and never below zero', () => {
    for (let draw = 0; draw < 20; draw += 1) {
      const scrambled = scrambledSource(source, { after: 2_000, seed: draw });
      const events = eventsOf(scrambled);
      assert.deepEqual(
        events.map(({ time }) => time),
        eventsOf(source).map(({ time }) => time),
      );
      for (const event of events) {
        if (event.kind !== 'book') continue;
        const prices = [...Array.from(event.bids), ...Array.from(event.asks)].filter((_, at) => at % 2 === 0);
        assert.ok(prices.every((price) => price > 0 && Number.isInteger(price)));
        assert.ok(event.bids[0]! < event.asks[0]!, `draw ${draw}, ${event.time}`);
      }
    }
  });

  it('goes the other way at every move with seed 0, and half of the time with others', () => {
    const [from, to] = [3_000, 5_950];
    const turned = scrambledSource(source, { after: from, seed: 0 });
    assert.equal(bidOf(turned, to) - bidOf(turned, from), -(bidOf(source, to) - bidOf(source, from)));
    const ends = new Set(
      Array.from({ length: 12 }, (_, draw) => bidOf(scrambledSource(source, { after: from, seed: 100 + draw }), to)),
    );
    assert.ok(ends.size > 5, `${[...ends]}`);
  });

  it('goes the other way at every move with the negative of a seed', () => {
    const [from, to] = [1_000, 5_950];
    const [one, other] = [7, -7].map((draw) => scrambledSource(source, { after: from, seed: draw }));
    for (let time = from; time <= to; time += 50)
      assert.equal(bidOf(one!, time) - bidOf(one!, from), bidOf(other!, from) - bidOf(other!, time));
  });

  it('answers for books what its events say, in any order', () => {
    const scrambled = scrambledSource(source, { after: 1_000, seed: 9 });
    for (const event of eventsOf(scrambled).reverse()) {
      if (event.kind !== 'book' || event.time <= 1_000) continue;
      assert.deepEqual(scrambled.book(market, event.time)!.bids, Array.from(event.bids));
    }
  });

  it('can be made of a synthetic market, too', () => {
    const synthetic = syntheticSource({ seed });
    const { marketId } = synthetic.definitions[0]!;
    const from = Date.UTC(2026, 5, 10, 14);
    const scrambled = scrambledSource(synthetic, { after: from + 5_000, seed: 3 });
    const mids = (played: MarketSource, time: number) => {
      const { bids, asks } = played.book(marketId, time)!;
      assert.ok(bids[0]! < asks[0]!);
      return bids[0]! + asks[0]!;
    };
    assert.equal(mids(scrambled, from + 4_000), mids(synthetic, from + 4_000));
    assert.notEqual(mids(scrambled, from + 60_000), mids(synthetic, from + 60_000));
  });
});

trial('any strategy does the same up to a moment, no matter what comes later', () => {
  const { startTime: start } = beginning;
  const synthetic = syntheticSource({ seed: beginning.seed });
  const after = start + 2_000;
  fc.assert(
    fc.property(drawnPlan, fc.integer({ min: 1, max: 1_000 }), (plan, draw) => {
      const seenOn = (played: MarketSource) => {
        const seen: [number, ...unknown[]][] = [];
        const run = new EngineRun(drawnStrategy(plan, seen), { source: played, start, seed: 7 });
        run.advance(start + 5_000);
        run.finish();
        return seen.filter(([time]) => time <= after);
      };
      const [real, other] = [seenOn(synthetic), seenOn(scrambledSource(synthetic, { after, seed: draw }))];
      assert.ok(real.length > 0);
      assert.deepEqual(other, real);
    }),
    { numRuns: 30 },
  );
});
