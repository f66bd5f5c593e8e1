import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { faults } from './drawn-faults.ts';
import { LiveScene } from './live-scene.ts';
import { rigs } from './servers/rigs.ts';

/** What stands for all venues in the quick tier. */
export const quickVenues: readonly VenueName[] = ['binance'];

/** A scene on a venue; closed after the test. */
export async function open(t: TestContext, venue: VenueName, options: Parameters<typeof LiveScene.open>[1] = {}) {
  const scene = await LiveScene.open(venue, options);
  t.after(() => scene.close());
  return scene;
}

/** Runs a fault for a given time. */
export async function during(scene: LiveScene, fault: string, ms: number): Promise<void> {
  const end = faults[fault]!(scene, (low) => low);
  await scene.run(ms);
  end();
}

/** What must be true of every venue. */
export function conformance(venue: VenueName): void {
  followsMarkets(venue);
  publishesMarks(venue);
  comesBack(venue);
  if (rigs[venue].isSequenced) noticesMissingUpdates(venue);
  if (venues[venue].rest.book !== undefined) tellsCalmFromDeaf(venue);
  if (venues[venue].numbersTrades) fetchesMissingNumbers(venue);
}

function followsMarkets(venue: VenueName): void {
  test(`${venue}: markets, channels and topics are distinct, and sizes of contracts are decimals`, async (t) => {
    const scene = await open(t, venue);
    const listed = scene.marketIds.map((marketId) => scene.live.market(marketId)!);
    const { paths, topics, connectionOf } = venues[venue];
    const names = listed.flatMap(({ channel }) => [...topics(channel).books, topics(channel).trades]);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.ok(connectionOf === undefined || Object.hasOwn(paths, connectionOf(name)));
    assert.equal(Object.keys(paths).length > 1, connectionOf !== undefined);
    for (const { contractSize } of listed) assert.match(contractSize ?? '1', /^\d+(\.\d+)?$/);
  });

  test(`${venue}: a second start takes the markets from the cached list, and shows the venue's books`, async (t) => {
    const cache = { folder: temporaryFolder(t), maxAgeMs: 3_600_000 };
    const scene = await open(t, venue, { cache });
    await scene.restart();
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
  });

  test(`${venue}: two markets are live with the venue's books, and every subscription is confirmed`, async (t) => {
    const scene = await open(t, venue);
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
    for (const { wanted, confirmed, state } of scene.connections())
      assert.deepEqual([state, confirmed], ['open', wanted]);
    assert.deepEqual(scene.gaps(), []);
  });
}

function publishesMarks(venue: VenueName): void {
  test(`${venue}: the venue's mark, index and funding are on the tape in both markets, also after a cut`, async (t) => {
    const scene = await open(t, venue);
    const check = async () => {
      await scene.run(8_000);
      // The mark of each market is that of its last step.
      for (const market of scene.server.markets) scene.server.step(market);
      await scene.world.pass(400);
      for (const [at, marketId] of scene.marketIds.entries()) {
        const { mark, index } = scene.server.markets[at]!.marks;
        const halves = (price: string) =>
          2 * Number(price) * 10 ** scene.live.market(marketId)!.definition.priceDecimals;
        const { marks } = scene.live.source.book(marketId, scene.live.time())!;
        assert.ok(marks !== undefined, `${marketId} has no marks`);
        assert.equal(marks.mark, Math.round(halves(mark)));
        if (marks.index !== null) assert.equal(marks.index, Math.round(halves(index)));
        assert.equal(marks.fundingRate, 0.0001);
        assert.equal(Number(scene.status(marketId).marks?.mark), Number(mark));
      }
    };
    await check();
    for (const market of scene.server.markets) market.offsets = { mark: -7, index: 9 };
    await during(scene, 'a cut connection', 1_000);
    await check();
  });

  test(`${venue}: without the venue's mark, the market goes on, and the tape shows how old the mark is`, async (t) => {
    const scene = await open(t, venue);
    scene.world.route.down = (text) => (isOfMarks(text) ? [] : [{ text, afterMs: 0 }]);
    await scene.run(30_000);
    await scene.world.pass(400);
    scene.checkHealed();
    const [marketId] = scene.marketIds;
    const { marks } = scene.live.source.book(marketId!, scene.live.time())!;
    assert.ok(marks === undefined || scene.live.time() - marks.time > 25_000);
    assert.match(scene.status(marketId).marksProblem!, /stopped sending its mark|does not answer/);
    delete scene.world.route.down;
    await scene.run(30_000);
    assert.equal(scene.status(marketId).marksProblem, null);
    assert.ok(scene.live.time() - scene.live.source.book(marketId!, scene.live.time())!.marks!.time < 2_000);
  });
}

/** Whether a frame has the venue's own prices, or answers a request for them. */
function isOfMarks(text: string): boolean {
  return /mark_?price|mark-price|index-tickers|funding|"ticker|tickers|activeAssetCtx|market_stats|"tick"|marketStats/i.test(
    text,
  );
}

