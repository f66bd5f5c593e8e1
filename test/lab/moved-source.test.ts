import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { movedSource } from '../../src/lab/moved-source.ts';
import { syntheticSource } from '../../src/markets/synthetic.ts';

const source = syntheticSource({ seed: 1 });
const { marketId, tick } = source.definitions.find((market) => market.tick !== null)!;
const start = Date.UTC(2026, 0, 5);

describe('a moved source', () => {
  it('has the same books and events, later, each price some ticks higher, each size a lot larger', () => {
    const laterMs = 86_400_777;
    const moved = movedSource(source, { ticks: 7, lots: 1, laterMs });
    const by = 7 * tick!;
    const [one, other] = [source.book(marketId, start)!, moved.book(marketId, start + laterMs)!];
    assert.deepEqual(
      other.bids,
      one.bids.map((value, at) => (at % 2 === 0 ? value + by : value + 1)),
    );
    assert.equal(other.time, one.time + laterMs);
    const [tape, movedTape] = [source.open(start), moved.open(start + laterMs)];
    for (const each of [tape, movedTape]) each.watch(marketId, true);
    for (let count = 0; count < 20; count += 1) {
      assert.equal(movedTape.peek(start + laterMs + 60_000), tape.peek(start + 60_000)! + laterMs);
      const event = tape.next(start + 60_000)!;
      const later = movedTape.next(start + laterMs + 60_000)!;
      assert.deepEqual([later.kind, later.marketId, later.time], [event.kind, event.marketId, event.time + laterMs]);
      if (event.kind === 'print' && later.kind === 'print')
        assert.deepEqual([later.price, later.size], [event.price + by, event.size + 1]);
      if (event.kind === 'book' && later.kind === 'book') assert.equal(later.bids[0], event.bids[0]! + by);
    }
    assert.equal(movedTape.next(start + laterMs), null);
  });
});
