import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import type { Intent } from '../../../src/wire/client/intent.ts';
import { outcome as settle } from '../../../src/wire/client/outcome.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { pathNames } from '../../../src/wire/contract/target.ts';
import type { WireResponse } from '../../../src/wire/contract/wire.ts';
import { answer, refusal, type ScriptedAnswer, scriptedTransport, stepClock } from './scripted-transport.ts';

const data = (value: unknown) => answer(200, { data: value });
const quick = { arrivalMs: 1 };

function scene(...steps: ScriptedAnswer[]) {
  const transport = scriptedTransport(...steps);
  const log: string[] = [];
  const intents = {
    beforeSend: () => {},
    afterAnswer: (_: Intent, outcome: { kind: string }) => void log.push(outcome.kind),
  };
  const { retry, waits } = stepClock();
  return { transport, log, waits, client: createClient({ transport, keepsKeys: true, intents, retry }) };
}

type Verdict = 'applied' | 'not_applied' | 'unknown';
type Wish = (client: Client) => Intent;

/** Settles the write from what the service then shows, by path. */
async function verdict(wish: Wish, shown: Record<string, WireResponse>, before?: unknown): Promise<Verdict> {
  const { client, log } = scene((request) => shown[request.target] ?? refusal(404, 'not_found'));
  const settlement = await settle(client, wish(client), { ...quick, before });
  const told = { applied: ['done'], not_applied: ['not_done'], unknown: [] }[settlement.verdict];
  assert.deepEqual(log, told, 'only known outcomes are kept');
  return settlement.verdict;
}

const orderPath = '/v1/orders/o';
const resting = { id: 'o', status: 'resting', size: 2, limit_price: 100 };
const amend =
  (body: { price: number; size?: number }): Wish =>
  (client) =>
    client.intend('modifyOrder', { path: { order_id: 'o' }, body });

test('an amendment is settled by the order’s price and remainder', async () => {
  const armed = { ...resting, trigger_price: 90 };
  const table: [
    name: string,
    body: { price: number; size?: number },
    now: object,
    before: object | undefined,
    Verdict,
  ][] = [
    ['at the price', { price: 101 }, { ...resting, limit_price: 101 }, resting, 'applied'],
    ['at the old price', { price: 101 }, resting, resting, 'not_applied'],
    ['at the old price, earlier state unknown', { price: 101 }, resting, undefined, 'not_applied'],
    ['at a third price', { price: 101 }, { ...resting, limit_price: 99 }, resting, 'unknown'],
    ['armed, trigger moved', { price: 91 }, { ...armed, trigger_price: 91 }, armed, 'applied'],
    ['armed, not moved', { price: 91 }, armed, armed, 'not_applied'],
    ['triggered, limit moved', { price: 91 }, { ...armed, triggered_at: 5, limit_price: 91 }, armed, 'applied'],
    ['resized', { price: 100, size: 1 }, { ...resting, size: 1 }, resting, 'applied'],
    ['not resized', { price: 100, size: 1 }, resting, resting, 'not_applied'],
    [
      'resized, then filled in part',
      { price: 101, size: 1 },
      { ...resting, limit_price: 101, size: 0.4, filled_size: 0.6 },
      resting,
      'applied',
    ],
    [
      'resized, then filled',
      { price: 101, size: 1 },
      { ...resting, limit_price: 101, size: 0.4, status: 'filled' },
      resting,
      'applied',
    ],
    [
      'ended before it was sent',
      { price: 100 },
      { ...resting, status: 'canceled' },
      { ...resting, status: 'canceled' },
      'not_applied',
    ],
    ['filled before it arrived', { price: 101 }, { ...resting, status: 'filled' }, resting, 'not_applied'],
  ];
  for (const [name, body, now, before, expected] of table) {
    assert.equal(await verdict(amend(body), { [orderPath]: data(now) }, before), expected, name);
  }
});

