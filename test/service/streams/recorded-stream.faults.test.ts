import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { recordingFile } from '../../recordings/by-hand.ts';
import { ask, served } from '../serving.ts';
import { type Frame, StreamClient, waitFor } from './stream-client.ts';

const btc = { symbols: ['BTCUSDT'], providers: ['binance'] };

interface Print {
  time: number;
  price: string;
  size: string;
  side: string;
}

/** Every line of the recording, without our reader of recordings. */
const lines = gunzipSync(readFileSync(recordingFile))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const prints: Print[] = lines.filter(({ trade }) => trade).map(({ time, trade }) => ({ time, ...trade }));
const firstTime: number = lines[0].time;
const lastTime: number = lines.at(-1).time;

/** Candles of the recording, computed by hand: from its prints, in exact thousandths and tenths. */
function candlesByHand(lengthMs: number) {
  const candles = [];
  const start = Math.floor(prints[0]!.time / lengthMs) * lengthMs;
  let last = '';
  for (let openTime = start; openTime + lengthMs <= lastTime; openTime += lengthMs) {
    const within = prints.filter(({ time }) => time >= openTime && time < openTime + lengthMs);
    const prices = within.map(({ price }) => price);
    const byValue = prices.toSorted((a, b) => Number(a) - Number(b));
    const lots = within.map(({ size }) => BigInt(Math.round(Number(size) * 1000)));
    const open = prices[0] ?? last;
    last = prices.at(-1) ?? last;
    candles.push({
      openTime,
      closeTime: openTime + lengthMs - 1,
      open: Number(open),
      high: Number(byValue.at(-1) ?? last),
      low: Number(byValue[0] ?? last),
      close: Number(last),
      volume: Number(lots.reduce((sum, size) => sum + size, 0n)) / 1000,
      trades: within.length,
      isFinal: true,
    });
  }
  return candles;
}

/** A candle event in numbers. */
function inNumbers({ openTime, closeTime, open, high, low, close, volume, trades, isFinal }: Frame) {
  const prices = { open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
  return { openTime, closeTime, ...prices, volume: Number(volume), trades, isFinal };
}

test('every print of the real recording comes once, and the candles match these prints', async (t) => {
  const serving = await served(t, { books: recordingFile, startTime: undefined });
  const { baseUrl, key } = serving;
  const client = await StreamClient.market(t, baseUrl);
  const trades = await client.subscribe('trades', btc);
  const candles = await client.subscribe('candles', { ...btc, intervals: ['1s', '1m', '5m'], historyLimit: 0 });
  for (let time = firstTime; time < lastTime; ) {
    time = Math.min(time + 30_000, lastTime);
    await ask(`${baseUrl}/sim/advance`, key, { method: 'POST', json: { to: time } });
    const come = prints.findLastIndex((print) => print.time <= time) + 1;
    await waitFor(() => client.eventsOf(trades.sub).length >= come, `${come} prints`);
  }
  const told = client.eventsOf(trades.sub);
  assert.equal(told.length, prints.length);
  assert.equal(new Set(told.map(({ tradeId }) => tradeId)).size, prints.length);
  const inNumbersOf = ({ time, price, size, side }: Print) => [time, Number(price), Number(size), side];
  assert.deepEqual(told.map(inNumbersOf), prints.map(inNumbersOf));
  await client.request('ping');
  for (const [interval, lengthMs] of [
    ['1s', 1_000],
    ['1m', 60_000],
    ['5m', 300_000],
  ] as const) {
    const finals = client.eventsOf(candles.sub).filter((event) => event.interval === interval && event.isFinal);
    assert.deepEqual(finals.map(inNumbers), candlesByHand(lengthMs), interval);
    const payload = { provider: 'binance', symbol: 'BTCUSDT', interval, limit: 1500, endTime: lastTime - lengthMs };
    const { result } = await client.request('candles.history', payload);
    assert.deepEqual(result.map(inNumbers), candlesByHand(lengthMs), `${interval} by history`);
  }
});

test('the recording on a running clock: a reader misses nothing', async (t) => {
  let wall = Date.now();
  const options = { books: recordingFile, clock: 'real', speed: 100, startTime: undefined, wall: () => wall } as const;
  const serving = await served(t, options);
  const client = await StreamClient.market(t, serving.baseUrl);
  const { sub } = await client.subscribe('trades', btc);
  for (let time = firstTime; time < lastTime; ) {
    wall += 200;
    time += 200 * options.speed;
    const latest = prints.findLast((print) => print.time <= time)?.time ?? 0;
    await waitFor(() => (client.eventsOf(sub).at(-1)?.time ?? 0) >= latest, `the prints until ${time}`);
  }
  const told = client.eventsOf(sub);
  assert.deepEqual(
    told.map(({ time, price, size }) => [time, Number(price), Number(size)]),
    prints.map(({ time, price, size }) => [time, Number(price), Number(size)]),
  );
});
