import { isJsonObject } from '../../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, sideIn, textField, wholeField } from '../../tape/venue-events.ts';
import {
  cutLevels,
  decimalField,
  idIn,
  levelTexts,
  objectIn,
  objectsIn,
  optionalTime,
  textOf,
  wholeOrNull,
} from './frame.ts';
import { ListReader, marketOf, onGrid } from './market.ts';
import type { Ask, BookDepth, BookMessage, RestBook, Venue, VenueList, VenueMarket, VenueMessage } from './venue.ts';

/** Levels per side, every 100 ms. */
const levels = 200;
/** Maximum number of trades in one answer. */
const historyPage = 1000;

/**
 * Bybit v5 linear perpetuals. The book starts with a snapshot; each delta's u is one more than that of the message
 * before. A new snapshot, or u = 1 after a restart of the venue, replaces everything. Trades are not numbered.
 */
export const bybit: Venue = {
  name: 'bybit',
  paths: { linear: '/v5/public/linear' },
  stream: {
    topicsPerRequest: 10,
    topicsPerConnection: 500,
    framesPerSecond: 10,
  },
  rest: {
    // 600 requests in 5 s are allowed; perp sends far fewer.
    weightPerMinute: 1200,
    markets: readMarkets,
    book: readBook,
    history: readHistory,
    time: async (ask) => wholeField(objectIn(await ask({ path: '/v5/market/time' })), 'time'),
  },
  topics: (coin) => ({
    books: [`orderbook.${levels}.${coin}`],
    trades: `publicTrade.${coin}`,
    marks: [`tickers.${coin}`],
  }),
  request: (op, args, id) => JSON.stringify({ req_id: String(id), op, args }),
  heartbeat: (id) => JSON.stringify({ req_id: String(id), op: 'ping' }),
  decode(frame, _connection, take) {
    const { fields, levels } = cutLevels(frame);
    const topic = typeof fields.topic === 'string' ? fields.topic : '';
    if (topic.startsWith('orderbook.')) take(bookOf(fields, topic, levels));
    else if (topic.startsWith('publicTrade.')) {
      take({ kind: 'trades', topic, trades: objectsIn(fields.data, 'data').map(tradeOf) });
    } else if (topic.startsWith('tickers.')) take(marksOf(fields, topic));
    else take(replyOf(fields));
  },
};

/** A snapshot has every field, a delta only those that changed; an empty one means no change. */
function marksOf(message: Fields, topic: string): VenueMessage {
  const data = objectIn(message.data, 'data');
  const [hours, next] = [data.fundingIntervalHour, data.nextFundingTime];
  const isTold = (value: unknown) => value !== undefined && value !== '' && value !== '0';
  return {
    ...{ kind: 'marks', topic, time: optionalTime(message.ts) },
    ...(isTold(data.markPrice) && { mark: data.markPrice }),
    ...(isTold(data.indexPrice) && { index: data.indexPrice }),
    ...(data.fundingRate !== undefined && data.fundingRate !== '' && { fundingRate: data.fundingRate }),
    ...(isTold(hours) && { fundingHours: wholeOf(hours) }),
    ...(isTold(next) && { nextFundingAt: wholeOf(next) }),
    ...(isTold(data.volume24h) && { volume: data.volume24h }),
  };
}

/** A number that is written as text; other values unchanged. */
function wholeOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

function bookOf(message: Fields, topic: string, levels: { bids: string; asks: string } | null): BookMessage {
  const data = objectIn(message.data, 'data');
  const { type } = message;
  if (type !== 'snapshot' && type !== 'delta') throw new LineProblem(`unknown message type ${quoted(type)}`);
  const id = wholeField(data, 'u');
  const time = wholeOrNull(message.cts) ?? wholeField(message, 'ts');
  const ids = { first: id, last: id, previous: id - 1 };
  return {
    kind: 'book',
    topic,
    isFull: type === 'snapshot' || id === 1,
    ids,
    time,
    ...(levels ?? levelTexts(data, 'b', 'a')),
  };
}

function tradeOf(trade: Fields): Trade {
  return {
    id: textField(trade, 'i'),
    number: null,
    time: wholeField(trade, 'T'),
    price: textField(trade, 'p'),
    size: textField(trade, 'v'),
    side: sideIn(textField(trade, 'S'), 'S', 'Buy', 'Sell'),
    isOffBook: trade.BT === true,
  };
}

