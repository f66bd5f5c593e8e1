import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { seed } from '../../seed.ts';
import { open } from './conformance.ts';
import { faults, trialVenues } from './drawn-faults.ts';
import { LiveScene } from './live-scene.ts';
import type { ModelMarket } from './servers/model.ts';
import { noTroubles, type ServerTroubles } from './servers/server.ts';

/** How long after a trouble the feed may take to prove that nothing is missing: a minute, an answer, and a catch-up. */
const provedMs = 75_000;
/**
 * While trades go on unseen, a market may be shown as live for this long: the touch must move, and the venue answer.
 */
const unseenMs = 20_000;

type Draw = (low: number, high: number) => number;

/** Whether a frame has trades, in the protocol of any venue. */
export function hasTrades(text: string): boolean {
  return /"e":"trade"|"topic":"publicTrade|"channel":"trades"(?!.*"event")|"feed":"trade"|"type":"update\/trade"|"type":"trade"/.test(
    text,
  );
}

/** Troubles of what no sequence proves: prints, marks, lists and answers. */
export const unproved: Readonly<Record<string, (scene: LiveScene, draw: Draw) => () => void>> = {
  'a stream of trades that stays silent': (scene) => down(scene, (text) => !hasTrades(text)),
  'trades that are lost': (scene, draw) => down(scene, (text) => !hasTrades(text) || draw(0, 4) > 0),
  'marks that are unusable': (scene) => {
    scene.world.route.down = (text) => [{ text: withBadMarks(text), afterMs: 0 }];
    return () => delete scene.world.route.down;
  },
  'answers that come after the gap': (scene) => {
    for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
    return troubled(scene, { answer: (ordinary) => ({ ...ordinary(), afterMs: 3_600 }) });
  },
  'another contract size after a maintenance': (scene) => {
    for (const market of scene.server.markets) market.contract = ['0.001', '1000'];
    for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
    return () => {};
  },
  'prints that are too fine': (scene, draw) => {
    scene.world.route.down = (text) => [{ text: draw(0, 4) === 0 ? tooFine(text) : text, afterMs: 0 }];
    return () => delete scene.world.route.down;
  },
  'finer lots for a while': (scene) => finerLots(scene, 1),
  'lots too fine for the tape for a while': (scene) => finerLots(scene, 3),
  'a finer tick': (scene) => {
    for (const market of scene.server.markets) refineTick(market);
    return () => {};
  },
};

function finerLots(scene: LiveScene, byDecimals: number): () => void {
  const list = (by: number) => {
    listLots(scene, by);
    for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
  };
  list(byDecimals);
  return () => list(-byDecimals);
}