test('a cancellation is settled by the order’s status', async () => {
  const cancel: Wish = (client) => client.intend('cancelOrder', { path: { order_id: 'o' } });
  const table: [object, Verdict][] = [
    [{ ...resting, status: 'canceled' }, 'applied'],
    [{ ...resting, cancel_requested_at: 5 }, 'applied'],
    [resting, 'not_applied'],
    [{ ...resting, status: 'filled' }, 'not_applied'],
    [{ ...resting, status: 'expired' }, 'not_applied'],
  ];
  for (const [now, expected] of table)
    assert.equal(await verdict(cancel, { [orderPath]: data(now) }), expected, JSON.stringify(now));
  assert.equal(await verdict(cancel, {}), 'not_applied', 'an order that the service does not know');
  assert.equal(
    await verdict(cancel, { [orderPath]: refusal(401, 'unauthorized') }),
    'unknown',
    'not authorized to read',
  );
  assert.equal(await verdict(cancel, { [orderPath]: refusal(503, 'unavailable') }), 'unknown', 'nothing visible now');
});

test('a canceled strategy is settled by its status', async () => {
  for (const [id, name, path] of [
    ['cancelTwapOrder', 'twap_order_id', '/v1/twap-orders/t'],
    ['cancelScaledOrder', 'scaled_order_id', '/v1/scaled-orders/t'],
  ] as const) {
    const cancel: Wish = (client) => client.intend(id, { path: { [name]: 't' } } as never);
    for (const [status, expected] of [
      ['canceled', 'applied'],
      ['canceling', 'applied'],
      ['running', 'not_applied'],
      ['completed', 'not_applied'],
    ] as const) {
      assert.equal(
        await verdict(cancel, { [path]: data({ id: 't', status, total_size: 1 }) }),
        expected,
        `${id} ${status}`,
      );
    }
  }
});

test('attached exits are settled by the order’s legs, with null for none', async () => {
  const wish =
    (body: { take_profit_price?: number | null; stop_loss_price?: number | null }): Wish =>
    (client) =>
      client.intend('updateAttachedExits', { path: { order_id: 'o' }, body });
  const withBoth = { ...resting, attached_take_profit_price: 110, attached_stop_loss_price: 90 };
  const table: [Parameters<typeof wish>[0], now: object, before: object, Verdict][] = [
    [{ take_profit_price: 120 }, { ...withBoth, attached_take_profit_price: 120 }, withBoth, 'applied'],
    [{ take_profit_price: 120 }, withBoth, withBoth, 'not_applied'],
    [{ take_profit_price: null }, { ...resting, attached_stop_loss_price: 90 }, withBoth, 'applied'],
    [{ take_profit_price: null }, withBoth, withBoth, 'not_applied'],
    [
      { take_profit_price: null, stop_loss_price: 95 },
      { ...resting, attached_stop_loss_price: 90 },
      withBoth,
      'unknown',
    ],
    [{ take_profit_price: 110, stop_loss_price: 95 }, withBoth, withBoth, 'not_applied'],
    [{ take_profit_price: 110, stop_loss_price: 90 }, withBoth, withBoth, 'applied'],
  ];
  for (const [body, now, before, expected] of table) {
    assert.equal(await verdict(wish(body), { [orderPath]: data(now) }, before), expected, JSON.stringify([body, now]));
  }
});

const position = {
  id: 'p',
  account_id: 'a',
  market_id: 'binance|BTCUSDT',
  size: 1,
  entry_price: 100,
  isolated_margin_extra: 5,
};

test('extra margin is settled by its total', async () => {
  const wish: Wish = (client) =>
    client.intend('setPositionIsolatedMargin', { path: { position_id: 'p' }, body: { extra_margin: 50 } });
  assert.equal(
    await verdict(wish, { '/v1/positions/p': data({ ...position, isolated_margin_extra: 50 }) }, position),
    'applied',
  );
  assert.equal(await verdict(wish, { '/v1/positions/p': data(position) }, position), 'not_applied');
});

