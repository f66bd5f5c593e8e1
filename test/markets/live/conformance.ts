import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { venues } from '../../../src/markets/live/venues.ts';
import type { VenueName } from '../../../src/terms/venues.ts';
import { temporaryFolder } from '../recording-file.ts';
import { LiveDesk } from './desk.ts';
import { faults } from './drawn-faults.ts';
import { rigs } from './servers/rigs.ts';

/** A desk on a venue; closed after the test. */
export async function open(t: TestContext, venue: VenueName, options: Parameters<typeof LiveDesk.open>[1] = {}) {
  const desk = await LiveDesk.open(venue, options);
  t.after(() => desk.close());
  return desk;
}

/** Runs a fault for a given time. */
export async function during(desk: LiveDesk, fault: string, ms: number): Promise<void> {
  const end = faults[fault]!(desk, (low) => low);
  await desk.run(ms);
  end();
}

/** What must be true of every venue. */
export function conformance(venue: VenueName): void {
  followsMarkets(venue);
  comesBack(venue);
  if (rigs[venue].isSequenced) noticesMissingUpdates(venue);
  if (venues[venue].rest.book !== undefined) tellsCalmFromDeaf(venue);
  if (venues[venue].numbersTrades) fetchesMissingNumbers(venue);
}

function followsMarkets(venue: VenueName): void {
  test(`${venue}: markets, channels and topics are distinct, and sizes of contracts are decimals`, async (t) => {
    const desk = await open(t, venue);
    const listed = desk.marketIds.map((marketId) => desk.live.market(marketId)!);
    const { connections, topics } = venues[venue];
    const names = listed.flatMap((market) => [...topics(market).books, topics(market).trades]);
    assert.equal(new Set(names.map(({ connection, name }) => `${connection} ${name}`)).size, names.length);
    for (const { connection } of names) assert.ok(connections.some(({ name }) => name === connection));
    for (const { contractSize } of listed) assert.match(contractSize ?? '1', /^\d+(\.\d+)?$/);
  });

  test(`${venue}: a second start takes the markets from the cached list, and shows the venue's books`, async (t) => {
    const cache = { folder: temporaryFolder(t), maxAgeMs: 3_600_000 };
    const desk = await open(t, venue, { cache });
    await desk.restart();
    await desk.run(5_000);
    await desk.world.pass(400);
    desk.checkHealed();
  });

  test(`${venue}: two markets are live with the venue's books, and every subscription is confirmed`, async (t) => {
    const desk = await open(t, venue);
    await desk.run(5_000);
    await desk.world.pass(400);
    desk.checkHealed();
    for (const { wanted, confirmed, state } of desk.connections())
      assert.deepEqual([state, confirmed], ['open', wanted]);
    assert.deepEqual(desk.gaps(), []);
  });
}

