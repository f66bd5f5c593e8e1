import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handling } from '../../../src/bots/gate/cache/handling.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import { type OperationId, operations } from '../../../src/wire/contract/operations.ts';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { GateWorld } from './gate-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

/** One of everything in an account that is not the bot's. */
async function others(world: GateWorld, account_id: string) {
  const client = createClient({ transport: world.simulation.transport });
  const market_id = world.market('BTC');
  const common = { account_id, market_id, side: 'buy', leverage: 2, margin_mode: 'cross' } as const;
  const { mid } = (await client.call('getMarketQuote', { path: { market_id } })).data;
  const price = Math.round(mid! * 0.9);
  const { data: order } = await client.call('createOrder', {
    body: { ...common, client_order_id: 'theirs', type: 'limit', size: 0.01, limit_price: price },
  });
  await client.call('createOrder', { body: { ...common, size: 0.01 } });
  const [position] = (await client.call('listOpenPositions', { query: { account_id } })).data;
  const { data: twap } = await client.call('createTwapOrder', {
    body: { ...common, size: 0.1, expected_price: mid!, duration_minutes: 30 },
  });
  const { data: scaled } = await client.call('createScaledOrder', {
    body: { ...common, size: 0.02, start_price: price, end_price: price - 100, rung_count: 2, distribution: 'flat' },
  });
  const [own] = world.accounts.filter((id) => id !== account_id);
  const group = { enabled: false, source_account_id: own!, targets: [{ account_id, multiplier_bps: 10_000 }] };
  const saved = await client.call('saveCopyTradingConfigurations', {
    body: { groups: [group], deleted_config_ids: [] },
  });
  return {
    account_id,
    order_id: order.id,
    position_id: position!.id,
    twap_order_id: twap.id,
    scaled_order_id: scaled.id,
    config_id: saved.data.config_ids![0]!,
  };
}

type Ids = Awaited<ReturnType<typeof others>>;

const unknown: Ids = {
  account_id: 'acc_00000000z',
  order_id: 'ord_00000000z',
  position_id: 'pos_00000000z',
  twap_order_id: 'twp_00000000z',
  scaled_order_id: 'scl_00000000z',
  config_id: 'cpy_00000000z',
};

/** Valid bodies of writes, about these. */
const bodies: Partial<Record<OperationId, (ids: Ids, market_id: string) => object>> = {
  createOrder: ({ account_id }, market_id) => ({
    account_id,
    market_id,
    side: 'buy',
    size: 0.01,
    leverage: 2,
    margin_mode: 'cross',
  }),
  createTwapOrder: ({ account_id }, market_id) => ({
    ...{ account_id, market_id, side: 'buy', size: 0.01, leverage: 2, margin_mode: 'cross' },
    ...{ expected_price: 1, duration_minutes: 30 },
  }),
  createScaledOrder: ({ account_id }, market_id) => ({
    ...{ account_id, market_id, side: 'buy', size: 0.01, leverage: 2, margin_mode: 'cross' },
    ...{ start_price: 2, end_price: 1, rung_count: 2, distribution: 'flat' },
  }),
  modifyOrder: () => ({ price: 1 }),
  updateAttachedExits: () => ({ stop_loss_price: 1 }),
  closePosition: () => ({}),
  replacePositionExitOrders: () => ({ expected_position_size: 1, expected_orders: [], operations: [] }),
  setPositionIsolatedMargin: () => ({ extra_margin: 1 }),
  acknowledgeCopyTradingStop: () => ({ stopped_at: 1 }),
  saveCopyTradingConfigurations: ({ account_id, config_id }) => ({
    groups: [{ config_id, enabled: false, source_account_id: account_id, targets: [] }],
    deleted_config_ids: [],
  }),
};

