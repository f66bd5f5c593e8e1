import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { FeedServices } from '../../../src/venues/live/feed-services.ts';
import { PrintFeed, type PrintMode } from '../../../src/venues/live/print-feed.ts';
import { PrintWatch } from '../../../src/venues/live/print-watch.ts';
import type { Missing, Venue, VenueMarket } from '../../../src/venues/live/protocols/venue.ts';
import type { Trade } from '../../../src/venues/tape/tape-lines.ts';
import { TapeLines } from '../../../src/venues/tape/tape-lines.ts';
import { definition } from '../../exchange/engine/scripted-source.ts';

const trade = (at: number): Trade => ({
  id: `p${at}`,
  number: null,
  time: at * 1_000,
  price: '100',
  size: '1',
  side: 'buy',
  isOffBook: false,
});
const trades = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => trade(from + at));
const idsOf = (prints: readonly { trade: Trade }[]) => prints.map(({ trade: { id } }) => Number(id.slice(1)));

/** The prints of a venue that does not number them, one in each second; the stream has delivered the first three. */
function feed(history: ((missing: Missing) => readonly Trade[]) | null) {
  const written: number[] = [];
  const asked: Missing[] = [];
  let mode: PrintMode = 'live';
  let now = 1_000;
  const services = {
    clock: { toLocalTime: (ms: number) => ms, toVenueTime: (ms: number) => ms },
    now: () => now,
    uptime: () => now,
    mayProve: () => true,
    receivedUs: () => 10_000_000,
    // What waits for a moment has waited in vain.
    after: (_: number, run: () => void) => {
      const waiting = globalThis.setImmediate(run);
      return () => clearImmediate(waiting);
    },
    write: (lines: readonly { text: string }[]) => {
      for (const { text } of lines) written.push(Number(/"id":"p(\d+)"/.exec(text)![1]));
      return 10_000;
    },
    askHistory:
      history &&
      (async (missing: Missing) => {
        asked.push({ ...missing, known: new Set(missing.known) });
        return history(missing);
      }),
  } as unknown as FeedServices;
  const market = { definition: definition({ sizeDecimals: 0, priceDecimals: 0 }) } as VenueMarket;
  const venue = { numbersTrades: false } as Venue;
  const prints = new PrintFeed(market, venue, new TapeLines(market.definition), services, () => mode);
  prints.begin();
  now = 10_000;
  prints.take(trades(1, 3));
  prints.mark();
  return {
    prints,
    written,
    asked,
    /** The book is lost, and its stream of trades goes on or is lost, too. */
    loseBook: (isStreamLost: boolean) => {
      mode = 'gap';
      if (isStreamLost) prints.lose();
      prints.enterGap();
      if (isStreamLost) prints.begin();
    },
  };
}

