import { isJsonObject } from '../../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, jsonObject, sideIn, textField, wholeField } from '../../tape/venue-events.ts';
import { decimalOf, objectIn, objectLevels, objectsIn, refusalOf, textOf } from './frame.ts';
import { ListReader, marketOf, onSignificantFigures } from './market.ts';
import {
  type Ask,
  type BookDepth,
  type BookMessage,
  type RestBook,
  type Venue,
  VenueError,
  type VenueList,
  type VenueMarket,
  type VenueMessage,
} from './venue.ts';

/**
 * Hyperliquid: its own markets and those of every third-party exchange on it, such as `xyz:`. Books are complete and
 * have no sequence: five levels every half second, twenty every five seconds at most. On one connection these two
 * streams are indistinguishable, so each has its own connection.
 */
export const hyperliquid: Venue = {
  name: 'hyperliquid',
  paths: { fast: '/ws', deep: '/ws' },
  stream: {
    topicsPerRequest: 1,
    topicsPerConnection: 1000,
    framesPerSecond: 20,
  },
  rest: { weightPerMinute: 1200, markets: readMarkets, book: readBook, history: readHistory },
  topics: (channel) => ({
    books: [`fast:${channel}`, `l2Book:${channel}`],
    trades: `trades:${channel}`,
    marks: [`activeAssetCtx:${channel}`],
  }),
  connectionOf: (topic) => (topic.startsWith('l2Book:') ? 'deep' : 'fast'),
  request: (method, [topic]) => JSON.stringify({ method, subscription: subscriptionOf(topic!) }),
  heartbeat: () => JSON.stringify({ method: 'ping' }),
  decode: (frame, connection, take) => take(messageOf(jsonObject(frame), connection)),
  assembler: () => {
    let top: BookMessage | null = null;
    let deep: BookMessage | null = null;
    return (message) => {
      if (message.topic.startsWith('fast:')) top = message;
      else deep = message;
      if (top === null || deep === null) return message;
      if (deep.time >= top.time) return deep;
      return top.time - deep.time > deepMs ? top : joined(top, deep);
    };
  },
};

/** Maximum age of the deep book's levels that complete the fast book. */
const deepMs = 15_000;
/** Levels per side of the fast book, and of a book requested only for its best levels. */
const topLevels = 5;

/** Only the connection distinguishes `fast:BTC` from `l2Book:BTC`. */
function subscriptionOf(topic: string): Fields {
  const colon = topic.indexOf(':');
  const [type, coin] = [topic.slice(0, colon), topic.slice(colon + 1)];
  return type === 'fast' ? { type: 'l2Book', coin, fast: true } : { type, coin };
}

function messageOf({ channel, data }: Fields, connection: string): VenueMessage {
  const books = connection === 'fast' ? 'fast' : 'l2Book';
  switch (channel) {
    case 'pong':
      return { kind: 'alive', time: null };
    case 'l2Book':
      return bookOf(objectIn(data, 'data'), books);
    case 'activeAssetCtx':
      return marksOf(objectIn(data, 'data'));
    case 'trades': {
      const trades = objectsIn(data, 'data');
      const coin = trades.length === 0 ? '' : textField(trades[0]!, 'coin');
      return { kind: 'trades', topic: `trades:${coin}`, trades: trades.map(tradeOf) };
    }
    case 'subscriptionResponse': {
      const { method, subscription } = objectIn(data, 'data');
      if (method !== 'subscribe' || !isJsonObject(subscription)) return { kind: 'ignored' };
      const type = subscription.type === 'l2Book' ? books : subscription.type;
      return { kind: 'confirmed', id: null, topics: [`${textOf(type)}:${textOf(subscription.coin)}`] };
    }
    case 'error':
      return errorOf(textOf(data), books);
    default:
      return { kind: 'ignored' };
  }
}

/** The oracle's price is the index; funding is hourly. Numbers may come as text. */
function marksOf(data: Fields): VenueMessage {
  const { markPx, oraclePx, funding, dayBaseVlm: volume } = objectIn(data.ctx, 'ctx');
  return {
    ...{ kind: 'marks', topic: `activeAssetCtx:${textField(data, 'coin')}`, time: 0, mark: decimalOf(markPx) },
    ...(oraclePx !== undefined && { index: decimalOf(oraclePx) }),
    ...(funding !== undefined && { fundingRate: decimalOf(funding), fundingHours: 1 }),
    ...(volume !== undefined && { volume }),
  };
}

