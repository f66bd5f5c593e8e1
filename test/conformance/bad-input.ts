import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const badInputTests: Part = (bench) => {
  test('every missing, mistyped, out-of-range or unknown field is named', async () => {
    const { api } = bench();
    const cases: [unknown, string[]][] = [
      [{}, ['account_id', 'market_id', 'side', 'size', 'leverage', 'margin_mode']],
      [bench().order({ size: '1' }), ['size']],
      [bench().order({ size: 0 }), ['size']],
      [bench().order({ size: -1, leverage: 0, side: 'long' }), ['size', 'leverage', 'side']],
      [bench().order({ size: null }), ['size']],
      [bench().order({ surplus: 1, __proto__x: 2 }), ['surplus', '__proto__x']],
      [bench().order({ type: 'iceberg' }), ['type']],
      [bench().order({ client_order_id: '' }), ['client_order_id']],
      [bench().order({ client_order_id: 'x'.repeat(129) }), ['client_order_id']],
      [bench().order({ client_order_id: 'a\u001b[31mred' }), ['client_order_id']],
      [bench().order({ account_id: 'acc_\u0000' }), ['account_id']],
      [bench().order({ limit_price: 1, trigger_price: 1 }), ['limit_price', 'trigger_price']],
      [bench().order({ type: 'limit' }), ['limit_price']],
      [bench().order({ type: 'stop_limit' }), ['limit_price', 'trigger_price']],
      [bench().order({ type: 'limit', limit_price: 1, time_in_force: 'gtd' }), ['gtd_expires_at']],
      [bench().order({ type: 'conditional' }), ['trigger_price', 'trigger_market_id', 'trigger_direction']],
      [[], ['body']],
      ['order', ['body']],
      [null, ['body']],
    ];
    for (const [body, fields] of cases)
      assertRefused(await api.post('/v1/orders', body), 400, 'invalid_request', { fields });
  });

  test('a body that is not JSON, not a single JSON value, or has a duplicate key is refused', async () => {
    const { api } = bench();
    const valid = JSON.stringify(bench().order());
    for (const text of [
      '{',
      'not json',
      `${valid}{}`,
      `${valid},`,
      valid.replace('{', "{'a':1,"),
      '[1,2',
      '{"a":1}}',
      '\uFEFF{}',
      '[['.repeat(4000),
    ])
      assert.equal((await api.post('/v1/orders', undefined, { text })).status, 400, text.slice(0, 40));
    const twice = await api.post('/v1/orders', undefined, { text: valid.replace('{', '{"size":0.02,') });
    assertRefused(twice, 400, 'invalid_request', { fields: ['size'] });
    assert.equal((await api.post('/v1/orders', undefined, { text: '' })).status, 400);
  });

  test('numbers beyond the range of a double are refused', async () => {
    const { api } = bench();
    for (const number of ['1e400', '-1e400']) {
      const text = JSON.stringify(bench().order()).replace(/"size":[^,]+/, `"size":${number}`);
      assertRefused(await api.post('/v1/orders', undefined, { text }), 400, 'invalid_request', { fields: ['size'] });
    }
    const text = JSON.stringify(bench().order()).replace(/"size":[^,]+/, '"size":NaN');
    assert.equal((await api.post('/v1/orders', undefined, { text })).status, 400);
  });

  test('numbers far off the grid violate a rule and crash nothing', async () => {
    const { api } = bench();
    for (const size of [1e-300, 5e-324, 0.1 + 0.2, 9e12])
      assert.equal((await api.post('/v1/orders', bench().order({ size }))).status, 422, String(size));
    for (const limit_price of [1e-300, 5e-324, 0.1 + 0.2])
      assert.equal(
        (await api.post('/v1/orders', bench().order({ type: 'limit', limit_price }))).status,
        422,
        String(limit_price),
      );
    for (const gtd_expires_at of [0, -1e15, 1.5, 1e15]) {
      const body = await bench().restingOrder({ time_in_force: 'gtd', gtd_expires_at });
      const { status } = await api.post('/v1/orders', body);
      assert.ok([201, 400, 422].includes(status), `${gtd_expires_at}: ${status}`);
    }
  });

  test('numbers beyond 1e15, 2^53 lots or 2^53 ticks are refused, whatever they represent', async () => {
    const { api, account } = bench();
    const { id } = (await api.post('/v1/orders', await bench().restingOrder())).body.data;
    const order = bench().order();
    assert.equal((await api.post('/v1/orders', bench().order())).status, 201);
    const [position] = (await api.get(`/v1/positions?account_id=${account}`)).body.data;
    const strategy = { ...order, expected_price: 1, duration_minutes: 5 };
    const ladder = { ...order, start_price: 1, end_price: 2, rung_count: 2, distribution: 'flat' };
    const place = { kind: 'place', group: 'sl', price: 1, size: 1 };
    const batch = { expected_position_size: 1, expected_orders: [], operations: [place] };
    const cases: [path: string, body: Record<string, unknown>, field: string, verb?: 'patch' | 'put'][] = [
      ['/v1/orders', order, 'size'],
      ['/v1/orders', order, 'leverage'],
      ['/v1/orders', order, 'expected_price'],
      ['/v1/orders', order, 'slippage_tolerance_bps'],
      ['/v1/orders', order, 'take_profit_price'],
      ['/v1/orders', { ...order, type: 'limit' }, 'limit_price'],
      ['/v1/orders', { ...order, type: 'stop_market' }, 'trigger_price'],
      ['/v1/orders', { ...order, type: 'chase' }, 'chase_offset'],
      ['/v1/orders', { ...order, type: 'limit', limit_price: 20_000, time_in_force: 'gtd' }, 'gtd_expires_at'],
      ['/v1/twap-orders', strategy, 'size'],
      ['/v1/twap-orders', strategy, 'max_price'],
      ['/v1/scaled-orders', ladder, 'start_price'],
      [`/v1/orders/${id}`, { price: 1 }, 'price', 'patch'],
      [`/v1/orders/${id}`, { price: 1 }, 'size', 'patch'],
      [`/v1/orders/${id}/attached-exits`, {}, 'stop_loss_price', 'put'],
      [`/v1/positions/${position.id}/close`, {}, 'size'],
      [`/v1/positions/${position.id}/exit-orders`, batch, 'expected_position_size', 'put'],
      [`/v1/positions/${position.id}/isolated-margin`, {}, 'extra_margin', 'put'],
      [`/v1/accounts/${account}/acknowledge-copy-stop`, {}, 'stopped_at'],
    ];
    const isCounted = (field: string) => /price|size|offset/.test(field);
    for (const [path, body, field, verb = 'post'] of cases) {
      for (const number of [1e305, 1.1e15, ...(isCounted(field) ? [1e15] : [])]) {
        const answer = await api[verb](path, { ...body, [field]: number });
        assertRefused(answer, 400, 'invalid_request', { fields: [field] });
      }
    }
    const wrong = { ...batch, operations: [place, { ...place, price: 1e305 }] };
    assertRefused(await api.put(`/v1/positions/${position.id}/exit-orders`, wrong), 400, 'invalid_request', {
      fields: ['operations[1].price'],
    });
    for (const size of ['1e305', '1e15'])
      assert.equal((await api.get(`/v1/markets/binance|BTCUSDT/quote?side=buy&size=${size}`)).status, 400, size);
  });

  test('prices far beyond any market do not crash or slow down the exchange', async () => {
    const { api, account } = bench();
    const { ask } = await bench().quote();
    for (const price of [9e13, 1e10, 5e-324, 1e-300]) {
      const bodies = [
        ...['stop_market', 'take_market', 'stop_limit'].flatMap((type) =>
          ['buy', 'sell'].map((side) => ({
            type,
            side,
            trigger_price: price,
            ...(type === 'stop_limit' && { limit_price: Math.round(ask) }),
          })),
        ),
        { type: 'conditional', trigger_price: price, trigger_market_id: 'binance|ETHUSDT', trigger_direction: 'above' },
        { type: 'chase', side: 'sell', chase_offset: price },
        { type: 'chase', side: 'sell', chase_cap_price: price },
        { take_profit_price: price, replace_overlapping_exits: true },
        { stop_loss_price: price, replace_overlapping_exits: true },
        { side: 'sell', stop_loss_price: price, replace_overlapping_exits: true },
      ];
      for (const changes of bodies) {
        const { status } = await api.post('/v1/orders', bench().order(changes));
        assert.ok([201, 422].includes(status), `${JSON.stringify(changes)}: ${status}`);
      }
      const twap = { ...bench().order({ size: 1 }), expected_price: price, duration_minutes: 5, strategy: 'twap' };
      for (const field of ['trigger_price', 'max_price', 'min_price']) {
        const { status } = await api.post('/v1/twap-orders', { ...twap, [field]: price });
        assert.ok([201, 422].includes(status), `${field} ${price}: ${status}`);
      }
      assert.equal((await api.get(`/v1/accounts/${account}`)).status, 200);
    }
  });

  test('an error that only the exchange can find also names its field', async () => {
    const { api } = bench();
    const past = await bench().restingOrder({ time_in_force: 'gtd', gtd_expires_at: 1_000 });
    assertRefused(await api.post('/v1/orders', past), 400, 'invalid_request', { fields: ['gtd_expires_at'] });
  });

  test('an order’s body may have at most 16 KiB', async () => {
    const { api } = bench();
    const padded = (bytes: number) => {
      const valid = JSON.stringify(bench().order());
      return valid + ' '.repeat(bytes - valid.length);
    };
    assert.equal((await api.post('/v1/orders', undefined, { text: padded(16 * 1024) })).status, 201);
    assertRefused(await api.post('/v1/orders', undefined, { text: padded(16 * 1024 + 1) }), 413, 'payload_too_large');
    const wide = JSON.stringify(bench().order({ client_order_id: '€'.repeat(6_000) }));
    assertRefused(await api.post('/v1/orders', undefined, { text: wide }), 413, 'payload_too_large');
  });

  test('a body must be sent as application/json', async () => {
    const { api } = bench();
    const send = (type: string) => api.post('/v1/orders', bench().order(), { headers: { 'content-type': type } });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      'application/jsonx',
      '',
    ])
      assertRefused(await send(type), 415, 'unsupported_media_type');
    for (const type of [
      'application/json',
      'application/json;',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json; charset=utf8; version=1',
    ])
      assert.equal((await send(type)).status, 201, type);
  });

  test('text that would be code elsewhere is plain text here', async () => {
    const { api } = bench();
    for (const id of [
      "'; DROP TABLE orders; --",
      '" OR ""="',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an attack, not a template of ours.
      '${7*7}',
      '{{7*7}}',
      '<script>',
      '../../etc/passwd',
      '%s%n',
      '你好 🎉',
      '‮evil',
    ]) {
      const { status, body } = await api.post(
        '/v1/orders',
        await bench().restingOrder({ client_order_id: id, size: 0.001 }),
      );
      assert.equal(status, 201, id);
      assert.equal(body.data.client_order_id, id);
      const found = await api.get(`/v1/orders?client_order_id=${encodeURIComponent(id)}`);
      assert.equal(found.body.data[0].id, body.data.id, id);
    }
  });

  test('an unknown path, and an unsupported method of a path, are not found', async () => {
    const { api, account } = bench();
    for (const path of [
      '/',
      '/v2',
      '/v1/nothing',
      '/v1/orders/a/b/c',
      '/v1//orders',
      '/v1/orders/%',
      '/v1/orders/%ff',
      '/V1',
    ])
      assertRefused(await api.get(path), 404, 'not_found');
    const answer = await api.put('/v1/orders', {});
    assertRefused(answer, 404, 'not_found');
    assert.deepEqual(answer.headers.allow?.split(', ').sort(), ['GET', 'POST']);
    assertRefused(await api.delete(`/v1/accounts/${account}`), 404, 'not_found');
  });

  test('checks come in order: body before account, account before rules', async () => {
    const { api } = bench();
    const nobody = bench().order({ account_id: 'acc_none' });
    assert.equal((await api.post('/v1/orders', { ...nobody, size: 'x' })).status, 400);
    assert.equal((await api.post('/v1/orders', { ...nobody, size: 1e9 })).status, 404);
    assert.equal((await api.patch('/v1/orders/ord_none', { price: 0 })).status, 400);
    assert.equal((await api.post('/v1/positions/pos_none/close', { size: 1 }, { key: null })).status, 400);
  });

  test('nothing above is left half done: the balance equals the sum of the fills', async () => {
    const { api, account } = bench();
    const { body } = await api.get(`/v1/fills?account_id=${account}&limit=100`);
    const units = (usd: number) => Math.round(usd * 1e8);
    const spent = body.data.reduce(
      (sum: number, { fee, realized_pnl = 0 }: { fee: number; realized_pnl?: number }) =>
        sum + units(realized_pnl) - units(fee),
      0,
    );
    const { data } = (await api.get(`/v1/accounts/${account}`)).body;
    assert.equal(units(data.balance), units(data.starting_balance) + spent);
  });
};
