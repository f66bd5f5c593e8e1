import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountFollower } from '../../../src/client/streams/account-follower.ts';
import { MarketFollower } from '../../../src/client/streams/market-follower.ts';
import type { StreamGap } from '../../../src/client/streams/market-subscription.ts';
import type { StreamState } from '../../../src/client/streams/stream-state.ts';
import { webSocketTransport } from '../../../src/client/streams/web-socket.ts';
import { type CandleEvent, streamPaths, type TradeEvent } from '../../../src/contract/streams.ts';
import { Chance } from '../../engine/chance.ts';
import { recordingFile } from '../../recordings/by-hand.ts';
import { ask, issueKey, served } from '../../service/serving.ts';
import { waitFor } from '../../service/streams/stream-client.ts';
import { CuttingProxy } from './cutting-proxy.ts';

const btc = { symbols: ['BTCUSDT'], providers: ['binance'] };
const firstRetryMs = 20;

test('over cut connections every trade comes once, and every bar is finished once, in order', async (t) => {
  const serving = await served(t, { books: recordingFile, clock: 'real', speed: 40, startTime: undefined });
  const proxy = await CuttingProxy.open(t, serving.baseUrl);
  const follower = new MarketFollower({ transport: webSocketTransport(proxy.url), firstRetryMs });
  t.after(() => follower.close());
  const trades: TradeEvent[] = [];
  const candles: CandleEvent[] = [];
  const gaps: StreamGap[] = [];
  const refused = (error: object) => assert.fail(JSON.stringify(error));
  follower.subscribe('trades', btc, {
    events: (events) => trades.push(...(events as TradeEvent[])),
    refused,
    gap: (gap) => gaps.push(gap),
  });
  follower.subscribe(
    'candles',
    { ...btc, intervals: ['1s'], historyLimit: 5 },
    {
      events: (events) => candles.push(...(events as CandleEvent[])),
      refused,
      gap: (gap) => gaps.push(gap),
    },
  );
  const chance = new Chance(7);
  for (let cut = 0; cut < 14; cut++) {
    await delay(chance.between(100, 350));
    proxy.isCut = chance.chance(0.3);
    proxy.cut();
    await delay(chance.between(0, 60));
    proxy.isCut = false;
  }
  const { lastTime } = serving.simulation.facts;
  const tape = serving.simulation.facts.source.open(0);
  tape.watch('binance|BTCUSDT', true);
  const times: number[] = [];
  for (let event = tape.next(lastTime!); event !== null; event = tape.next(lastTime!))
    if (event.kind === 'print') times.push(event.time);
  await waitFor(() => trades.at(-1)?.time === times.at(-1), 'the last print');
  await waitFor(
    () => candles.some(({ openTime, isFinal }) => isFinal && openTime >= lastTime! - 3000),
    'the last bars',
  );
  assert.ok(proxy.connections > 5, `${proxy.connections} connections`);
  assert.equal(new Set(trades.map(({ tradeId }) => tradeId)).size, trades.length, 'none twice');
  const told = trades.map(({ time }) => time).sort((a, b) => a - b);
  const wasTold = (time: number) =>
    gaps.some(({ channel, from, to }) => channel === 'trades' && time >= from && time <= to);
  const expected = times.filter((time) => time >= told[0]! && !wasTold(time));
  const outsideGaps = told.filter((time) => !wasTold(time));
  assert.deepEqual(outsideGaps, expected.slice(-outsideGaps.length), 'none is missing but what was told to be');
  assert.ok(outsideGaps.length > 5_000);
  const finals = candles.filter(({ isFinal }) => isFinal).map(({ openTime }) => openTime);
  assert.deepEqual(
    finals,
    finals.map((_, index) => finals[0]! + 1000 * index),
  );
  const forming = candles.filter(({ isFinal }) => !isFinal);
  assert.ok(forming.length > 100);
});

