import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarketSource } from '../../../../src/exchange/engine/source.ts';
import { syntheticSource } from '../../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { rememberedBooks } from '../../../../src/programs/lab/workers/worker.ts';

const synthetic = syntheticSource({ seed: 1 });
const { marketId } = synthetic.definitions[0]!;
const start = Date.UTC(2026, 0, 5);
const times = Array.from({ length: 20 }, (_, at) => start + 1_000 * at);

/** A source that counts the books that were looked for. */
function counted(): { source: MarketSource; found: () => number } {
  let count = 0;
  const book: MarketSource['book'] = (market, time) => {
    count += 1;
    return synthetic.book(market, time);
  };
  return { source: { ...synthetic, book }, found: () => count };
}

function shown(source: MarketSource): unknown[] {
  return times.map((time) => source.book(marketId, time));
}

describe('a source that remembers its books', () => {
  it('looks for each of them once, and shows the same each time', () => {
    const { source, found } = counted();
    const remembered = rememberedBooks(source, 1_000_000);
    const first = shown(remembered);
    assert.deepEqual(first, shown(synthetic));
    assert.deepEqual(shown(remembered), first);
    assert.equal(found(), times.length);
  });

  it('keeps no more numbers than it may, and shows the same without them', () => {
    const { source, found } = counted();
    const remembered = rememberedBooks(source, 200);
    assert.deepEqual(shown(remembered), shown(synthetic));
    shown(remembered);
    assert.ok(found() > times.length, `${found()} of ${2 * times.length} were looked for`);
    assert.ok(found() < 2 * times.length, `${found()} of ${2 * times.length} were looked for`);
  });

  it('remembers that a market has no book yet, and refuses a market that does not exist', () => {
    let count = 0;
    const book = () => {
      count += 1;
      return null;
    };
    const remembered = rememberedBooks({ ...synthetic, book }, 1_000);
    assert.deepEqual([remembered.book(marketId, start), remembered.book(marketId, start), count], [null, null, 1]);
    assert.throws(() => rememberedBooks(synthetic, 1_000).book('no market', start), RangeError);
  });
});