function replyOf(message: Fields): VenueMessage {
  const { op, success, ret_msg: text } = message;
  if (op === 'ping' || op === 'pong' || text === 'pong') return { kind: 'alive', time: null };
  if (op !== 'subscribe') return { kind: 'ignored' };
  const id = idIn(message.req_id);
  if (success === true) return { kind: 'confirmed', id, topics: [] };
  const known = /already subscribed,?\s*topic:\s*(\S+)/i.exec(textOf(text))?.[1];
  if (known !== undefined) return { kind: 'confirmed', id: null, topics: [known] };
  const topic = /Invalid topic:\s*(\S+)/i.exec(textOf(text))?.[1];
  return { kind: 'refused', id, topics: topic === undefined ? [] : [topic], reason: textOf(text) };
}

const dated = ['LinearFutures', 'InversePerpetual', 'InverseFutures'];
const closed = ['PreLaunch', 'Delivering', 'Closed', 'Settling'];
/** The underlying of a market: coins, or stocks, commodities and currencies. */
const ofCoins = ['', 'innovation', 'adventure', undefined];
const ofOthers = ['stock', 'commodity', 'forex', 'etf', 'index', 'xstocks', 'mstocks'];

async function readMarkets(ask: Ask): Promise<VenueList> {
  const list = new ListReader('symbol');
  const isTraded = (row: Fields) =>
    list.has(row, 'contractType', ['LinearPerpetual'], dated) && list.has(row, 'status', ['Trading'], closed);
  let cursor = '';
  do {
    const path = `/v5/market/instruments-info?category=linear&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const result = resultOf(await ask({ path, isLong: true }));
    list.read(objectsIn(result.list, 'list'), (row) => {
      if (!isTraded(row)) return null;
      // A market of an unknown kind is traded like any other; only its category is unknown.
      const isOfOthers = list.has(row, 'symbolType', ofOthers, ofCoins);
      return readMarket(row, isOfOthers ? 'tradfi' : 'crypto');
    });
    cursor = typeof result.nextPageCursor === 'string' ? result.nextPageCursor : '';
  } while (cursor !== '');
  return list.list();
}

function readMarket(row: Fields, category: 'crypto' | 'tradfi'): VenueMarket {
  const lot = objectIn(row.lotSizeFilter, 'lotSizeFilter');
  const coin = textField(row, 'symbol');
  const tick = textField(objectIn(row.priceFilter, 'priceFilter'), 'tickSize');
  const grid = onGrid(tick, textField(lot, 'qtyStep'), Number(decimalField(row, 'priceScale')));
  const leverage = isJsonObject(row.leverageFilter) ? Number(textOf(row.leverageFilter.maxLeverage)) : Number.NaN;
  return marketOf('bybit', coin, grid, { category, leverage: Number.isFinite(leverage) ? leverage : undefined });
}

async function readBook(ask: Ask, { channel }: VenueMarket, depth: BookDepth): Promise<RestBook> {
  const path = `/v5/market/orderbook?category=linear&symbol=${channel}&limit=${depth === 'top' ? 5 : levels}`;
  const book = resultOf(await ask({ path }));
  const id = wholeField(book, 'u');
  const time = wholeOrNull(book.cts) ?? wholeField(book, 'ts');
  return { ids: { first: id, last: id, previous: id }, time, ...levelTexts(book, 'b', 'a') };
}

/** The last thousand trades. */
async function readHistory(ask: Ask, { channel }: VenueMarket): Promise<Trade[]> {
  const path = `/v5/market/recent-trade?category=linear&symbol=${channel}&limit=${historyPage}`;
  const rows = objectsIn(resultOf(await ask({ path })).list, 'list');
  return rows.map((row): Trade => {
    return {
      id: textField(row, 'execId'),
      number: null,
      time: Number(decimalField(row, 'time')),
      price: textField(row, 'price'),
      size: textField(row, 'size'),
      side: sideIn(textField(row, 'side'), 'side', 'Buy', 'Sell'),
      isOffBook: row.isBlockTrade === true,
    };
  });
}

function resultOf(body: unknown): Fields {
  const answer = objectIn(body);
  if (answer.retCode !== 0) throw new LineProblem(`the venue answers ${quoted(answer.retMsg)}`);
  return objectIn(answer.result, 'result');
}
