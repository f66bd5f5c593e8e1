import assert from 'node:assert/strict';
import type { MarketSource, PrintEvent } from '../../../src/exchange/engine/source.ts';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { PlayedBars } from '../../../src/exchange/markets/played-bars.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { EventText } from '../../../src/service/streams/candles.ts';
import { MarketHub } from '../../../src/service/streams/market-hub.ts';
import { MarketSession } from '../../../src/service/streams/market-session.ts';
import { AccountStream, frameText } from '../../../src/wire/hosting/account-stream.ts';
import { type Sharing, Turns } from '../../../src/wire/hosting/turns.ts';
import { test, trial } from '../../tiers.ts';
import { startTime } from '../serving.ts';
import { allAtOnce } from './all-at-once.ts';
import type { Frame } from './stream-client.ts';

const btc = { symbols: ['BTCUSDT'], providers: ['binance'] };
const mib = 1024 * 1024;

/** An outlet whose reader reads on request; unread frames pile up. */
class SlowOutlet {
  readonly sent: Frame[] = [];
  closed: { code: number; reason: string } | null = null;
  buffered = 0;
  peak = 0;

  send(text: string): void {
    assert.equal(this.closed, null, 'nothing is sent after the close');
    this.sent.push(JSON.parse(text));
    this.buffered += text.length;
    this.peak = Math.max(this.peak, this.buffered);
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
  }

  eventsOf(type: string): Frame[] {
    return this.sent.flatMap(({ events = [] }) => events).filter((event: Frame) => event.type === type);
  }
}

function market(
  source: MarketSource = syntheticSource({ seed: 7 }),
  doPingsCount = () => false,
  turns: Sharing = allAtOnce,
) {
  const hub = new MarketHub(source, new PlayedBars(source, null), () => startTime, turns);
  hub.pulse(startTime, 0);
  const outlet = new SlowOutlet();
  const session = new MarketSession(hub, outlet, 0, { closed() {}, bug: assert.fail, doPingsCount });
  let now = startTime;
  let wallMs = 0;
  let id = 0;
  return {
    outlet,
    session,
    subscribe(channel: string, payload: Frame = btc) {
      id += 1;
      session.receive(JSON.stringify({ op: 'sub', id, channel, payload }), wallMs);
    },
    pass(durationMs: number, steps = 1) {
      for (let step = 0; step < steps; step++) {
        now += durationMs;
        wallMs += durationMs;
        hub.pulse(now, wallMs);
        session.pulse(wallMs);
      }
    },
  };
}

test('a client that has sent nothing for 75 s is disconnected', () => {
  const { outlet, session, pass } = market();
  pass(25_000, 3);
  assert.equal(outlet.closed, null);
  session.receive('{"op":"req","id":1,"method":"ping"}', 75_000);
  pass(25_000, 3);
  assert.equal(outlet.closed, null);
  pass(1);
  assert.deepEqual(outlet.closed, { code: 1008, reason: 'nothing was received for 75 s; send a ping every 20 s' });
});

test('WebSocket pings keep a connection only where that was observed', () => {
  for (const counts of [false, true]) {
    const { outlet, session, pass } = market(undefined, () => counts);
    for (let ping = 0; ping < 4; ping++) {
      pass(20_000);
      session.pinged(20_000 * (ping + 1));
    }
    assert.equal(outlet.closed === null, counts);
    pass(25_000, 3);
    pass(50);
    assert.notEqual(outlet.closed, null, 'silent for 76 s');
  }
});

trial('a slow reader misses ticks and books, and gets the current ones once it catches up; all prints arrive', () => {
  const { outlet, subscribe, pass } = market();
  for (const channel of ['ticks', 'books', 'trades']) subscribe(channel);
  pass(1_000, 5);
  outlet.buffered = 2 * mib;
  const before = { tick: outlet.eventsOf('tick').length, book: outlet.eventsOf('book').length };
  const trades = outlet.eventsOf('trade').length;
  pass(1_000, 30);
  assert.deepEqual({ tick: outlet.eventsOf('tick').length, book: outlet.eventsOf('book').length }, before);
  assert.ok(outlet.eventsOf('trade').length > trades);
  outlet.buffered = 0;
  pass(1);
  const kinds = outlet
    .eventsOf('tick')
    .slice(before.tick)
    .map(({ kind }) => kind);
  assert.deepEqual(kinds.slice(0, 3), ['last', 'mid', 'mark']);
  assert.ok(outlet.eventsOf('book').length > before.book);
});

