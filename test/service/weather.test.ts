import assert from 'node:assert/strict';
import { usualWeather, Weather, type WeatherProfile, weatherOf } from '../../src/service/weather/weather.ts';
import { survivalInWords } from '../../src/terminal/console/views/weather-view.ts';
import { test, trial } from '../tiers.ts';
import { ask, served, startTime } from './serving.ts';
import { StreamClient } from './streams/stream-client.ts';

type Context = Parameters<typeof served>[0];

const calm: WeatherProfile = {
  ...(Object.fromEntries(Object.keys(usualWeather).map((name) => [name, 0])) as unknown as WeatherProfile),
  seed: 7,
};
const hourMs = 3_600_000;

/** A served simulation with one kind of weather, at a moment at which it is over, and at one at which it is not. */
async function stormy(t: Context, weather: Partial<WeatherProfile>) {
  const serving = await served(t, { weather: { ...calm, ...weather } });
  const { baseUrl: url, key, simulation } = serving;
  const get = (path: string) => ask(`${url}${path}`, key);
  const send = (path: string, json: object, idempotencyKey: string = crypto.randomUUID()) =>
    ask(`${url}${path}`, key, { method: 'POST', json, headers: { 'idempotency-key': idempotencyKey } });
  const account = 'acc_000000001';
  const order = {
    account_id: account,
    market_id: 'binance|BTCUSDT',
    side: 'buy',
    type: 'market',
    size: 0.01,
    leverage: 1,
  };
  const place = (more: object = {}, idempotencyKey?: string) =>
    send('/v1/orders', { ...order, margin_mode: 'cross', ...more }, idempotencyKey);
  const advance = (ms: number) => send('/sim/advance', { duration_ms: ms });
  /** Moves the clock until a spell is there, or is gone. */
  const until = async (spell: Parameters<Weather['isOver']>[0], scope: string, isThere: boolean) => {
    while (simulation.weather!.isOver(spell, scope, simulation.time) !== isThere) await advance(1_000);
  };
  const report = async () => (await get('/sim/weather')).body.data;
  return { serving, account, get, send, place, advance, until, report };
}

trial('weather is a function of seed, market time and what is asked for', () => {
  const schedule = (seed: number) => {
    const weather = new Weather({ ...usualWeather, seed });
    const lines: unknown[] = [];
    for (let time = startTime; time < startTime + 4 * hourMs; time += 1_000) {
      const spells = [
        weather.remaining('lost_answers', 'createOrder', time),
        weather.remaining('rejections', 'binance|BTCUSDT', time),
        weather.remaining('rate_limits', '', time),
        weather.remaining('history_failures', 'binance|ETHUSDT', time),
      ];
      const moments = [weather.drainIn(time - 1_000, time), weather.endIn(time - 1_000, time)];
      if ([...spells, ...moments].some(Boolean)) lines.push([time, ...spells, ...moments]);
    }
    return lines;
  };
  const part = schedule(7);
  assert.equal(JSON.stringify(part), JSON.stringify(schedule(7)));
  assert.notDeepEqual(part, schedule(8));
  const count = (column: number) => (part as number[][]).filter((line) => line[column]).length;
  // Shares of 14,400 seconds, and moments of four hours.
  const table: [column: number, expected: number][] = [
    [1, 720],
    [2, 720],
    [3, 288],
    [4, 1440],
    [5, 20],
    [6, 48],
  ];
  for (const [column, expected] of table) {
    const found = count(column);
    assert.ok(
      found > expected * 0.6 && found < expected * 1.4,
      `column ${column}: ${found}, expected about ${expected}`,
    );
  }
  const weather = new Weather({ ...usualWeather, seed: 7 });
  const whole = weather.drainIn(startTime, startTime + 4 * hourMs);
  assert.equal(whole, (part as number[][]).map((line) => line[5]).findLast(Boolean), 'however time is divided');
});

test('a profile names what is wrong with it', () => {
  assert.deepEqual(weatherOf({ seed: 7 }), { ...usualWeather, seed: 7 });
  assert.deepEqual(weatherOf({ seed: 7, rejections: 0.5 }), { ...usualWeather, seed: 7, rejections: 0.5 });
  for (const [given, problem] of [
    [{}, /seed is missing/],
    [{ seed: -1 }, /seed must be a whole number from 0/],
    [{ seed: 7, rain: 1 }, /rain is not known; known: seed, rejections/],
    [{ seed: 7, lost_answers: 1 }, /lost_answers must be a number from 0 to 0.9/],
    [{ seed: 7, bulk_step: 1.5 }, /bulk_step must be a whole number from 0 to 50/],
    [{ seed: 7, draining_minutes: 2_000 }, /draining_minutes must be a number from 0 to 1440/],
    [{ seed: '7' }, /seed must be/],
  ] as const)
    assert.match(String(weatherOf(given)), problem);
});

