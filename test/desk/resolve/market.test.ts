import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchMarket } from '../../../src/desk/resolve/market.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';

const market = (market_id: string, symbol: string, reduce_only?: boolean) =>
  ({ market_id, symbol, coin: market_id.split('|')[1], ...(reduce_only !== undefined && { reduce_only }) }) as Market;

test('a symbol names the market that can be traded, before one that can only be reduced; an id is exact', () => {
  const markets = [market('old|BTC', 'BTC', true), market('new|BTC', 'BTC', false), market('old|DOGE', 'DOGE', true)];
  const named = (text: string) => matchMarket(text, markets)?.market_id;
  assert.deepEqual([named('BTC'), named('btc'), named('old:BTC')], ['new|BTC', 'new|BTC', 'old|BTC']);
  assert.equal(named('doge'), 'old|DOGE', 'a position in it can still be closed');
  assert.equal(named('SHIB'), undefined);
  assert.throws(() => matchMarket('BTC', [...markets, market('other|BTC', 'BTC')]), /ambiguous/);
});