/** A request of an operation about these, in its path, its query and its body. */
function requestAbout(id: OperationId, ids: Ids, market_id: string): WireRequest {
  const { method, path, query, idempotent } = operations[id];
  const names = { ...ids, market_id: encodeURIComponent(market_id) };
  const resource = path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => names[name]);
  const target =
    query !== null && 'account_id' in query.properties ? `${resource}?account_id=${ids.account_id}` : resource;
  const headers = { 'content-type': 'application/json', ...(idempotent && { 'idempotency-key': 'one-key' }) };
  const body = bodies[id]?.(ids, market_id);
  return { method, target, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

function withoutIds({ status, headers, body }: WireResponse): string {
  const { 'x-request-id': id, ...others } = headers;
  return JSON.stringify([status, others, body]).replaceAll(id!, '');
}

test('what belongs to another account is answered byte for byte as what does not exist, by every operation', async (t) => {
  const world = await GateWorld.open(t);
  const [own, theirs] = world.accounts;
  world.mandates.set('bot', world.allowing([own!]));
  const foreign = await others(world, theirs!);
  const gate = await world.gate();
  const market = world.market('BTC');
  for (const [id, { confined }] of Object.entries(handling) as [OperationId, { confined: string }][]) {
    if (['open', 'credential', 'accounts', 'groups'].includes(confined)) continue;
    const before = world.sent.length;
    const about = await gate.handle('bot', requestAbout(id, foreign, market));
    const requests = world.sent.length - before;
    const none = await gate.handle('bot', requestAbout(id, unknown, market));
    assert.equal(withoutIds(about), withoutIds(none), id);
    assert.equal(about.status, 404, `${id}, if it needs a body: give it one in bodies`);
    // As many requests, so that neither takes longer.
    assert.equal(world.sent.length - before - requests, requests, id);
  }
});

test('lists and lookups show a bot nothing of other accounts, and no client order id of others', async (t) => {
  const world = await GateWorld.open(t);
  const [own, theirs] = world.accounts;
  world.mandates.set('one', world.allowing([own!]));
  world.mandates.set('two', world.allowing([own!]));
  await others(world, theirs!);
  const gate = await world.gate();
  const get = async (bot: string, target: string): Promise<Body> =>
    ((await gate.handle(bot, { method: 'GET', target, headers: {} })).body as Body).data;
  assert.deepEqual(
    (await get('one', '/v1/accounts')).map(({ id }: Body) => id),
    [own],
  );
  assert.deepEqual(await get('one', '/v1/copy-trading'), []);
  assert.deepEqual(await get('one', '/v1/orders?status=working'), []);
  assert.deepEqual(await get('one', '/v1/orders'), []);
  assert.deepEqual(await get('one', '/v1/orders?client_order_id=theirs'), []);
  const placed = await gate.handle('one', world.order({ client_order_id: 'same', account_id: own }));
  assert.equal(placed.status, 201);
  // Two bots of one account may use the same id and the same key; each sees its own.
  const second = await gate.handle('two', world.order({ client_order_id: 'same', account_id: own }));
  assert.equal(second.status, 201);
  const idsSeenBy = async (bot: string) =>
    (await get(bot, '/v1/orders')).map(({ client_order_id: id }: Body) => id ?? null);
  assert.deepEqual(await idsSeenBy('two'), ['same', null]);
  assert.deepEqual(await idsSeenBy('one'), [null, 'same']);
  const [found] = await get('one', '/v1/orders?client_order_id=same');
  assert.equal(found.id, (placed.body as Body).data.id);
  // A name of one bot is no name of another, whatever the bots are called.
  assert.deepEqual(await get('two', '/v1/orders?client_order_id=gate-one_same'), []);
});

test('an id that is too long for a prefix becomes a hash, and is shown as it was sent', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('a-bot-with-a-long-name-1', world.allowing());
  const gate = await world.gate();
  for (const id of ['x'.repeat(128), `_h${'y'.repeat(40)}`, '_', 'ümläut 🚀']) {
    const key = `key ${id.slice(0, 100).replaceAll(/[^\x20-\x7e]/g, '?')}`;
    const placed = await gate.handle('a-bot-with-a-long-name-1', world.order({ client_order_id: id }, key));
    assert.equal(placed.status, 201, JSON.stringify(placed.body));
    assert.equal((placed.body as Body).data.client_order_id, id);
    const target = `/v1/orders?client_order_id=${encodeURIComponent(id)}`;
    const found = await gate.handle('a-bot-with-a-long-name-1', { method: 'GET', target, headers: {} });
    assert.deepEqual((found.body as Body).data[0].client_order_id, id);
  }
});

test('what a path names says how its operation is confined, and one that names an account is never open', () => {
  const confinedBy: Readonly<Record<string, string>> = {
    account_id: 'account',
    order_id: 'order',
    position_id: 'position',
    twap_order_id: 'TWAP order',
    scaled_order_id: 'scaled order',
    config_id: 'copy-trading group',
  };
  for (const [id, { path, ...rest }] of Object.entries(operations)) {
    const { confined } = handling[id as OperationId];
    for (const [, name] of path.matchAll(/\{(\w+)\}/g))
      if (name !== 'market_id') assert.equal(confined, confinedBy[name!], `${id}: ${name}`);
    if (confined === 'open') assert.doesNotMatch(JSON.stringify(rest), /"account_id"/, id);
  }
});
