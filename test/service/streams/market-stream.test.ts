import assert from 'node:assert/strict';
import { test, trial } from '../../tiers.ts';
import { ask, served, startTime } from '../serving.ts';
import { type Frame, StreamClient, waitFor } from './stream-client.ts';

const btc = { symbols: ['BTCUSDT'], providers: ['binance'] };
const minuteMs = 60_000;

type Serving = Awaited<ReturnType<typeof served>>;

async function advance({ baseUrl, key }: Serving, durationMs: number): Promise<void> {
  const { status } = await ask(`${baseUrl}/sim/advance`, key, { method: 'POST', json: { duration_ms: durationMs } });
  assert.equal(status, 200);
}

test('the stream answers on both ports, and the client sends the first frame', async (t) => {
  const serving = await served(t);
  for (const url of [serving.baseUrl, serving.sandboxUrl]) {
    const client = await StreamClient.market(t, url);
    assert.deepEqual(await client.request('ping'), { op: 'res', id: 1, result: startTime });
    assert.equal(client.frames.length, 1);
  }
});

test('ticks start with the last price, the midpoint and the mark, and continue with every change', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const { sub, events } = await client.subscribe('ticks', btc);
  const quote = (await ask(`${serving.baseUrl}/v1/markets/binance%7CBTCUSDT/quote`, serving.key)).body.data;
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['last', 'mid', 'mark'],
  );
  const [last, mid, mark] = events;
  assert.deepEqual([Number(mid.price), Number(mark.price)], [quote.mid, quote.mid]);
  assert.equal(mid.time, quote.time);
  assert.deepEqual(Object.keys(last), ['type', 'provider', 'symbol', 'kind', 'price', 'time']);
  assert.match(last.price, /^\d+\.\d$/, "trailing zeros are kept at the market's precision");
  await advance(serving, 10_000);
  await waitFor(() => client.eventsOf(sub).length > 10, 'ticks');
  const times = client.eventsOf(sub).map(({ time }) => time);
  assert.deepEqual(times.slice(3), times.slice(3).sort());
  assert.ok(times.at(-1) <= startTime + 10_000);
});

test('a subscription right after the clock has moved begins with what is, not with what was', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  await client.subscribe('ticks', btc);
  for (const channel of ['ticks', 'books', 'marketStats']) {
    await advance(serving, 20_000);
    const { events } = await client.subscribe(channel, btc);
    const quote = (await ask(`${serving.baseUrl}/v1/markets/binance%7CBTCUSDT/quote`, serving.key)).body.data;
    assert.ok(events.findLast(({ kind = 'mid' }) => kind === 'mid').time >= quote.time, channel);
  }
});

test('a book shows the best 50 levels that orders trade against, all of them each time', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const { sub, events } = await client.subscribe('books', btc);
  const { bids, asks } = serving.simulation.facts.source.book('binance|BTCUSDT', startTime)!;
  const level = (flat: readonly number[], index: number) => ({
    px: (flat[2 * index]! / 10).toFixed(1),
    sz: (flat[2 * index + 1]! / 1000).toFixed(3),
  });
  assert.equal(events.length, 1);
  const levels = (flat: readonly number[]) =>
    Array.from({ length: Math.min(50, flat.length / 2) }, (_, index) => level(flat, index));
  assert.deepEqual([events[0].bids, events[0].asks], [levels(bids), levels(asks)]);
  await advance(serving, 5_000);
  const now = serving.simulation.facts.source.book('binance|BTCUSDT', startTime + 5_000)!;
  await waitFor(() => client.eventsOf(sub).at(-1).time === now.time, 'the last book');
  assert.deepEqual(client.eventsOf(sub).at(-1).bids[0], level(now.bids, 0));
});

test('a book comes at most once in 100 ms, however much happens', async (t) => {
  const serving = await served(t, { clock: 'real', speed: 100 });
  const client = await StreamClient.market(t, serving.baseUrl);
  const from = performance.now();
  const { sub } = await client.subscribe('books', btc);
  const books = () => client.eventsOf(sub).length - 1;
  await waitFor(() => books() >= 5, 'five books');
  const tookMs = performance.now() - from;
  assert.ok(books() <= 1 + tookMs / 100, `${books()} books in ${tookMs} ms`);
});

