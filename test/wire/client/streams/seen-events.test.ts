import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeenEvents } from '../../../../src/wire/client/streams/market-subscription.ts';
import type { TickEvent } from '../../../../src/wire/contract/streams.ts';

test('ticks of one market are known by their kind: last, mid and mark go on beside each other', () => {
  const seen = new SeenEvents();
  const tick = (kind: TickEvent['kind'], time: number, price = '1') =>
    seen.isNew({ type: 'tick', provider: 'binance', symbol: 'BTC', kind, time, price } as TickEvent);
  assert.deepEqual([tick('last', 5), tick('mid', 4), tick('mark', 3)], [true, true, true]);
  assert.deepEqual([tick('last', 5), tick('mid', 3), tick('mark', 3)], [false, false, false]);
  assert.deepEqual([tick('last', 5, '2'), tick('mid', 6)], [true, true]);
});
