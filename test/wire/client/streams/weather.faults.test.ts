import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realTiming } from '../../../../src/base/sockets/timing.ts';
import { usualWeather } from '../../../../src/service/weather/weather.ts';
import { createClient } from '../../../../src/wire/client/client.ts';
import { httpTransport } from '../../../../src/wire/client/http-transport.ts';
import { AccountFollower } from '../../../../src/wire/client/streams/account-follower.ts';
import { MarketFollower } from '../../../../src/wire/client/streams/market-follower.ts';
import { webSocketTransport } from '../../../../src/wire/client/streams/web-socket.ts';
import { type CandleEvent, streamPaths, type TradeEvent } from '../../../../src/wire/contract/streams.ts';
import { Chance } from '../../../exchange/engine/chance.ts';
import { ask, issueKey, served, startTime } from '../../../service/serving.ts';
import { waitFor } from '../../../service/streams/stream-client.ts';

const minuteMs = 60_000;
/** A market with few prints: the replay of a subscription has the last 1,000 of them. */
const followed = { symbols: ['xyz:EUR'], providers: ['hyperliquid'] };
const followedId = 'hyperliquid|xyz:EUR';
const marketId = 'binance|BTCUSDT';
const isLong = process.env.PERP_LONG === '1';
/** A day as it usually is, or half an hour in which much happens. */
const trial = isLong
  ? { minutes: 24 * 60, stepMs: 10_000, everySteps: 30, weather: usualWeather }
  : {
      minutes: 20,
      stepMs: 10_000,
      everySteps: 3,
      weather: {
        ...usualWeather,
        rejections: 0.4,
        lost_answers: 0.3,
        rate_limits: 0.1,
        draining_minutes: 2,
        end_minutes: 1,
      },
    };

type Context = Parameters<typeof served>[0];

/** A simulation with weather, and perp's own client and followers, which wait a fiftieth of what they would. */
async function stormyWorld(t: Context) {
  const serving = await served(t, { weather: { ...trial.weather, seed: 5 }, plan: 'none' });
  const { baseUrl, key: ownKey } = serving;
  const key = issueKey(serving);
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 50));
  const client = createClient({
    transport: httpTransport(baseUrl),
    credential: () => key,
    keepsKeys: true,
    retry: { sleep, attempts: 200, deadlineMs: 600_000 },
  });
  const advance = (ms: number) => ask(`${baseUrl}/sim/advance`, ownKey, { method: 'POST', json: { duration_ms: ms } });
  const report = async () => (await ask(`${baseUrl}/sim/weather`, ownKey)).body.data;
  return { serving, baseUrl, key, ownKey, client, advance, report };
}