trial('trades replay the last 1,000 prints up to the boundary, then every print once', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const { id, sub, events } = await client.subscribe('trades', btc);
  assert.deepEqual(events.map(essentials), last1000PrintsOf(serving, startTime));
  const ops = client.frames.filter((frame) => frame.id === id || frame.sub === sub).map(({ op }) => op);
  assert.deepEqual([ops[0], ops.at(-1)], ['sub_ok', 'snapshot_end']);
  for (let step = 0; step < 3; step++) await advance(serving, 20_000);
  const live = printsOf(serving, startTime, startTime + minuteMs);
  await waitFor(() => client.eventsOf(sub).length >= 1000 + live.length, 'the prints');
  const all = client.eventsOf(sub);
  assert.deepEqual(all.slice(1000).map(essentials), live);
  assert.equal(new Set(all.map(({ tradeId }) => tradeId)).size, all.length, 'ids are unique');
  const again = await client.subscribe('trades', btc);
  assert.deepEqual(again.events, all.slice(-1000), 'the same for every client, whenever it subscribes');
});

trial(
  'after a jump of the clock: the last 1,000 prints, the current book and stats, and candles from history',
  async (t) => {
    const serving = await served(t);
    const client = await StreamClient.market(t, serving.baseUrl);
    const trades = await client.subscribe('trades', btc);
    const books = await client.subscribe('books', btc);
    const candles = await client.subscribe('candles', { ...btc, intervals: ['1m'], historyLimit: 1 });
    await advance(serving, 2 * 3_600_000);
    const now = startTime + 2 * 3_600_000;
    await waitFor(() => client.eventsOf(trades.sub).length >= 2000, 'the prints');
    assert.deepEqual(client.eventsOf(trades.sub).slice(1000).map(essentials), last1000PrintsOf(serving, now));
    await waitFor(() => client.eventsOf(books.sub).length === 2, 'the book');
    const book = serving.simulation.facts.source.book('binance|BTCUSDT', now)!;
    assert.equal(client.eventsOf(books.sub)[1].time, book.time);
    const finals = client.eventsOf(candles.sub).filter(({ isFinal }) => isFinal);
    assert.equal(finals.length, 1, 'the replayed one');
    const history = await client.request('candles.history', {
      provider: 'binance',
      symbol: 'BTCUSDT',
      interval: '1m',
      startTime: finals[0].openTime + 1,
      limit: 1500,
    });
    assert.equal(history.result.length, 121);
    assert.ok(history.result.slice(0, -1).every(({ isFinal }: Frame) => isFinal));
  },
);

trial(
  'candles replay closed bars and the forming one; a bar is finished once, and the next starts at its close',
  async (t) => {
    const serving = await served(t);
    const client = await StreamClient.market(t, serving.baseUrl);
    const { sub, events } = await client.subscribe('candles', { ...btc, intervals: ['1m', '5m'], historyLimit: 3 });
    assert.deepEqual(
      events.map(({ interval, openTime, isFinal }) => [interval, (openTime - startTime) / minuteMs, isFinal]),
      [
        ...[-3, -2, -1].map((minute) => ['1m', minute, true]),
        ['1m', 0, false],
        ...[-15, -10, -5].map((minute) => ['5m', minute, true]),
        ['5m', 0, false],
      ],
    );
    assert.equal(events[0].closeTime, events[0].openTime + minuteMs - 1);
    for (let step = 1; step <= 5; step++) {
      const before = client.frames.length;
      await advance(serving, 30_000);
      await waitFor(() => client.frames.length > before, 'what happened in half a minute');
    }
    const minutes = () =>
      client
        .eventsOf(sub)
        .filter(({ interval }) => interval === '1m')
        .slice(4);
    await waitFor(() => minutes().at(-1)?.openTime === startTime + 2 * minuteMs, 'the third minute');
    const sent = minutes().map((event) => JSON.stringify(event));
    assert.deepEqual(
      sent.filter((text, at) => text === sent[at - 1]),
      [],
      'an unchanged bar is not sent again',
    );
    const finals = minutes().filter(({ isFinal }) => isFinal);
    assert.deepEqual(
      finals.map(({ openTime }) => (openTime - startTime) / minuteMs),
      [0, 1],
    );
    for (const final of finals) assert.deepEqual(final, candleOf(serving, final.openTime, final.openTime + minuteMs));
    const second = minutes().find(({ openTime, isFinal }) => openTime === startTime + minuteMs && !isFinal);
    assert.deepEqual(
      [second.open, second.close, second.volume, second.trades],
      [finals[0].close, finals[0].close, '0.000', 0],
    );
  },
);

