import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { examineVenue } from '../../../src/venues/live/examine.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { quickVenues } from './conformance.ts';
import { startMs, venueServer } from './live-scene.ts';
import { hasTrades, listLots, refineTick } from './proof-trials.ts';
import type { VenueServer } from './servers/server.ts';
import { type Route, VirtualWorld } from './virtual-world.ts';

/** A venue that does not work. */
const silent = { onConnect() {}, onFrame() {}, onRequest: () => ({ status: 503, body: '' }) };

/** What a minute on a venue's feed finds. */
async function examined(
  venue: VenueName,
  route: Route = {},
  between: (server: VenueServer, ms: number) => void = () => {},
) {
  const dice = new VirtualWorld(silent, startMs);
  let world: VirtualWorld | null = null;
  const server = venueServer(
    venue,
    () => world!.uptime(),
    () => dice.random(),
  );
  world = new VirtualWorld(server, startMs);
  world.route = route;
  const address = { wsUrl: 'wss://venue', restUrl: 'https://venue' };
  const examining = examineVenue({ venue: venues[venue], address }, world, 60_000);
  for (let passed = 0; passed < 70_000; passed += 200) {
    between(server, passed);
    server.step(server.markets[(passed / 200) % server.markets.length]!);
    await world.pass(200);
  }
  return await examining;
}

for (const venue of quickVenues) {
  test(`${venue}: a minute on a feed that works proves its books and prints, and every field is known`, async () => {
    const { problem, listed, unknown, messages, markets, feed } = await examined(venue);
    assert.deepEqual([problem, listed, unknown], [null, 2, []]);
    for (const { kind, count, missing, unknown: strange } of messages) {
      assert.ok(count > 0, kind);
      assert.deepEqual([missing, strange], [[], []], kind);
    }
    for (const { state, compared, equal, printCount, prints, marks } of markets) {
      assert.equal(state, 'live');
      assert.ok(compared >= 4 && equal === compared, `${equal} of ${compared}`);
      assert.ok(printCount > 0 && prints.lost === 0 && marks !== null);
    }
    for (const { wanted, confirmed } of feed!.connections) assert.equal(confirmed, wanted);
  });
}

test('a feed whose trades never come, and that has a field more and another less, says so', async () => {
  const { messages, markets } = await examined('bybit', {
    down: (text) =>
      hasTrades(text) ? [] : [{ text: text.replace('"seq":7', '"novel":7').replace('"u":', '"w":'), afterMs: 0 }],
  });
  const book = messages.find(({ kind }) => kind === 'orderbook')!;
  assert.deepEqual([book.missing, book.unknown], [['u'], ['w', 'novel']]);
  assert.equal(messages.find(({ kind }) => kind === 'publicTrade')!.count, 0);
  for (const { state } of markets) assert.notEqual(state, 'live');
});

for (const [venue, what] of [
  ['bybit', 'the venue has changed the tick from 0.1 to 0.01 and the lot from 0.001 to 0.0001'],
  ['hyperliquid', 'the venue has changed the tick from 0.001 to 0.01 and the lot from 0.001 to 0.0001'],
] as const)
  test(`${venue}: a finer tick and finer lots in mid-run are named, and books and prints go on`, async () => {
    const { markets } = await examined(venue, {}, (server, ms) => {
      if (ms !== 20_000) return;
      listLots({ server }, 1);
      for (const market of server.markets) refineTick(market);
    });
    for (const { state, gaps, change, problem } of markets)
      assert.deepEqual([state, gaps, change, problem], ['live', 0, what, what]);
  });

test('a venue that does not answer is reported as that', async () => {
  const world = new VirtualWorld(silent, startMs);
  const address = { wsUrl: 'wss://venue', restUrl: 'https://venue' };
  const examining = examineVenue({ venue: venues.okx, address }, world, 60_000);
  await world.pass(20_000);
  assert.match((await examining).problem!, /OKX answers 503/);
});
