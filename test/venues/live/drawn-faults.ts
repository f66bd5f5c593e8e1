import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type VenueName, venueNames } from '../../../src/base/terms/venues.ts';
import { seed } from '../../seed.ts';
import { LiveScene } from './live-scene.ts';
import { noTroubles, type ServerTroubles } from './servers/server.ts';

/** How soon every market is live once its venue works again, or once it may be asked again. */
const healMs = 5_000;
const allowedMs = 2_000;
/** How long a fault lasts after its end: frames are on their way, and a connection that nobody closed seems open. */
const settling: Record<string, number> = {
  'late frames': 9_000,
  'answers late and twice': 6_000,
  'a half-open socket': 7_000,
  // A refusal that is on its way says how long to wait.
  'upgrades refused': 500,
  'too many requests': 500,
  'a banned address': 500,
};
/** The venue whose protocol a trial speaks: its seed modulo their number. */
export const trialVenues: readonly VenueName[] = venueNames;

type Draw = (low: number, high: number) => number;

/** A fault between a venue and its feed: starts when called, ends when its result is called. */
type Fault = (scene: LiveScene, draw: Draw) => () => void;

const nothing = () => {};

export const faults: Readonly<Record<string, Fault>> = {
  'dropped frames': (scene, draw) => frames(scene, (text) => (draw(0, 10) < 2 ? [] : [{ text, afterMs: 0 }])),
  'doubled frames': (scene, draw) =>
    frames(scene, (text) => Array.from({ length: draw(0, 10) < 3 ? 2 : 1 }, () => ({ text, afterMs: 0 }))),
  'reordered frames': (scene, draw) =>
    frames(scene, (text) => [{ text, afterMs: draw(0, 10) < 2 ? draw(50, 400) : 0 }]),
  'late frames': (scene, draw) => {
    const afterMs = draw(500, 9_000);
    return frames(scene, (text) => [{ text, afterMs }]);
  },
  'corrupted frames': (scene, draw) =>
    frames(scene, (text) => [{ text: draw(0, 20) === 0 ? corrupted(text, draw) : text, afterMs: 0 }]),
  'a sequence jump': (scene) => {
    // The venue itself fails to publish.
    scene.server.troubles.isSilent = true;
    for (const market of scene.server.markets) scene.server.step(market);
    scene.server.troubles.isSilent = false;
    return nothing;
  },
  'a silent route': (scene) => trouble(scene, { isSilent: true }),
  'subscriptions refused': (scene, draw) => {
    cut(scene, 'maintenance');
    return trouble(scene, { refuses: () => draw(0, 4) > 0 });
  },
  'answers lost': (scene) => {
    cut(scene, '');
    return frames(scene, (text) => (isAnswer(text) ? [] : [{ text, afterMs: 0 }]));
  },
  'answers late and twice': (scene, draw) => {
    cut(scene, '');
    const late = () => ({ afterMs: draw(0, 6_000) });
    return frames(scene, (text) =>
      isAnswer(text)
        ? [
            { text, ...late() },
            { text, ...late() },
          ]
        : [{ text, afterMs: 0 }],
    );
  },
  'requests lost': (scene, draw) => {
    cut(scene, '');
    scene.world.route.up = () => draw(0, 3) > 0;
    return () => delete scene.world.route.up;
  },
  'a greeting': (scene) => {
    const end = trouble(scene, { greeting: 'Websocket connection established.' });
    cut(scene, 'going away');
    return end;
  },
  'empty books': (scene, draw) =>
    frames(scene, (text) => [{ text: draw(0, 4) === 0 ? emptied(text) : text, afterMs: 0 }]),
  'a clock that is set': (scene, draw) => {
    scene.world.wallSetMs += draw(0, 2) === 0 ? 30_000 : -30_000;
    return nothing;
  },
  'pings unanswered': (scene) => trouble(scene, { ignoresPings: true }),
  'old books': (scene) => trouble(scene, { staleBooks: true }),
  'slow answers': (scene, draw) => {
    const afterMs = draw(500, 9_000);
    return trouble(scene, { answer: (ordinary) => ({ ...ordinary(), afterMs }) });
  },
  'no answers': (scene) => trouble(scene, { answer: () => null }),
  'too many requests': (scene, draw) => {
    const headers: Record<string, string> = draw(0, 2) === 0 ? {} : { 'retry-after': String(draw(1, 8)) };
    return trouble(scene, { answer: () => ({ status: 429, body: '{"code":-1003}', headers }) });
  },
  'a banned address': (scene) =>
    trouble(scene, { answer: () => ({ status: 418, body: '{"code":-1003}', headers: { 'retry-after': '12' } }) }),
  'answers that make no sense': (scene) => trouble(scene, { answer: () => ({ status: 200, body: '{"ok":[]}' }) }),
  'a cut connection': (scene) => {
    cut(scene, 'reset by peer');
    return nothing;
  },
  'connections refused': (scene) => {
    cut(scene, 'going away');
    return admission(scene, { reason: 'connection refused' });
  },
  'upgrades refused': (scene, draw) => {
    cut(scene, 'going away');
    const retryAfterMs = draw(1, 8) * 1_000;
    return admission(scene, { reason: 'Too Many Requests', retryAfterMs });
  },
  'connections that hang': (scene) => {
    cut(scene, '');
    return admission(scene, null);
  },
  'a half-open socket': (scene) => {
    scene.world.route.up = () => false;
    const ends = frames(scene, () => []);
    return () => {
      delete scene.world.route.up;
      ends();
    };
  },
};

