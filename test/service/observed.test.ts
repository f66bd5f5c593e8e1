import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, issueKey, served } from './serving.ts';

test('a key whose owner has the observed behavior sees it in quotes and lists, without naming an account', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const get = (path: string) => ask(`${serving.baseUrl}${path}`, key);
  const set = (json: object) => ask(`${serving.baseUrl}/sim/policy`, serving.key, { method: 'POST', json });
  const account_id = (await get('/v1/accounts')).body.data[0].id;
  const eur = '/v1/markets/hyperliquid|xyz:EUR/quote?side=buy&size=100';
  const btc = '/v1/markets/binance|BTCUSDT/quote?side=buy&size=0.5';
  assert.equal((await get('/v1/orders')).status, 200);
  assert.equal((await get(eur)).body.data.reference_kind, 'book_mid');

  const { body } = await set({ account_id, preset: 'observed', observed: { exposure_cap_usd: 9_000 } });
  const { limits, observed } = body.data;
  assert.deepEqual(
    [limits.order_cooldown_ms, limits.execution_delay_min_ms, observed.exposure_cap_usd, observed.slippage_caps],
    [1_000, 300, 9_000, true],
  );
  const unfiltered = await get('/v1/orders');
  assert.deepEqual([unfiltered.status, unfiltered.body.error.details[0].field], [400, 'account_id']);
  assert.equal((await get(`/v1/orders?account_id=${account_id}`)).status, 200);
  assert.deepEqual((await get('/v1/orders?client_order_id=never')).body.data, []);
  const fx = (await get(eur)).body.data;
  assert.deepEqual([fx.bid, fx.ask, fx.reference_kind, fx.slippage_bps], [null, null, 'venue_mark', 0.05]);
  assert.equal(fx.reference_price, fx.mid);
  assert.equal(fx.worst_price, fx.estimated_fill_price);
  const crypto = (await get(btc)).body.data;
  assert.equal(crypto.worst_price, crypto.estimated_fill_price);
  assert.ok(crypto.slippage_bps <= 0.8);
  const shown = await get(`/v1/accounts/${account_id}/trading-policy`);
  assert.equal(shown.body.data.observed, undefined, 'the cap stays hidden from the API');
  const accepted = await ask(`${serving.baseUrl}/v1/orders`, key, {
    method: 'POST',
    json: { account_id, market_id: 'binance|BTCUSDT', side: 'buy', size: 0.5, leverage: 5, margin_mode: 'cross' },
  });
  assert.deepEqual([accepted.status, accepted.body.data.status], [201, 'pending']);
  await ask(`${serving.baseUrl}/sim/advance`, serving.key, { method: 'POST', json: { duration_ms: 2_000 } });
  const { data: record } = (await get(`/v1/orders/${accepted.body.data.id}`)).body;
  assert.deepEqual([record.status, record.reject_reason], ['rejected', 'exposure_cap']);

  const after = (await set({ account_id, preset: 'default' })).body.data;
  assert.deepEqual([after.limits.order_cooldown_ms, after.observed.exposure_cap_usd], [0, null]);
  assert.equal((await get('/v1/orders')).status, 200);
  assert.equal((await get(eur)).body.data.reference_kind, 'book_mid');
});

test('a quote with a side and no size is a plain quote where that was observed, and 400 elsewhere', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const quote = (query: string) => ask(`${serving.baseUrl}/v1/markets/binance|BTCUSDT/quote?${query}`, key);
  const [{ id: account_id }] = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body.data;
  const refused = await quote('side=buy');
  assert.deepEqual(
    [refused.status, refused.body.error.details],
    [400, [{ field: 'size', issue: 'is required with side' }]],
  );
  await ask(`${serving.baseUrl}/sim/policy`, serving.key, { method: 'POST', json: { account_id, preset: 'observed' } });
  const plain = (await quote('')).body.data;
  assert.equal(plain.estimated_fill_price, undefined);
  for (const query of ['side=buy', `side=sell&account_id=${account_id}`])
    assert.deepEqual((await quote(query)).body.data, plain);
  const size = await quote('size=1');
  assert.deepEqual([size.status, size.body.error.details[0].field], [400, 'side']);
});

test('an invalid observed behavior is refused by field, and changes nothing', async (t) => {
  const serving = await served(t);
  const account_id = (await ask(`${serving.baseUrl}/v1/accounts`, serving.key)).body.data[0].id;
  const cases: [change: object, field: string][] = [
    [{ preset: 'live' }, 'preset'],
    [{ observed: { exposure_cap_usd: 0 } }, 'observed.exposure_cap_usd'],
    [{ observed: { slippage_caps: 'on' } }, 'observed.slippage_caps'],
    [{ observed: { stop_price: 'bid' } }, 'observed.stop_price'],
    [{ observed: { marks: 'index' } }, 'observed.marks'],
    [{ observed: { open_interest_usd: { BTC: -1 } } }, 'observed.open_interest_usd.BTC'],
    [{ observed: { else: true } }, 'observed.else'],
  ];
  for (const [change, field] of cases) {
    const json = { account_id, ...change };
    const { status, body } = await ask(`${serving.baseUrl}/sim/policy`, serving.key, { method: 'POST', json });
    assert.deepEqual([status, body.error.details?.[0]?.field], [400, field]);
  }
  for (const observed of [{ marks: 'venue' }, { stop_price: 'index' }]) {
    const json = { account_id, observed };
    const { status, body } = await ask(`${serving.baseUrl}/sim/policy`, serving.key, { method: 'POST', json });
    assert.equal(status, 409);
    assert.match(body.error.message, /^Synthetic markets have no venue, .*not possible here\.$/);
  }
  const { body } = await ask(`${serving.baseUrl}/sim/policy?account_id=${account_id}`, serving.key);
  assert.deepEqual([body.data.observed.slippage_caps, body.data.observed.marks], [false, 'book']);
});
