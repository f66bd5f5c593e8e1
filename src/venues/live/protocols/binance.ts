import { isJsonObject } from '../../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, textField, wholeField } from '../../tape/venue-events.ts';
import { cutLevels, ListReader, levelTexts, objectIn, objectsIn, optionalTime, textOf } from './frame.ts';
import { marketOf, onGrid } from './market.ts';
import type { Ask, BookDepth, BookMessage, Missing, Venue, VenueList, VenueMarket, VenueMessage } from './venue.ts';

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
  connections: [
    { name: 'public', path: '/public/ws' },
    { name: 'market', path: '/market/ws' },
  ],
  stream: {
    topicsPerRequest: 100,
    topicsPerConnection: 1024,
    // Ten messages per second are allowed, including pings and pongs.
    framesPerSecond: 5,
    heartbeatMs: 20_000,
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
    time: async (ask) => wholeField(objectIn(await ask({ path: '/fapi/v1/time', weight: 1 })), 'serverTime'),
  },
  topics: ({ channel }) => ({
    books: [{ connection: 'public', name: `${channel}${books}` }],
    trades: { connection: 'public', name: `${channel}${trades}` },
    marks: [{ connection: 'market', name: `${channel}${marks}` }],
  }),
  subscribe: (topics, id) => JSON.stringify({ method: 'SUBSCRIBE', params: topics, id }),
  unsubscribe: (topics, id) => JSON.stringify({ method: 'UNSUBSCRIBE', params: topics, id }),
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
  const id = Number.isSafeInteger(message.id) ? (message.id as number) : null;
  const error = isJsonObject(message.error) ? message.error : 'code' in message && 'msg' in message ? message : null;
  if (error !== null) return { kind: 'refused', id, topics: [], reason: textOf(error.msg) };
  if (id === null) return { kind: 'ignored' };
  if (Array.isArray(message.result)) return { kind: 'listed', topics: message.result.map(textOf) };
  return { kind: 'confirmed', id, topics: [] };
}

function tradeOf(message: Fields): Trade {
  const number = wholeField(message, 't');
  return {
    id: String(number),
    number,
    time: wholeField(message, 'T'),
    price: textField(message, 'p'),
    size: textField(message, 'q'),
    side: sideOf(message),
    // Trades such as liquidations taken over by the insurance fund do not execute on the book.
    isOffBook: (message.X ?? 'MARKET') !== 'MARKET',
  };
}

/** `m`: the buyer was the maker. */
function sideOf({ m }: Fields): 'buy' | 'sell' {
  if (typeof m !== 'boolean') throw new LineProblem(`m must be true or false, not ${quoted(m)}`);
  return m ? 'sell' : 'buy';
}

/** Perpetuals of coins, and of stocks and commodities. */
const perpetuals = ['PERPETUAL', 'TRADIFI_PERPETUAL'];
const dated = ['CURRENT_MONTH', 'NEXT_MONTH', 'CURRENT_QUARTER', 'NEXT_QUARTER', 'PERPETUAL_DELIVERING'];
const datedDelivering = ['CURRENT_QUARTER_DELIVERING', 'NEXT_QUARTER_DELIVERING', ''];
const closed = ['PENDING_TRADING', 'PRE_DELIVERING', 'DELIVERING', 'DELIVERED', 'PRE_SETTLE', 'SETTLING', 'CLOSE'];

async function readMarkets(ask: Ask): Promise<VenueList> {
  const { symbols } = objectIn(await ask({ path: '/fapi/v1/exchangeInfo', weight: 1, isLong: true }));
  const list = new ListReader('symbol');
  const isTraded = (symbol: Fields) =>
    list.has(symbol, 'contractType', perpetuals, [...dated, ...datedDelivering]) &&
    list.has(symbol, 'status', ['TRADING'], closed);
  list.read(objectsIn(symbols, 'symbols'), isTraded, readMarket);
  return list.list();
}

function readMarket(symbol: Fields): VenueMarket {
  const filters = objectsIn(symbol.filters, 'filters');
  const filter = (type: string) => filters.find(({ filterType }) => filterType === type) ?? {};
  const coin = textField(symbol, 'symbol');
  const [tick, step] = [textField(filter('PRICE_FILTER'), 'tickSize'), textField(filter('LOT_SIZE'), 'stepSize')];
  const grid = onGrid(tick, step, wholeField(symbol, 'pricePrecision'));
  return {
    definition: marketOf('binance', coin, grid, {
      category: symbol.contractType === 'TRADIFI_PERPETUAL' ? 'tradfi' : 'crypto',
    }),
    channel: coin.toLowerCase(),
    contractSize: null,
  };
}

async function readBook(ask: Ask, { definition, channel }: VenueMarket, depth: BookDepth): Promise<BookMessage> {
  const [limit, weight] = costs[depth];
  const book = objectIn(await ask({ path: `/fapi/v1/depth?symbol=${definition.coin}&limit=${limit}`, weight }));
  const id = wholeField(book, 'lastUpdateId');
  const time = 'T' in book ? wholeField(book, 'T') : 0;
  const ids = { first: id, last: id, previous: id };
  return { kind: 'book', topic: `${channel}${books}`, isFull: true, ids, time, ...levelTexts(book, 'bids', 'asks') };
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
    trades.push(...answer.map(aggregated));
    if (answer.length < historyPage) break;
    from = `fromId=${wholeField(answer.at(-1)!, 'a') + 1}`;
  }
  return trades;
}

function aggregated(message: Fields): Trade {
  const number = wholeField(message, 'l');
  return {
    id: String(number),
    number,
    firstNumber: wholeField(message, 'f'),
    time: wholeField(message, 'T'),
    price: textField(message, 'p'),
    size: textField(message, 'q'),
    side: sideOf(message),
    isOffBook: false,
  };
}
