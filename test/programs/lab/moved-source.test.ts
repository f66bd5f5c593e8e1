import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { laterAt, laterSource } from '../../../src/programs/lab/moved-source.ts';

const source = syntheticSource({ seed: 1 });
const { marketId } = source.definitions.find((market) => market.tick !== null)!;
const start = Date.UTC(2026, 0, 5);

describe('a later source', () => {
  it('has the same books and events, later', () => {
    const laterMs = 86_400_777;
    const later = laterSource(source, { byMs: laterMs, from: start, stretch: 1 });
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

  it('comes more slowly from a time on, each event once and in order', () => {
    const slower = { byMs: 1_000, from: start, stretch: 33 / 32 };
    const later = laterSource(source, slower);
    const [tape, slow] = [source.open(start), later.open(laterAt(slower, start))];
    for (const each of [tape, slow]) each.watch(marketId, true);
    for (let count = 0; count < 50; count += 1) {
      const { time } = tape.next(start + 60_000)!;
      const at = laterAt(slower, time);
      assert.equal(at, start + 1_000 + Math.ceil(((time - start) * 33) / 32));
      assert.equal(slow.next(at - 1), null, 'not before its time');
      assert.equal(slow.next(at)?.time, at);
      assert.deepEqual(later.book(marketId, at)!.bids[0], source.book(marketId, time)!.bids[0]);
    }
  });
});