test('candles.history pages backward by endTime, in ascending order within a page, with at most 1,500 bars', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const ask = async (more: Frame) => {
    const payload = { provider: 'binance', symbol: 'BTCUSDT', interval: '1m', ...more };
    const { result } = await client.request('candles.history', payload);
    return result.map(({ openTime }: Frame) => (openTime - startTime) / minuteMs);
  };
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  assert.deepEqual(await ask({ limit: 3 }), [-2, -1, 0]);
  assert.deepEqual(await ask({ limit: 3, endTime: startTime - 2 * minuteMs - 1 }), [-5, -4, -3]);
  assert.deepEqual(await ask({ limit: 2, endTime: startTime - 2 * minuteMs }), [-3, -2], 'bounds are inclusive');
  assert.deepEqual(await ask({ limit: 2, startTime: startTime - 9 * minuteMs }), [-9, -8]);
  assert.deepEqual(
    await ask({ startTime: startTime - 9 * minuteMs, endTime: startTime - 7 * minuteMs }),
    range(-9, -7),
  );
  assert.deepEqual(await ask({ endTime: 0 }), [-startTime / minuteMs], 'synthetic markets start at the Unix epoch');
  assert.deepEqual(await ask({ startTime: startTime + minuteMs }), [], 'none in the future');
  assert.equal((await ask({ limit: 5000 })).length <= 1500, true);
});

test('marketStats start with everything that is known, then send patches of what changed', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const { sub, events } = await client.subscribe('marketStats', btc);
  assert.equal(events.length, 1);
  const [full] = events;
  // Its funding is the carry: 3 bps a day.
  assert.deepEqual([full.fundingRate, full.fundingIntervalHours, full.openInterestUsd], [0.0000125, 1, null]);
  assert.ok(full.dayNtlVlm > 0);
  const quote = (await ask(`${serving.baseUrl}/v1/markets/binance%7CBTCUSDT/quote`, serving.key)).body.data;
  assert.equal(full.markPx, quote.mid);
  const dayAgo = serving.simulation.facts.source.book('binance|BTCUSDT', startTime - 24 * 3_600_000)!;
  const before = (dayAgo.bids[0]! + dayAgo.asks[0]!) / 20;
  assert.ok(Math.abs(full.change24hPct - 100 * (quote.mid / before - 1)) < 1e-3);
  await advance(serving, 20_000);
  await waitFor(() => client.eventsOf(sub).length > 1, 'a patch');
  const patch = client.eventsOf(sub)[1];
  assert.ok(!('openInterestUsd' in patch) && 'dayNtlVlm' in patch);
});

test('status says whether fresh books arrive, for markets or for whole providers', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const { events } = await client.subscribe('status', { providers: ['binance', 'hyperliquid'] });
  assert.deepEqual(
    events.map(({ type, provider, symbol, status }) => [type, provider, symbol, status]),
    [
      ['status', 'binance', undefined, 'up'],
      ['status', 'hyperliquid', undefined, 'up'],
    ],
  );
  const { result } = await client.request('status.get', btc);
  assert.deepEqual(result, [{ type: 'status', provider: 'binance', symbol: 'BTCUSDT', status: 'up', time: startTime }]);
});

