import assert from 'node:assert/strict';
import { venues } from '../../../src/venues/live/venues.ts';
import { verifyTape } from '../../../src/venues/tape/verify.ts';
import { test, trial } from '../../tiers.ts';
import { conformance, during, open, quickVenues } from './conformance.ts';
import { faults } from './drawn-faults.ts';
import { LiveScene } from './live-scene.ts';

const depthRequests = (scene: LiveScene) => scene.server.requests.filter((path) => path.includes('limit=1000')).length;

for (const venue of quickVenues) conformance(venue);

test('service: a silence that can’t be compared with REST is a gap after 20 s, until a new book arrives', async (t) => {
  const scene = await open(t, 'service');
  const restore = faults['a silent route']!(scene, () => 0);
  await scene.run(19_000);
  assert.deepEqual(scene.gaps(), []);
  await scene.run(3_000);
  const [reason, end] = scene.gaps();
  assert.equal(reason, 'silence');
  // A new subscription starts with a book and the last prints, although the venue has no history.
  assert.match(end!, /^\d+ none$/);
  restore();
});

trial(
  'binance: a book older than the stream does not join it; another is requested every four seconds at most',
  async (t) => {
    const scene = await open(t, 'binance');
    const before = depthRequests(scene);
    scene.server.troubles.staleBooks = true;
    faults['a sequence jump']!(scene, () => 0);
    await scene.run(120_000);
    assert.equal(scene.status().state, 'waiting');
    const asked = depthRequests(scene) - before;
    assert.ok(asked > 60 && asked <= 140, `${asked} requests in two minutes for two markets`);
    scene.server.troubles.staleBooks = false;
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
  },
);

for (const [status, headers, waitMs] of [
  [429, { 'retry-after': '7' }, 7_000],
  [429, {}, 10_000],
  [418, { 'retry-after': '30' }, 30_000],
  [418, {}, 120_000],
] as const) {
  test(`binance: after ${status} ${JSON.stringify(headers)} nothing is requested for ${waitMs} ms`, async (t) => {
    const scene = await open(t, 'binance');
    let answers = 0;
    scene.server.troubles.answer = (ordinary) => {
      answers += 1;
      return answers === 1 ? { status, body: '{"code":-1003}', headers } : ordinary();
    };
    faults['a sequence jump']!(scene, () => 0);
    await scene.run(1_000);
    assert.equal(answers, 1);
    assert.ok(scene.live.status().feeds[0]!.rest.pausedUntil > scene.world.now());
    await scene.run(waitMs - 2_000);
    assert.equal(answers, 1);
    await scene.run(20_000);
    await scene.world.pass(400);
    scene.checkHealed();
  });
}

test('binance: books are requested one at a time, and the weight reported by the venue is used', async (t) => {
  const scene = await open(t, 'binance');
  let underWay = 0;
  scene.server.troubles.answer = (ordinary) => {
    assert.equal(underWay, 0, 'one request at a time');
    underWay += 1;
    scene.world.after(900, () => {
      underWay -= 1;
    });
    return { ...ordinary(), headers: { 'x-mbx-used-weight-1m': '1950' }, afterMs: 900 };
  };
  await during(scene, 'a cut connection', 5_000);
  const { weight, weightPerMinute } = scene.live.status().feeds[0]!.rest;
  assert.ok(weight >= 1_900 && weight <= weightPerMinute, `${weight}`);
  const before = scene.server.requests.length;
  // Four fifths of the budget are used: nothing more in this minute.
  await scene.run(30_000);
  assert.equal(scene.server.requests.length, before);
});

