import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client, StreamOptions } from '../../../../src/programs/sdk/client/client-types.ts';
import { PerpError } from '../../../../src/programs/sdk/client/errors.ts';
import { connect } from '../../../../src/programs/sdk/client.ts';
import { Simulation } from '../../../../src/programs/sdk/sim.ts';
import { defineStrategy, type Fill, type Order, type Refusal, trade } from '../../../../src/programs/sdk/strategy.ts';
import { serve } from '../../../../src/service/serve.ts';
import { createClient } from '../../../../src/wire/client/client.ts';
import { httpTransport } from '../../../../src/wire/client/http-transport.ts';
import { servedSimulation } from '../served.ts';

/** A client of a simulation whose clock runs, as of a host. */
async function host(streams = true) {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await servedSimulation({ clock: 'real', startTime: undefined }));
  const { baseUrl, key, streamUrl } = service;
  const urls = streams ? { marketStreamUrl: streamUrl, accountStreamUrl: streamUrl } : {};
  const client = opened.use(connect({ baseUrl, key, journal: null, ...urls }));
  return Object.assign(opened.move(), { client, service });
}

describe('a strategy on a host', () => {
  it('trades in real time: it sees prices, places orders, and learns what became of them', async () => {
    await using opened = await host();
    const over = new AbortController();
    const fills: Fill[] = [];
    const orders: Order[] = [];
    const refusals: Refusal[] = [];
    let looks = 0;
    const trader = defineStrategy({
      markets: ['BTC', 'ETH'],
      onTick(bot, quote) {
        looks++;
        assert.equal(Math.abs(bot.now - Date.now()) < 60_000, true);
        if (looks > 1) return;
        assert.ok(quote.bid! < quote.ask!);
        assert.ok(bot.book(quote.market).bids.length > 10);
        bot.place({ market: 'BTC', side: 'buy', size: 0.02, clientId: 'first' });
        bot.place({ market: 'ETH', side: 'buy', size: 0.5, price: bot.market('ETH').roundPrice(900, 'down') });
        bot.place({ market: 'BTC', side: 'buy', size: 20_000 });
      },
      onFill(bot, fill) {
        fills.push(fill);
        if (fill.side === 'sell') over.abort();
        else bot.after('200ms', () => void bot.close('BTC'));
      },
      onOrder: (_, order) => void orders.push(order),
      onRefusal: (_, refusal) => void refusals.push(refusal),
      end: (bot) => void bot.cancelAll(),
    });
    const { account, fills: all } = await trade(trader, { client: opened.client, signal: over.signal });
    assert.deepEqual(
      fills.map(({ side, size }) => [side, size]),
      [
        ['buy', 0.02],
        ['sell', 0.02],
      ],
    );
    assert.equal(fills[0]!.clientId, 'first');
    assert.deepEqual(all, fills);
    assert.deepEqual(
      refusals.map(({ asked, code }) => [asked, code]),
      [['place', 'rule_violation']],
    );
    assert.ok(orders.some(({ status }) => status === 'resting'));
    assert.ok(orders.some(({ status }) => status === 'rejected'));
    assert.ok(Math.abs(account.balance - account.equity!) < 1e-6);
    const { id } = (await opened.client.listAccounts())[0]!;
    assert.deepEqual((await opened.client.listOrders({ account_id: id, status: 'working' })).items, []);
  });

  it('knows past candles from its start on, sees trades and marks, and counts what it is told once', async () => {
    await using opened = await host();
    const over = new AbortController();
    const times = new Set<string>();
    let began = 0;
    const reader = defineStrategy({
      markets: ['BTC', 'ETH'],
      history: { candles: '1m', length: 30 },
      start(bot) {
        began = bot.now;
        for (const market of bot.markets) {
          const candles = bot.candles(market);
          assert.equal(candles.length, 30);
          assert.ok(candles.every(({ time }, at) => at === 0 || time === candles[at - 1]!.time + 60_000));
          assert.ok(candles.at(-1)!.time <= bot.now - 60_000 && candles[0]!.volume > 0);
          const { mark, fundingRate, fundingHours } = bot.marks(market);
          assert.ok(mark! > 0 && fundingHours === 1, JSON.stringify(bot.marks(market)));
          assert.equal(fundingRate, 0.0000125);
        }
      },
      onTrade(_, { market, side, price, size, time }) {
        assert.ok(time > began - 1_000 && price > 0 && size > 0 && (side === 'buy' || side === 'sell'));
        times.add(`${market} ${time}`);
        if (times.size > 20) over.abort();
      },
    });
    await trade(reader, { client: opened.client, signal: over.signal });
    assert.ok(times.size > 20);
  });

  it('needs the streams, and says which address is missing', async () => {
    await using opened = await host(false);
    const strategy = defineStrategy({ markets: ['BTC'] });
    await assert.rejects(trade(strategy, { client: opened.client }), (error: PerpError) => {
      assert.ok(error instanceof PerpError);
      return /StreamUrl$/.test(error.field!);
    });
    await assert.rejects(trade(strategy, {}), { field: 'client' });
  });

  it('ends with the error of a strategy that fails, and leaves its orders', async () => {
    await using opened = await host();
    const failing = defineStrategy({
      markets: ['BTC'],
      start: (bot) => void bot.place({ market: 'BTC', side: 'buy', size: 0.01, price: 20_000 }),
      onOrder() {
        throw new RangeError('no more');
      },
    });
    await assert.rejects(trade(failing, { client: opened.client }), { name: 'StrategyError', at: 'onOrder' });
    const { id } = (await opened.client.listAccounts())[0]!;
    assert.equal((await opened.client.listOrders({ account_id: id, status: 'working' })).items.length, 1);
  });
});