function comesBack(venue: VenueName): void {
  test(`${venue}: a cut connection is reopened with every subscription, and the gap is on the tape`, async (t) => {
    const scene = await open(t, venue);
    await during(scene, 'a cut connection', 10_000);
    await scene.world.pass(400);
    scene.checkHealed();
    const known = venues[venue].rest.history === undefined ? '(none|whole)' : 'whole';
    const gaps = scene.gaps();
    assert.equal(gaps[0], 'connection');
    assert.match(gaps[1]!, new RegExp(`^\\d+ ${known}$`));
    assert.equal(gaps.length, 2);
    for (const { wanted, confirmed, reconnects } of scene.connections()) {
      assert.deepEqual([confirmed, reconnects], [wanted, 1]);
    }
  });

  test(`${venue}: a half-open connection on which nothing arrives is dropped within 7 s`, async (t) => {
    const scene = await open(t, venue);
    await during(scene, 'a half-open socket', 7_000);
    assert.ok(scene.gaps().length > 0);
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
  });

  test(`${venue}: a venue that answers no pings but keeps sending data is trusted`, async (t) => {
    const scene = await open(t, venue);
    await during(scene, 'pings unanswered', 65_000);
    assert.deepEqual(scene.gaps(), []);
  });

  test(`${venue}: messages that arrive 5.5 s late make a gap until they are on time again`, async (t) => {
    const scene = await open(t, venue);
    const end = faults['late frames']!(scene, () => 5_500);
    await scene.run(7_000);
    assert.equal(scene.status().gap?.reason, 'lag');
    assert.equal(scene.book(), null);
    end();
    await scene.run(12_000);
    await scene.world.pass(400);
    scene.checkHealed();
    // Nothing was lost; without numbers, only a history that reaches back proves it.
    const known = venues[venue].numbersTrades ? /whole$/ : venues[venue].rest.history ? /whole$|part$/ : /none$/;
    assert.match(scene.gaps().at(-1)!, known);
  });

  test(`${venue}: a clock three seconds ahead of ours is reported, and is not lag`, async (t) => {
    const scene = await open(t, venue);
    scene.venueAheadMs = 3_000;
    await scene.restart();
    await scene.run(30_000);
    const [feed] = scene.live.status().feeds;
    assert.ok(Math.abs(feed!.skewMs! - 3_000) <= 500, String(feed!.skewMs));
    assert.ok(Math.abs(scene.status().lagMs!) <= 500);
    scene.checkBooks();
  });
}

function noticesMissingUpdates(venue: VenueName): void {
  test(`${venue}: a missing update is a gap until the next full book; prints continued in the meantime`, async (t) => {
    const scene = await open(t, venue);
    faults['a sequence jump']!(scene, () => 0);
    await scene.run(4_000);
    await scene.world.pass(400);
    scene.checkHealed();
    const [reason, end] = scene.gaps();
    assert.equal(reason, 'sequence');
    assert.match(end!, venues[venue].numbersTrades ? /whole$/ : /whole$|part$/);
  });

  test(`${venue}: updates that arrive twice count once`, async (t) => {
    const scene = await open(t, venue);
    scene.world.route.down = (text) => [
      { text, afterMs: 0 },
      { text, afterMs: 30 },
    ];
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
    assert.deepEqual(scene.gaps(), []);
    assert.ok(scene.status().duplicates > 10);
  });
}

function tellsCalmFromDeaf(venue: VenueName): void {
  test(`${venue}: a calm market is compared with the venue's book and stays fresh`, async (t) => {
    const scene = await open(t, venue);
    for (let passed = 0; passed < 60; passed += 1) {
      await scene.world.pass(1_000);
      const { time } = scene.live.source.book(scene.marketIds[0]!, scene.world.now())!;
      assert.ok(scene.world.now() - time < 8_000, `${scene.world.now() - time} ms old`);
    }
    assert.deepEqual(scene.gaps(), []);
  });

  test(`${venue}: a stream that stops while the venue is running is a gap within 10 s, and is reopened`, async (t) => {
    const scene = await open(t, venue);
    const end = faults['a silent route']!(scene, () => 0);
    await scene.run(10_000);
    assert.equal(scene.gaps()[0], 'silence');
    end();
    await scene.run(20_000);
    await scene.world.pass(400);
    scene.checkHealed();
  });
}

function fetchesMissingNumbers(venue: VenueName): void {
  test(`${venue}: a print that is lost is fetched, and is on the tape once, as history`, async (t) => {
    const scene = await open(t, venue);
    const [market] = scene.server.markets;
    const { length } = market!.trades;
    // The venue itself fails to publish.
    scene.server.troubles.isSilent = true;
    while (market!.trades.length === length) market!.step(scene.world.now());
    scene.server.troubles.isSilent = false;
    const lost = market!.trades.slice(length).map(({ number }) => String(number));
    await scene.run(10_000);
    for (const id of lost) {
      const prints = scene
        .tapeLines()
        .filter(({ trade, market_id }) => trade?.id === id && market_id === scene.marketIds[0]);
      assert.deepEqual(
        prints.map(({ trade }) => trade!.history),
        [true],
      );
    }
  });
}
