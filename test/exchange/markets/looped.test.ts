import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { Book } from '../../../src/exchange/engine/book/book.ts';
import type { MarketEvent, MarketSource, Tape } from '../../../src/exchange/engine/source.ts';
import { type BarInterval, barStart } from '../../../src/exchange/markets/bars.ts';
import { Loop, loopedSource, shiftTo } from '../../../src/exchange/markets/looped/looped-source.ts';
import { PlayedBars } from '../../../src/exchange/markets/played-bars.ts';
import { openRecording } from '../../../src/exchange/markets/recorded/recorded-source.ts';

const begin = Date.UTC(2024, 7, 8, 12, 0, 20, 345);
/** 95 s: passes of whole seconds. */
const lengthMs = 95_000;
const periodMs = 96_000;
const now = Date.UTC(2026, 10, 17, 9, 30, 1, 500);
const [one, two] = ['binance|BTCUSDT', 'binance|ETHUSDT'] as const;

/** Two markets; the second has its first book 5 s late, and the tape's own gap after 40 s. */
function lines(): object[] {
  const market = (id: string, symbol: string) => ({
    time: begin,
    market: {
      market_id: id,
      symbol,
      coin: `${symbol}USDT`,
      size_decimals: 1,
      tick: '0.1',
      max_leverage: 5,
      category: 'crypto',
    },
  });
  const made: object[] = [market(one, 'BTC'), market(two, 'ETH')];
  for (let at = 0; at <= lengthMs; at += 500) {
    const [time, price] = [begin + at, 100 + ((at / 500) % 17)];
    const levels = { bids: [[String(price), '5']], asks: [[String(price + 1), '7']] };
    made.push({ time, market_id: one, ...levels });
    if (at % 1500 === 0) made.push({ time, market_id: one, trade: { price: String(price), size: '1', side: 'buy' } });
    if (at < 5_000 || (at > 40_000 && at < 50_000)) continue;
    made.push({ time, market_id: two, ...levels });
    if (at % 7000 === 0) made.push({ time, market_id: two, trade: { price: String(price), size: '2', side: 'sell' } });
  }
  return made;
}

