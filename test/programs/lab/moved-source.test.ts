import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { laterSource } from '../../../src/programs/lab/moved-source.ts';

const source = syntheticSource({ seed: 1 });
const { marketId } = source.definitions.find((market) => market.tick !== null)!;
const start = Date.UTC(2026, 0, 5);

describe('a later source', () => {
  it('has the same books and events, later', () => {
    const laterMs = 86_400_777;
    const later = laterSource(source, laterMs);
    const [one, other] = [source.book(marketId, start)!, later.book(marketId, start + laterMs)!];
    assert.deepEqual([other.bids, other.asks, other.time], [one.bids, one.asks, one.time + laterMs]);
    const [tape, laterTape] = [source.open(start), later.open(start + laterMs)];
    for (const each of [tape, laterTape]) each.watch(marketId, true);
    for (let count = 0; count < 20; count += 1) {
      assert.equal(laterTape.peek(start + laterMs + 60_000), tape.peek(start + 60_000)! + laterMs);
      const event = structuredClone(tape.next(start + 60_000)!);
      const same = laterTape.next(start + laterMs + 60_000)!;
      assert.deepEqual([same.kind, same.marketId, same.time], [event.kind, event.marketId, event.time + laterMs]);
      if (event.kind === 'print' && same.kind === 'print')
        assert.deepEqual([same.price, same.size], [event.price, event.size]);
      if (event.kind === 'book' && same.kind === 'book') assert.equal(same.bids[0], event.bids[0]);
    }
    assert.equal(laterTape.next(start + laterMs), null);
  });
});