test('over cut connections the folded account is what REST answers, and every fill comes once', async (t) => {
  const serving = await served(t);
  const { baseUrl, key } = serving;
  const proxy = await CuttingProxy.open(t, baseUrl);
  const fills: string[] = [];
  const states: string[] = [];
  const follower = new AccountFollower({
    transport: webSocketTransport(proxy.url, { credential: async () => key }),
    path: streamPaths.live,
    firstRetryMs,
    onFrame: (frame) => {
      if (frame.type === 'fill') fills.push(frame.fill.id);
    },
    onState: ({ kind }) => states.push(kind),
    onEnd: (error) => assert.fail(error),
  });
  t.after(() => follower.close());
  await waitFor(() => states.includes('live'), 'the stream');
  const [account] = (await ask(`${baseUrl}/v1/accounts`, key)).body.data;
  const order = { account_id: account.id, market_id: 'binance|BTCUSDT', leverage: 2, margin_mode: 'cross', size: 0.01 };
  const chance = new Chance(11);
  for (let count = 0; count < 40; count++) {
    if (chance.chance(0.3)) proxy.cut();
    if (chance.chance(0.2)) await delay(40);
    const side = chance.pick(['buy', 'sell']);
    const isMarket = chance.chance(0.6);
    const json = isMarket
      ? { ...order, side, type: 'market' }
      : { ...order, side: 'buy', type: 'limit', limit_price: 50_000 + count };
    assert.equal((await ask(`${baseUrl}/v1/orders`, key, { method: 'POST', json })).status, 201);
  }
  const { data } = (await ask(`${baseUrl}/v1/fills?account_id=${account.id}&limit=100`, key)).body;
  await waitFor(() => fills.length >= data.length, 'the fills');
  assert.deepEqual(fills, data.map(({ id }: { id: string }) => id).reverse());
  const folded = follower.states.accounts.get(account.id)!;
  const orders = (await ask(`${baseUrl}/v1/orders?account_id=${account.id}&status=working`, key)).body.data;
  await waitFor(() => folded.orders.size === orders.length, 'the orders');
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  assert.deepEqual([...folded.orders.values()].sort(byId), orders.sort(byId));
  assert.equal(folded.account.balance, (await ask(`${baseUrl}/v1/accounts/${account.id}`, key)).body.data.balance);
  assert.ok(proxy.connections > 5, `${proxy.connections} connections`);
});

test('a refused account stream says why: the probe asks over REST, and what it throws ends the stream', async (t) => {
  const serving = await served(t);
  const ended = new Promise<Error>((resolve) => {
    const follower = new AccountFollower({
      transport: webSocketTransport(serving.baseUrl.replace('http', 'ws'), {
        credential: async () => 'sim_live_wrong',
      }),
      path: streamPaths.live,
      firstRetryMs,
      onFrame: () => assert.fail('a frame'),
      onEnd: resolve,
      probe: async () => {
        const { status } = await ask(`${serving.baseUrl}/v1/accounts`, 'sim_live_wrong');
        if (status === 401) throw new Error('unauthorized');
      },
    });
    t.after(() => follower.close());
  });
  assert.equal((await ended).message, 'unauthorized');
});

test('a stream that nobody answers is tried again and again, and told so', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const proxy = await CuttingProxy.open(t, serving.baseUrl);
  proxy.isCut = true;
  const states: StreamState[] = [];
  const follower = new AccountFollower({
    transport: webSocketTransport(proxy.url, { credential: async () => key }),
    path: streamPaths.live,
    firstRetryMs,
    onFrame() {},
    onState: (state) => states.push(state),
    onEnd: (error) => assert.fail(error),
    probe: async () => {},
  });
  t.after(() => follower.close());
  await waitFor(() => states.length >= 3, 'three attempts');
  assert.ok(states.every(({ kind }) => kind === 'reconnecting'));
  proxy.isCut = false;
  await waitFor(() => states.at(-1)!.kind === 'live', 'the stream');
});

test('the credential goes to the account stream only', async (t) => {
  const seen: [path: string, authorization: string | undefined][] = [];
  const { createServer } = await import('node:http');
  const server = createServer();
  server.on('upgrade', ({ url, headers }, socket) => {
    seen.push([url!, headers.authorization]);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  const url = `ws://127.0.0.1:${(server.address() as { port: number }).port}`;
  const market = new MarketFollower({ transport: webSocketTransport(url) });
  const account = new AccountFollower({
    transport: webSocketTransport(url, { credential: async () => 'secret' }),
    path: streamPaths.test,
    onFrame() {},
    onEnd() {},
  });
  t.after(() => market.close());
  t.after(() => account.close());
  await waitFor(() => seen.length >= 2, 'both');
  assert.deepEqual(seen.sort(), [
    ['/v1/market-data', undefined],
    ['/v1/sandbox/stream', 'Bearer secret'],
  ]);
});

test('addresses are origins: wss, or ws on this machine', () => {
  for (const address of [
    'wss://stream.example.com',
    'wss://stream.example.com:8443/',
    'ws://127.0.0.1:7400',
    'ws://localhost',
    'ws://[::1]:7',
  ])
    webSocketTransport(address);
  const cases: [address: string, message: RegExp][] = [
    ['stream.example.com', /not an address/],
    ['https://stream.example.com', /wss:\/\/ or ws:\/\//],
    ['ws://stream.example.com', /not be encrypted/],
    ['ws://127.0.0.1.example.com', /not be encrypted/],
    ['wss://user:secret@stream.example.com', /user or password/],
    ['wss://stream.example.com/v1/market-data', /origin/],
    ['wss://stream.example.com/?key=1', /origin/],
  ];
  for (const [address, message] of cases)
    assert.throws(
      () => webSocketTransport(address),
      (error) => error instanceof TypeError && message.test(error.message),
      address,
    );
});