describe('a looped tape', () => {
  let looped: ReturnType<typeof loopedSource>;

  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perp-looped-'));
    writeFileSync(
      join(folder, 'tape.jsonl'),
      lines()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const tape = await openRecording(join(folder, 'tape.jsonl'));
    rmSync(folder, { recursive: true });
    looped = loopedSource(tape.source, tape, shiftTo(tape, tape.firstTime, now));
  });

  const opened = (from: number, ...markets: string[]): Tape => {
    const cursor = looped.open(from);
    for (const market of markets) cursor.watch(market, true);
    return cursor;
  };

  it('plays the moment that was chosen now, to a second, and the same again after a pass', () => {
    const book = looped.book(one, now)!;
    assert.ok(book.time <= now && now - book.time < 500, String(now - book.time));
    assert.ok(book.bids[0]! <= 1_010, 'one of the first two books');
    const [inOne, inNext] = [now, now + periodMs].map((from) => played(opened(from, one), from + 20_000));
    assert.deepEqual(
      inOne!.map((event) => withTimes(event, periodMs)),
      inNext,
    );
  });

  it('has a gap of every watched market between two passes, until its first full book', () => {
    const from = now + 90_000;
    const events = played(opened(from, one, two), from + 20_000);
    const gaps = events.filter((event) => event.kind === 'gap');
    assert.deepEqual(
      gaps.map(({ marketId, reason }) => [marketId, reason]),
      [
        [one, 'loop'],
        [two, 'loop'],
      ],
    );
    const seam = gaps[0]!.time;
    assert.equal(
      events.some(({ kind, time }) => kind !== 'gap' && time > seam && time < seam + 300),
      false,
    );
    assert.deepEqual(looped.book(one, seam)?.gap, { since: seam, reason: 'loop' });
    assert.deepEqual(looped.book(one, seam)?.bids, []);
    assert.equal(looped.book(one, seam + 2_000)?.gap, undefined);
    // The second market's first book is late on the tape, too.
    assert.deepEqual(looped.book(two, seam + 2_000)?.gap, { since: seam, reason: 'loop' });
  });

  it('gives the same events in any steps, and the same books at once as when played', () => {
    const step = fc.record({ ms: fc.nat(60_000), peeks: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: -400_000, max: 400_000 }), fc.array(step, { maxLength: 8 }), (start, steps) => {
        const from = now + start;
        const cursor = opened(from, one, two);
        const book = new Book();
        const first = looped.book(one, from);
        if (first !== null) book.load(first);
        const found: MarketEvent[] = [];
        let until = from;
        for (const { ms, peeks } of steps) {
          until += ms;
          for (;;) {
            const time = peeks ? cursor.peek(until) : undefined;
            const event = cursor.next(until);
            if (time !== undefined) assert.equal(event?.time ?? null, time);
            if (event === null) break;
            found.push(copied(event));
            follow(book, event);
          }
          assert.deepEqual(shown(looped.book(one, until)), shown(book.snapshot()));
        }
        assert.deepEqual(found, played(opened(from, one, two), until));
      }),
      { numRuns: process.env.PERP_LONG ? 300 : 12 },
    );
  });

  it('watches a market from where it is', () => {
    const cursor = opened(now, one);
    played(cursor, now + 30_000);
    cursor.watch(two, true);
    const rest = played(cursor, now + 130_000);
    assert.deepEqual(rest, played(opened(now + 30_000, one, two), now + 130_000));
    cursor.watch(one, false);
    cursor.watch(two, false);
    assert.equal(cursor.next(now + 900_000), null);
    cursor.watch(one, true);
    assert.deepEqual(played(cursor, now + 950_000), played(opened(now + 900_000, one), now + 950_000));
  });

  it('has the candles that its prints make, before the tape, after it, and while they form', () => {
    // Long before every request, so that the last price is known there.
    const oracle = new PlayedBars(withoutBars(looped), now - 10 * 3_600_000);
    const intervals: BarInterval[] = ['1s', '1m', '3m', '15m', '1h', '2h'];
    fc.assert(
      fc.property(
        fc.record({
          marketId: fc.constantFrom(one, two),
          interval: fc.constantFrom(...intervals),
          from: fc.integer({ min: -7 * 3_600_000, max: 3_600_000 }),
          count: fc.integer({ min: 1, max: 5 }),
          until: fc.integer({ min: -1000, max: 400_000 }),
        }),
        ({ marketId, interval, from, count, until }) => {
          const start = barStart(interval, now + from);
          const request = [marketId, interval, start, count, Math.max(start, now + until)] as const;
          assert.deepEqual(looped.bars(...request), oracle.bars(...request));
        },
      ),
      { numRuns: process.env.PERP_LONG ? 400 : 15 },
    );
  });

  it('adds up days of candles without playing them', () => {
    const [day] = looped.bars(one, '1d', barStart('1d', now) - 86_400_000, 1, now);
    const prints = 86_400_000 / periodMs;
    assert.equal(day!.count, Math.round(prints) * 64);
  });

  it('repeats a tape of an hour or more after whole minutes', () => {
    const times = { firstTime: begin, lastTime: begin + 3_600_000 };
    const shift = shiftTo(times, begin, now);
    assert.equal(shift % 60_000, 0);
    assert.ok(begin + shift <= now && now - begin - shift < 60_000);
  });
});

function played(cursor: Tape, until: number): MarketEvent[] {
  const events: MarketEvent[] = [];
  for (let event = cursor.next(until); event !== null; event = cursor.next(until)) events.push(copied(event));
  return events;
}

/** Without the parts of its arrays that are not valid. */
function copied(event: MarketEvent): MarketEvent {
  if (event.kind !== 'book' && event.kind !== 'delta') return { ...event };
  const { bids, bidCount, asks, askCount } = event;
  return {
    ...event,
    bids: Array.from(bids).slice(0, 2 * bidCount),
    asks: Array.from(asks).slice(0, 2 * askCount),
  };
}

function withTimes(event: MarketEvent, byMs: number): MarketEvent {
  const traded = event.kind === 'print' && event.tradedAt !== undefined ? { tradedAt: event.tradedAt + byMs } : {};
  return { ...event, time: event.time + byMs, ...traded };
}

function follow(book: Book, event: MarketEvent): void {
  if (event.marketId !== one) return;
  if (event.kind === 'book') book.replace(event.time, event.sequence, event);
  else if (event.kind === 'gap') book.lose({ since: event.time, reason: event.reason });
}

function shown(book: ReturnType<MarketSource['book']>): unknown {
  return book && { time: book.time, bids: book.bids, asks: book.asks, gap: book.gap };
}

function withoutBars({ name, definitions, book, open, volume }: MarketSource): MarketSource {
  return { name, definitions, book, open, volume };
}

describe('a pass', () => {
  it('ends right after its last moment with data, and the next one begins a whole period later', () => {
    const loop = new Loop({ firstTime: 1_345, lastTime: 96_345 }, 7_000);
    assert.deepEqual([loop.base, loop.periodMs], [1_000, 96_000]);
    assert.deepEqual([loop.endOf(0), loop.endOf(1)], [103_346, 199_346]);
    assert.deepEqual([loop.passOf(7_999), loop.passOf(8_000), loop.passOf(104_000)], [-1, 0, 1]);
  });
});
