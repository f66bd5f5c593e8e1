import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import type { MarketSource } from '../../../src/exchange/engine/source.ts';
import { MarketFeed } from '../../../src/service/streams/market-feed.ts';
import { Audience } from '../../../src/service/streams/subscribers.ts';

const market: MarketDefinition = {
  marketId: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  category: 'crypto',
  sizeDecimals: 3,
  priceDecimals: 1,
  tick: 1,
  maxLeverage: 10,
};

const nothing: MarketSource = {
  name: 'live',
  definitions: [market],
  book: () => null,
  open: () => ({ watch() {}, peek: () => null, next: () => null }),
  volume: () => 0,
};

test('in a gap, a book is sent without levels until the next full one', () => {
  const { marketId } = market;
  const feed = new MarketFeed(market, nothing, { bars: () => [] });
  const levels = { sequence: 1, bids: [1000, 5], bidCount: 1, asks: [1002, 5], askCount: 1 };
  const told = () => {
    const { bids, asks } = JSON.parse(feed.presentBook()[0]!);
    return [bids.length, asks.length, feed.presentTicks().length];
  };
  feed.take({ kind: 'book', marketId, time: 1_000, ...levels });
  assert.deepEqual(told(), [1, 1, 2]);
  feed.take({ kind: 'gap', marketId, time: 2_000, reason: 'connection' });
  assert.deepEqual(told(), [0, 0, 0]);
  feed.take({ kind: 'gap_end', marketId, time: 3_000, prints: 0, history: 'none' });
  assert.deepEqual(told(), [0, 0, 0]);
  feed.take({ kind: 'book', marketId, time: 3_000, ...levels, sequence: 2 });
  assert.deepEqual(told(), [1, 1, 2]);
});

const noFunding = { fundingRate: null, fundingHours: null, nextFundingAt: null };

test("a tick with the venue's mark comes when it changes, and only where an account is measured by it", () => {
  const { marketId } = market;
  for (const isShown of [true, false]) {
    const feed = new MarketFeed(market, nothing, { bars: () => [] }, { showsVenueMarks: () => isShown });
    const audience = new Audience();
    const marks: string[] = [];
    audience.subscribers.add({
      handle: 's',
      buffered: 0,
      present: () => [],
      send: (text) => marks.push(...JSON.parse(text).events.map(({ price }: { price: string }) => price)),
    });
    feed.readers.ticks.add(audience);
    for (const [at, mark] of [2000, 2010, 2010, 2000].entries()) {
      feed.take({ kind: 'marks', marketId, time: 1_000 + at, mark, index: mark, ...noFunding });
      audience.flush();
    }
    assert.deepEqual(marks, isShown ? ['100.0', '100.5', '100.0'] : []);
  }
});
