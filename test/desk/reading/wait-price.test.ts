import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCondition } from '../../../src/desk/reading/condition.ts';
import { type Met, waitFor } from '../../../src/desk/reading/wait.ts';
import { SessionMemory } from '../../../src/desk/session/memory.ts';
import type { Session } from '../../../src/desk/session/session.ts';
import { ScriptedHost, VirtualTime } from '../../wire/client/streams/scripted-stream.ts';

const of = { provider: 'binance', symbol: 'BTCUSDT' };
const tick = (kind: 'last' | 'mid', time: number, price: number) => ({
  ...{ type: 'tick', ...of, kind, price: `${price}`, time },
});
const trade = (time: number, price: number) => ({
  ...{ type: 'trade', ...of, tradeId: `${time}`, side: 'buy', price: `${price}`, size: '1', time },
});
const second = (openTime: number, low: number, high: number) => ({
  ...{ type: 'candle', ...of, interval: '1s', openTime, closeTime: openTime + 999, isFinal: true },
  ...{ open: `${low}`, high: `${high}`, low: `${low}`, close: `${low}`, volume: '0', quoteVolume: null, trades: null },
});

/** Waits for a price on a stream whose frames the test writes. */
async function wait(t: { after(fn: () => void): void }, text: string) {
  const host = new ScriptedHost();
  const time = new VirtualTime();
  const notes: string[] = [];
  const over = new AbortController();
  t.after(() => over.abort());
  const market = { ...of, market_id: 'binance|BTCUSDT', symbol: 'BTC', coin: 'BTCUSDT' };
  const answers: Record<string, unknown> = { listMarkets: [market], getMarketQuote: { mid: null, time: 0 } };
  const session = {
    ...{ settings: { environment: 'live' }, memory: new SessionMemory({ isHost: true }), signal: over.signal },
    call: async (id: string) => ({ data: answers[id] }),
    access: async () => ({ streams: async () => ({ market: host.transport }) }),
    note: (said: string) => notes.push(said),
    machine: { variables: {}, now: () => 0, stage: { timers: time } },
  } as unknown as Session;
  let met: Met | undefined;
  waitFor(session, parseCondition(text), over.signal).then(
    (result) => {
      met = result;
    },
    () => {},
  );
  while (host.connections.length === 0) await new Promise(setImmediate);
  await time.pass(0);
  const handles = () => {
    const { newest } = host;
    const subscribed = newest.sent.filter(({ op }) => op === 'sub');
    for (const { id, channel } of subscribed)
      newest.say({ op: 'sub_ok', id, sub: `${channel} ${host.connections.length}`, snapshotBoundary: false });
    return subscribed.map(({ channel }) => channel as string);
  };
  const channels = handles();
  return {
    notes,
    channels,
    /** The stream sends an event of a channel. */
    send: (channel: string, ...events: object[]) =>
      host.newest.say({ op: 'events', sub: `${channel} ${host.connections.length}`, events }),
    /** The stream is lost, and back a second later. */
    loseStream: async () => {
      host.newest.lose();
      await time.pass(1_000);
      handles();
    },
    met: async () => {
      await time.pass(0);
      return met;
    },
  };
}

describe('a wait for a last price', () => {
  it('is over at the trade that reaches it, also where its tick was lost', async (t) => {
    const waiting = await wait(t, 'BTC last >= 110');
    assert.deepEqual(waiting.channels, ['ticks', 'trades', 'candles']);
    waiting.send('ticks', tick('last', 1_000, 100));
    waiting.send('trades', trade(1_000, 100));
    assert.deepEqual(waiting.notes, ["BTC's last price is 100."]);
    await waiting.loseStream();
    assert.equal(await waiting.met(), undefined);
    waiting.send('trades', trade(1_000, 100), trade(1_500, 112), trade(1_600, 100));
    waiting.send('ticks', tick('last', 1_600, 100));
    assert.deepEqual(await waiting.met(), { at: 1_500, price: 112, bound: 110, from: 'stream' });
  });

  it('does not count trades from before it', async (t) => {
    const waiting = await wait(t, 'BTC last >= 110');
    waiting.send('trades', trade(900, 120));
    waiting.send('ticks', tick('last', 1_000, 100));
    waiting.send('trades', trade(900, 120), trade(1_000, 120));
    waiting.send('candles', second(0, 100, 120));
    assert.equal(await waiting.met(), undefined);
    waiting.send('candles', second(1_000, 99, 111));
    assert.deepEqual(await waiting.met(), { at: 1_000, price: 111, bound: 110, from: 'candle' });
  });
});

describe('a wait for a midpoint', () => {
  it('counts candles only of seconds in which its stream was lost', async (t) => {
    const waiting = await wait(t, 'BTC mid <= 90');
    assert.deepEqual(waiting.channels, ['ticks', 'candles']);
    waiting.send('ticks', tick('mid', 1_000, 100));
    waiting.send('candles', second(1_000, 80, 100));
    assert.equal(await waiting.met(), undefined, 'the stream has told every midpoint of it');
    await waiting.loseStream();
    waiting.send('ticks', tick('mid', 3_500, 100));
    waiting.send('candles', second(2_000, 95, 100), second(3_000, 80, 100), second(4_000, 80, 100));
    assert.equal(await waiting.met(), undefined, 'none of them is hidden and reaches it');
    await waiting.loseStream();
    waiting.send('ticks', tick('mid', 7_000, 100));
    waiting.send('candles', second(5_000, 95, 100), second(6_000, 85, 100));
    assert.deepEqual(await waiting.met(), { at: 6_000, price: 85, bound: 90, from: 'candle' });
  });
});

it('a wait on a host without an account stream says once that it looks every second', async () => {
  const notes: string[] = [];
  const over = new AbortController();
  let looks = 0;
  const session = {
    ...{ settings: { account: 'acc_1' }, memory: new SessionMemory({ isHost: true }), signal: over.signal },
    call: async (id: string) => {
      if (id === 'listAccounts') return { data: [{ id: 'acc_1', status: 'active' }] };
      looks += 1;
      if (looks === 2) assert.deepEqual(notes, [], 'a stream needs a moment to open');
      // After what comes of this look.
      if (looks === 3) setImmediate(() => over.abort(new Error('enough')));
      return { data: [{ market_id: 'binance|BTCUSDT' }] };
    },
    access: async () => ({ streams: async () => ({}), isInProcess: false }),
    note: (said: string) => notes.push(said),
  } as unknown as Session;
  await assert.rejects(waitFor(session, parseCondition('flat'), over.signal), { message: 'enough' });
  assert.deepEqual([looks, notes], [3, ['No account stream: checking once a second.']]);
});
