import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FeedServices } from '../../../src/venues/live/feed-services.ts';
import { MarketFeed } from '../../../src/venues/live/market-feed.ts';
import type { BookMessage, Venue, VenueMarket } from '../../../src/venues/live/protocols/venue.ts';
import { VenueClock } from '../../../src/venues/live/venue-clock.ts';
import type { Trade } from '../../../src/venues/tape/tape-lines.ts';
import { definition } from '../../exchange/engine/scripted-source.ts';

const startMs = 1_000_000;

/** A market of a venue that does not number its prints, one of them in each second, and what its tape has. */
function feed(history: () => Promise<readonly Trade[]>) {
  const tape: string[] = [];
  let now = startMs;
  let asked = 0;
  const waits = new Set<() => void>();
  // It is that of the venue, too.
  const clock = new VenueClock({ now: () => now, uptime: () => now });
  clock.learn(now, 0, 0);
  const services = {
    clock,
    now: () => now,
    receivedUs: () => now * 1_000,
    uptime: () => now,
    random: () => 0.5,
    after: (_: number, run: () => void) => {
      waits.add(run);
      return () => waits.delete(run);
    },
    write: (lines: readonly { kind: string; text: string }[]) => {
      for (const { kind, text } of lines) {
        const [, id] = /"id":"p(\d+)"/.exec(text) ?? [];
        const [, known] = /"history":"(\w+)"/.exec(text) ?? [];
        tape.push(id === undefined ? [kind, known].filter(Boolean).join(' ') : `print ${id}`);
      }
      return now;
    },
    askBook: null,
    askHistory: async () => {
      asked += 1;
      return await history();
    },
    sampleClock: () => {},
    mayProve: () => true,
    misfit: () => {},
    isOverlapping: () => false,
    resubscribe: () => {},
    reconnect: () => {},
  } as unknown as FeedServices;
  const market = { definition: definition({ sizeDecimals: 0, priceDecimals: 0 }) } as VenueMarket;
  const made = new MarketFeed(market, { numbersTrades: false, needsRestBook: false } as Venue, services);
  let last = 0;
  const book = (isFull: boolean, bid = '99'): BookMessage => {
    last += 1;
    const ids = { first: last, last, previous: last - 1 };
    const [bids, asks] = [`[["${bid}","1"]]`, '[["101","1"]]'];
    return { ...{ kind: 'book', topic: 'book', isFull, ids, time: now, bids, asks } } as BookMessage;
  };
  return {
    feed: made,
    tape,
    asked: () => asked,
    pass: (ms: number) => {
      now += ms;
    },
    full: () => made.takeBook(book(true), false),
    update: (bid?: string) => made.takeBook(book(false, bid), false),
    /** An update is lost on its way. */
    miss: () => void book(false),
    print: (...ids: number[]) => made.takeTrades(ids.map(trade)),
    /** Whatever waits for some time has waited for it. */
    endWaits: () => {
      for (const run of [...waits]) if (waits.delete(run)) run();
    },
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function trade(at: number): Trade {
  const time = startMs + at * 1_000;
  return { id: `p${at}`, number: null, time, price: '100', size: '1', side: 'buy', isOffBook: false };
}
const trades = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => trade(from + at));

/** The same, live, with two prints on its tape. */
function live(history: () => Promise<readonly Trade[]> = async () => []) {
  const scene = feed(history);
  scene.feed.start();
  scene.feed.tradesBegan();
  scene.full();
  scene.pass(2_500);
  scene.print(1, 2);
  scene.update();
  assert.deepEqual(scene.tape, ['market', 'book', 'print 1', 'print 2', 'delta']);
  assert.equal(scene.feed.state, 'live');
  scene.tape.length = 0;
  return scene;
}

describe('a market whose venue does not number its prints', () => {
  it('does not take the old trades with which a stream begins for new ones', () => {
    const scene = feed(async () => []);
    scene.pass(60_000);
    scene.feed.start();
    scene.feed.tradesBegan();
    scene.full();
    scene.print(1, 30, 59);
    assert.deepEqual(scene.tape, ['market', 'book', 'print 59']);
  });

  it('asks for the history of a gap in which only the book was lost, and says how much of it is known', async () => {
    for (const [history, known] of [
      [trades(1, 3), 'whole'],
      [trades(3, 3), 'part'],
    ] as const) {
      const scene = live(async () => history);
      scene.update('99.5');
      assert.deepEqual([scene.tape, scene.feed.status().gap?.reason], [['gap'], 'misfit']);
      scene.print(3);
      scene.full();
      await scene.settled();
      assert.deepEqual([scene.asked(), scene.tape], [1, ['gap', 'print 3', `gapEnd ${known}`, 'book']]);
    }
  });

  it('asks again if an update is lost while it waits for the history', async () => {
    const answers: ((run: readonly Trade[]) => void)[] = [];
    const scene = live(() => new Promise((resolve) => answers.push(resolve)));
    scene.update('99.5');
    scene.print(3);
    scene.full();
    assert.equal(answers.length, 1);
    scene.miss();
    scene.update();
    answers[0]!(trades(1, 3));
    await scene.settled();
    scene.print(4);
    scene.full();
    await scene.settled();
    assert.equal(answers.length, 2, 'what was lost with the update may have been a print');
    answers[1]!(trades(2, 4));
    await scene.settled();
    assert.deepEqual(scene.tape, ['gap', 'print 3', 'print 4', 'gapEnd whole', 'book']);
  });

  it('waits after a loss until every lost stream has started again, however long, and keeps the one that was not lost', async () => {
    for (const [lost, areTradesLost] of [
      ['books', false],
      ['trades', true],
      ['both', true],
    ] as const) {
      const scene = live(async () => trades(1, 3));
      scene.feed.loseStream(lost);
      assert.equal(scene.feed.state, 'waiting', lost);
      scene.full();
      await scene.settled();
      scene.endWaits();
      await scene.settled();
      assert.equal(scene.feed.state, areTradesLost ? 'healing' : 'live', lost);
      if (!areTradesLost) continue;
      scene.feed.tradesBegan();
      await scene.settled();
      assert.deepEqual(scene.tape, ['gap'], 'the first print of the stream tells how far the history must reach');
      scene.print(3);
      await scene.settled();
      assert.deepEqual(scene.tape, ['gap', 'print 3', 'gapEnd whole', 'book']);
    }
  });
});
