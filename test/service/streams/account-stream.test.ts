import assert from 'node:assert/strict';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { openSimulation } from '../../../src/service/public.ts';
import { plainOrder } from '../../exchange/engine/scenario.ts';
import { test, trial } from '../../tiers.ts';
import { ask, issueKey, served } from '../serving.ts';
import { type Frame, StreamClient, waitFor } from './stream-client.ts';

const btc = 'binance|BTCUSDT';

type Serving = Awaited<ReturnType<typeof served>>;

async function accountOf({ baseUrl, key }: Serving): Promise<Frame> {
  return (await ask(`${baseUrl}/v1/accounts`, key)).body.data[0];
}

async function place(serving: Serving, fields: Frame): Promise<Frame> {
  const { id } = await accountOf(serving);
  const order = { account_id: id, market_id: btc, side: 'buy', leverage: 2, margin_mode: 'cross', ...fields };
  const { status, body } = await ask(`${serving.baseUrl}/v1/orders`, serving.key, { method: 'POST', json: order });
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
}

const words = (frames: readonly Frame[]) => frames.map(({ type, event }) => (event ? `${type} ${event}` : type));

trial('a stream starts with hello, a snapshot for each account, and snapshot_end', async (t) => {
  const serving = await served(t, { accounts: 2 });
  await place(serving, { type: 'market', size: 0.01 });
  const resting = await place(serving, { type: 'limit', size: 0.01, limit_price: 50_000 });
  const client = await StreamClient.account(t, serving.baseUrl, serving.key);
  await client.until(({ type }) => type === 'snapshot_end');
  const [hello, first, second, end] = client.frames;
  assert.deepEqual([hello.resumed, typeof hello.stream_id, end], [false, 'string', { type: 'snapshot_end' }]);
  assert.deepEqual([first.seq, second.seq], [1, 2]);
  const get = async (path: string) => (await ask(serving.baseUrl + path, serving.key)).body.data;
  assert.deepEqual([first.account, second.account], await get('/v1/accounts'));
  const snapshot = [first, second].find(({ account_id }) => account_id === resting.account_id);
  assert.deepEqual(snapshot.positions, await get(`/v1/positions?account_id=${resting.account_id}&status=open`));
  assert.deepEqual(snapshot.orders, [resting]);
});

test('the changes of a command come once, in order, numbered without a gap, as in REST', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.account(t, serving.baseUrl, serving.key);
  await client.until(({ type }) => type === 'snapshot_end');
  const live = () => client.frames.slice(3);
  const order = await place(serving, { type: 'market', size: 0.01, stop_loss_price: 60_000 });
  await waitFor(() => live().length === 5, 'the results of the order');
  assert.deepEqual(words(live()), ['order filled', 'order placed', 'fill', 'position opened', 'account updated']);
  assert.deepEqual(
    live().map(({ seq }) => seq),
    [2, 3, 4, 5, 6],
  );
  assert.deepEqual([live()[0].order, live()[2].fill], [order, order]);
  const [position] = (await ask(`${serving.baseUrl}/v1/positions?account_id=${order.account_id}`, serving.key)).body
    .data;
  assert.deepEqual(live()[3].position, position);
  assert.deepEqual(live()[4].account, await accountOf(serving));
  assert.ok(live().every(({ time, account_id }) => time === order.settled_at && account_id === order.account_id));
  await ask(`${serving.baseUrl}/v1/positions/${position.id}/close`, serving.key, {
    method: 'POST',
    json: { type: 'market' },
  });
  await waitFor(() => live().length === 10, 'the results of the close');
  assert.deepEqual(words(live().slice(5)), [
    'order filled',
    'order canceled',
    'fill',
    'position closed',
    'account updated',
  ]);
});