trial('a lost answer is 502, and the write was done; the report tells what the client did', async (t) => {
  const { get, place, advance, until, report } = await stormy(t, { lost_answers: 0.5 });
  const fills = async () => (await get(`/v1/orders?account_id=acc_000000001`)).body.data.length;
  const done: string[] = [];
  for (const reaction of ['repeats', 'looks', 'doubles', 'forgets']) {
    await until('lost_answers', 'createOrder', true);
    const key = crypto.randomUUID();
    // Each on its own price, so that one intention is not taken for another.
    const wanted = { type: 'limit', limit_price: 20_000 + done.length };
    const lost = await place(wanted, key);
    assert.deepEqual([lost.status, lost.body], [502, 'Bad Gateway']);
    await until('lost_answers', 'createOrder', false);
    if (reaction === 'repeats') assert.equal((await place(wanted, key)).status, 200);
    if (reaction === 'doubles') assert.equal((await place(wanted)).status, 201);
    if (reaction === 'looks') assert.equal(await fills(), done.length + 1);
    done.push(reaction);
    await advance(1_000);
  }
  const { thrown, writes } = await report();
  assert.equal(thrown.lost_answers, 4);
  assert.deepEqual(writes, { repeated_with_key: 1, looked_up: 1, doubled: 1, lost: 1 });
  assert.equal(await fills(), 5, 'four writes, and one twice');
});

test('a 429 says when to return, and who returns earlier is counted', async (t) => {
  const { get, until, report } = await stormy(t, { rate_limits: 0.3 });
  await until('rate_limits', '', true);
  const { status, headers, body } = await get('/v1/accounts');
  assert.deepEqual([status, body.error.code], [429, 'rate_limited']);
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 8, String(seconds));
  assert.equal((await get('/sim/status')).status, 200, 'the simulation’s own operations are not exposed');
  assert.equal((await report()).rate_limits_ignored, 0);
});

test('Retry-After is by the wall clock at any speed, and the ordinary limit is counted apart', async (t) => {
  const weather = { ...calm, rate_limits: 0.9 };
  const fast = await served(t, { weather, clock: 'real', speed: 60, rateLimit: 20 });
  let ordinary = 0;
  for (let nth = 0; nth < 30; nth++) {
    const { status, headers, body } = await ask(`${fast.baseUrl}/v1/accounts`, fast.key);
    if (status === 200) continue;
    assert.equal(status, 429);
    if (body.error.message === 'Too many requests.') assert.equal(headers.get('retry-after'), '1', '8 s at 60 times');
    else ordinary += 1;
  }
  const { ordinary_rate_limits: counted, thrown } = (await ask(`${fast.baseUrl}/sim/weather`, fast.key)).body.data;
  assert.deepEqual([counted, ordinary], [10, 10]);
  assert.ok(thrown.rate_limits > 0);
});

test('what never came is not told as survived', async (t) => {
  const { report } = await stormy(t, {});
  assert.deepEqual(survivalInWords(await report()), [
    'weather: Nothing came in this time, so no more was tried. A longer run meets more.',
  ]);
  const met = await report();
  const limited = { ...met, ordinary_rate_limits: 3 };
  assert.equal(survivalInWords(limited)[0], 'weather: 429: 0. Requests too early: 0. By the ordinary limit: 3.');
});

test('an order is accepted, and ends rejected; a reduction never is', async (t) => {
  const { get, place, until, report } = await stormy(t, { rejections: 0.4 });
  await until('rejections', 'binance|BTCUSDT', false);
  assert.equal((await place()).body.data.status, 'filled');
  await until('rejections', 'binance|BTCUSDT', true);
  const { status, body } = await place({ client_order_id: 'doomed' });
  assert.deepEqual([status, body.data.status, body.data.reject_reason], [201, 'pending', undefined]);
  const [ended] = (await get('/v1/orders?client_order_id=doomed')).body.data;
  assert.deepEqual([ended.status, ended.reject_reason], ['rejected', 'exposure_cap']);
  assert.equal((await place({ side: 'sell', reduce_only: true })).body.data.status, 'filled');
  assert.equal((await report()).thrown.rejections, 1);
});

