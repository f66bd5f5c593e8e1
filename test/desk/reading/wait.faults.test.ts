import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realTiming } from '../../../src/base/sockets/timing.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { webSocketTransport } from '../../../src/wire/client/streams/web-socket.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { recordingFile } from '../../recordings/by-hand.ts';
import { seed } from '../../seed.ts';
import { ask, served } from '../../service/serving.ts';
import { waitFor } from '../../service/streams/stream-client.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { CuttingProxy } from '../../wire/client/streams/cutting-proxy.ts';

const crossings = process.env.PERP_LONG === undefined ? 40 : 1_000;
const rounds = 20;
/** Real connections; what waits between attempts waits a twentieth. */
const stage = {
  timers: { ...realTiming, after: (ms: number, run: () => void) => realTiming.after(ms / 20, run) },
  http: (address: string) => httpTransport(address),
  stream: (address: string) => webSocketTransport(address),
  run: async () => undefined,
};
/** A print of the tape counts in ticks. */
const tick = 0.1;

test('last prices need the stream: without its address, a wait for one says so at once', async (t) => {
  const serving = await served(t);
  using desk = new Desk();
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: serving.baseUrl, PERP_API_KEY: serving.key };
  const run = await desk.perp(['wait', 'BTC last > 1', '--json'], { variables });
  assert.equal(run.exit, 2);
  assert.match(run.error.message, /market-data stream is not set/);
  assert.equal((await desk.perp(['wait', 'BTC mid > 1'], { variables })).exit, 0);
});

test(`none of ${crossings} crossings is missed, with cut connections`, async (t) => {
  const serving = await served(t, { books: recordingFile, startTime: undefined });
  const { source, firstTime, lastTime } = serving.simulation.facts;
  const proxy = await CuttingProxy.open(t, serving.baseUrl);
  const desk = new Desk();
  // Each wait listens for Ctrl-C.
  process.setMaxListeners(crossings + 10);
  t.after(() => desk[Symbol.dispose]());
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: serving.baseUrl,
    PERP_API_KEY: serving.key,
    PERP_MARKET_STREAM_URL: proxy.url,
  };
  const tape = source.open(0);
  tape.watch('binance|BTCUSDT', true);
  const prints: { time: number; price: number }[] = [];
  for (let event = tape.next(lastTime!); event !== null; event = tape.next(lastTime!))
    if (event.kind === 'print') prints.push({ time: event.time, price: Number((event.price * tick).toFixed(1)) });
  const chance = new Chance(seed);
  const advance = (to: number) => ask(`${serving.baseUrl}/sim/advance`, serving.key, { method: 'POST', json: { to } });
  const step = Math.floor((lastTime! - firstTime!) / (rounds + 2));
  const running: Promise<void>[] = [];
  let met = 0;
  /** Waits for a price that the tape reaches later, and says when it began to watch. */
  const begin = (now: number): Promise<void> => {
    const current = prints.findLast(({ time }) => time <= now)!.price;
    const later = prints.filter(({ time, price }) => time > now && price !== current);
    const { price: bound } = chance.pick(later);
    const isAbove = bound > current;
    const first = later.find(({ price }) => (isAbove ? price >= bound : price <= bound))!;
    const watching = Promise.withResolvers<void>();
    const words = ['wait', `BTC last ${isAbove ? '>=' : '<='} ${bound}`, '--for', '300s', '--json'];
    const heard = (text: string) => {
      if (/last price is/.test(text)) watching.resolve();
    };
    const run = desk.perp(words, { variables, heard, outside: { stage } }).then(({ exit, err, out }) => {
      watching.resolve();
      assert.equal(exit, 0, `${now} ${first.time} ${err}`);
      const json = JSON.parse(out);
      assert.ok(isAbove ? json.price >= bound : json.price <= bound, JSON.stringify(json));
      // A candle is of a second; what an outage hid is found after it.
      assert.ok(json.at > first.time - 1_000 && json.at >= now - 1_000, JSON.stringify({ now, first, json }));
      met += 1;
    });
    run.catch((error) => console.error(String(error)));
    running.push(run);
    return watching.promise;
  };
  for (let round = 1; round <= rounds; round++) {
    const now = firstTime! + round * step;
    await advance(now);
    proxy.isCut = false;
    await Promise.all(Array.from({ length: crossings / rounds }, () => begin(now)));
    if (chance.chance(0.5)) proxy.cut();
    proxy.isCut = chance.chance(0.5);
    for (const part of [0.3, 0.6, 0.9]) {
      await advance(now + Math.floor(step * part));
      if (chance.chance(0.3)) proxy.cut();
    }
  }
  proxy.isCut = false;
  await advance(lastTime!);
  await waitFor(() => met === crossings, 'every crossing');
  await Promise.all(running);
});