test('an exit batch is settled by the working exits, compared with those it expected', async () => {
  const exit = (id: string, type: string, price: number, more: object = {}) => ({
    id,
    type,
    size: 1,
    reduce_only: true,
    market_id: position.market_id,
    status: 'resting',
    target_position_id: 'p',
    ...(type === 'limit' ? { limit_price: price } : { trigger_price: price }),
    ...more,
  });
  const batch: Wish = (client) =>
    client.intend('replacePositionExitOrders', {
      path: { position_id: 'p' },
      body: {
        expected_position_size: 1,
        expected_orders: [
          { order_id: 'old', price: 90, size: 1 },
          { order_id: 'kept', price: 120, size: 1 },
        ],
        operations: [
          { kind: 'cancel', order_id: 'old' },
          { kind: 'modify', order_id: 'kept', price: 125 },
          { kind: 'place', group: 'sl', price: 95, size: 1 },
        ],
      },
    });
  const old = exit('old', 'stop_market', 90);
  const kept = exit('kept', 'take_profit', 120);
  const moved = exit('kept', 'take_profit', 125);
  const fresh = exit('new', 'stop_market', 95);
  const canceled = { ...old, status: 'canceled' };
  const table: [name: string, working: object[], old: object, kept: object, Verdict][] = [
    ['all of it', [moved, fresh], canceled, moved, 'applied'],
    ['nothing of it', [old, kept], old, kept, 'not_applied'],
    ['a take-profit in its place', [moved, exit('new', 'take_profit', 95)], canceled, moved, 'unknown'],
    ['another size', [moved, { ...fresh, size: 2 }], canceled, moved, 'unknown'],
    ['an equal one, placed by someone else', [old, kept, fresh], old, kept, 'unknown'],
    ['an exit of another position', [old, kept, { ...fresh, target_position_id: 'q' }], old, kept, 'not_applied'],
  ];
  for (const [name, working, oldNow, keptNow, expected] of table) {
    const shown = {
      '/v1/positions/p': data(position),
      '/v1/orders?account_id=a&status=working': answer(200, { data: working, has_more: false }),
      '/v1/orders/old': data(oldNow),
      '/v1/orders/kept': data(keptNow),
    };
    assert.equal(await verdict(batch, shown), expected, name);
  }
});

test('saved copy groups are settled by the list, new ones only compared with the list before', async () => {
  const group = (config_id: string, enabled: boolean, bps = 10_000) => ({
    config_id,
    enabled,
    source_account_id: 'lead',
    targets: [
      { account_id: 'f2', multiplier_bps: 5_000 },
      { account_id: 'f1', multiplier_bps: bps },
    ],
  });
  const wanted = (config_id: string | undefined, enabled: boolean) => ({
    ...(config_id === undefined ? {} : { config_id }),
    enabled,
    source_account_id: 'lead',
    targets: [
      { account_id: 'f1', multiplier_bps: 10_000 },
      { account_id: 'f2', multiplier_bps: 5_000 },
    ],
  });
  const save =
    (groups: ReturnType<typeof wanted>[], deleted_config_ids: string[] = []): Wish =>
    (client) =>
      client.intend('saveCopyTradingConfigurations', { body: { groups, deleted_config_ids } });
  const on = group('g1', true);
  const off = group('g1', false);
  const table: [name: string, Wish, now: object[], before: object[] | undefined, Verdict][] = [
    ['changed', save([wanted('g1', true)]), [on], [off], 'applied'],
    ['not changed', save([wanted('g1', true)]), [off], [off], 'not_applied'],
    ['so already', save([wanted('g1', true)]), [on], [on], 'applied'],
    ['other multiplier', save([wanted('g1', true)]), [group('g1', true, 9_000)], [off], 'not_applied'],
    ['deleted', save([], ['g1']), [], [off], 'applied'],
    ['not deleted', save([], ['g1']), [off], [off], 'not_applied'],
    ['new', save([wanted(undefined, false)]), [off, group('g2', false)], [off], 'applied'],
    ['not new, but similar', save([wanted(undefined, false)]), [off], [off], 'not_applied'],
    ['new or similar, earlier state unknown', save([wanted(undefined, false)]), [off], undefined, 'unknown'],
    ['one of two', save([wanted('g1', true)], ['g3']), [on, group('g3', false)], [off, group('g3', false)], 'unknown'],
  ];
  for (const [name, wish, now, before, expected] of table) {
    assert.equal(await verdict(wish, { '/v1/copy-trading': data(now) }, before), expected, name);
  }
  const disable: Wish = (client) => client.intend('disableCopyTradingConfiguration', { path: { config_id: 'g1' } });
  assert.equal(await verdict(disable, { '/v1/copy-trading': data([off]) }), 'applied');
  assert.equal(await verdict(disable, { '/v1/copy-trading': data([on]) }), 'not_applied');
  assert.equal(await verdict(disable, { '/v1/copy-trading': data([]) }), 'unknown');
});