test('a slow reader gets every final candle', () => {
  const { outlet, subscribe, pass } = market();
  subscribe('candles', { ...btc, intervals: ['1s'], historyLimit: 0 });
  outlet.buffered = 2 * mib;
  pass(1_000, 30);
  const candles = outlet.eventsOf('candle');
  assert.equal(candles.filter(({ isFinal }) => isFinal).length, 30);
  assert.equal(candles.length, 30);
  const openTimes = candles.map(({ openTime }) => openTime);
  assert.deepEqual(
    openTimes,
    openTimes.map((_, index) => openTimes[0] + index * 1000),
  );
});

trial('a reader that never reads is disconnected with a reason, and its backlog stays bounded', () => {
  const { outlet, subscribe, pass } = market();
  for (let count = 0; count < 60; count++) subscribe('trades');
  pass(50_000, 30);
  assert.deepEqual(outlet.closed, { code: 1013, reason: 'more than 8 MiB are waiting to be read' });
  assert.ok(outlet.peak < 9 * mib, `${outlet.peak} bytes`);
});

trial('a long replay waits for its reader and loses no bar', async () => {
  const { outlet, session, subscribe, pass } = market();
  outlet.buffered = 2 * mib;
  const symbols = ['BTCUSDT', 'ETHUSDT'];
  subscribe('candles', { symbols, providers: ['binance'], intervals: ['1s', '1m'], historyLimit: 10 });
  pass(1_000, 5);
  assert.deepEqual(
    outlet.sent.map(({ op }) => op),
    ['sub_ok'],
  );
  outlet.buffered = 0;
  const patience = Date.now() + 60_000;
  while (outlet.sent.at(-1).op !== 'snapshot_end' && Date.now() < patience) {
    session.pulse(6_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(outlet.sent.at(-1).op, 'snapshot_end');
  pass(1_000, 3);
  for (const symbol of symbols) {
    const finals = outlet
      .eventsOf('candle')
      .filter((one) => one.symbol === symbol && one.interval === '1s' && one.isFinal);
    assert.deepEqual(
      finals.map(({ openTime }) => (openTime - startTime) / 1000),
      Array.from({ length: 13 }, (_, at) => at - 5),
    );
  }
});

test('an account stream sends a heartbeat after 15 s without another frame', () => {
  const outlet = new SlowOutlet();
  const stream = new AccountStream();
  stream.begin(outlet, () => true, [], 0);
  const before = outlet.sent.length;
  stream.pulse(14_999);
  assert.equal(outlet.sent.length, before);
  stream.pulse(15_000);
  assert.deepEqual(outlet.sent.at(-1), { type: 'heartbeat' });
  stream.send(frameText('account', { time: 1 }), 20_000);
  stream.pulse(30_000);
  assert.equal(outlet.sent.length, before + 2);
  stream.pulse(35_000);
  assert.equal(outlet.sent.length, before + 3);
});

test('an account stream ends with its credential', () => {
  const outlet = new SlowOutlet();
  const stream = new AccountStream();
  let isGood = true;
  stream.begin(outlet, () => isGood, [], 0);
  assert.equal(stream.pulse(15_000), false);
  isGood = false;
  assert.equal(stream.pulse(30_000), true);
  assert.equal(outlet.sent.at(-1).code, 'unauthorized');
  assert.deepEqual(outlet.closed, { code: 4003, reason: 'the credential was revoked or expired' });
});

test('an account stream on which there is always something ends with its credential, too', () => {
  const outlet = new SlowOutlet();
  const stream = new AccountStream();
  let isGood = true;
  stream.begin(outlet, () => isGood, [], 0);
  let second = 0;
  for (; second < 60; second += 1) {
    stream.send(frameText('account', { time: 1 }), second * 1_000);
    isGood = second < 5;
    if (stream.pulse(second * 1_000 + 500)) break;
  }
  assert.equal(second, 15);
  assert.equal(outlet.closed?.code, 4003);
});

test('a stream can be resumed for 100 s, not longer', () => {
  for (const [afterMs, isKept] of [
    [100_000, true],
    [100_001, false],
  ] as const) {
    const outlet = new SlowOutlet();
    const stream = new AccountStream();
    stream.begin(outlet, () => true, [frameText('snapshot', { time: 1 })], 0);
    stream.disconnect(outlet, 1_000);
    stream.send(frameText('account', { time: 2 }), 1_000);
    stream.send(frameText('account', { time: 3 }), 2_000);
    assert.equal(stream.pulse(1_000 + afterMs), !isKept, 'whether it has expired');
    const next = new SlowOutlet();
    assert.equal(
      stream.resume(next, () => true, 1, 1_000 + afterMs),
      isKept,
    );
    assert.deepEqual(
      next.sent.map(({ type, seq }) => [type, seq]),
      isKept
        ? [
            ['hello', undefined],
            ['account', 2],
            ['account', 3],
          ]
        : [],
    );
  }
});

test('a reader of an account stream that reads nothing is disconnected with a reason', () => {
  const outlet = new SlowOutlet();
  const stream = new AccountStream();
  stream.begin(outlet, () => true, [], 0);
  const account = { time: 1, text: 'x'.repeat(10_000) };
  for (let count = 0; count < 1_000 && outlet.closed === null; count++) stream.send(frameText('account', account), 0);
  assert.deepEqual(outlet.closed, { code: 1013, reason: 'more than 8 MiB are waiting to be read' });
});

test('a book event has at most 50 levels a side, best first', async () => {
  const { Book } = await import('../../../src/exchange/engine/book/book.ts');
  const book = new Book();
  const side = (sign: 1 | -1) =>
    Array.from({ length: 60 }, (_, level) => [1000 + sign * (level + 1), level + 1]).flat();
  book.load({ time: 5, sequence: 1, bids: side(-1), asks: side(1) });
  const text = new EventText(defaultCatalog.find(({ marketId }) => marketId === 'binance|BTCUSDT')!);
  const { bids, asks } = JSON.parse(text.book(book));
  assert.deepEqual([bids.length, asks.length], [50, 50]);
  assert.deepEqual(
    [bids[0], bids[49]],
    [
      { px: '99.9', sz: '0.001' },
      { px: '95.0', sz: '0.050' },
    ],
  );
  assert.deepEqual(asks[0], { px: '100.1', sz: '0.001' });
});

test('prices, midpoints and amounts are exact decimals with the decimals of their market', () => {
  const text = new EventText({
    ...defaultCatalog.find(({ marketId }) => marketId === 'binance|BTCUSDT')!,
    priceDecimals: 2,
    sizeDecimals: 3,
  });
  assert.deepEqual(
    [text.price(8437320), text.mid(2 * 8437320), text.mid(2 * 8437320 + 1)],
    ['84373.20', '84373.20', '84373.205'],
  );
  const print = { kind: 'print', marketId: '', time: 17, price: 8437310, size: 42, side: 'sell' } satisfies PrintEvent;
  const { price, size, tradeId } = JSON.parse(text.trade(print, 12));
  assert.deepEqual([price, size, tradeId], ['84373.10', '0.042', '170012']);
  const bar = {
    openTime: 0,
    endTime: 60_000,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 1,
    quoteVolume: 1n,
    count: 1,
  };
  assert.equal(JSON.parse(text.candle('1m', bar, true)!).quoteVolume, '0.00001');
});

trial('a clock that jumps and then stands still leaves the change over 24 hours known', async () => {
  const { outlet, subscribe, pass } = market(undefined, undefined, new Turns((error) => assert.fail(String(error))));
  subscribe('marketStats');
  const isRead = () => outlet.eventsOf('marketStats').some(({ change24hPct: change }) => typeof change === 'number');
  while (!isRead()) await new Promise((resolve) => setImmediate(resolve));
  pass(2 * 3_600_000);
  for (let turn = 0; turn < 50; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    pass(0);
  }
  assert.deepEqual(
    outlet.eventsOf('marketStats').filter(({ change24hPct: change }) => change === null),
    [],
  );
});
