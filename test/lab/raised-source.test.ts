import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { raisedSource } from '../../src/lab/raised-source.ts';
import { syntheticSource } from '../../src/markets/synthetic.ts';

const source = syntheticSource({ seed: 1 });
const { marketId, tick } = source.definitions.find((market) => market.tick !== null)!;
const start = Date.UTC(2026, 0, 5);

describe('a source with raised prices', () => {
  it('has the same books and events, each price some ticks higher, and the same sizes', () => {
    const raised = raisedSource(source, 7);
    const by = 7 * tick!;
    const [one, other] = [source.book(marketId, start)!, raised.book(marketId, start)!];
    assert.deepEqual(
      other.bids,
      one.bids.map((value, at) => (at % 2 === 0 ? value + by : value)),
    );
    const [tape, raisedTape] = [source.open(start), raised.open(start)];
    for (const each of [tape, raisedTape]) each.watch(marketId, true);
    for (let count = 0; count < 20; count += 1) {
      const event = tape.next(start + 60_000)!;
      const moved = raisedTape.next(start + 60_000)!;
      assert.deepEqual([moved.kind, moved.marketId], [event.kind, event.marketId]);
      if (event.kind === 'print' && moved.kind === 'print') assert.equal(moved.price, event.price + by);
      if (event.kind === 'book' && moved.kind === 'book') assert.equal(moved.bids[0], event.bids[0]! + by);
    }
  });
});
