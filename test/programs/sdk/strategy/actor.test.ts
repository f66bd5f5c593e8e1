import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syntheticSource } from '../../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { Actor } from '../../../../src/programs/sdk/strategy/actor.ts';
import type { Book } from '../../../../src/programs/sdk/strategy/define-strategy.ts';
import type { View } from '../../../../src/programs/sdk/strategy/side.ts';
import { nothingOpen } from '../../../../src/programs/sdk/strategy/wire.ts';
import { presentMarket } from '../../../../src/service/present/market.ts';

test('a strategy is told of every book that differs from the one before, also at the same time', () => {
  const [definition] = syntheticSource({ seed: 1 }).definitions;
  const market = presentMarket(definition!, { platform: false, categories: [] });
  const book = (bids: Book['bids'], asks: Book['asks'], time: number): Book => ({
    market: market.market_id,
    bids,
    asks,
    time,
  });
  let shown = book([[9, 1]], [[11, 1]], 1);
  const view: View = {
    now: 0,
    quote: () => ({ market: market.market_id, bid: null, ask: null, mid: null, time: null }),
    book: () => shown,
    marks: () => assert.fail(),
    candles: () => assert.fail(),
    takeTrades: () => assert.fail(),
    holding: () => nothingOpen(market.market_id),
    account: () => assert.fail(),
  };
  const told: Book[] = [];
  const onBook = (_: object, one: Book) => void told.push(one);
  const actor = new Actor({ markets: [market.market_id], onBook }, { markets: [market], view, seed: 1, run: 'run' });
  const different = [
    shown,
    book([[9, 2]], [[11, 1]], 1),
    book([[9, 2]], [[12, 1]], 1),
    book(
      [[9, 2]],
      [
        [12, 1],
        [13, 1],
      ],
      1,
    ),
    book(
      [[9, 2]],
      [
        [12, 1],
        [13, 1],
      ],
      2,
    ),
  ];
  for (shown of [...different, structuredClone(different.at(-1)!)]) actor.look({ fills: [], orders: [], refused: [] });
  assert.deepEqual(told, different);
});
