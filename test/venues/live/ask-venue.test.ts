import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addressedVenues, venueFacts } from '../../../src/base/terms/venues.ts';
import { askBook, checkVenue, listMarkets } from '../../../src/venues/live/ask-venue.ts';
import { marketsMaxAgeMs } from '../../../src/venues/live/definitions.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { trialVenues } from './drawn-faults.ts';
import { startMs, venueServer } from './live-scene.ts';
import type { VenueServer } from './servers/server.ts';
import { VirtualWorld } from './virtual-world.ts';

const address = { wsUrl: 'wss://venue', restUrl: 'https://venue' };

function worldOf(name: (typeof trialVenues)[number]) {
  const server: VenueServer = venueServer(name, () => world.now());
  const world = new VirtualWorld(server, startMs);
  /** Runs a request while time advances in the world. */
  const during = async <T>(work: Promise<T>, ms = 15_000): Promise<T> => {
    work.catch(() => {});
    await world.pass(ms);
    return await work;
  };
  return { server, world, during, choice: { venue: venues[name], address } };
}

for (const name of trialVenues) {
  test(`${name}: both its interfaces are tested, with their response times`, async () => {
    const { server, world, during, choice } = worldOf(name);
    const check = await during(checkVenue(choice, world));
    assert.deepEqual([check.restProblem, check.streamProblem], [null, null]);
    assert.ok(check.restMs! > 0 && check.streamMs! > 0);
    assert.ok(Math.abs(check.skewMs!) <= 500);
    server.troubles.answer = () => ({ status: 503, body: 'down for the day' });
    world.route.open = () => ({ reason: 'connection refused' });
    const broken = await during(checkVenue(choice, world));
    assert.match(broken.restProblem!, /503/);
    assert.equal(broken.streamProblem, 'connection refused');
  });
}

for (const name of ['binance', 'bybit', 'hyperliquid', 'lighter'] as const) {
  test(`${name}: one request gives the current book`, async () => {
    const { server, world, during, choice } = worldOf(name);
    const [market] = server.markets;
    const [listed] = (await during(listMarkets(choice, world, null))).markets;
    const book = await during(askBook(choice, `${name}|${market!.coin}`, world, null));
    const [price, size] = market!.levels('bids', 1)[0]!;
    assert.equal(book.bids[0]! / 10 ** (listed!.definition.priceDecimals - 1), price);
    assert.equal(book.bids[1]! / 10 ** (listed!.definition.sizeDecimals - market!.sizeDecimals), size);
    await assert.rejects(during(askBook(choice, `${name}|NOPE`, world, null)), /does not list/);
  });
}

test('the service offers books only on its stream, and says so', async () => {
  const { world, during, choice } = worldOf('service');
  await assert.rejects(during(askBook(choice, 'binance|BTCUSDT', world, null)), /offers books only on its stream/);
});

test('a venue’s list of markets is cached for a minute; then the venue is asked, and the old list is used if it does not answer', async (t) => {
  const { server, world, during, choice } = worldOf('binance');
  const cache = { folder: join(temporaryFolder(t), 'cache'), maxAgeMs: marketsMaxAgeMs };
  const list = () => during(listMarkets(choice, world, cache));
  assert.equal((await list()).ageMs, 0);
  assert.equal(server.requests.length, 1);
  await world.pass(30_000);
  const kept = await list();
  assert.ok(kept.ageMs >= 30_000);
  assert.equal(server.requests.length, 1);
  assert.deepEqual(
    kept.markets.map(({ definition }) => definition.marketId),
    ['binance|BTCUSDT', 'binance|ETHUSDT'],
  );
  await world.pass(marketsMaxAgeMs);
  server.troubles.answer = () => ({ status: 500, body: '' });
  const old = await list();
  assert.equal(old.markets.length, 2);
  assert.match(old.problem!, /answers 500/);
  server.troubles.answer = null;
  assert.equal((await list()).ageMs, 0);
});

test('a cached list that is damaged, or from another address, is requested again', async (t) => {
  const { server, world, during, choice } = worldOf('bybit');
  const cache = { folder: temporaryFolder(t), maxAgeMs: marketsMaxAgeMs };
  const file = join(cache.folder, 'markets-bybit.json');
  await during(listMarkets(choice, world, cache));
  const kept = readFileSync(file, 'utf8');
  for (const text of ['{', '[]', '{"markets":[{}]}', kept.replace('https://venue', 'https://other')]) {
    writeFileSync(file, text);
    const before = server.requests.length;
    assert.equal((await during(listMarkets(choice, world, cache))).markets.length, 2);
    assert.ok(server.requests.length > before);
  }
});

test('a market with an invalid definition is skipped; the others are listed', async () => {
  const { server, world, during, choice } = worldOf('binance');
  server.troubles.answer = (ordinary) => {
    const answer = ordinary();
    return { ...answer, body: answer.body.replace('"tickSize":"0.10"', '"tickSize":"a lot"') };
  };
  const { markets } = await during(listMarkets(choice, world, null));
  assert.deepEqual(
    markets.map(({ definition }) => definition.marketId),
    ['binance|ETHUSDT'],
  );
});

test('venues are reached over TLS unless configured otherwise', () => {
  for (const name of addressedVenues) {
    const { wsUrl, restUrl } = venueFacts[name];
    assert.equal(new URL(wsUrl).protocol, 'wss:');
    assert.equal(new URL(restUrl).protocol, 'https:');
  }
});