test('binance: a lost print is fetched, and is on the tape as history', async (t) => {
  const scene = await open(t, 'binance');
  let lost: string | null = null;
  scene.world.route.down = (text) => {
    const message = JSON.parse(text);
    if (lost !== null || message.e !== 'trade' || message.s !== 'BTCUSDT') return [{ text, afterMs: 0 }];
    lost = String(message.t);
    return [];
  };
  await scene.run(10_000);
  const prints = scene
    .tapeLines()
    .filter(({ trade, market_id: id }) => trade !== undefined && id === scene.marketIds[0]);
  const found = prints.filter(({ trade }) => trade!.id === lost);
  assert.equal(found.length, 1);
  assert.equal(found[0]!.trade!.history, true);
  assert.ok(found[0]!.trade!.traded_at <= found[0]!.time);
  assert.deepEqual(scene.gaps(), []);
});

trial(
  'binance: the connection is replaced before the venue closes it, without a gap and without duplicate prints',
  async (t) => {
    const { binance } = venues;
    // As if the venue closed it after 62 minutes: it is replaced after 2 to 32.
    const venue = { ...binance, stream: { ...binance.stream, lifetimeMs: 62 * 60_000 } };
    const address = { wsUrl: 'wss://venue', restUrl: 'https://venue' };
    // With this seed, after four and a half.
    const scene = await open(t, 'binance', { seed: 7, venues: [{ venue, address }] });
    for (let passed = 0; passed < 40 && scene.connections()[0]!.reconnects === 0; passed += 1) await scene.run(60_000);
    await scene.run(10_000);
    await scene.world.pass(400);
    assert.equal(scene.connections()[0]!.reconnects, 1);
    assert.ok(scene.connections()[0]!.ageMs < 62 * 60_000);
    assert.deepEqual(scene.gaps(), []);
    scene.checkHealed();
    const ids = scene
      .tapeLines()
      .flatMap(({ trade, market_id: id }) => (trade === undefined ? [] : [`${id} ${trade.id}`]));
    assert.equal(new Set(ids).size, ids.length);
    const [market] = scene.server.markets;
    assert.ok(ids.filter((id) => id.startsWith('binance|BTCUSDT')).length >= market!.trades.length - 10);
  },
);

test('service: a draining server is left for another connection, without a gap and without duplicate prints', async (t) => {
  const scene = await open(t, 'service');
  const [old] = scene.server.subscriptions.keys();
  old!.send('{"op":"draining"}');
  await scene.run(10_000);
  assert.equal(old!.isOpen, false);
  assert.equal(scene.server.connections, 2);
  assert.deepEqual(scene.gaps(), []);
  const ids = scene
    .tapeLines()
    .flatMap(({ trade, market_id: id }) => (trade === undefined ? [] : [`${id} ${trade.id}`]));
  assert.equal(new Set(ids).size, ids.length);
});

test('service: a subscription that the server ends is requested again', async (t) => {
  const scene = await open(t, 'service');
  const [socket] = scene.server.subscriptions.keys();
  const subscribed = scene.server.subscriptions.get(socket!)!;
  const [topic] = [...subscribed].filter((one) => one.startsWith('books BTCUSDT'));
  subscribed.delete(topic!);
  socket!.send(JSON.stringify({ op: 'end', id: Number(topic!.split(' ').at(-1)) }));
  await scene.run(5_000);
  await scene.world.pass(400);
  scene.checkHealed();
  assert.equal(scene.gaps()[0], 'connection');
});

test('binance: subscriptions that the venue has lost are detected in its own list', async (t) => {
  const scene = await open(t, 'binance');
  const [subscribed] = scene.server.subscriptions.values();
  subscribed!.delete('btcusdt@trade');
  await scene.run(30_000);
  await scene.world.pass(400);
  assert.ok(subscribed!.has('btcusdt@trade'));
  // Prints that only the history has may tell it earlier.
  assert.match(scene.gaps()[0]!, /connection|silence/);
  scene.checkHealed();
});