test('a closed position lingers in the list for a while, and bulk operations go in steps', async (t) => {
  const { account, get, place, send, advance, report } = await stormy(t, { linger_seconds: 3, bulk_step: 2 });
  const listed = async () =>
    (await get(`/v1/positions?account_id=${account}`)).body.data.map(({ id }: { id: string }) => id);
  await place();
  const [id] = await listed();
  await send(`/v1/positions/${id}/close`, { type: 'market' });
  assert.deepEqual(await listed(), [id]);
  assert.equal((await get(`/v1/positions/${id}`)).body.data.status, 'closed');
  await advance(3_000);
  assert.deepEqual(await listed(), []);
  for (const price of [20_000, 20_001, 20_002]) await place({ type: 'limit', limit_price: price });
  const key = crypto.randomUUID();
  const cancel = () => send(`/v1/accounts/${account}/cancel-all-orders`, {}, key);
  assert.deepEqual([(await cancel()).status, (await report()).bulk_unfinished], [202, 1]);
  assert.deepEqual([(await cancel()).status, (await report()).bulk_unfinished], [201, 0]);
  assert.equal((await report()).thrown.lingering, 1);
});

const markets = { symbols: ['BTCUSDT'], providers: ['binance'] };

trial('streams are drained and closed ten seconds later, and the subscriptions of a channel end', async (t) => {
  const { serving, advance, report } = await stormy(t, { draining_minutes: 0.5, end_minutes: 0.1 });
  const stream = await StreamClient.market(t, serving.baseUrl);
  const channels = ['ticks', 'books', 'trades', 'marketStats'];
  for (const channel of channels) await stream.subscribe(channel, markets);
  const has = (op: string) => stream.frames.some((frame) => frame.op === op);
  const account = await StreamClient.account(t, serving.baseUrl, serving.key);
  while (!has('end')) {
    await advance(1_000);
    await stream.request('ping').catch(() => {});
  }
  while (!has('draining')) await advance(1_000);
  await account.until(({ type }) => type === 'reconnect');
  await advance(10_000);
  for (const client of [stream, account]) assert.equal((await client.untilClosed()).code, 1001);
  const { thrown } = await report();
  assert.ok(thrown.drains >= 1 && thrown.ends >= 1, JSON.stringify(thrown));
});

test('history is short at one provider only, and statistics move from hour to hour', async (t) => {
  const { serving, advance } = await stormy(t, { short_history: 1, moving_stats: 1 });
  const stream = await StreamClient.market(t, serving.baseUrl);
  const now = serving.simulation.time;
  const bars = async (provider: string, symbol: string, minutes: number) => {
    const endTime = now - minutes * 60_000;
    const asked = { provider, symbol, interval: '1m', startTime: endTime - 100 * 60_000, endTime };
    return (await stream.request('candles.history', asked)).result.length > 0;
  };
  const [few, many] = [4_800, 5_010];
  assert.deepEqual(
    [
      await bars('hyperliquid', 'xyz:EUR', few),
      await bars('hyperliquid', 'xyz:EUR', many),
      await bars('binance', 'BTCUSDT', many),
    ],
    [true, false, true],
  );
  const rate = async () => {
    const other = await StreamClient.market(t, serving.baseUrl);
    const [first] = (await other.subscribe('marketStats', markets)).events;
    return [first.fundingRate, first.openInterestUsd];
  };
  const first = await rate();
  await advance(hourMs);
  const later = await rate();
  assert.ok(first[0] !== undefined && first[0] !== later[0], JSON.stringify([first, later]));
});

test('weather stays with the state until it is turned off', async (t) => {
  const { serving, report } = await stormy(t, { rejections: 0.4 });
  assert.equal((await report()).profile.rejections, 0.4);
  const { weather } = serving.simulation;
  assert.equal(JSON.parse(serving.simulation.store.setting('weather')!).rejections, weather!.profile.rejections);
  const calmed = await served(t, { weather: 'off' });
  assert.equal((await ask(`${calmed.baseUrl}/sim/weather`, calmed.key)).status, 409);
});

test('before anything was thrown, every count is zero', () => {
  const { thrown } = new Weather({ ...usualWeather, seed: 7 }).survival;
  assert.deepEqual(Object.values(thrown), Array(Object.keys(thrown).length).fill(0));
});

test('a gap is what the weather tore: a client that leaves by itself and comes back has none', () => {
  for (const byWeather of [true, false]) {
    const { survival } = new Weather({ ...usualWeather, seed: 7 });
    survival.opened('market', 0);
    survival.closed('market', 100, byWeather);
    survival.opened('market', 350);
    const { gaps, longest_gap_ms } = survival.report().streams;
    assert.deepEqual([gaps, longest_gap_ms], byWeather ? [1, 250] : [0, 0]);
  }
});
