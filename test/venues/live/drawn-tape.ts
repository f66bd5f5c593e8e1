import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { decimalText } from '../../../src/venues/tape/level-text.ts';
import { LiveBook } from '../../../src/venues/tape/live-book.ts';
import { type TapeLine, TapeLines } from '../../../src/venues/tape/tape-lines.ts';
import { TapeWriter } from '../../../src/venues/tape/tape-writer.ts';
import type { Chance } from '../../exchange/engine/chance.ts';

const startMs = Date.UTC(2026, 10, 20, 12);

function market(coin: string, priceDecimals: number, sizeDecimals: number): MarketDefinition {
  const marketId = `binance|${coin}`;
  const names = { marketId, coin, symbol: coin.replace('USDT', ''), provider: 'binance' as const };
  return { ...names, priceDecimals, sizeDecimals, tick: 1, maxLeverage: 10, category: 'crypto' };
}

/** The markets of drawn tapes: coarse and fine prices and lots, and lots that may get finer. */
export const drawnMarkets: readonly MarketDefinition[] = [
  { ...market('BTCUSDT', 1, 5), lotDecimals: 3 },
  market('PEPEUSDT', 7, 0),
];

/**
 * Writes a tape of random books, changes, prints, definitions, prices of the venue and gaps, with times of the venue
 * and of their receipt.
 */
export async function drawTape(
  tape: string,
  chance: Chance,
  { events, partBytes }: { events: number; partBytes: number },
): Promise<void> {
  let time = startMs;
  const feeds = drawnMarkets.map((definition) => ({
    definition,
    lines: new TapeLines(definition),
    book: new LiveBook(definition),
    at: null as number | null,
    marks: null as TapeLine | null,
  }));
  const writer = TapeWriter.open(tape, {
    now: () => time,
    partBytes,
    standing(marketId) {
      const { at, lines, book, marks } = feeds.find(({ definition }) => definition.marketId === marketId)!;
      return at === null ? null : { book: lines.book('book', book.full()), marks };
    },
  });
  const times = () => ({
    exchangeUs: chance.chance(0.8) ? time * 1_000 - chance.between(0, 90_000) : null,
    receivedUs: chance.chance(0.9) ? time * 1_000 + chance.between(0, 999) : null,
  });
  for (let event = 0; event < events; event += 1) {
    time += chance.between(1, 400);
    const feed = chance.pick(feeds);
    const { definition, lines, book } = feed;
    const { priceDecimals, sizeDecimals } = definition;
    const level = (units: number, lots: number) =>
      `["${decimalText(units, priceDecimals)}","${decimalText(lots, sizeDecimals)}"]`;
    const size = () => chance.between(1, 10 ** chance.between(1, 7));
    if (feed.at === null) {
      const levels = (sign: number) =>
        Array.from({ length: chance.between(1, 5) }, (_, nth) => level(10_000 + sign * (nth + 1), size())).join(',');
      const full = book.take('book', { bids: `[${levels(-1)}]`, asks: `[${levels(1)}]` })!;
      writer.append([...(event < 30 ? [lines.market()] : []), lines.book('book', full, times())]);
      feed.at = time;
    } else if (chance.chance(0.05)) {
      writer.append([lines.gap('connection', feed.at)]);
      feed.at = null;
      feed.marks = null;
      time += chance.between(1, 2_000);
      writer.append([lines.gapEnd({ prints: [], history: 'whole' }), lines.book('book', book.full(), times())]);
      feed.at = time;
    } else if (definition.lotDecimals !== undefined && chance.chance(0.06)) {
      lines.definition = { ...definition, lotDecimals: lines.definition.lotDecimals === 3 ? 4 : 3 };
      writer.append([lines.market()]);
    } else if (chance.chance(0.2)) {
      const price = (units: number) => decimalText(units, priceDecimals + 2);
      const rate = chance.pick([null, '0.0001', '-0.00000125']);
      const prices = {
        mark: price(1_000_000 + chance.between(-900, 900)),
        index: chance.pick([null, price(1_000_000 + chance.between(-900, 900))]),
        ...{ fundingRate: rate, fundingHours: rate === null ? null : 8 },
        nextFundingAt: rate === null ? null : startMs + 3_600_000,
      };
      writer.append([lines.marks(prices, times())]);
      feed.marks = lines.marks(prices);
    } else if (chance.chance(0.3)) {
      const side = chance.pick(['buy', 'sell'] as const);
      const trade = {
        ...{ id: chance.pick([`${event}`, `a,"${event}"`]), number: null, time, side, isOffBook: false },
        price: decimalText(10_000 + chance.between(-3, 3), priceDecimals),
        size: decimalText(size(), sizeDecimals),
      };
      const receivedUs = time * 1_000 + chance.between(0, 999);
      writer.append([lines.print({ trade, madeAt: time - chance.between(0, 50), receivedUs }, chance.chance(0.1))]);
    } else {
      const sign = chance.pick([-1, 1]);
      const text = `[${level(10_000 + sign * chance.between(1, 8), chance.chance(0.3) ? 0 : size())}]`;
      const change = book.take('delta', sign < 0 ? { bids: text, asks: '[]' } : { bids: '[]', asks: text });
      if (change !== null) writer.append([lines.book(change.kind, change, times())]);
      feed.at = time;
    }
  }
  await writer.close();
}