test('changes caused by the market come with the time at which they happened', async (t) => {
  const serving = await served(t);
  const { baseUrl, key } = serving;
  const quote = (await ask(`${baseUrl}/v1/markets/${encodeURIComponent(btc)}/quote`, key)).body.data;
  const orders = [];
  for (const distance of [10, 20, 30])
    orders.push(await place(serving, { type: 'limit', size: 0.01, limit_price: Math.floor(quote.bid - distance) }));
  const client = await StreamClient.account(t, baseUrl, key);
  await client.until(({ type }) => type === 'snapshot_end');
  await ask(`${baseUrl}/sim/advance`, key, { method: 'POST', json: { duration_ms: 24 * 3_600_000 } });
  await waitFor(() => client.frames.some(({ type }) => type === 'account'), 'the fills');
  const fills = client.frames.filter(({ type }) => type === 'fill');
  const { data } = (await ask(`${baseUrl}/v1/fills?account_id=${orders[0].account_id}`, key)).body;
  assert.ok(fills.length >= 3);
  assert.deepEqual(
    fills.map(({ fill }) => fill),
    data.toReversed(),
  );
  assert.deepEqual(
    fills.map(({ time }) => time),
    data.map(({ settled_at }: Frame) => settled_at).toReversed(),
  );
  const times = client.frames.filter(({ time }) => time !== undefined).map(({ time }) => time);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test('a key sees only its own accounts', async (t) => {
  const serving = await served(t);
  const stranger = await StreamClient.account(t, serving.baseUrl, issueKey(serving, { owner: 'somebody' }));
  await stranger.until(({ type }) => type === 'snapshot_end');
  const owner = await StreamClient.account(t, serving.baseUrl, serving.key);
  await owner.until(({ type }) => type === 'snapshot_end');
  await place(serving, { type: 'market', size: 0.01 });
  await owner.until(({ type }) => type === 'account');
  // Whatever was sent before its answer has come.
  stranger.socket.ping();
  await once(stranger.socket, 'pong');
  assert.deepEqual(words(stranger.frames), ['hello', 'snapshot_end']);
});

test('an interrupted stream is resumed: nothing is lost, and nothing comes twice', async (t) => {
  const serving = await served(t);
  const first = await StreamClient.account(t, serving.baseUrl, serving.key);
  await first.until(({ type }) => type === 'snapshot_end');
  const { stream_id } = first.frames[0];
  await place(serving, { type: 'limit', size: 0.01, limit_price: 50_000 });
  await first.until(({ event }) => event === 'placed');
  const last = first.frames.findLast(({ seq }) => seq !== undefined);
  first.socket.terminate();
  await place(serving, { type: 'limit', size: 0.01, limit_price: 50_001 });
  const query = `?resume=${stream_id}&last_seq=${last.seq}&since=${last.time}`;
  const second = await StreamClient.account(t, serving.baseUrl, serving.key, query);
  await second.until(({ type }) => type === 'account');
  assert.deepEqual(second.frames[0], { type: 'hello', stream_id, resumed: true });
  assert.deepEqual(words(second.frames.slice(1)), ['order placed', 'account updated']);
  assert.equal(second.frames[1].order.limit_price, 50_001);
  assert.equal(second.frames[1].seq, last.seq + 1);
});

test('an unknown stream starts over, with the fills since then', async (t) => {
  const serving = await served(t);
  const order = await place(serving, { type: 'market', size: 0.01 });
  for (const query of ['?resume=st_gone&last_seq=7&since=0', '?resume=&last_seq=-1&since=x', '?resume=st_gone']) {
    const client = await StreamClient.account(t, serving.baseUrl, serving.key, query);
    await client.until(({ type }) => type === 'snapshot_end');
    const { type, resumed } = client.frames[0];
    assert.deepEqual([type, resumed], ['hello', false]);
    if (!query.includes('since=0')) continue;
    const { fill } = await client.until((frame) => frame.type === 'fill');
    assert.deepEqual(fill, order);
  }
});

test('a stream can’t be resumed from numbers that it never sent', async (t) => {
  const serving = await served(t);
  const first = await StreamClient.account(t, serving.baseUrl, serving.key);
  await first.until(({ type }) => type === 'snapshot_end');
  const { stream_id } = first.frames[0];
  for (const seq of ['0', '99', 'x', '1e3']) {
    const query = `?resume=${stream_id}&last_seq=${seq}&since=1`;
    const other = await StreamClient.account(t, serving.baseUrl, serving.key, query);
    await other.until(({ type }) => type === 'snapshot_end');
    assert.notEqual(other.frames[0].stream_id, stream_id);
  }
  assert.equal(first.closed, null);
});

test('if two connections resume one stream, the later one gets it', async (t) => {
  const serving = await served(t);
  const first = await StreamClient.account(t, serving.baseUrl, serving.key);
  await first.until(({ type }) => type === 'snapshot_end');
  const query = `?resume=${first.frames[0].stream_id}&last_seq=1&since=0`;
  const second = await StreamClient.account(t, serving.baseUrl, serving.key, query);
  const third = await StreamClient.account(t, serving.baseUrl, serving.key, query);
  await third.until(({ type }) => type === 'hello');
  for (const client of [first, second])
    assert.deepEqual(await client.untilClosed(), {
      code: 4001,
      reason: 'the stream was resumed by another connection',
    });
  await place(serving, { type: 'limit', size: 0.01, limit_price: 50_000 });
  await third.until(({ event }) => event === 'placed');
});

test('another owner cannot resume a stream', async (t) => {
  const serving = await served(t);
  const first = await StreamClient.account(t, serving.baseUrl, serving.key);
  await first.until(({ type }) => type === 'snapshot_end');
  const query = `?resume=${first.frames[0].stream_id}&last_seq=1&since=0`;
  const thief = await StreamClient.account(t, serving.baseUrl, issueKey(serving, { owner: 'thief' }), query);
  await thief.until(({ type }) => type === 'snapshot_end');
  assert.deepEqual([thief.frames[0].resumed, thief.frames.length, first.closed], [false, 2, null]);
});

test('changes by another process are sent like any other, and nothing from before again', async (t) => {
  const serving = await served(t);
  await place(serving, { type: 'market', size: 0.01, market_id: 'binance|ETHUSDT', leverage: 1 });
  const client = await StreamClient.account(t, serving.baseUrl, serving.key);
  await client.until(({ type }) => type === 'snapshot_end');
  const other = await openSimulation({ stateDir: dirname(serving.simulation.store.file), state: serving.state });
  t.after(() => other.close());
  const { id } = await accountOf(serving);
  const placed = other.write(({ execute }) =>
    execute({ ...plainOrder, accountId: id, marketId: btc, side: 'buy', size: 0.01 }),
  );
  assert.ok(placed.ok);
  await client.until(({ type }) => type === 'account');
  assert.deepEqual(words(client.frames.slice(3)), ['order filled', 'fill', 'position opened', 'account updated']);
});

test('fills that are seen together come in the order in which they settled, not in that of their orders', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.account(t, serving.baseUrl, serving.key);
  await client.until(({ type }) => type === 'snapshot_end');
  const other = await openSimulation({ stateDir: dirname(serving.simulation.store.file), state: serving.state });
  t.after(() => other.close());
  const { id } = await accountOf(serving);
  const now = serving.simulation.time + 3_600_000;
  // Both in one turn of the event loop: the first order fills after the second one.
  other.write(({ exchange, execute }) => {
    const quote = exchange.quote(btc);
    const limit = { mode: 'limit', limitPrice: quote.ok ? quote.bid! / 10 - 50 : 0 } as const;
    for (const terms of [limit, {}])
      execute({ ...plainOrder, ...terms, accountId: id, marketId: btc, side: 'buy', size: 0.01 });
  });
  other.write(({ advance }) => {
    other.setClock({ kind: 'manual', now });
    advance(now);
  });
  await client.until(({ type }) => type === 'account');
  const fills = client.frames.filter(({ type }) => type === 'fill').map(({ fill }) => fill.id);
  const { data } = (await ask(`${serving.baseUrl}/v1/fills?account_id=${id}`, serving.key)).body;
  const settled = data.map((order: Frame) => order.id).toReversed();
  assert.ok(settled.length === 2 && settled[0] > settled[1], 'the older order settled last');
  assert.deepEqual(fills, settled);
});

test('stopping the service asks clients to reconnect, then closes with a reason', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.account(t, serving.baseUrl, serving.key);
  await client.until(({ type }) => type === 'snapshot_end');
  await serving.stop();
  assert.deepEqual(client.frames.at(-1), { type: 'reconnect' });
  assert.deepEqual(await client.untilClosed(), { code: 1001, reason: 'the service is stopping' });
});