/** Trials of one venue: 1,400 together with those of the others, 20,000 in the long tier. */
export function drawnTrials(venue: VenueName): void {
  const trials = process.env.PERP_LONG ? Math.ceil(20_000 / trialVenues.length) : 60;
  const first = seed * trials * trialVenues.length + trialVenues.indexOf(venue);
  test(`${venue}: ${trials} drawn faults: every market is in a gap or has the venue's book, and is live again within 5 s`, async () => {
    for (let number = 0; number < trials; number += 1) await trial(first + number * trialVenues.length);
  });
}

/**
 * One drawn trial: live markets of a venue, one to three faults that may overlap, then calm. At every moment, each
 * market shows a book that the venue really had, or is in a gap. After the faults it is live again with the venue's
 * current book. No print is on the tape twice, and none is made up. An error lists the drawn faults.
 */
export async function trial(seed: number): Promise<void> {
  const venue = trialVenues[seed % trialVenues.length]!;
  const scene = await LiveScene.open(venue, { seed, partBytes: 20_000 });
  const draw: Draw = (low, high) => low + Math.floor(scene.world.random() * (high - low));
  const story: string[] = [];
  let settleMs = 0;
  try {
    const under: { until: number; end: () => void }[] = [];
    const count = draw(1, 4);
    for (let number = 0; number < count; number += 1) {
      const names = Object.keys(faults);
      const name = names[draw(0, names.length)]!;
      const lasts = draw(200, 12_000);
      settleMs = Math.max(settleMs, settling[name] ?? 0);
      story.push(`${name} at ${scene.world.uptime()} for ${lasts} ms`);
      under.push({ until: scene.world.uptime() + lasts, end: faults[name]!(scene, draw) });
      if (draw(0, 3) === 0) await watch(scene, lasts);
      else await watch(scene, draw(100, lasts));
      endThose(under, scene.world.uptime());
    }
    endThose(under, Number.POSITIVE_INFINITY);
    if (draw(0, 8) === 0) {
      story.push('restart');
      await scene.restart();
    }
    await watch(scene, settleMs);
    await heal(scene);
    checkPrints(scene);
    checkWhole(scene);
  } catch (error) {
    const status = JSON.stringify(scene.live.status().feeds);
    throw new Error(
      `${venue}, seed ${seed}: ${story.join('; ')}
${(error as Error).message}
${status}`,
      { cause: error },
    );
  } finally {
    await scene.close();
  }
}

/** Lets the market move, and checks what the tape shows twice a second. */
async function watch(scene: LiveScene, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await scene.run(Math.min(500, ms - passed));
    scene.checkBooks();
  }
}

async function heal(scene: LiveScene): Promise<void> {
  await watch(scene, Math.max(healMs, allowedIn(scene) + allowedMs));
  // Frames in flight arrive.
  await scene.world.pass(400);
  scene.checkHealed();
}

/** How long the venue has asked to wait, in ms. */
function allowedIn(scene: LiveScene): number {
  const [feed] = scene.live.status().feeds;
  const paused = feed!.rest.pausedUntil === 0 ? 0 : feed!.rest.pausedUntil - scene.live.time();
  return Math.max(0, paused, ...feed!.connections.map(({ waitMs }) => waitMs));
}