describe('of prints without numbers, a gap', () => {
  it('is whole if the history has one from before and one that the stream has delivered since', async () => {
    for (const isStreamLost of [true, false]) {
      const { prints, asked, written, loseBook } = feed(() => trades(2, 6));
      loseBook(isStreamLost);
      prints.take([trade(6)]);
      assert.equal(await prints.recover(), 'whole');
      assert.deepEqual(
        asked.map(({ from, known }) => [from, [...known]]),
        [[3_000, ['p3']]],
      );
      assert.equal(prints.isWhole, true);
      const { prints: ofGap, since, history } = prints.release('whole');
      assert.deepEqual([idsOf(ofGap), idsOf(since), history], [[4, 5, 6], [], 'whole']);
      assert.deepEqual(written, [1, 2, 3], 'those of the gap are written with its end');
    }
  });

  it('has the prints that the history proves; those that came later are of the time since', async () => {
    const { prints, loseBook } = feed(() => trades(2, 6));
    loseBook(true);
    prints.take([trade(6)]);
    assert.equal(await prints.recover(), 'whole');
    prints.take([trade(7)]);
    const { prints: ofGap, since } = prints.release('whole');
    assert.deepEqual([idsOf(ofGap), idsOf(since)], [[4, 5, 6], [7]]);
  });

  it('is known in part if the history does not reach back, or not up to the stream', async () => {
    for (const isStreamLost of [true, false])
      for (const history of [trades(5, 6), trades(2, 5), []]) {
        const { prints, loseBook } = feed(() => history);
        loseBook(isStreamLost);
        prints.take([trade(6)]);
        assert.equal(await prints.recover(), 'part', JSON.stringify(idsOf(history.map((one) => ({ trade: one })))));
        assert.equal(prints.isWhole, false);
      }
  });

  it('is not proved by what the stream delivered before it was lost again', async () => {
    const { prints, loseBook } = feed(() => trades(2, 6));
    loseBook(true);
    prints.take([trade(6)]);
    prints.lose();
    prints.begin();
    assert.equal(await prints.recover(), 'part', 'the seventh may be missing');
    prints.lose();
    prints.begin();
    prints.take([trade(6), trade(7)]);
    assert.equal(await prints.recover(), 'whole', 'the stream itself has repeated the sixth');
  });

  it('waits a moment for the first print of the stream, and then asks for the history once more', async () => {
    const { prints, asked, loseBook } = feed(() => trades(2, asked.length === 1 ? 5 : 6));
    loseBook(true);
    const recovered = prints.recover();
    globalThis.setImmediate(() => prints.take([trade(6)]));
    assert.equal(await recovered, 'whole');
    assert.equal(asked.length, 2);
  });

  it('that was proved is open again once the stream was lost, or may have lost something', async () => {
    for (const again of ['lose', 'suspect'] as const) {
      const { prints, loseBook } = feed(() => trades(2, 6));
      loseBook(true);
      prints.take([trade(6)]);
      assert.equal(await prints.recover(), 'whole');
      prints[again]();
      assert.equal(prints.isWhole, false, again);
    }
  });

  it('needs no history if the stream begins with trades from before it', async () => {
    const { prints, loseBook } = feed(null);
    loseBook(true);
    prints.take(trades(2, 6));
    assert.equal(await prints.recover(), 'whole');
    assert.deepEqual(idsOf(prints.release('whole').prints), [4, 5, 6]);
  });

  it('is unknown without a history, unless nobody could have missed a print', async () => {
    const lost = feed(null);
    lost.loseBook(true);
    lost.prints.take([trade(6)]);
    assert.equal(await lost.prints.recover(), 'none');
    const idle = feed(() => trades(1, 9));
    assert.equal(await idle.prints.recover(), 'whole');
    assert.deepEqual(idle.asked, []);
  });

  it('says what the stream had lost before it, and since when more may be missing if its history is short', async () => {
    for (const first of [1, 2]) {
      const { prints, loseBook } = feed(() => trades(first, 6));
      prints.watch.begin(1_500, true);
      prints.take([trade(5)]);
      prints.mark();
      prints.take([trade(6)]);
      loseBook(false);
      prints.take([trade(7)]);
      await prints.recover();
      const { prints: ofGap, history, unprovedSince } = prints.release('whole');
      const expected = first === 1 ? ['whole', null] : ['part', 1_500];
      assert.deepEqual([idsOf(ofGap).includes(4), history, unprovedSince], [true, ...expected]);
    }
  });

  it('of a market that nobody used asks for nothing', async () => {
    const { prints, asked, loseBook } = feed(() => trades(2, 6));
    loseBook(true);
    prints.forget();
    assert.equal(await prints.recover(), 'none');
    assert.deepEqual([asked, prints.isWhole], [[], false]);
  });
});

describe('the history is asked before the minute is over', () => {
  /** Since when it has asked for prints. */
  let froms: number[] = [];
  /** What it answers. */
  let past: readonly Trade[] = [];
  /** A watch that was live and heard a print at 10 s, and how often it has asked since. */
  const watched = (says: (watch: PrintWatch, at: (ms: number) => void) => void) => {
    let [now, asked] = [0, 0];
    froms = [];
    const services = {
      clock: { toVenueTime: (ms: number) => ms },
      now: () => now,
      uptime: () => now,
      mayProve: () => true,
      askHistory: async ({ from }: Missing) => {
        asked += 1;
        froms.push(from);
        return past;
      },
    } as unknown as FeedServices;
    const watch = new PrintWatch(services, { areNumbered: false, isKnown: () => true });
    watch.begin(5, true);
    now = 10_000;
    watch.heard(0);
    watch.tallied('5');
    says(watch, (ms) => {
      now = 10_000 + ms;
    });
    watch.judge();
    return asked;
  };

  it('back to before a gap, if no comparison has proved that yet, unless the market is new', () => {
    for (const isNew of [false, true]) {
      watched((watch, at) => [at(20_000), watch.begin(30_000, isNew), at(100_000)]);
      assert.deepEqual(froms, [isNew ? 30_000 : 5]);
    }
  });

  it('again, as long as it ends before what the stream has delivered: an old answer proves nothing', async () => {
    for (const end of [9, 11]) {
      past = trades(0, end);
      let judge: () => unknown = () => null;
      watched((watch, at) => {
        watch.heard(10_000);
        at(70_000);
        watch.judge();
        judge = () => watch.judge();
      });
      await setImmediate();
      past = [];
      assert.equal(judge() === null, end === 9);
    }
  });

  it('if a best level moves, or the volume of the venue grows, and no print comes', () => {
    const grown = watched((watch, at) => [at(3_000), watch.tallied('5.1')]);
    const moved = watched((watch, at) => [at(1_000), watch.touched(), at(3_000)]);
    assert.deepEqual([grown, moved], [1, 1]);
  });

  it('but not if the volume stays, falls, comes with a print, or is no number', () => {
    for (const volume of ['5', '4', undefined, null, 'x'])
      assert.equal(
        watched((watch, at) => [at(3_000), watch.tallied(volume)]),
        0,
      );
    assert.equal(
      watched((watch, at) => [at(500), watch.tallied('6'), at(3_000)]),
      0,
    );
  });
});