describe('a strategy that is stopped while it waits', () => {
  it('ends at the present time, and does not do what it wanted to do later', async () => {
    await using opened = await host();
    const over = new AbortController();
    const done: string[] = [];
    let ended = 0;
    const patient = defineStrategy({
      markets: ['BTC'],
      every: { '1h': () => void done.push('every hour') },
      start(bot) {
        bot.after('1h', () => void done.push('in an hour'));
        // It waits by then.
        setImmediate(() => over.abort());
      },
      end(bot) {
        ended = bot.now;
      },
    });
    const { end } = await trade(patient, { client: opened.client, signal: over.signal });
    assert.deepEqual(done, []);
    assert.equal(ended, end);
    assert.ok(end <= Date.now());
  });
});

describe('a strategy whose stream ends for good', () => {
  it('ends at once, however long it would wait', async () => {
    await using opened = await host();
    const hasStarted = Promise.withResolvers<void>();
    const accountStream = async function* (options?: StreamOptions) {
      for await (const event of opened.client.accountStream(options)) {
        yield event;
        if (event.type !== 'snapshot') continue;
        await hasStarted.promise;
        throw new PerpError({ code: 'stream_ended', message: 'It is over.' });
      }
    };
    const client = { ...opened.client, accountStream } as Client;
    const patient = defineStrategy({
      markets: ['BTC'],
      // It waits by then.
      start(bot) {
        bot.after('1h', () => {});
        setImmediate(hasStarted.resolve);
      },
    });
    await assert.rejects(trade(patient, { client }), { message: 'It is over.' });
  });
});

describe('a strategy whose host was away', () => {
  it('learns the fills and the ends of orders that it missed, although newer ones come first', async () => {
    const first = await servedSimulation({ clock: 'real', startTime: undefined });
    const { baseUrl, streamUrl, stateDir } = first;
    const own = createClient({ transport: httpTransport(baseUrl), credential: async () => first.key });
    const { api_key: key } = (await own.call('simCreateKey', { body: { scope: 'trade' } })).data;
    const urls = { marketStreamUrl: streamUrl, accountStreamUrl: streamUrl };
    await using client = connect({ baseUrl, key, journal: null, ...urls });
    const { client: watched, isBack, isBought } = watching(client, 'after');
    const over = new AbortController();
    const seen: string[] = [];
    const isResting = Promise.withResolvers<void>();
    const hasPrice = Promise.withResolvers<void>();
    const isAway = Promise.withResolvers<number>();
    const waiting = defineStrategy({
      markets: ['BTC'],
      start: (bot) => void bot.place({ market: 'BTC', side: 'buy', size: 0.01, price: 20_000, clientId: 'rests' }),
      onTick(bot, { market, mid }) {
        if (mid === null) isAway.resolve(bot.book(market).bids.length);
        else hasPrice.resolve();
      },
      onFill: (_, { clientId, size }) => void seen.push(`${clientId} ${size}`),
      onOrder(_, { clientId, status }) {
        if (clientId !== 'rests') return;
        seen.push(`${clientId} ${status}`);
        if (status === 'resting') isResting.resolve();
        if (status === 'canceled') over.abort();
      },
    });
    const running = trade(waiting, { client: watched, signal: over.signal });
    await Promise.all([isResting.promise, hasPrice.promise]);
    await first.stop();
    assert.equal(await isAway.promise, 0, 'what may have changed is not shown');
    await missedMeanwhile(stateDir);
    const port = Number(new URL(baseUrl).port);
    const again = await serve({ stateDir, state: 'default', port, sandboxPort: 0, rateLimit: 'off', drainMs: 0 });
    try {
      await isBack;
      await client.createOrder({ ...bought, account_id: 'acc_000000001', size: 0.03, client_order_id: 'after' });
      await isBought;
      await running;
    } finally {
      await again.stop();
      await first[Symbol.asyncDispose]();
    }
    assert.deepEqual(seen.sort(), ['after 0.03', 'meanwhile 0.02', 'rests canceled', 'rests resting']);
  });
});

const bought = { market_id: 'binance|BTCUSDT', side: 'buy', leverage: 1, margin_mode: 'cross' } as const;

/** A client whose lists wait until its stream has come back and told of a fill; and when that is. */
function watching(client: Client, fill: string) {
  const [back, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let snapshots = 0;
  const listFills: Client['listFills'] = (...asked) => {
    // Only the one by which it catches up waits: it asks for more than the newest.
    const list = async () => {
      if (asked[0].limit !== 1) await seen.promise;
      return client.listFills(...asked);
    };
    const rows = async function* () {
      await seen.promise;
      yield* client.listFills(...asked);
    };
    return Object.assign(list(), { [Symbol.asyncIterator]: rows });
  };
  const accountStream = async function* (options?: StreamOptions) {
    for await (const event of client.accountStream(options)) {
      yield event;
      if (event.type === 'snapshot' && ++snapshots === 2) back.resolve();
      if (event.type === 'fill' && event.fill.client_order_id === fill) seen.resolve();
    }
  };
  const watched = { ...client, listFills, accountStream } as Client;
  return { client: watched, isBack: back.promise, isBought: seen.promise };
}

/** Cancels what rests, and buys. */
async function missedMeanwhile(folder: string): Promise<void> {
  await using simulation = await Simulation.open({ folder });
  const { client } = simulation;
  const { id } = (await client.listAccounts())[0]!;
  await client.cancelAllAccountOrders({ account_id: id });
  await client.createOrder({ ...bought, account_id: id, size: 0.02, client_order_id: 'meanwhile' });
}
