import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { Prints } from '../../../src/venues/live/prints.ts';

test('of prints without numbers, at least the last 4,096 are known again; older ones are forgotten', () => {
  const definition = { marketId: 'kraken|PF_XBTUSD', sizeDecimals: 2, priceDecimals: 0, tick: 1 } as MarketDefinition;
  const prints = new Prints(definition);
  const isNew = (id: number) =>
    prints.take({ id: `p${id}`, number: null, time: 1, price: '1', size: '0.01', side: 'buy', isOffBook: false }).isNew;
  for (let id = 1; id <= 5_000; id += 1) assert.ok(isNew(id));
  for (const id of [5_000, 4_097, 4_096, 905]) assert.ok(!isNew(id), `${id}`);
  for (let id = 5_001; id <= 8_192; id += 1) assert.ok(isNew(id));
  assert.ok(isNew(1));
});
