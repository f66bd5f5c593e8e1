import { isJsonObject } from '../../../base/terms/json-object.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, textField, wholeField } from '../../tape/venue-events.ts';
import { cutLevels, levelTexts, objectIn, objectsIn, optionalTime, textOf, truthField, wholeOrNull } from './frame.ts';
import { ListReader, marketOf, onGrid } from './market.ts';
import type { Ask, BookDepth, Missing, RestBook, Venue, VenueList, VenueMarket, VenueMessage } from './venue.ts';

const trades = '@trade';
const books = '@depth@100ms';
const marks = '@markPrice@1s';
/** Levels per side of a book, and what they weigh. */
const costs: Readonly<Record<BookDepth, readonly [levels: number, weight: number]>> = {
  full: [1000, 20],
  lean: [500, 10],
  top: [5, 2],
};
/** Maximum number of aggregated trades in one answer. */
const historyPage = 1000;
/** Maximum number of pages fetched for one gap; if it has more, its prints are reported as incomplete. */
const maxHistoryPages = 10;

/**
 * Binance USD-M. Updates come every 100 ms and are joined to a book from REST; each names its predecessor's id as `pu`.
 * Trades are numbered without gaps, so a lost one is noticed. Depth and trades are on the /public route, marks on
 * /market, which is its own connection.
 */
export const binance: Venue = {
  name: 'binance',
  paths: { public: '/public/ws', market: '/market/ws' },
  stream: {
    topicsPerRequest: 100,
    topicsPerConnection: 1024,
    // Ten messages per second are allowed, including pings and pongs.
    framesPerSecond: 5,
    lifetimeMs: 24 * 3_600_000,
  },
  numbersTrades: true,
  needsRestBook: true,
  rest: {
    weightPerMinute: 2400,
    weightHeader: 'x-mbx-used-weight-1m',
    markets: readMarkets,
    book: readBook,
    history: readHistory,
    time: async (ask) => wholeField(objectIn(await ask({ path: '/fapi/v1/time' })), 'serverTime'),
  },
  topics: (channel) => ({
    books: [`${channel}${books}`],
    trades: `${channel}${trades}`,
    marks: [`${channel}${marks}`],
  }),
  connectionOf: (topic) => (topic.endsWith(marks) ? 'market' : 'public'),
  request: (verb, params, id) => JSON.stringify({ method: verb.toUpperCase(), params, id }),
  heartbeat: (id) => JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id }),
  decode(frame, _connection, take) {
    const { fields, levels } = cutLevels(frame);
    const message = isJsonObject(fields.data) ? fields.data : fields;
    if (message.e === 'depthUpdate') {
      const { bids, asks } = levels ?? levelTexts(message, 'b', 'a');
      const ids = {
        first: wholeField(message, 'U'),
        last: wholeField(message, 'u'),
        previous: wholeField(message, 'pu'),
      };
      const topic = `${textField(message, 's').toLowerCase()}${books}`;
      take({ kind: 'book', topic, isFull: false, ids, time: wholeField(message, 'T'), bids, asks });
    } else if (message.e === 'trade') {
      take({ kind: 'trades', topic: `${textField(message, 's').toLowerCase()}${trades}`, trades: [tradeOf(message)] });
    } else if (message.e === 'markPriceUpdate') take(marksOf(message));
    else take(replyOf(message));
  },
};

/** `r` is empty for contracts without funding. */
function marksOf(message: Fields): VenueMessage {
  const { p: mark, i: index, r: rate, T: next } = message;
  return {
    kind: 'marks',
    topic: `${textField(message, 's').toLowerCase()}${marks}`,
    time: optionalTime(message.E),
    mark,
    index,
    fundingRate: rate === '' ? null : rate,
    nextFundingAt: next === 0 ? null : next,
  };
}

function replyOf(message: Fields): VenueMessage {
  const id = wholeOrNull(message.id);
  const error = isJsonObject(message.error) ? message.error : 'code' in message && 'msg' in message ? message : null;
  if (error !== null) return { kind: 'refused', id, topics: [], reason: textOf(error.msg) };
  if (id === null) return { kind: 'ignored' };
  if (Array.isArray(message.result)) return { kind: 'listed', topics: message.result.map(textOf) };
  return { kind: 'confirmed', id, topics: [] };
}