test('the sample frames are answered as documented', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const samples = [
    '{"op":"sub","id":1,"channel":"ticks","payload":{"symbols":["BTCUSDT","ETHUSDT"],"providers":["binance"]}}',
    '{"op":"sub","id":2,"channel":"books","payload":{"symbols":["BTCUSDT"],"providers":["binance"]}}',
    '{"op":"sub","id":3,"channel":"trades","payload":{"symbols":["BTCUSDT"],"providers":["binance"]}}',
    '{"op":"sub","id":4,"channel":"candles","payload":{"symbols":["xyz:GOLD"],"providers":["hyperliquid"],"intervals":["1m","5m"],"historyLimit":3}}',
    '{"op":"sub","id":5,"channel":"marketStats","payload":{"symbols":["BTCUSDT"],"providers":["binance"]}}',
    '{"op":"req","id":6,"method":"ping"}',
    `{"op":"req","id":7,"method":"candles.history","payload":{"provider":"binance","symbol":"BTCUSDT","interval":"1h","limit":2,"endTime":${startTime - 1}}}`,
    '{"op":"sub","id":8,"channel":"status","payload":{"providers":["binance"]}}',
    '{"op":"unsub","id":2}',
    '{"op":"sub","id":9,"channel":"trades","payload":{"symbols":["NOSUCH"],"providers":["binance"]}}',
  ];
  for (const sample of samples) client.send(sample);
  await client.until((frame) => frame.op === 'sub_err');
  await client.until((frame) => frame.id === 7);
  const shape = client.frames.map((frame) => `${frame.op} ${frame.id ?? frame.events[0].type}`);
  for (const expected of ['sub_ok 1', 'sub_ok 4', 'snapshot_end 3', 'snapshot_end 4', 'res 6', 'res 7', 'sub_err 9'])
    assert.ok(shape.includes(expected), `${expected} in ${shape.join(', ')}`);
  for (const type of ['tick', 'book', 'trade', 'candle', 'marketStats', 'status'])
    assert.ok(shape.includes(`events ${type}`), type);
  const boundaries = client.frames
    .filter(({ op }) => op === 'sub_ok')
    .map(({ id, snapshotBoundary }) => [id, snapshotBoundary]);
  assert.deepEqual(boundaries, [
    [1, false],
    [2, false],
    [3, true],
    [4, true],
    [5, false],
    [8, false],
  ]);
  assert.deepEqual(client.frames.find(({ id }) => id === 9).error, {
    code: 'unknown_market',
    message: 'unknown market',
    symbol: 'NOSUCH',
  });
  const fields =
    'type provider symbol interval openTime closeTime open high low close volume quoteVolume trades isFinal';
  for (const candle of client.frames.find(({ id }) => id === 7).result)
    assert.equal(Object.keys(candle).join(' '), fields);
  const handles = client.frames.filter(({ op }) => op === 'sub_ok').map(({ sub }) => sub);
  assert.equal(new Set(handles).size, handles.length);
});

test('each symbol is looked up at the first provider; without providers, at all of them', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const refused = async (payload: Frame) => {
    await assert.rejects(client.subscribe('ticks', payload), /unknown market/);
  };
  await refused({ symbols: ['BTCUSDT', 'xyz:GOLD'], providers: ['binance', 'hyperliquid'] });
  await refused({ symbols: ['BTCUSDT'], providers: ['hyperliquid'] });
  await refused({ symbols: ['btcusdt'], providers: ['binance'] });
  const { events } = await client.subscribe('ticks', { symbols: ['BTCUSDT', 'xyz:GOLD'] });
  assert.deepEqual([...new Set(events.map(({ provider }) => provider))], ['binance', 'hyperliquid']);
});

test('after unsub, nothing more is sent, and the id is free', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const { id, sub } = await client.subscribe('trades', btc);
  const other = await client.subscribe('trades', btc);
  client.send({ op: 'unsub', id });
  await client.request('ping');
  const before = client.eventsOf(sub).length;
  await advance(serving, 20_000);
  await waitFor(() => client.eventsOf(other.sub).length > 1000, 'prints for the other');
  assert.equal(client.eventsOf(sub).length, before);
  client.send({ op: 'sub', id, channel: 'ticks', payload: btc });
  await waitFor(() => client.frames.filter((frame) => frame.op === 'sub_ok' && frame.id === id).length === 2, 'sub_ok');
});