/** Errors quote their request. */
function errorOf(text: string, books: string): VenueMessage {
  const [, type, coin] = /"type":"(l2Book|trades|activeAssetCtx)","coin":"([^"]+)"/.exec(text) ?? [];
  if (type === undefined) return { kind: 'ignored' };
  const topics = [`${type === 'l2Book' ? books : type}:${coin}`];
  return refusalOf(text.slice(0, 200), topics, /already subscribed/i.test(text));
}

function bookOf(data: Fields, books: string): BookMessage {
  const { levels } = data;
  if (!Array.isArray(levels) || levels.length !== 2) throw new LineProblem('levels must be [bids, asks]');
  const [bids, asks] = levels.map((side: unknown) => objectLevels(side, ['px'], ['sz']));
  const topic = `${books}:${textField(data, 'coin')}`;
  return { kind: 'book', topic, isFull: true, ids: null, time: wholeField(data, 'time'), bids: bids!, asks: asks! };
}

/** The fast book's levels, followed by the deep book's levels beyond them. */
function joined(top: BookMessage, deep: BookMessage): BookMessage {
  const side = (best: string, rest: string, sign: 1 | -1) => {
    const near = levelsOf(best);
    const last = near.at(-1);
    const beyond = levelsOf(rest).filter(
      ([price]) => last === undefined || sign * (Number(last[0]) - Number(price)) > 0,
    );
    return JSON.stringify([...near, ...beyond]);
  };
  return { ...top, bids: side(top.bids, deep.bids, 1), asks: side(top.asks, deep.asks, -1) };
}

function levelsOf(text: string): [price: string, size: string][] {
  return JSON.parse(text) as [string, string][];
}

function tradeOf(trade: Fields): Trade {
  return {
    id: String(wholeField(trade, 'tid')),
    number: null,
    time: wholeField(trade, 'time'),
    price: textField(trade, 'px'),
    size: textField(trade, 'sz'),
    side: sideIn(textField(trade, 'side'), 'side', 'B', 'A'),
    isOffBook: false,
  };
}

const infoOf = (ask: Ask, body: Fields, weight: number) => ask({ path: '/info', body: JSON.stringify(body), weight });

async function readMarkets(ask: Ask): Promise<VenueList> {
  const list = new ListReader('name');
  const readDex = async (dex: string) => {
    const meta = objectIn(await infoOf(ask, dex === '' ? { type: 'meta' } : { type: 'meta', dex }, 20));
    list.read(objectsIn(meta.universe, 'universe'), (row) => (row.isDelisted === true ? null : readMarket(row)));
  };
  await readDex('');
  for (const dex of await dexesOf(ask, list)) {
    try {
      await readDex(dex);
    } catch (error) {
      if (!(error instanceof VenueError || error instanceof LineProblem)) throw error;
      list.miss(`exchange ${dex}: ${error.message}`, dex);
    }
  }
  return list.list();
}

/** Third-party exchanges, after the venue's own, which is null. If the answer makes no sense, the best known value. */
async function dexesOf(ask: Ask, list: ListReader): Promise<string[]> {
  try {
    const answer = await infoOf(ask, { type: 'perpDexs' }, 20);
    if (!Array.isArray(answer)) throw new LineProblem(`perpDexs must be a list, not ${quoted(answer)}`);
    return answer.filter((dex) => dex !== null).map((dex) => textField(objectIn(dex, 'an exchange'), 'name'));
  } catch (error) {
    if (!(error instanceof VenueError || error instanceof LineProblem)) throw error;
    list.miss(`exchanges: ${error.message}`, 'xyz');
    return ['xyz'];
  }
}

function readMarket(row: Fields): VenueMarket {
  const coin = textField(row, 'name');
  const grid = onSignificantFigures(wholeField(row, 'szDecimals'));
  return marketOf('hyperliquid', coin, grid, { leverage: wholeField(row, 'maxLeverage') });
}

async function readBook(ask: Ask, { channel }: VenueMarket, depth: BookDepth): Promise<RestBook> {
  const book = bookOf(objectIn(await infoOf(ask, { type: 'l2Book', coin: channel }, 2)), 'l2Book');
  if (depth !== 'top') return book;
  const best = (side: string) => JSON.stringify(levelsOf(side).slice(0, topLevels));
  return { ...book, bids: best(book.bids), asks: best(book.asks) };
}

async function readHistory(ask: Ask, { channel }: VenueMarket): Promise<Trade[]> {
  return objectsIn(await infoOf(ask, { type: 'recentTrades', coin: channel }, 20), 'recentTrades').map(tradeOf);
}
