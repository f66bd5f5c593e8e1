import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamRefusal } from '../../../../src/wire/client/streams/market-connection.ts';
import { MarketFollower } from '../../../../src/wire/client/streams/market-follower.ts';
import type { StreamGap } from '../../../../src/wire/client/streams/market-subscription.ts';
import type { StreamState } from '../../../../src/wire/client/streams/stream-state.ts';
import type { Channel } from '../../../../src/wire/contract/streams.ts';
import { ScriptedHost, VirtualTime } from './scripted-stream.ts';

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
type Frame = any;

const btc = { symbols: ['BTCUSDT'], providers: ['binance'] };
const of = { provider: 'binance', symbol: 'BTCUSDT' };

function following() {
  const host = new ScriptedHost();
  const time = new VirtualTime();
  const states: StreamState[] = [];
  const follower = new MarketFollower({
    transport: host.transport,
    timing: time,
    onState: (state) => states.push(state),
  });
  const told: Frame[] = [];
  const gaps: StreamGap[] = [];
  const refusals: Frame[] = [];
  const subscribe = (channel: Channel, payload: object = btc) =>
    follower.subscribe(channel, payload, {
      events: (events) => told.push(...events),
      refused: (error) => refusals.push(error),
      gap: (gap) => gaps.push(gap),
    });
  return { host, time, states, follower, told, gaps, refusals, subscribe };
}

const trade = (id: number, time = id) => ({
  type: 'trade',
  ...of,
  tradeId: String(id),
  side: 'buy',
  price: '1.0',
  size: '1',
  time,
});
const candle = (minute: number, isFinal: boolean, close = '1.0') => ({
  type: 'candle',
  ...of,
  interval: '1m',
  openTime: minute * 60_000,
  closeTime: minute * 60_000 + 59_999,
  open: '1.0',
  high: '1.0',
  low: '1.0',
  close,
  volume: '0',
  quoteVolume: null,
  trades: null,
  isFinal,
});

test('the client pings every 20 s, with ids counting up from 1', async () => {
  const { host, time, subscribe } = following();
  await time.pass(0);
  subscribe('ticks');
  await time.pass(20_000);
  host.newest.say({ op: 'res', id: 1, result: 1 });
  assert.deepEqual(
    host.newest.sent.map(({ op, id }) => [op, id]),
    [
      ['req', 1],
      ['sub', 2],
      ['req', 3],
    ],
  );
});

test('silence is reported after 25 s and ends the connection after 45 s', async () => {
  const { host, time, states } = following();
  await time.pass(24_999);
  assert.deepEqual(states, [], 'the service has not accepted anything yet');
  await time.pass(1);
  assert.deepEqual(states.at(-1), { kind: 'stale', silentMs: 25_000 });
  host.newest.say({ op: 'res', id: 1, result: 1 });
  assert.deepEqual(states.at(-1), { kind: 'live' });
  await time.pass(45_000);
  assert.deepEqual(states.slice(-2), [
    { kind: 'stale', silentMs: 25_000 },
    { kind: 'reconnecting', reason: 'nothing arrived for 45 s', inMs: 750, end: { code: 1006 } },
  ]);
  assert.ok(host.connections[0]!.isClosed);
  await time.pass(1_000);
  assert.equal(host.connections.length, 2);
});