test('in weather, every order is placed once, and every event arrives once', { timeout: 7_200_000 }, async (t) => {
  const { serving, baseUrl, key, ownKey, client, advance, report } = await stormyWorld(t);
  const trades: TradeEvent[] = [];
  const candles: CandleEvent[] = [];
  const gaps: object[] = [];
  // Market time passes quickly, so the follower waits a fiftieth, too; silence can't be measured then.
  const timing = { ...realTiming, after: (ms: number, run: () => void) => realTiming.after(ms / 50, run) };
  const silence = { staleMs: 1e9, deadMs: 2e9 };
  const transport = webSocketTransport(baseUrl.replace('http', 'ws'));
  const market = new MarketFollower({ transport, timing, silence });
  t.after(() => market.close());
  let live = 0;
  const isLive = () => {
    live += 1;
  };
  const common = { live: isLive, refused: (error: object) => assert.fail(JSON.stringify(error)) };
  const gap = (lost: object) => gaps.push(lost);
  market.subscribe('trades', followed, { ...common, gap, events: (told) => trades.push(...(told as TradeEvent[])) });
  market.subscribe(
    'candles',
    { ...followed, intervals: ['1m'], historyLimit: 1 },
    {
      ...common,
      gap,
      events: (told) => candles.push(...(told as CandleEvent[]).filter(({ isFinal }) => isFinal)),
    },
  );
  const fills: string[] = [];
  const endings: string[] = [];
  const account = new AccountFollower({
    transport: webSocketTransport(baseUrl.replace('http', 'ws'), { credential: async () => key }),
    path: streamPaths.live,
    firstRetryMs: 20,
    onFrame(frame) {
      if (frame.type === 'fill') fills.push(frame.fill.id);
      if (frame.type === 'order' && ['filled', 'rejected', 'canceled'].includes(frame.event))
        endings.push(frame.order.id);
    },
    onState: ({ kind }) => {
      if (kind === 'live') live += 1;
    },
    onEnd: (error) => assert.fail(error),
  });
  t.after(() => account.close());
  await waitFor(() => live >= 3, 'the streams');

  const tape = serving.simulation.facts.source.open(startTime);
  tape.watch(followedId, true);
  let printed = 0;
  const printsBy = (time: number) => {
    for (let event = tape.next(time); event !== null; event = tape.next(time)) if (event.kind === 'print') printed += 1;
    return printed;
  };
  let looked = 0;
  let counted = 0;
  const arrived = () => {
    for (; looked < trades.length; looked += 1) if (trades[looked]!.time > startTime) counted += 1;
    return counted;
  };

  const chance = new Chance(5);
  const placed: string[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  let isWriting = false;
  const trade = async (clientOrderId: string) => {
    isWriting = true;
    const side = chance.pick(['buy', 'sell'] as const);
    const terms = { leverage: 2, margin_mode: 'cross', client_order_id: clientOrderId } as const;
    const body = {
      account_id: 'acc_000000001',
      market_id: marketId,
      side,
      type: 'market',
      size: 0.01,
      ...terms,
    } as const;
    await client.call('createOrder', { body });
    isWriting = false;
  };
  const steps = (trial.minutes * minuteMs) / trial.stepMs;
  for (let step = 0; step < steps || isWriting; step += 1) {
    await advance(trial.stepMs);
    // Market time passes quickly: the follower has to be back before the replay is over.
    await waitFor(() => arrived() >= printsBy(serving.simulation.time), 'the trades');
    if (step % trial.everySteps !== 0 || isWriting || step >= steps) continue;
    const id = `order-${placed.length}`;
    placed.push(id);
    writing = trade(id);
    writing.catch(() => {});
  }
  await writing;

  const { simulation } = serving;
  const now = simulation.time;
  const prints = printsBy(now);
  await waitFor(() => arrived() >= prints, 'the trades');
  assert.equal(arrived(), prints);
  assert.equal(new Set(trades.map(({ tradeId }) => tradeId)).size, trades.length, 'no trade twice');
  const bars = Math.floor(now / minuteMs) - Math.floor(startTime / minuteMs);
  await waitFor(
    () => candles.filter(({ openTime }) => openTime >= startTime - (startTime % minuteMs)).length >= bars,
    'bars',
  );
  const openTimes = candles.map(({ openTime }) => openTime);
  assert.equal(new Set(openTimes).size, openTimes.length, 'no bar twice');
  assert.deepEqual(gaps, []);

  const orders = simulation.read(({ store }) =>
    placed.map((id) => store.orderByClientId('local', 'live', id)?.status ?? 'none'),
  );
  assert.deepEqual(
    orders.filter((status) => status !== 'filled' && status !== 'rejected'),
    [],
    'each is there',
  );
  const { orders: total, fills: filled } = simulation.read(({ store }) => store.tally('acc_000000001'));
  assert.equal(total, placed.length, 'and none twice');
  await waitFor(() => fills.length >= filled && endings.length >= total, 'the account events');
  assert.deepEqual([fills.length, new Set(fills).size], [filled, filled], 'every fill once');
  assert.deepEqual([endings.length, new Set(endings).size], [total, total], 'every order ends once');

  const { thrown, writes, streams } = await report();
  t.diagnostic(JSON.stringify({ thrown, writes, streams, orders: total, fills: filled, prints, bars }));
  assert.deepEqual([writes.doubled, writes.lost, streams.account_events_missed], [0, 0, 0]);
  assert.ok(thrown.lost_answers > 0 && thrown.drains > 0 && thrown.ends > 0, 'there was weather');
  assert.equal((await ask(`${baseUrl}/sim/status`, ownKey)).status, 200);
});
