import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OrderTimers } from '../../../src/exchange/engine/indexes/triggers.ts';
import type { Order } from '../../../src/exchange/engine/model.ts';

test('what is due comes by time, then by creation, in whatever order it was added; other markets stay', () => {
  const entry = fc.record({ at: fc.nat(4), marketId: fc.constantFrom('m', 'n') });
  fc.assert(
    fc.property(fc.array(entry), fc.infiniteStream(fc.nat()), fc.nat(4), (entries, keys, now) => {
      const all = entries.map((one, at) => ({ at: one.at, order: { sequence: at, marketId: one.marketId } as Order }));
      const timers = new OrderTimers();
      for (const { at, order } of all.toSorted(() => (keys.next().value! % 2) - 0.5)) timers.add(at, order);
      const wanted = all
        .filter(({ at, order }) => at <= now && order.marketId === 'm')
        .sort((one, other) => one.at - other.at || one.order.sequence - other.order.sequence)
        .map(({ order }) => order);
      assert.deepEqual(timers.takeDue(now, 'm'), wanted);
      const left = all.filter(({ order }) => !wanted.includes(order)).map(({ at }) => at);
      assert.equal(timers.next, Math.min(...left));
    }),
  );
});