test('a reader that leaves a market takes nothing from those who stay', async (t) => {
  const serving = await served(t);
  const [one, other] = [await StreamClient.market(t, serving.baseUrl), await StreamClient.market(t, serving.baseUrl)];
  const { sub } = await one.subscribe('ticks', btc);
  const { id } = await other.subscribe('books', btc);
  other.send({ op: 'unsub', id });
  await other.request('ping');
  const before = one.eventsOf(sub).length;
  await advance(serving, 10_000);
  await waitFor(() => one.eventsOf(sub).length > before + 5, 'ticks');
});

test('stopping the service is announced first, then connections close with a reason', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  await client.subscribe('ticks', btc);
  await serving.stop();
  assert.ok(client.frames.some(({ op }) => op === 'draining'));
  assert.deepEqual(await client.untilClosed(), { code: 1001, reason: 'the service is stopping' });
});

trial('a stream changes nothing: the state is the same with and without readers', async (t) => {
  const hashes: string[] = [];
  for (const isRead of [true, false]) {
    const serving = await served(t);
    const { baseUrl, key } = serving;
    if (isRead) await (await StreamClient.market(t, baseUrl)).subscribe('trades', btc);
    if (isRead) await StreamClient.account(t, baseUrl, key);
    const account = (await ask(`${baseUrl}/v1/accounts`, key)).body.data[0].id;
    const order = {
      account_id: account,
      market_id: 'binance|BTCUSDT',
      leverage: 5,
      margin_mode: 'cross',
      type: 'limit',
    };
    const quote = (await ask(`${baseUrl}/v1/markets/binance%7CBTCUSDT/quote`, key)).body.data;
    for (let rung = 1; rung <= 5; rung++) {
      const json = { ...order, side: 'buy', size: 0.01 * rung, limit_price: Math.round(quote.bid - 20 * rung) };
      assert.equal((await ask(`${baseUrl}/v1/orders`, key, { method: 'POST', json })).status, 201);
    }
    for (let step = 0; step < 5; step++) await advance(serving, 30 * minuteMs);
    hashes.push(serving.simulation.read(({ exchange }) => exchange.stateHash()));
  }
  assert.equal(hashes[0], hashes[1]);
});

/** A print's values in a `trade` event. */
function essentials({ side, price, size, time }: Frame) {
  return { side, price, size, time };
}

/** The prints of BTC after `from` up to `to`, from the market source itself. */
function printsOf({ simulation }: Serving, from: number, to: number) {
  const tape = simulation.facts.source.open(from);
  tape.watch('binance|BTCUSDT', true);
  const prints = [];
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    if (event.kind !== 'print') continue;
    const { side, price, size, time } = event;
    prints.push({ side, price: (price / 10).toFixed(1), size: (size / 1000).toFixed(3), time });
  }
  return prints;
}

function last1000PrintsOf(serving: Serving, to: number) {
  const prints = printsOf(serving, to - 20 * minuteMs, to);
  assert.ok(prints.length > 1000);
  return prints.slice(-1000);
}

/** The finished candle of [from, to), computed by hand. */
function candleOf(serving: Serving, from: number, to: number) {
  const prints = printsOf(serving, from - 1, to - 1);
  const prices = prints.map(({ price }) => Number(price));
  const lots = prints.map(({ size }) => Math.round(Number(size) * 1000));
  const worth = prices.reduce((sum, price, index) => sum + Math.round(price * 10) * lots[index]!, 0);
  return {
    type: 'candle',
    provider: 'binance',
    symbol: 'BTCUSDT',
    interval: '1m',
    openTime: from,
    closeTime: to - 1,
    open: prints[0]!.price,
    high: Math.max(...prices).toFixed(1),
    low: Math.min(...prices).toFixed(1),
    close: prints.at(-1)!.price,
    volume: (lots.reduce((sum, size) => sum + size, 0) / 1000).toFixed(3),
    quoteVolume: (worth / 10_000).toFixed(4),
    trades: prints.length,
    isFinal: true,
  };
}
