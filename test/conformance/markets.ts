import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const marketTests: Part = (bench) => {
  test('the service describes itself', async () => {
    const { status, body } = await bench().api.get('/v1');
    assert.equal(status, 200);
    assert.ok(['live', 'test'].includes(body.data.environment));
    assert.ok(URL.canParse(body.data.documentation));
  });

  test('public reads refuse an invalid key', async () => {
    const { api } = bench();
    const headers = { authorization: 'Bearer sim_live_unknown' };
    for (const path of ['/v1', '/v1/restricted-countries', '/v1/markets', '/v1/markets/binance|BTCUSDT'])
      assertRefused(await api.get(path, { headers }), 401, 'unauthorized');
  });

  test('restricted countries are listed in order and may be cached for five minutes', async () => {
    const { headers, body } = await bench().api.get('/v1/restricted-countries');
    const countries = body.data.map(({ country }: { country: string }) => country);
    assert.deepEqual(countries, [...countries].sort());
    for (const country of countries) assert.match(country, /^[A-Z]{2}$/);
    assert.equal(headers['cache-control'], 'public, max-age=300');
  });

  test('a market has steps: prices and sizes on them are accepted, others are refused', async () => {
    const { api, order, quote } = wired(bench());
    const { body } = await api.get('/v1/markets/binance|BTCUSDT');
    const { size_step: step, min_size: least, min_notional: worth, tick_size: tick } = body.data;
    assert.deepEqual([step, least, worth, tick], [0.001, 0.001, 10, 0.1]);
    const { bid } = await quote();
    const price = Math.floor(bid * 0.9);
    const limit = (changes: object) => api.post('/v1/orders', order({ type: 'limit', size: step, ...changes }));
    const rests = await limit({ limit_price: price + tick });
    assert.equal(rests.status, 201);
    await api.delete(`/v1/orders/${rests.body.data.id}`);
    assertRefused(await limit({ limit_price: price + tick / 2 }), 422, 'rule_violation', { rule: 'price-precision' });
    assertRefused(await limit({ limit_price: price, size: step / 2 }), 422, 'rule_violation', {
      rule: 'size-precision',
    });
    const tooLittle = { limit_price: Math.floor((worth * 0.9) / step) };
    assertRefused(await limit(tooLittle), 422, 'rule_violation', { rule: 'min-order-notional-usd' });
  });

  test('the tick of a market of provider hyperliquid is its finest step', async () => {
    const { body } = await bench().api.get('/v1/markets/hyperliquid|xyz:GOLD');
    assert.equal(body.data.tick_size, 0.01);
  });

  test('every market is listed with its venue, and found by its id', async () => {
    const { api } = bench();
    const { body } = await api.get('/v1/markets');
    assert.ok(body.data.length > 0);
    for (const market of body.data) {
      assert.match(market.market_id, /^[a-z]+\|.+$/);
      const one = await api.get(`/v1/markets/${encodeURIComponent(market.market_id)}`);
      assert.deepEqual(one.body.data, market);
    }
  });

  test('a market id may be written unencoded, and a trailing slash is tolerated', async () => {
    const { api } = bench();
    for (const path of ['binance|BTCUSDT', 'binance%7CBTCUSDT', 'binance%7cBTCUSDT', 'binance|BTCUSDT/'])
      assert.equal((await api.get(`/v1/markets/${path}`)).body.data?.market_id, 'binance|BTCUSDT', path);
    assert.equal((await api.get('/v1/markets/hyperliquid|xyz:GOLD')).status, 200);
    assert.equal((await api.get('/v1/markets/')).status, 200);
  });

  test('an unknown market is not found', async () => {
    const { api } = bench();
    for (const id of ['binance|NONE', 'BTC', 'binance', '%27%20OR%201%3D1--', '%1B%5B31m', '%00', 'x'.repeat(3000)]) {
      assertRefused(await api.get(`/v1/markets/${id}`), 404, 'not_found');
      assertRefused(await api.get(`/v1/markets/${id}/quote`), 404, 'not_found');
      const quote = await api.get(`/v1/markets/${id}/quote?account_id=none`);
      assertRefused(quote, 404, 'not_found');
      assert.equal(quote.body.error.message, 'There is no such market.');
    }
  });

  test('a quote shows the best prices, and what a size would fill at', async () => {
    const { bid, ask, mid, ...rest } = await bench().quote('?side=buy&size=0.25');
    assert.ok(bid < mid && mid < ask);
    assert.equal(mid, (bid + ask) / 2);
    assert.equal(rest.fillable, true);
    assert.equal(rest.requested_side, 'buy');
    assert.equal(rest.requested_size, 0.25);
    assert.ok((rest.estimated_fill_price as number) >= ask);
    assert.ok((rest.worst_price as number) >= (rest.estimated_fill_price as number));
    assert.ok((rest.levels_consumed as number) >= 1);
    const slippage = ((rest.estimated_fill_price as number) / mid - 1) * 1e4;
    assert.ok(Math.abs((rest.slippage_bps as number) - slippage) < 1e-5);
    const sold = await bench().quote('?side=sell&size=0.25');
    assert.ok((sold.slippage_bps as number) > 0, 'a sale below the mid is worse, too');
  });

  test('a quote is a promise: the next order fills at exactly its price and fee', async () => {
    const { api, quote, order } = wired(bench());
    for (const [side, size] of [
      ['buy', 2.345],
      ['sell', 1.2],
    ] as const) {
      const promised = await quote(`?side=${side}&size=${size}`);
      const { body } = await api.post('/v1/orders', order({ side, size, leverage: 5 }));
      assert.equal(body.data.fill_price, promised.estimated_fill_price);
      assert.equal(body.data.fee, promised.estimated_fee);
      assert.equal(body.data.notional, promised.estimated_notional);
    }
  });

  test('a size that can’t be filled is reported as such', async () => {
    const huge = await bench().quote('?side=sell&size=1000000');
    assert.deepEqual([huge.fillable, huge.unfillable_reason], [false, 'insufficient_depth']);
    assert.equal('estimated_notional' in huge || 'estimated_fill_price' in huge, false);
    assert.equal(huge.estimated_fill_price, undefined);
    const offGrid = await bench().quote('?side=sell&size=0.0001');
    assert.deepEqual([offGrid.fillable, offGrid.unfillable_reason], [false, 'size_precision_mismatch']);
  });

  test('side and size are required together, and must be valid', async () => {
    const { api } = bench();
    const path = '/v1/markets/binance|BTCUSDT/quote';
    const cases: [string, string[]][] = [
      ['side=buy', ['size']],
      ['size=1', ['side']],
      ['side=hold&size=1', ['side']],
      ['side=buy&size=0', ['size']],
      ['side=buy&size=-1', ['size']],
      ['side=buy&size=NaN', ['size']],
      ['side=buy&size=1e400', ['size']],
      ['side=buy&size=0x10', ['size']],
      ['side=buy&size=', ['size']],
      ['side=buy&size=1&size=2', ['size']],
    ];
    for (const [query, fields] of cases)
      assertRefused(await api.get(`${path}?${query}`), 400, 'invalid_request', { fields });
    assert.equal((await api.get(`${path}?side=buy&size=1e-3&unknown=1`)).status, 200);
  });
};

/** The bench's methods, bound so that they can be destructured. */
function wired(bench: ReturnType<Parameters<Part>[0]>) {
  return { api: bench.api, quote: bench.quote.bind(bench), order: bench.order.bind(bench) };
}
