/** Prism between clients and a served simulation: what either side sends must be what the served OpenAPI document says. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import createClient from 'openapi-fetch';
import { env, here, perp, root, run, served, start } from './common.mjs';

let prism;
let key;

/** Prism reports what a request or an answer of a client violates. */
async function unviolated(use) {
  const from = prism.said.text.length;
  await use();
  const said = prism.said.text.slice(from);
  assert.deepEqual(
    said.split('\n').filter((line) => line.includes('iolation')),
    [],
  );
  assert.match(said, /Forwarding/);
}

describe('Prism finds no violation', { timeout: 120_000 }, () => {
  before(async () => {
    const service = await served();
    ({ key } = service);
    const { address } = service;
    const proxy = join(here, 'node_modules/@stoplight/prism-cli/dist/index.js');
    prism = await start(/listening on (http:\S+)/, proxy, 'proxy', `${address}/openapi.json`, address, '--port', '0');
  });

  it('by the command line', () =>
    unviolated(async () => {
      const at = { ...env, PERP_BASE_URL: prism.address, PERP_API_KEY: key };
      const asked = async (...words) => {
        const options = ['--env', 'live', '--yes', '--json'];
        return JSON.parse((await run(process.execPath, [perp, ...words, ...options], { env: at })).stdout);
      };
      const { id } = await asked(
        'order',
        'place',
        'BTC',
        'buy',
        '0.01',
        '--limit-price',
        '20000',
        '--take-profit',
        '30000',
      );
      await asked('order', 'cancel', id);
      await asked('order', 'place', 'BTC', 'buy', '0.01', '--stop-loss', '5%');
      await asked('positions', 'close', 'BTC');
    }));

  it('by the library', () =>
    unviolated(async () => {
      const { connect } = await import(join(root, 'dist/sdk/client.js'));
      await using client = connect({ baseUrl: prism.address, key, journal: null });
      const [{ id: account_id }] = await client.listAccounts();
      const terms = { side: 'sell', size: 0.1, leverage: 1, margin_mode: 'cross' };
      await client.createOrder({ account_id, market_id: 'binance|ETHUSDT', ...terms });
      const { items: fills } = await client.listFills({ account_id, limit: 1 });
      const { items: positions } = await client.listOpenPositions({ account_id });
      const { status } = await client.closePosition({ position_id: positions[0].id });
      assert.deepEqual([fills.length, status], [1, 'filled']);
    }));

  it('by openapi-fetch', () =>
    unviolated(async () => {
      const client = createClient({ baseUrl: prism.address, headers: { authorization: `Bearer ${key}` } });
      const [account_id, market_id] = [(await client.GET('/v1/accounts')).data.data[0].id, 'binance|BTCUSDT'];
      const said = async (asked, ...statuses) => {
        const { data, error, response } = await asked;
        assert.ok(statuses.includes(response.status), JSON.stringify(error ?? data));
        return data?.data;
      };
      const keyed = () => ({ header: { 'Idempotency-Key': crypto.randomUUID() } });
      const get = (path, params, status = 200) => said(client.GET(path, { params }), status);
      const terms = { account_id, market_id, side: 'buy', size: 0.01, leverage: 1, margin_mode: 'cross' };
      for (const path of ['/v1', '/v1/restricted-countries', '/v1/markets', '/v1/copy-trading']) await get(path);
      for (const path of ['/v1/accounts/{account_id}', '/v1/accounts/{account_id}/trading-policy'])
        await get(path, { path: { account_id } });
      await get('/v1/markets/{market_id}', { path: { market_id } });
      await get('/v1/markets/{market_id}/quote', { path: { market_id }, query: { side: 'buy', size: 0.01 } });
      const limited = {
        params: keyed(),
        body: { ...terms, type: 'limit', limit_price: 20_000, client_order_id: 'mine' },
      };
      const { id: order_id } = await said(client.POST('/v1/orders', limited), 201);
      assert.equal((await said(client.POST('/v1/orders', limited), 200)).id, order_id);
      await said(client.POST('/v1/orders', { ...limited, params: keyed() }), 409);
      const named = { path: { order_id } };
      await said(client.PATCH('/v1/orders/{order_id}', { params: named, body: { price: 21_000 } }), 200);
      for (const query of [{ account_id, status: 'working' }, { account_id, limit: 1 }, { client_order_id: 'mine' }])
        assert.equal((await get('/v1/orders', { query }))[0].id, order_id);
      await said(client.DELETE('/v1/orders/{order_id}', { params: named }), 200);
      await said(client.DELETE('/v1/orders/{order_id}', { params: named }), 409);
      await get('/v1/orders/{order_id}', named);
      await get('/v1/orders/{order_id}', { path: { order_id: 'nothing' } }, 404);
      await said(client.POST('/v1/orders', { params: keyed(), body: { ...terms, size: 0.0100001 } }), 422);
      const sliced = { ...terms, size: 0.1, expected_price: 150_000, duration_minutes: 5, strategy: 'twap' };
      const { id: twap_order_id } = await said(client.POST('/v1/twap-orders', { params: keyed(), body: sliced }), 201);
      for (const path of ['/v1/twap-orders', '/v1/scaled-orders', '/v1/positions', '/v1/fills'])
        await get(path, { query: { account_id } });
      await said(client.DELETE('/v1/twap-orders/{twap_order_id}', { params: { path: { twap_order_id } } }), 200);
      for (const act of ['cancel-all-orders', 'close-all-positions']) {
        const params = { ...keyed(), path: { account_id } };
        await said(client.POST(`/v1/accounts/{account_id}/${act}`, { params }), 201, 202);
      }
    }));

  it('but where there is one', () =>
    assert.rejects(
      unviolated(() => fetch(`${prism.address}/v1/orders?limit=none`)),
      /request.query.limit/,
    ));
});