function comesBack(venue: VenueName): void {
  test(`${venue}: a cut connection is reopened with every subscription, and the gap is on the tape`, async (t) => {
    const desk = await open(t, venue);
    await during(desk, 'a cut connection', 10_000);
    await desk.world.pass(400);
    desk.checkHealed();
    const known = venues[venue].rest.history === undefined ? '(none|whole)' : 'whole';
    const gaps = desk.gaps();
    assert.equal(gaps[0], 'connection');
    assert.match(gaps[1]!, new RegExp(`^\\d+ ${known}$`));
    assert.equal(gaps.length, 2);
    for (const { wanted, confirmed, reconnects } of desk.connections()) {
      assert.deepEqual([confirmed, reconnects], [wanted, 1]);
    }
  });

  test(`${venue}: a half-open connection on which nothing arrives is dropped within 7 s`, async (t) => {
    const desk = await open(t, venue);
    await during(desk, 'a half-open socket', 7_000);
    assert.ok(desk.gaps().length > 0);
    await desk.run(5_000);
    await desk.world.pass(400);
    desk.checkHealed();
  });

  test(`${venue}: a venue that answers no pings but keeps sending data is trusted`, async (t) => {
    const desk = await open(t, venue);
    await during(desk, 'pings unanswered', 65_000);
    assert.deepEqual(desk.gaps(), []);
  });

  test(`${venue}: messages that arrive 5.5 s late make a gap until they are on time again`, async (t) => {
    const desk = await open(t, venue);
    const end = faults['late frames']!(desk, () => 5_500);
    await desk.run(7_000);
    assert.equal(desk.status().gap?.reason, 'lag');
    assert.equal(desk.book(), null);
    end();
    await desk.run(12_000);
    await desk.world.pass(400);
    desk.checkHealed();
    assert.match(desk.gaps().at(-1)!, /whole$/);
  });

  test(`${venue}: a clock three seconds ahead of ours is reported, and is not lag`, async (t) => {
    const desk = await open(t, venue);
    desk.venueAheadMs = 3_000;
    await desk.restart();
    await desk.run(30_000);
    const [feed] = desk.live.status().feeds;
    assert.ok(Math.abs(feed!.skewMs! - 3_000) <= 500, String(feed!.skewMs));
    assert.ok(Math.abs(desk.status().lagMs!) <= 500);
    desk.checkBooks();
  });
}

function noticesMissingUpdates(venue: VenueName): void {
  test(`${venue}: a missing update is a gap until the next full book; prints continued in the meantime`, async (t) => {
    const desk = await open(t, venue);
    faults['a sequence jump']!(desk, () => 0);
    await desk.run(4_000);
    await desk.world.pass(400);
    desk.checkHealed();
    const [reason, end] = desk.gaps();
    assert.equal(reason, 'sequence');
    assert.match(end!, /whole$/);
  });

  test(`${venue}: updates that arrive twice count once`, async (t) => {
    const desk = await open(t, venue);
    desk.world.route.down = (text) => [
      { text, afterMs: 0 },
      { text, afterMs: 30 },
    ];
    await desk.run(5_000);
    await desk.world.pass(400);
    desk.checkHealed();
    assert.deepEqual(desk.gaps(), []);
    assert.ok(desk.status().duplicates > 10);
  });
}

function tellsCalmFromDeaf(venue: VenueName): void {
  test(`${venue}: a calm market is compared with the venue's book and stays fresh`, async (t) => {
    const desk = await open(t, venue);
    for (let passed = 0; passed < 60; passed += 1) {
      await desk.world.pass(1_000);
      const { time } = desk.live.source.book(desk.marketIds[0]!, desk.world.now())!;
      assert.ok(desk.world.now() - time < 8_000, `${desk.world.now() - time} ms old`);
    }
    assert.deepEqual(desk.gaps(), []);
  });

  test(`${venue}: a stream that stops while the venue is running is a gap within 10 s, and is reopened`, async (t) => {
    const desk = await open(t, venue);
    const end = faults['a silent route']!(desk, () => 0);
    await desk.run(10_000);
    assert.equal(desk.gaps()[0], 'silence');
    end();
    await desk.run(20_000);
    await desk.world.pass(400);
    desk.checkHealed();
  });
}

function fetchesMissingNumbers(venue: VenueName): void {
  test(`${venue}: a print that is lost is fetched, and is on the tape once, as history`, async (t) => {
    const desk = await open(t, venue);
    const [market] = desk.server.markets;
    const { length } = market!.trades;
    // The venue itself fails to publish.
    desk.server.troubles.isSilent = true;
    while (market!.trades.length === length) market!.step(desk.world.now());
    desk.server.troubles.isSilent = false;
    const lost = market!.trades.slice(length).map(({ number }) => String(number));
    await desk.run(10_000);
    for (const id of lost) {
      const prints = desk
        .tapeLines()
        .filter(({ trade, market_id }) => trade?.id === id && market_id === desk.marketIds[0]);
      assert.deepEqual(
        prints.map(({ trade }) => trade!.history),
        [true],
      );
    }
  });
}
