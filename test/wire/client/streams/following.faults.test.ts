import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountFollower } from '../../../../src/wire/client/streams/account-follower.ts';
import { MarketFollower } from '../../../../src/wire/client/streams/market-follower.ts';
import { webSocketTransport } from '../../../../src/wire/client/streams/web-socket.ts';
import { type CandleEvent, streamPaths, type TradeEvent } from '../../../../src/wire/contract/streams.ts';
import { Folded } from '../../../desk/account/tell.ts';
import { Chance } from '../../../exchange/engine/chance.ts';
import { recordingFile } from '../../../recordings/by-hand.ts';
import { ask, served } from '../../../service/serving.ts';
import { waitFor } from '../../../service/streams/stream-client.ts';
import { CuttingProxy } from './cutting-proxy.ts';

const btc = { symbols: ['BTCUSDT'], providers: ['binance'] };
const firstRetryMs = 20;

test('with cut connections, every trade is reported once, and every bar is finished once, in order', async (t) => {
  const serving = await served(t, { books: recordingFile, startTime: undefined });
  const { source, firstTime, lastTime } = serving.simulation.facts;
  const proxy = await CuttingProxy.open(t, serving.baseUrl);
  const follower = new MarketFollower({ transport: webSocketTransport(proxy.url), firstRetryMs });
  t.after(() => follower.close());
  const trades: TradeEvent[] = [];
  const candles: CandleEvent[] = [];
  let live = 0;
  const events = {
    live: () => {
      live += 1;
    },
    refused: (error: object) => assert.fail(JSON.stringify(error)),
    gap: (gap: object) => assert.fail(JSON.stringify(gap)),
  };
  follower.subscribe('trades', btc, { ...events, events: (told) => trades.push(...(told as TradeEvent[])) });
  const seconds = { ...btc, intervals: ['1s'], historyLimit: 5 };
  follower.subscribe('candles', seconds, { ...events, events: (told) => candles.push(...(told as CandleEvent[])) });
  await waitFor(() => live === 2, 'both');
  const tape = source.open(0);
  tape.watch('binance|BTCUSDT', true);
  const times: number[] = [];
  for (let event = tape.next(lastTime!); event !== null; event = tape.next(lastTime!))
    if (event.kind === 'print') times.push(event.time);
  const chance = new Chance(7);
  const comeBy = (time: number) => times.findLastIndex((one) => one <= time) + 1;
  let known = 0;
  const catchUp = async (time: number) => {
    proxy.isCut = false;
    known = comeBy(time);
    await waitFor(() => trades.length >= known, 'the prints');
    await waitFor(() => candles.at(-1)!.closeTime >= time, 'the bars');
  };
  const advance = (to: number) => ask(`${serving.baseUrl}/sim/advance`, serving.key, { method: 'POST', json: { to } });
  // A follower without any bar yet gets the last five after a cut, and can't know of earlier ones.
  await advance(firstTime! + 2_000);
  await catchUp(firstTime! + 2_000);
  for (let time = firstTime! + 2_000; time < lastTime!; ) {
    const next = Math.min(time + 2_000, lastTime!);
    // A replay has the last 1,000 prints: a client disconnected for longer misses some, which is reported.
    if (comeBy(next) - known > 800) await catchUp(time);
    const mayBeAway = comeBy(next) - known <= 800;
    time = next;
    if (mayBeAway && chance.chance(0.1)) proxy.cut();
    proxy.isCut = mayBeAway && chance.chance(0.1);
    await advance(time);
    if (mayBeAway && chance.chance(0.1)) proxy.cut();
  }
  await catchUp(lastTime!);
  assert.ok(proxy.connections >= 15, `${proxy.connections} connections`);
  assert.equal(new Set(trades.map(({ tradeId }) => tradeId)).size, trades.length, 'none twice');
  assert.deepEqual(
    trades.map(({ time }) => time),
    times,
    'none is missing',
  );
  const finals = candles.filter(({ isFinal }) => isFinal).map(({ openTime }) => openTime);
  assert.deepEqual(
    finals,
    finals.map((_, index) => finals[0]! + 1000 * index),
  );
  assert.ok(finals.length >= 340, `${finals.length} bars`);
});

test('with cut connections, the folded account equals REST’s answers, and every fill is reported once', async (t) => {
  const serving = await served(t);
  const { baseUrl, key } = serving;
  const proxy = await CuttingProxy.open(t, baseUrl);
  const fills: string[] = [];
  const states: string[] = [];
  const told = new Folded();
  const follower = new AccountFollower({
    transport: webSocketTransport(proxy.url, { credential: async () => key }),
    path: streamPaths.live,
    firstRetryMs,
    onFrame: (frame) => {
      told.apply(frame);
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
  const folded = () => told.accounts.get(account.id)!;
  const orders = (await ask(`${baseUrl}/v1/orders?account_id=${account.id}&status=working`, key)).body.data;
  await waitFor(() => folded().orders.size === orders.length, 'the orders');
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  assert.deepEqual([...folded().orders.values()].sort(byId), orders.sort(byId));
  assert.equal(folded().account.balance, (await ask(`${baseUrl}/v1/accounts/${account.id}`, key)).body.data.balance);
  assert.ok(proxy.connections > 5, `${proxy.connections} connections`);
});
