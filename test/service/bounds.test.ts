import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order, ScaledOrder } from '../../src/exchange/engine/model.ts';
import { soundAnswer } from '../../src/service/handlers/service.ts';
import { inProcessTransport } from '../../src/service/public.ts';
import { Api } from '../conformance/api.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Every number anywhere in a value. */
function numbersIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(numbersIn);
}

test('numbers stored before bounds existed are listed and shown as the bound', async (t) => {
  const { transport, simulation, close } = await inProcessTransport({ stateDir: temporaryDirectory(t), seed: 7 });
  t.after(close);
  const api = new Api(transport);
  const { id: account_id } = (await api.get('/v1/accounts')).body.data[0];
  const terms = { account_id, market_id: 'binance|BTCUSDT', side: 'buy', leverage: 1, margin_mode: 'cross' };
  const order = (await api.post('/v1/orders', { ...terms, size: 0.0001 })).body.error.order_id;
  const ladder = { ...terms, size: 1, start_price: 50_000, end_price: 51_000, rung_count: 2, distribution: 'flat' };
  const scaled = (await api.post('/v1/scaled-orders', ladder)).body.data.id;
  simulation.write(({ store, exchange }) => {
    const beyond: Order = { ...store.order(order)!, size: Infinity, initialSize: Infinity, limitPrice: Infinity };
    beyond.triggerPrice = 1e305;
    const old: ScaledOrder = { ...store.scaled(scaled)!, startPrice: 1e305 };
    // JSON turns an infinity into null.
    old.rungs = old.rungs.map((rung) => ({ ...rung, price: null as unknown as number }));
    const changes = exchange.takeChanges();
    changes.orders.set(beyond.id, beyond);
    changes.scaled.set(old.id, old);
    store.write(changes);
  });
  for (const path of [`/v1/orders/${order}`, `/v1/orders?account_id=${account_id}`, `/v1/scaled-orders/${scaled}`]) {
    const { status, body } = await api.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(
      numbersIn(body.data).every((value) => value !== null),
      path,
    );
  }
  const shown = (await api.get(`/v1/orders/${order}`)).body.data;
  assert.deepEqual([shown.size, shown.limit_price, shown.trigger_price], [1e15, 1e15, 1e15]);
  assert.equal((await api.get(`/v1/scaled-orders/${scaled}`)).body.data.rungs[0].price, 1e15);
});

test('an answer with a number that JSON cannot represent is an error, and its effect is undone', async (t) => {
  const bugs: unknown[] = [];
  const opened = await inProcessTransport({ stateDir: temporaryDirectory(t), seed: 7, onBug: (bug) => bugs.push(bug) });
  t.after(opened.close);
  const api = new Api(opened.transport);
  const { id: account_id } = (await api.get('/v1/accounts')).body.data[0];
  const terms = { account_id, market_id: 'binance|BTCUSDT', side: 'buy', leverage: 1, margin_mode: 'cross' };
  const strategy = { ...terms, size: 1, expected_price: 1, duration_minutes: 5 };
  const { id } = (await api.post('/v1/twap-orders', strategy)).body.data;
  opened.simulation.write(({ store, exchange }) => {
    const changes = exchange.takeChanges();
    changes.twaps.set(id, { ...store.twap(id)!, leverage: Number.POSITIVE_INFINITY });
    store.write(changes);
  });
  // After a reload, the exchange matches the store.
  assert.throws(() => opened.simulation.write(() => assert.fail()));
  const { status, body } = await api.delete(`/v1/twap-orders/${id}`);
  assert.deepEqual([status, body.error.code], [500, 'internal']);
  assert.match(String(bugs[0]), /violated by body\.data\.leverage/);
  assert.equal(
    opened.simulation.read(({ store }) => store.twap(id)!.status),
    'running',
  );
});

test('the field with the invalid number is named, at any depth', () => {
  const answer = (body: unknown) => () => soundAnswer({ status: 200, body });
  assert.throws(
    answer({ data: [{ id: 1 }, { id: 2, exits: [{ price: Number.NaN }] }] }),
    /body\.data\.1\.exits\.0\.price/,
  );
  assert.throws(answer(Number.POSITIVE_INFINITY), /violated by body /);
  assert.doesNotThrow(answer({ data: { a: 0, b: null, c: undefined, d: 'NaN' } }));
});