function checkPrints(scene: LiveScene): void {
  const tape = scene.live.source.open(0);
  for (const marketId of scene.marketIds) tape.watch(marketId, true);
  const left = new Map<string, number>();
  for (const [at, marketId] of scene.marketIds.entries()) {
    for (const { price, size, side } of scene.server.markets[at]!.trades) {
      const key = `${marketId} ${price} ${size} ${side}`;
      left.set(key, (left.get(key) ?? 0) + 1);
    }
  }
  for (let event = tape.next(scene.live.time()); event !== null; event = tape.next(scene.live.time())) {
    if (event.kind !== 'print') continue;
    const price = scene.modelPrice(event.marketId, event.price);
    const key = `${event.marketId} ${price} ${scene.modelSize(event.marketId, event.size)} ${event.side}`;
    const count = left.get(key) ?? 0;
    assert.ok(count > 0, `a print that never was, or is on the tape twice: ${key}`);
    left.set(key, count - 1);
  }
}

/**
 * Checks that every gap that claims to be whole has all prints from the last one before it.
 */
function checkWhole(scene: LiveScene): void {
  for (const marketId of scene.marketIds) {
    let before = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    const known = new Set<number>();
    for (const { market_id, trade, gap } of scene.tapeLines()) {
      if (market_id !== marketId) continue;
      if (trade !== undefined) {
        const number = Number(/\d+$/.exec(trade.id)![0]);
        known.add(number);
        highest = Math.max(highest, number);
      } else if (gap?.reason !== undefined) before = Math.min(before, known.size === 0 ? before : highest);
      else if (gap !== undefined) {
        for (let number = before + 1; gap.history === 'whole' && number <= highest; number += 1)
          assert.ok(known.has(number), `${marketId}: print ${number} is missing from a gap that is whole`);
        before = Number.POSITIVE_INFINITY;
      }
    }
  }
}

function endThose(under: { until: number; end: () => void }[], now: number): void {
  for (const one of under) {
    if (one.until > now) continue;
    one.end();
    one.until = Number.POSITIVE_INFINITY;
    one.end = nothing;
  }
  if (now === Number.POSITIVE_INFINITY) for (const { end } of under) end();
}

function frames(scene: LiveScene, arrivals: (text: string) => { text: string; afterMs: number }[]): () => void {
  scene.world.route.down = arrivals;
  return () => delete scene.world.route.down;
}

function trouble(scene: LiveScene, troubles: Partial<ServerTroubles>): () => void {
  Object.assign(scene.server.troubles, troubles);
  return () => Object.assign(scene.server.troubles, noTroubles);
}

function admission(scene: LiveScene, answer: { reason: string; retryAfterMs?: number } | null): () => void {
  scene.world.route.open = () => answer;
  return () => delete scene.world.route.open;
}

function cut(scene: LiveScene, reason: string): void {
  for (const socket of scene.server.subscriptions.keys()) socket.close(reason);
}

/** Whether a frame answers a request, or is the first of a subscription. */
function isAnswer(text: string): boolean {
  return /^pong$|"(result|success|subscriptionResponse|sub_ok|error|pong|res|event)"|"type":"subscribed/.test(text);
}

/** A full book without levels; other frames are unchanged. */
function emptied(text: string): string {
  if (!text.startsWith('{')) return text;
  const frame = JSON.parse(text);
  if (frame.channel === 'l2Book') frame.data.levels = [[], []];
  else if (frame.type === 'snapshot' && frame.topic?.startsWith('orderbook'))
    Object.assign(frame.data, { b: [], a: [] });
  else if (frame.action === 'snapshot') Object.assign(frame.data[0], { bids: [], asks: [] });
  else if (frame.feed === 'book_snapshot') Object.assign(frame, { bids: [], asks: [] });
  else if (frame.type === 'subscribed/order_book') Object.assign(frame.order_book, { bids: [], asks: [] });
  else if (frame.op === 'events')
    for (const event of frame.events) if (event.type === 'book') Object.assign(event, { bids: [], asks: [] });
  return JSON.stringify(frame);
}

/** A frame damaged in a way that its reader can detect. */
function corrupted(text: string, draw: Draw): string {
  const at = draw(1, text.length - 1);
  return draw(0, 2) === 0 ? text.slice(0, at) : `${text.slice(0, at)}\u0000${text.slice(at)}`;
}