test('an acknowledged copy stop is settled by the trading policy', async () => {
  const path = '/v1/accounts/a/trading-policy';
  const wish: Wish = (client) =>
    client.intend('acknowledgeCopyTradingStop', { path: { account_id: 'a' }, body: { stopped_at: 7 } });
  const stop = (stopped_at: number, acknowledged_at: number | null) =>
    data({ account_id: 'a', copy_stop: { stopped_at, acknowledged_at } });
  assert.equal(await verdict(wish, { [path]: stop(7, 9) }), 'applied');
  assert.equal(await verdict(wish, { [path]: stop(7, null) }), 'not_applied');
  assert.equal(await verdict(wish, { [path]: stop(8, null) }), 'unknown');
  assert.equal(await verdict(wish, { [path]: data({ account_id: 'a', copy_stop: null }) }), 'unknown');
});

test('a revoked session is settled when it is no longer accepted', async () => {
  const wish: Wish = (client) => client.intend('revokeCliSession', {});
  assert.equal(await verdict(wish, { '/v1/accounts': refusal(401, 'unauthorized') }), 'applied');
  assert.equal(await verdict(wish, { '/v1/accounts': data([]) }), 'not_applied');
});

test('a write with a key is settled by retrying it where keys are kept', async () => {
  const wish: Wish = (client) =>
    client.intend('createTwapOrder', {
      body: {
        account_id: 'a',
        market_id: 'm',
        side: 'buy',
        size: 1,
        expected_price: 1,
        leverage: 1,
        margin_mode: 'cross',
        duration_minutes: 5,
      },
    });
  assert.equal(
    await verdict(wish, { '/v1/twap-orders': data({ id: 't', account_id: 'a', market_id: 'm', side: 'buy' }) }),
    'applied',
  );
  assert.equal(await verdict(wish, { '/v1/twap-orders': refusal(422, 'rule_violation') }), 'not_applied');
  assert.equal(await verdict(wish, { '/v1/twap-orders': refusal(401, 'unauthorized') }), 'unknown');
});

test('an order under a name drawn for it is found whatever its size is now; a given name may be that of another order', async () => {
  const wished = { account_id: 'a', market_id: 'm', side: 'buy', leverage: 1, margin_mode: 'cross' } as const;
  const drawn = 'perp-01234567-89ab-cdef-0123-456789abcdef';
  const cases: [name: string, size: number, Verdict][] = [
    [drawn, 1, 'applied'],
    [drawn, 0.4, 'applied'],
    ['mine', 1, 'applied'],
    ['mine', 0.4, 'unknown'],
  ];
  for (const [client_order_id, size, expected] of cases) {
    const order = {
      ...wished,
      id: 'o',
      size,
      client_order_id,
      type: 'market',
      mode: 'market',
      status: 'resting',
      requested_at: 4e12,
    };
    const account = { id: 'a', balance: 1, risk: { observed_at: 4e12 } };
    const transport = scriptedTransport(({ target }) =>
      data(target.includes('/accounts/') ? account : /orders\?/.test(target) ? [order] : order),
    );
    const client = createClient({ transport, retry: stepClock().retry });
    const intent = client.intend('createOrder', { body: { ...wished, type: 'market', size: 1, client_order_id } });
    const { verdict: found, reason } = await settle(client, intent, { isOnlyRead: true, arrivalMs: 0 });
    assert.equal(found, expected, `${client_order_id} of ${size}: ${reason}`);
  }
});