for (const setMs of [30_000, -30_000]) {
  test(`a clock that is set by ${setMs / 1000} s: every market trades on, time never goes back, and the tape says so`, async (t) => {
    const scene = await open(t, 'bybit');
    scene.world.wallSetMs += setMs;
    const before = scene.live.time();
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
    assert.deepEqual(scene.gaps(), []);
    assert.ok(scene.live.time() - before >= 4_500, `${scene.live.time() - before} ms passed`);
    const set = scene.tapeLines().flatMap(({ tape }) => tape?.clock_set_ms ?? []);
    assert.deepEqual(set, [setMs]);
    const times = scene.tapeLines().map(({ time }) => time);
    assert.deepEqual(
      times,
      [...times].sort((one, other) => one - other),
    );
  });
}

test('single lost updates on a healthy venue each cost the same: delays start again after a success', async (t) => {
  const scene = await open(t, 'bybit');
  for (let loss = 0; loss < 8; loss += 1) {
    faults['a sequence jump']!(scene, () => 0);
    await scene.run(1_000);
    assert.equal(scene.status().state, 'live', `loss ${loss + 1}`);
    await scene.run(4_000);
  }
});

trial(
  'a market that leaves the venue is no longer requested, and is named; it returns when the venue lists it again',
  async (t) => {
    const scene = await open(t, 'bybit');
    const [gone] = scene.server.markets.splice(0, 1);
    await during(scene, 'a cut connection', 90_000);
    const status = () => scene.live.status().feeds[0]!.markets.find(({ marketId }) => marketId === 'bybit|BTCUSDT')!;
    assert.match(status().problem!, /Bybit no longer lists this market/);
    assert.equal(scene.connections()[0]!.wanted, 3);
    scene.server.markets.unshift(gone!);
    await scene.run(3_600_000 / 100);
    for (let passed = 0; passed < 62 && status().state !== 'live'; passed += 1) {
      await scene.world.pass(60_000);
      await scene.run(300);
    }
    await scene.run(5_000);
    assert.equal(status().state, 'live');
  },
);

test("hyperliquid: a list of which a part can't be read ends no market", async (t) => {
  const scene = await open(t, 'hyperliquid');
  await scene.run(3_000);
  scene.server.troubles.answer = (ordinary) => {
    const { body, ...rest } = ordinary();
    return { ...rest, body: /universe.*GOLD/.test(body) ? '{"ok":[]}' : body };
  };
  await during(scene, 'a cut connection', 10_000);
  scene.checkHealed();
});

trial('lighter: a market that gets another number while it is held is subscribed by that', async (t) => {
  const scene = await open(t, 'lighter');
  const [first] = scene.server.markets;
  Object.assign(first!, { number: 77 });
  await during(scene, 'a cut connection', 90_000);
  await scene.world.pass(400);
  scene.checkHealed();
});

test('a market that the venue refuses is reported, and the others continue', async (t) => {
  const scene = await open(t, 'bybit');
  const [marketId] = scene.marketIds;
  scene.server.markets.splice(0, 1);
  scene.server.troubles.answer = () => null;
  await during(scene, 'a cut connection', 10_000);
  const status = scene.live.status().feeds[0]!.markets.find((market) => market.marketId === marketId)!;
  assert.match(status.problem!, /Invalid topic/);
  assert.equal(scene.status('bybit|XRPUSDT').state, 'live');
});

trial(
  'a subscription without an answer is requested again; after three failed attempts the connection is dropped',
  async (t) => {
    const scene = await open(t, 'binance');
    let asked = 0;
    scene.world.route.up = (text) => {
      const isSubscription = text.includes('"SUBSCRIBE"');
      asked += isSubscription ? 1 : 0;
      return !isSubscription;
    };
    for (const socket of scene.server.subscriptions.keys()) socket.close('');
    await scene.run(40_000);
    assert.ok(asked >= 3);
    assert.match(scene.connections()[0]!.problem ?? '', /without an answer/);
    delete scene.world.route.up;
    await scene.run(60_000);
    await scene.world.pass(400);
    scene.checkHealed();
  },
);