test('after a loss, everything is requested again, and nothing is reported twice', async () => {
  const { host, time, subscribe, told, gaps } = following();
  await time.pass(0);
  subscribe('trades');
  const first = host.newest;
  first.accept('a');
  first.say({ op: 'events', sub: 'a', events: [trade(1), trade(2), trade(3)] });
  first.lose();
  await time.pass(1_000);
  assert.deepEqual(host.newest.last('sub').payload, btc);
  host.newest.accept('b');
  host.newest.say({ op: 'events', sub: 'a', events: [trade(9)] });
  host.newest.say({ op: 'events', sub: 'b', events: [trade(2), trade(3), trade(4), trade(5)] });
  assert.deepEqual(
    told.map(({ tradeId }) => Number(tradeId)),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual(gaps, []);
});

test('trades missing from the replay after a loss are reported as a gap', async () => {
  const { host, time, subscribe, gaps } = following();
  await time.pass(0);
  subscribe('trades');
  host.newest.accept('a');
  host.newest.say({ op: 'events', sub: 'a', events: [trade(1, 1_000)] });
  host.newest.lose();
  await time.pass(1_000);
  host.newest.accept('a');
  host.newest.say({ op: 'events', sub: 'a', events: [trade(7, 9_000), trade(8, 9_001)] });
  assert.deepEqual(gaps, [{ channel: 'trades', ...of, from: 1_000, to: 9_000 }]);
});

test('a draining connection continues until its replacement has everything; nothing is reported twice', async () => {
  const { host, time, subscribe, told, states, gaps } = following();
  await time.pass(0);
  subscribe('trades');
  subscribe('ticks');
  const old = host.newest;
  old.accept('a');
  old.say({ op: 'events', sub: 'a', events: [trade(1)] });
  old.say({ op: 'draining' }, { op: 'draining' });
  await time.pass(0);
  assert.equal(host.connections.length, 2);
  const next = host.newest;
  old.say({ op: 'events', sub: 'a', events: [trade(2)] });
  const [one, other] = next.sent.filter(({ op }) => op === 'sub');
  next.say({ op: 'sub_ok', id: one.id, sub: 'b', snapshotBoundary: true });
  next.say({ op: 'events', sub: 'b', events: [trade(1), trade(2), trade(3)] });
  old.say({ op: 'events', sub: 'a', events: [trade(3), trade(4)] });
  next.say({ op: 'snapshot_end', id: one.id });
  assert.ok(!old.isClosed, 'one subscription is still missing');
  next.say({ op: 'sub_ok', id: other.id, sub: 'c', snapshotBoundary: false });
  assert.ok(old.isClosed);
  next.say({ op: 'events', sub: 'b', events: [trade(4), trade(5)] });
  assert.deepEqual(
    told.map(({ tradeId }) => Number(tradeId)),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual(states, [{ kind: 'live' }]);
  assert.deepEqual(gaps, []);
});

test('if there is no replacement, the old connection continues to its end, then the client reconnects', async () => {
  const { host, time, subscribe, told, states } = following();
  await time.pass(0);
  subscribe('trades');
  const old = host.newest;
  old.accept('a');
  host.isDown = true;
  old.say({ op: 'draining' });
  await time.pass(100);
  old.say({ op: 'events', sub: 'a', events: [trade(1)] });
  old.lose(1001, 'the service is stopping');
  const end = { code: 1001 };
  assert.deepEqual(states.at(-1), { kind: 'reconnecting', reason: 'the service is stopping', inMs: 750, end });
  host.isDown = false;
  await time.pass(750);
  host.newest.accept('b');
  host.newest.say({ op: 'events', sub: 'b', events: [trade(1), trade(2)] });
  assert.deepEqual(
    told.map(({ tradeId }) => Number(tradeId)),
    [1, 2],
  );
});

test('a subscription that the service ended is renewed; a refused one is not', async () => {
  const { host, time, subscribe, refusals } = following();
  await time.pass(0);
  subscribe('ticks');
  subscribe('books', { symbols: ['NOSUCH'] });
  const [ticks, books] = host.newest.sent.filter(({ op }) => op === 'sub');
  host.newest.say({ op: 'sub_ok', id: ticks.id, sub: 'a', snapshotBoundary: false });
  host.newest.say({ op: 'sub_err', id: books.id, error: { message: 'unknown market' } });
  assert.deepEqual(refusals, [{ code: '', message: 'unknown market' }]);
  host.newest.say({ op: 'end', id: ticks.id });
  await time.pass(2_000);
  const subs = host.newest.sent.filter(({ op }) => op === 'sub');
  assert.deepEqual(
    subs.map(({ channel }) => channel),
    ['ticks', 'books', 'ticks'],
  );
  host.newest.lose();
  await time.pass(1_000);
  assert.deepEqual(
    host.newest.sent.filter(({ op }) => op === 'sub').map(({ channel }) => channel),
    ['ticks'],
  );
});

test('bars that the stream skipped come from history, before later ones', async () => {
  const { host, time, subscribe, told, gaps } = following();
  await time.pass(0);
  subscribe('candles', { ...btc, intervals: ['1m'], historyLimit: 1 });
  host.newest.accept('a');
  host.newest.say({ op: 'events', sub: 'a', events: [candle(1, true), candle(2, false)] });
  host.newest.say({ op: 'events', sub: 'a', events: [candle(5, false, '5.0')] });
  await time.pass(0);
  const request = host.newest.last('req');
  assert.deepEqual(request.payload, { ...of, interval: '1m', limit: 1500, startTime: 120_000, endTime: 299_999 });
  host.newest.say({ op: 'events', sub: 'a', events: [candle(5, true, '5.0'), candle(6, false)] });
  host.newest.say({ op: 'res', id: request.id, result: [candle(3, true), candle(4, true), candle(5, false)] });
  await time.pass(0);
  const again = host.newest.last('req');
  assert.equal(again.payload.endTime, 179_999, 'the page before');
  host.newest.say({ op: 'res', id: again.id, result: [candle(2, true)] });
  await time.pass(0);
  const bars = told.map(({ openTime, isFinal }) => [openTime / 60_000, isFinal]);
  assert.deepEqual(bars, [
    [1, true],
    [2, false],
    [2, true],
    [3, true],
    [4, true],
    [5, false],
    [5, true],
    [6, false],
  ]);
  assert.deepEqual(gaps, []);
});

test('who has no bar yet when the connection is lost asks again for as many', async () => {
  const { host, time, subscribe } = following();
  await time.pass(0);
  subscribe('candles', { ...btc, intervals: ['1m'], historyLimit: 60 });
  const asked = () => host.newest.last('sub').payload.historyLimit;
  for (const [bars, limit] of [
    [[], 60],
    [[candle(1, true)], 60],
    [[candle(2, true)], 10],
  ] as const) {
    assert.equal(asked(), limit);
    host.newest.accept('a');
    host.newest.say({ op: 'events', sub: 'a', events: [...bars] });
    host.newest.lose();
    await time.pass(60_000);
  }
});

test('bars that history does not have are reported as a gap', async () => {
  const { host, time, subscribe, told, gaps } = following();
  await time.pass(0);
  subscribe('candles', { ...btc, intervals: ['1m'], historyLimit: 1 });
  host.newest.accept('a');
  host.newest.say({ op: 'events', sub: 'a', events: [candle(1, true), candle(7, false)] });
  await time.pass(0);
  host.newest.say({ op: 'res', id: host.newest.last('req').id, result: [] });
  await time.pass(0);
  assert.deepEqual(gaps, [{ channel: 'candles', ...of, from: 120_000, to: 420_000 }]);
  assert.deepEqual(
    told.map(({ openTime }) => openTime / 60_000),
    [1, 7],
  );
});

test('a request survives its connection; one that the service is too busy for is retried', async () => {
  const { host, time, follower } = following();
  await time.pass(0);
  const answer = follower.request('candles.history', { limit: 1 });
  await time.pass(0);
  host.newest.lose();
  await time.pass(1_000);
  const again = host.newest.last('req');
  assert.deepEqual([again.method, again.payload], ['candles.history', { limit: 1 }]);
  host.newest.say({ op: 'err', id: again.id, error: { message: 'too many history requests in flight' } });
  await time.pass(1_000);
  const third = host.newest.last('req');
  host.newest.say({ op: 'working', id: third.id });
  assert.notEqual(third.id, again.id);
  const bar = candle(1, true);
  host.newest.say({ op: 'res', id: third.id, result: [bar] });
  assert.deepEqual(await answer, [bar]);
  const refused = follower.request('candles.history', {});
  await time.pass(0);
  host.newest.say({ op: 'err', id: host.newest.last('req').id, error: 'unknown market' });
  await assert.rejects(refused, (error) => error instanceof StreamRefusal && error.message === 'unknown market');
});

test('at most three histories are requested at a time', async () => {
  const { host, time, follower } = following();
  await time.pass(0);
  const answers = Array.from({ length: 5 }, (_, limit) => follower.request('candles.history', { limit }));
  const asked = () => host.newest.sent.filter(({ method }) => method === 'candles.history');
  await time.pass(0);
  assert.equal(asked().length, 3);
  host.newest.say({ op: 'res', id: asked()[0].id, result: [] });
  await time.pass(0);
  assert.equal(asked().length, 4);
  follower.close();
  await Promise.allSettled(answers);
});

test('unknown frames and events are ignored', async () => {
  const { host, time, subscribe, told } = following();
  await time.pass(0);
  subscribe('ticks');
  host.newest.accept('a');
  host.newest.say({ op: 'novelty' }, { op: 'events', sub: 'a', events: [{ type: 'novelty', price: null }] });
  host.newest.say({ op: 'events', sub: 'unknown', events: [trade(1)] }, { op: 'res', id: 999 });
  host.newest.say({ op: 'events', sub: 'a', events: [{ type: 'tick', ...of, kind: 'last', price: '1.0', time: 1 }] });
  assert.equal(told.length, 1);
});