/** The sizes of prints with more decimals than any market has, in the protocol of any venue. */
function tooFine(text: string): string {
  return hasTrades(text) ? text.replace(/("(?:q|v|sz|size|qty)":"?\d+\.\d+)/g, '$10000000001') : text;
}

/** The venue lists lots that are finer or coarser by so many decimals; sizes are rounded to them. */
export function listLots({ server }: Pick<LiveScene, 'server'>, byDecimals: number): void {
  for (const market of server.markets) {
    const sizeDecimals = market.sizeDecimals + byDecimals;
    const scaled = (lots: number) => Math.max(1, Math.round(lots * 10 ** byDecimals));
    for (const side of [market.bids, market.asks]) for (const [price, lots] of side) side.set(price, scaled(lots));
    for (const trade of market.trades) trade.size = scaled(trade.size);
    Object.assign(market, { sizeDecimals });
  }
}

/** Prices of the venue's own that are none, in the protocol of any venue. */
function withBadMarks(text: string): string {
  return text.replace(
    /"(markPrice|markPx|mark_price|indexPrice|index_price|oraclePx|idxPx|current_funding_rate|relative_funding_rate|fundingRate|funding|p|i|r)":("[^"]*"|-?[\d.e-]+)/g,
    (all, field: string) => (/"e":"markPriceUpdate"/.test(text) || field.length > 1 ? `"${field}":null` : all),
  );
}

/** The venue lists a tick that is ten times finer, and writes its prices so. */
export function refineTick(market: ModelMarket): void {
  const { priceDecimals } = market;
  Object.defineProperty(market, 'tick', { value: (10 ** -(priceDecimals + 1)).toFixed(priceDecimals + 1) });
  Object.defineProperty(market, 'writtenDecimals', { value: priceDecimals + 2 });
}

/**
 * Seeds, each of one venue: each draws one or two troubles of those here and of `faults`; after them, nothing is
 * missing unsaid.
 */
export function proofTrials(seeds: number, venues: readonly VenueName[] = provable): void {
  test(`${seeds} seeds of silent trades, lost prints, bad marks, late answers and new ticks, alone and in pairs: nothing is missing unsaid`, async () => {
    const first = (seed - 1) * seeds;
    for (let number = first; number < first + seeds; number += 1)
      await proofTrial(venues[number % venues.length]!, Math.floor(number / venues.length));
  });
}

/** The last ten trades of a busy market do not reach back to a lost one. */
const shortHistories: readonly VenueName[] = ['hyperliquid'];

/** One trial of a venue; an error says what was drawn. */
async function proofTrial(venue: VenueName, number: number): Promise<void> {
  const scene = await LiveScene.open(venue, { seed: 7_000 + number });
  const draw: Draw = (low, high) => low + Math.floor(scene.world.random() * (high - low));
  const names = Object.keys(unproved);
  const first = names[number % names.length]!;
  const others = [...names.filter((name) => name !== first), ...Object.keys(faults)];
  const second = number < names.length ? null : others[draw(0, others.length)]!;
  try {
    await scene.run(5_000);
    const ends = [unproved[first]!(scene, draw)];
    await scene.run(draw(500, 8_000));
    if (second !== null) ends.push((unproved[second] ?? faults[second]!)(scene, draw));
    await scene.run(draw(5_000, 30_000));
    for (const end of ends.reverse()) end();
    delete scene.world.route.down;
    delete scene.world.route.up;
    delete scene.world.route.open;
    Object.assign(scene.server.troubles, noTroubles);
    await pass(scene, provedMs);
    await scene.world.pass(3_000);
    scene.checkHealed();
    checkMarks(scene);
    if (!shortHistories.includes(venue)) checkPrints(scene);
  } catch (error) {
    const status = JSON.stringify(scene.live.status().feeds);
    const story = `${first}${second === null ? '' : ` and ${second}`}`;
    throw new Error(`${venue}, number ${number}: ${story}\n${(error as Error).message}\n${status}`, { cause: error });
  } finally {
    await scene.close();
  }
}

/** Every market shows the venue's mark of now. */
function checkMarks(scene: LiveScene): void {
  for (const [at, marketId] of scene.marketIds.entries()) {
    const { mark } = scene.server.markets[at]!.marks;
    assert.equal(Number(scene.status(marketId).marks?.mark), Number(mark), `${marketId}: another mark`);
  }
}

/** Every trade since the market was first live is on the tape once, or in a gap that does not claim to be whole. */
export function checkPrints(scene: LiveScene): void {
  for (const [at, marketId] of scene.marketIds.entries()) {
    const lines = scene.tapeLines().filter(({ market_id }) => market_id === marketId);
    const from = lines.find(({ bids }) => bids !== undefined)!.time + 500;
    const counts = new Map<number, number>();
    const said: { from: number; to: number }[] = [];
    let since: number | null = null;
    let lastPrint = from;
    for (const { time, trade, gap } of lines) {
      if (trade !== undefined) {
        const number = Number(/\d+$/.exec(trade.id)![0]);
        counts.set(number, (counts.get(number) ?? 0) + 1);
        if (since === null) lastPrint = Math.max(lastPrint, trade.traded_at);
      } else if (gap?.reason !== undefined) since = Math.min(since ?? lastPrint - 1, gap.since!);
      else if (gap !== undefined) {
        if (gap.history !== 'whole') said.push({ from: since!, to: time });
        since = null;
      }
    }
    const ahead = scene.venueAheadMs;
    for (const { number, time } of scene.server.markets[at]!.trades) {
      const count = counts.get(number) ?? 0;
      assert.ok(count <= 1, `${marketId}: print ${number} is on the tape ${count} times`);
      // Our clock may have been set meanwhile.
      const [first, last] = [0, scene.world.wallSetMs]
        .map((byMs) => time - ahead + byMs)
        .sort((one, other) => one - other);
      const isSaid = said.some((gap) => last! >= gap.from - 1_500 && first! <= gap.to + 500);
      assert.ok(
        count === 1 || time - ahead < from || isSaid,
        `${marketId}: print ${number} of ${time} is missing unsaid`,
      );
    }
  }
}

/** What must be true of every venue that has a history of prints. */
export function provesStreams(venue: VenueName): void {
  test(`${venue}: a stream of trades that stays silent is a gap within 20 s, and no print is missing unsaid`, async (t) => {
    const scene = await open(t, venue);
    const end = unproved['a stream of trades that stays silent']!(scene, (low) => low);
    await scene.run(unseenMs);
    for (const marketId of scene.marketIds) assert.equal(scene.gaps(marketId)[0], 'silence');
    await scene.run(25_000);
    end();
    await pass(scene, 70_000);
    await scene.world.pass(400);
    scene.checkHealed();
    if (!shortHistories.includes(venue)) checkPrints(scene);
  });

  test(`${venue}: marks that are unusable are unknown, and nothing else is lost`, async (t) => {
    const scene = await open(t, venue);
    await scene.run(3_000);
    scene.world.route.down = (text) => [{ text: withBadMarks(text), afterMs: 0 }];
    await scene.run(8_000);
    assert.deepEqual(
      scene.marketIds.flatMap((marketId) => scene.gaps(marketId)),
      [],
    );
    for (const { garbled } of scene.connections()) assert.equal(garbled, 0);
    assert.match(scene.status().marksProblem!, /unusable/);
  });
}

/** Venues that have a history of prints. */
export const provable = trialVenues.filter((venue) => venues[venue].rest.history !== undefined);

/** Lets the markets move, less often than `run` does. */
async function pass(scene: LiveScene, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) await scene.run(100).then(() => scene.world.pass(400));
}

function down(scene: LiveScene, arrives: (text: string) => boolean): () => void {
  scene.world.route.down = (text) => (arrives(text) ? [{ text, afterMs: 0 }] : []);
  return () => delete scene.world.route.down;
}

function troubled(scene: LiveScene, troubles: Partial<ServerTroubles>): () => void {
  Object.assign(scene.server.troubles, troubles);
  return () => Object.assign(scene.server.troubles, noTroubles);
}
