import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const positionTests: Part = (bench) => {
  const open = async (account: string, changes: Record<string, unknown> = {}) => {
    await bench().api.post('/v1/orders', bench().order({ account_id: account, size: 0.1, ...changes }));
    return (await bench().api.get(`/v1/positions?account_id=${account}`)).body.data[0];
  };

  test('a fill opens one net position, which is closed in part and then completely', async () => {
    const { api, account } = bench();
    const position = await open(account);
    assert.deepEqual([position.side, position.size, position.status], ['long', 0.1, 'open']);
    const part = await api.post(`/v1/positions/${position.id}/close`, { size: 0.04 });
    assert.equal(part.status, 201);
    assert.deepEqual(
      [part.body.data.side, part.body.data.reduce_only, part.body.data.status, part.body.queued],
      ['sell', true, 'filled', false],
    );
    assert.equal((await api.get(`/v1/positions/${position.id}`)).body.data.size, 0.06);
    await api.post(`/v1/positions/${position.id}/close`, {});
    const { body } = await api.get(`/v1/positions/${position.id}`);
    assert.equal(body.data.status, 'closed');
    assert.equal(body.data.size, 0.1, 'a closed position shows its closed size');
    assert.equal(body.data.entry_price, position.entry_price);
    assert.ok(body.data.exit_price > 0 && body.data.closed_at >= body.data.opened_at);
    assert.deepEqual((await api.get(`/v1/positions?account_id=${account}`)).body, { data: [] });
    const closed = await api.get(`/v1/positions?account_id=${account}&status=closed`);
    assert.deepEqual([closed.body.has_more, closed.body.data[0].id], [false, position.id]);
  });

  test('the liquidation price of an isolated position is a valid price of its market', async () => {
    const { api, account } = bench();
    const position = await open(account, { side: 'sell', leverage: 5, margin_mode: 'isolated' });
    // Short, maintenance 1%: cost + margin = p x size x 1.01.
    const expected = (position.entry_price * (1 + 1 / 5)) / 1.01;
    assert.ok(
      Math.abs(position.liquidation_price / expected - 1) < 1e-9,
      `${position.liquidation_price}, not ${expected}`,
    );
    await api.post(`/v1/positions/${position.id}/close`, {});
  });

  test('a closed position cannot be closed again', async () => {
    const { api, account } = bench();
    const position = await open(account);
    await api.post(`/v1/positions/${position.id}/close`, {});
    const again = await api.post(`/v1/positions/${position.id}/close`, {});
    assert.ok(again.status === 409 || again.status === 422, JSON.stringify(again.body));
  });

  test('a close accepts only the fields of its order type', async () => {
    const { api, accounts } = bench();
    const { id } = await open(accounts[1]!);
    const close = (body: unknown) => api.post(`/v1/positions/${id}/close`, body);
    const cases: [Record<string, unknown>, string[]][] = [
      [{ limit_price: 1 }, ['limit_price']],
      [{ type: 'limit' }, ['limit_price']],
      [{ type: 'market', trigger_price: 1 }, ['trigger_price']],
      [{ type: 'conditional', trigger_price: 1 }, ['trigger_market_id', 'trigger_direction']],
      [{ type: 'stop_market' }, ['type']],
      [{ size: 0, unknown: 1 }, ['size', 'unknown']],
    ];
    for (const [body, fields] of cases) assertRefused(await close(body), 400, 'invalid_request', { fields });
  });

  test('a limit close rests until it is reached', async () => {
    const { api, accounts } = bench();
    const position = await open(accounts[1]!);
    const { ask } = await bench().quote();
    const close = await api.post(`/v1/positions/${position.id}/close`, {
      type: 'limit',
      limit_price: Math.round(ask * 1.1),
    });
    assert.equal(close.status, 201);
    assert.deepEqual([close.body.data.status, close.body.data.reduce_only], ['resting', true]);
  });

  test('exits are placed, paired, changed and canceled in one guarded batch', async () => {
    const { api, accounts } = bench();
    const account = accounts[2]!;
    const position = await open(account);
    const { mid } = await bench().quote();
    const up = Math.round(mid * 1.1);
    const down = Math.round(mid * 0.9);
    const put = (expected: unknown[], operations: unknown[]) =>
      api.put(`/v1/positions/${position.id}/exit-orders`, {
        expected_position_size: 0.1,
        expected_orders: expected,
        operations,
      });
    const placed = await put(
      [],
      [
        { kind: 'place', group: 'tp', price: up, size: 0.1, oco_pair_with_operation_index: 1 },
        { kind: 'place', group: 'sl', price: down, size: 0.1, oco_pair_with_operation_index: 0 },
      ],
    );
    assert.equal(placed.status, 200);
    const working = await api.get(`/v1/orders?account_id=${account}&status=working`);
    const exits = working.body.data;
    assert.equal(exits.length, 2);
    assert.deepEqual(
      exits.map(({ oco_sibling_order_id: sibling }: { oco_sibling_order_id: string }) => sibling).sort(),
      exits.map(({ id }: { id: string }) => id).sort(),
    );
    const expected = exits.map((exit: { id: string; trigger_price: number; size: number }) => ({
      order_id: exit.id,
      price: exit.trigger_price,
      size: exit.size,
    }));
    assertRefused(await put([], [{ kind: 'cancel', order_id: exits[0].id }]), 409, 'stale_snapshot');
    // An order that never existed is reported before a stale snapshot.
    assertRefused(await put([], [{ kind: 'cancel', order_id: 'ord_never' }]), 404, 'not_found');
    assert.equal(
      (
        await put(
          expected,
          exits.map(({ id }: { id: string }) => ({ kind: 'cancel', order_id: id })),
        )
      ).status,
      200,
    );
    assert.deepEqual((await api.get(`/v1/orders?account_id=${account}&status=working`)).body.data, []);
  });

  test('a stale batch gets the current state, in the form to send', async () => {
    const { api, accounts } = bench();
    const position = await open(accounts[3]!);
    const { mid } = await bench().quote();
    const [up, down] = [Math.round(mid * 1.1), Math.round(mid * 0.9)];
    const put = (size: number, expected: unknown[], operations: unknown[]) =>
      api.put(`/v1/positions/${position.id}/exit-orders`, {
        expected_position_size: size,
        expected_orders: expected,
        operations,
      });
    /** The issues of a refusal, with each value parsed. */
    const told = (answer: Awaited<ReturnType<typeof put>>) => {
      assertRefused(answer, 409, 'stale_snapshot');
      return answer.body.error.details.map(({ field, issue }: { field: string; issue: string }) => [
        field,
        JSON.parse(/^must be (.*)$/.exec(issue)![1]!),
      ]);
    };
    assert.deepEqual(told(await put(0.2, [], [])), [['expected_position_size', 0.1]]);
    const place = [
      { kind: 'place', group: 'tp', price: up, size: 0.1 },
      { kind: 'place', group: 'sl', execution_type: 'limit', price: down, size: 0.04 },
    ];
    assert.equal((await put(0.1, [], place)).status, 200);
    // A reducing limit order of the position is not one of its exits.
    await api.post(`/v1/positions/${position.id}/close`, { type: 'limit', limit_price: up });

    const details = told(await put(0.1, [], place));
    const [[, cure]] = details;
    const { data } = (await api.get(`/v1/orders?account_id=${accounts[3]}&status=working`)).body;
    const idOf = (type: string) => data.find((order: { type: string }) => order.type === type).id;
    const expected = [
      { order_id: idOf('take_profit'), execution_type: 'market', price: up, size: 0.1 },
      { order_id: idOf('stop_limit'), execution_type: 'limit', price: down, size: 0.04 },
    ];
    assert.deepEqual(details, [['expected_orders', expected]]);
    assert.deepEqual(told(await put(0.3, [], place)), [
      ['expected_position_size', 0.1],
      ['expected_orders', expected],
    ]);
    assert.equal((await put(0.1, cure, [{ kind: 'cancel', order_id: idOf('stop_limit') }])).status, 200);
    await api.post(`/v1/positions/${position.id}/close`, {});
  });

  test('a batch that contradicts itself is refused with every operation involved', async () => {
    const { api, accounts } = bench();
    const { id } = await open(accounts[2]!);
    const place = { kind: 'place', price: 1, size: 0.1 };
    const put = (operations: unknown[]) =>
      api.put(`/v1/positions/${id}/exit-orders`, { expected_position_size: 0.1, expected_orders: [], operations });
    const cases: [unknown[], string[]][] = [
      [[{ ...place, group: 'tp', oco_pair_with_operation_index: 0 }], ['operations[0].oco_pair_with_operation_index']],
      [[{ ...place, group: 'tp', oco_pair_with_operation_index: 7 }], ['operations[0].oco_pair_with_operation_index']],
      [
        [{ ...place, group: 'up' }, { kind: 'move' }],
        ['operations[0].group', 'operations[1].kind'],
      ],
      [[{ kind: 'modify', order_id: 'a' }], ['operations[0].price']],
    ];
    for (const [operations, fields] of cases) assertRefused(await put(operations), 400, 'invalid_request', { fields });
  });

  test('extra margin is a total, set only on isolated positions', async () => {
    const { api, accounts } = bench();
    const account = accounts[3]!;
    const isolated = await open(account, { margin_mode: 'isolated', leverage: 5 });
    assert.equal(isolated.margin_mode, 'isolated');
    const set = (amount: unknown, id = isolated.id) =>
      api.put(`/v1/positions/${id}/isolated-margin`, { extra_margin: amount });
    const raised = await set(500);
    assert.equal(raised.status, 200, JSON.stringify(raised.body));
    assert.equal(raised.body.data.isolated_margin_extra, 500);
    assert.ok(raised.body.data.liquidation_price < isolated.liquidation_price);
    assert.equal((await set(500)).body.data.isolated_margin_extra, 500);
    assert.equal((await set(100)).body.data.isolated_margin_extra, 100);
    // The spread is already lost: without extra margin, less than the initial margin would be left.
    assertRefused(await set(0), 422, 'rule_violation', { rule: 'unsafe-margin' });
    assertRefused(await set(-1), 400, 'invalid_request', { fields: ['extra_margin'] });
    assertRefused(await set(1e9), 422, 'rule_violation', { rule: 'insufficient-margin' });
    const cross = await open(accounts[1]!);
    assertRefused(await set(1, cross.id), 422, 'rule_violation', { rule: 'margin-mode' });
  });

  test('an unknown position is not found', async () => {
    const { api } = bench();
    const batch = { expected_position_size: 1, expected_orders: [], operations: [] };
    assertRefused(await api.get('/v1/positions/pos_none'), 404, 'not_found');
    assertRefused(await api.post('/v1/positions/pos_none/close', {}), 404, 'not_found');
    assertRefused(await api.put('/v1/positions/pos_none/exit-orders', batch), 404, 'not_found');
    assertRefused(await api.put('/v1/positions/pos_none/isolated-margin', { extra_margin: 1 }), 404, 'not_found');
  });

  test('what a body names is not found before a closed position is refused', async () => {
    const { api, accounts } = bench();
    const { id } = await open(accounts[1]!);
    assert.equal((await api.post(`/v1/positions/${id}/close`, {})).status, 201);
    const put = (operations: unknown[]) =>
      api.put(`/v1/positions/${id}/exit-orders`, { expected_position_size: 0.1, expected_orders: [], operations });
    // No path can carry the last ones.
    for (const order_id of ['ord_never', '', '.', '..'])
      assertRefused(await put([{ kind: 'cancel', order_id }]), 404, 'not_found');
    assertRefused(await put([]), 409, 'conflict');
    const close = { type: 'conditional', trigger_price: 90_000, trigger_direction: 'below' };
    const closed = (market: string) => api.post(`/v1/positions/${id}/close`, { ...close, trigger_market_id: market });
    assertRefused(await closed('binance|NONE'), 404, 'not_found');
    assertRefused(await closed('binance|BTCUSDT'), 409, 'conflict');
  });
};