test('every write of the API can be settled, except the one whose result is given only once', async () => {
  const transport = scriptedTransport(refusal(401, 'unauthorized'));
  const client = createClient({ transport, retry: stepClock().retry });
  for (const operation of Object.values(operations)) {
    if (operation.method === 'GET') continue;
    transport.requests.length = 0;
    const { id: operationId, method, path: target } = operation;
    const body = JSON.stringify({
      account_id: 'a',
      groups: [],
      deleted_config_ids: [],
      operations: [],
      expected_orders: [],
    });
    const path = Object.fromEntries(pathNames(operation).map((name) => [name, 'x']));
    const key = operation.idempotent ? { idempotencyKey: 'key-1', clientOrderId: 'perp-key-1' } : {};
    await settle(client, { operationId, method, target, path, body, payloadHash: '', ...key }, quick);
    assert.equal(transport.requests.length > 0, operation.id !== 'exchangeCliAuthorizationCode', operation.id);
  }
});

test('a write without visible effect is read back again before it counts as not applied', async () => {
  const { client, transport } = scene(data(resting), data({ ...resting, status: 'canceled' }));
  const settlement = await settle(client, client.intend('cancelOrder', { path: { order_id: 'o' } }), quick);
  assert.equal(settlement.verdict, 'applied');
  assert.equal(transport.requests.length, 2);
});

test('a write just sent counts as not done only after the arrival window', async () => {
  const cases: [name: string, sentAgoMs: number, arrivalMs: number, waitedMs: number[]][] = [
    ['just sent', 0, 15_000, [15_000]],
    ['sent half a minute ago, through a network that was broken', 30_000, 15_000, [15_000]],
    ['sent long ago', 3_600_000, 15_000, [1_000]],
    ['in process', 0, 0, []],
  ];
  for (const [name, sentAgoMs, arrivalMs, waitedMs] of cases) {
    const { client, transport, waits } = scene(data(resting));
    const options = { sentAt: client.now() - sentAgoMs, arrivalMs };
    const settlement = await settle(client, client.intend('cancelOrder', { path: { order_id: 'o' } }), options);
    assert.deepEqual([settlement.verdict, waits], ['not_applied', waitedMs], name);
    assert.equal(transport.requests.length, 1 + waits.length, `${name}: read again after the wait`);
  }
});

test('the result of reading back becomes the write’s answer', async () => {
  const group = { enabled: false, source_account_id: 'lead', targets: [{ account_id: 'f', multiplier_bps: 10_000 }] };
  const saved = (config_id: string) => ({ ...group, config_id });
  const alike = { groups: [group, group], deleted_config_ids: [] };
  const cases: [name: string, wish: Wish, target: string, shown: unknown, data: unknown][] = [
    [
      'a cancellation',
      (client) => client.intend('cancelOrder', { path: { order_id: 'o' } }),
      orderPath,
      { ...resting, status: 'canceled' },
      { id: 'o', canceled: true },
    ],
    [
      'one that is queued',
      (client) => client.intend('cancelOrder', { path: { order_id: 'o' } }),
      orderPath,
      { ...resting, cancel_requested_at: 5 },
      { id: 'o', canceled: true, queued: true },
    ],
    [
      'two equal new groups',
      (client) => client.intend('saveCopyTradingConfigurations', { body: alike }),
      '/v1/copy-trading',
      [saved('g1'), saved('g2')],
      { ok: true, config_ids: ['g1', 'g2'] },
    ],
  ];
  for (const [name, wish, target, shown, expected] of cases) {
    const { client } = scene((request) => (request.target === target ? data(shown) : refusal(404, 'not_found')));
    const settlement = await settle(client, wish(client), { ...quick, before: [] });
    assert.deepEqual(settlement.verdict === 'applied' && settlement.data, expected, name);
  }
  const { client } = scene(data([saved('g1')]));
  const intent = client.intend('saveCopyTradingConfigurations', { body: alike });
  assert.equal(
    (await settle(client, intent, { ...quick, before: [] })).verdict,
    'unknown',
    'two equal groups need two',
  );
});

test('a page from a proxy does not mean that a session is revoked', async () => {
  const { client } = scene({ status: 401, body: undefined, headers: { 'content-type': 'text/html' } });
  assert.equal((await settle(client, client.intend('revokeCliSession', {}), quick)).verdict, 'unknown');
});
