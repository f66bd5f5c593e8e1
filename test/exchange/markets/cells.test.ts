import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MarketEvent } from '../../../src/exchange/engine/source.ts';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { Cells } from '../../../src/exchange/markets/synthetic/cells.ts';
import { Bars } from '../../../src/exchange/markets/synthetic/synthetic-bars.ts';
import { SyntheticMarkets, SyntheticTape } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { anyMoment, anySeed } from './playing.ts';

const minuteMs = 60_000;
const anyMarket = fc.constantFrom(...defaultCatalog.map(({ marketId }) => marketId));
const [btc, eth] = ['binance|BTCUSDT', 'binance|ETHUSDT'] as const;

test('the cells of a minute make up any turnover that its lots and prices allow, to its edges', () => {
  const anyShare = fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, fc.nat(4), anyShare, (seed, marketId, moment, more, share) => {
      const { trades, minute } = new SyntheticMarkets(seed, defaultCatalog).at(marketId);
      const number = Math.floor(moment / minuteMs);
      const part = number % 60;
      trades.loadMinutes(Math.floor(number / 60));
      minute.loadCounts(number);
      const prints = trades.minutes.prints[part]!;
      const lots = 8 * prints + Math.floor(10 ** more);
      const [low, high] = [minute.lowest, minute.highest + minute.spread].map((price) => price - trades.reference);
      const room = prints * (high! - low!);
      const [least, most] = [lots * low! + room, lots * high! - room];
      const turnover = Math.round(least + share * (most - least));
      trades.minutes.lots[part] = lots;
      trades.minutes.turnovers[part] = turnover;
      const cells = new Cells(seed, marketId, minute, trades);
      cells.load(number);
      assert.equal(cells.isBroken, false);
      let [all, worth] = [0, 0];
      const add = (count: number, price: number, of: number) => {
        assert.ok(of >= count);
        all += of;
        worth += of * (price - trades.reference);
      };
      for (const [cell, count] of minute.counts.entries())
        if (count > 0) add(count, minute.price(cell), cells.lots[cell]!);
      for (const [slot, count] of minute.walkCounts.entries())
        if (count > 0) add(count, minute.walkPrice(slot), cells.walks[slot]!);
      assert.deepEqual([all, worth], [lots, turnover]);
    }),
    { numRuns: process.env.PERP_LONG ? 20_000 : 60 },
  );
});

test('a minute whose prints can’t add up is a gap of its market: it has no book and no print, and other markets go on', () => {
  const markets = new SyntheticMarkets(7, defaultCatalog);
  const number = 29_900_123;
  const { trades } = markets.at(btc);
  trades.loadMinutes(Math.floor(number / 60));
  trades.minutes.turnovers[number % 60] = 1e15;
  const start = number * minuteMs;
  const tape = new SyntheticTape(markets, start - 1000);
  for (const marketId of [btc, eth]) tape.watch(marketId, true);
  const events: MarketEvent[] = [];
  for (let event = tape.next(start + 2 * minuteMs); event !== null; event = tape.next(start + 2 * minuteMs))
    events.push({ ...event });
  const ofBtc = events.filter((event) => event.marketId === btc);
  const inside = ofBtc.filter(({ time }) => time >= start && time < start + minuteMs);
  assert.deepEqual(
    inside.map((event) => [event.kind, 'reason' in event && event.reason]),
    [['gap', 'misfit']],
  );
  assert.equal(ofBtc.find(({ time }) => time > start + minuteMs)!.kind, 'book');
  assert.ok(events.filter((event) => event.marketId === eth && event.time < start + minuteMs).length > 600);
  const book = markets.at(btc).book(start + 30_000)!;
  assert.deepEqual([book.bids, book.asks, book.gap?.reason], [[], [], 'misfit']);
  const [bar] = new Bars(markets.at(btc)).bars('1h', start, 1, start + 30_000);
  assert.ok(bar!.count > 0);
});