/** A trade, by the field with its number, or with that of its last one. */
function tradeOf(message: Fields, field: 't' | 'l' = 't'): Trade {
  const number = wholeField(message, field);
  return {
    id: String(number),
    number,
    ...(field === 'l' && { firstNumber: wholeField(message, 'f') }),
    time: wholeField(message, 'T'),
    price: textField(message, 'p'),
    size: textField(message, 'q'),
    // The buyer was the maker.
    side: truthField(message, 'm') ? 'sell' : 'buy',
    // Trades such as liquidations taken over by the insurance fund do not execute on the book.
    isOffBook: (message.X ?? 'MARKET') !== 'MARKET',
  };
}

/** Perpetuals of coins, and of stocks and commodities. */
const perpetuals = ['PERPETUAL', 'TRADIFI_PERPETUAL'];
const dated = ['CURRENT_MONTH', 'NEXT_MONTH', 'CURRENT_QUARTER', 'NEXT_QUARTER', 'PERPETUAL_DELIVERING'];
const datedDelivering = ['CURRENT_QUARTER_DELIVERING', 'NEXT_QUARTER_DELIVERING', ''];
const closed = ['PENDING_TRADING', 'PRE_DELIVERING', 'DELIVERING', 'DELIVERED', 'PRE_SETTLE', 'SETTLING', 'CLOSE'];

async function readMarkets(ask: Ask): Promise<VenueList> {
  const { symbols } = objectIn(await ask({ path: '/fapi/v1/exchangeInfo', isLong: true }));
  const list = new ListReader('symbol');
  const isTraded = (symbol: Fields) =>
    list.has(symbol, 'contractType', perpetuals, [...dated, ...datedDelivering]) &&
    list.has(symbol, 'status', ['TRADING'], closed);
  return list.read(objectsIn(symbols, 'symbols'), (row) => (isTraded(row) ? readMarket(row) : null)).list();
}

function readMarket(symbol: Fields): VenueMarket {
  const filters = objectsIn(symbol.filters, 'filters');
  const filter = (type: string) => filters.find(({ filterType }) => filterType === type) ?? {};
  const coin = textField(symbol, 'symbol');
  const [tick, step] = [textField(filter('PRICE_FILTER'), 'tickSize'), textField(filter('LOT_SIZE'), 'stepSize')];
  const grid = onGrid(tick, step, wholeField(symbol, 'pricePrecision'));
  const category = symbol.contractType === 'TRADIFI_PERPETUAL' ? 'tradfi' : 'crypto';
  return marketOf('binance', coin, grid, { category, channel: coin.toLowerCase() });
}

async function readBook(ask: Ask, { definition }: VenueMarket, depth: BookDepth): Promise<RestBook> {
  const [limit, weight] = costs[depth];
  const book = objectIn(await ask({ path: `/fapi/v1/depth?symbol=${definition.coin}&limit=${limit}`, weight }));
  const id = wholeField(book, 'lastUpdateId');
  const time = 'T' in book ? wholeField(book, 'T') : 0;
  return { ids: { first: id, last: id, previous: id }, time, ...levelTexts(book, 'bids', 'asks') };
}

/**
 * Aggregated trades, which need no credential. Each stands for trades of one order at one price, with the numbers of
 * the first and the last. A print that stands for both known and unknown trades can't be used.
 */
async function readHistory(ask: Ask, { definition }: VenueMarket, missing: Missing): Promise<Trade[]> {
  const trades: Trade[] = [];
  let from = `startTime=${Math.floor(missing.from)}`;
  for (let page = 0; page < maxHistoryPages; page += 1) {
    const path = `/fapi/v1/aggTrades?symbol=${definition.coin}&limit=${historyPage}&${from}`;
    const answer = objectsIn(await ask({ path, weight: 20 }), 'aggTrades');
    trades.push(...answer.map((row) => tradeOf(row, 'l')));
    if (answer.length < historyPage) break;
    from = `fromId=${wholeField(answer.at(-1)!, 'a') + 1}`;
  }
  return trades;
}