test('hyperliquid: a crossed book is held back, and is a gap if it stays crossed', async (t) => {
  const scene = await open(t, 'hyperliquid');
  await scene.world.pass(400);
  const shown = scene.book();
  scene.world.route.down = (text) => {
    const message = JSON.parse(text);
    if (message.channel !== 'l2Book') return [{ text, afterMs: 0 }];
    message.data.levels.reverse();
    return [{ text: JSON.stringify(message), afterMs: 0 }];
  };
  await scene.run(1_500);
  assert.equal(scene.book(), shown);
  await scene.run(3_000);
  assert.equal(scene.status().gap?.reason, 'crossed');
  delete scene.world.route.down;
  await scene.run(30_000);
  await scene.world.pass(400);
  scene.checkHealed();
});

trial('a price too fine for the market is a gap with that reason', async (t) => {
  const scene = await open(t, 'bybit');
  scene.world.route.down = (text) => [{ text: text.replace(/(\["\d+\.\d\d)"/, '$15555"'), afterMs: 0 }];
  await scene.run(3_000);
  assert.equal(scene.gaps()[0], 'misfit');
  assert.match(scene.status().problem!, /too many decimals/);
  delete scene.world.route.down;
  await scene.run(60_000);
  await scene.world.pass(400);
  scene.checkHealed();
});

test('only markets that are requested or held are subscribed, and for two more minutes', async (t) => {
  const scene = await open(t, 'binance');
  const [btc, eth] = scene.marketIds as [string, string];
  const tape = scene.live.source.open(scene.live.time());
  tape.watch(btc, true);
  for (let passed = 0; passed < 140; passed += 1) {
    tape.next(scene.live.time());
    await scene.world.pass(1_000);
  }
  assert.deepEqual(
    scene.live.status().feeds[0]!.markets.map(({ marketId }) => marketId),
    [btc],
  );
  assert.deepEqual(scene.gaps(eth), ['unsubscribed']);
  assert.equal(scene.connections()[0]!.wanted, 2);
  const ready = scene.live.ready(eth, 5_000);
  await scene.world.pass(5_000);
  assert.equal(await ready, true);
  // Nobody had an order there in the meantime.
  assert.equal(scene.gaps(eth).at(-1), '0 none');
});

test('after a restart the market is in a gap, which ends with prints from the venue’s history', async (t) => {
  const scene = await open(t, 'binance');
  await scene.stop();
  for (let step = 0; step < 50; step += 1) {
    scene.server.step(scene.server.markets[0]!);
    await scene.world.pass(100);
  }
  const missed = scene.server.markets[0]!.trades.filter(({ time }) => time >= scene.world.now() - 5_000).length;
  await scene.start();
  await scene.run(5_000);
  const [reason, end] = scene.gaps();
  assert.equal(reason, 'restart');
  const [prints, known] = end!.split(' ');
  assert.equal(known, 'whole');
  assert.ok(Number(prints) >= missed, `${prints} of ${missed}`);
});

test('kraken: an answer that comes after the end is on no tape, and the tape goes on complete', async (t) => {
  const scene = await open(t, 'kraken');
  for (const socket of scene.server.subscriptions.keys()) socket.close('going away');
  scene.server.troubles.answer = (ordinary) => ({ ...ordinary(), afterMs: 3_500 });
  // It waits for the list, but not longer than two seconds.
  await scene.run(3_000);
  assert.equal(scene.status().state, 'healing');
  scene.server.troubles.answer = null;
  await scene.restart();
  await scene.run(5_000);
  scene.checkHealed();
  await scene.stop();
  const parts = [...verifyTape(scene.tape)].map(({ proof, problem }) => problem ?? proof);
  assert.deepEqual(new Set(parts), new Set(['verified']));
  await scene.start();
});

test('live markets closed while a book is on its way leaves nothing running', async () => {
  const scene = await LiveScene.open('binance');
  scene.server.troubles.answer = () => ({ status: 503, body: '' });
  await during(scene, 'a cut connection', 5_000);
  assert.equal(scene.status().state, 'waiting');
  await scene.stop();
  await scene.world.pass(20_000);
  assert.equal(scene.world.pending, 0);
  scene.remove();
});
