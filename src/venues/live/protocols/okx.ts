import { isJsonObject } from '../../../base/terms/json-object.ts';
import { product } from '../../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, jsonObject, levelsField, sideIn, textField, wholeField } from '../../tape/venue-events.ts';
import { bothSides, hasReached, idIn, objectIn, objectsIn, optionalTime, textOf } from './frame.ts';
import { baseLevels, baseSize, ListReader, marketOf, onGrid } from './market.ts';
import type {
  Ask,
  BookDepth,
  BookMessage,
  Missing,
  RestBook,
  Venue,
  VenueList,
  VenueMarket,
  VenueMessage,
} from './venue.ts';

/** Levels per side of the channel `books`, and of a book requested only for its best levels. */
const levels = 400;
const topLevels = 5;
/** The number of trades in an answer of the last trades, in one of older trades, and of those requested for one gap. */
const recentPage = 500;
const olderPage = 100;
const maxOlderPages = 20;

/**
 * OKX v5 perpetuals settled in USDT or USDC. Sizes are in contracts, whose size differs by market. The book starts with
 * a snapshot; each update names its predecessor, and starts a new count after maintenance. An update without levels
 * says that nothing has changed. Trades are numbered; one message may stand for several of one order at one price.
 */
export const okx: Venue = {
  name: 'okx',
  paths: { public: '/ws/v5/public' },
  stream: {
    topicsPerRequest: 50,
    topicsPerConnection: 400,
    // 480 requests an hour and connection.
    framesPerSecond: 3,
  },
  numbersTrades: true,
  rest: {
    // 20 requests in 2 s are allowed of the most limited kind; perp sends far fewer.
    weightPerMinute: 300,
    markets: readMarkets,
    book: readBook,
    history: readHistory,
    time: async (ask) => {
      const [row] = rowsOf(await ask({ path: '/api/v5/public/time' }));
      return timeIn(objectIn(row, 'data'));
    },
  },
  topics: (channel) => ({
    books: [`books:${channel}`],
    trades: `trades:${channel}`,
    // The index that a contract follows: that of BTC-USDT-SWAP is BTC-USDT.
    marks: [`mark-price:${channel}`, `funding-rate:${channel}`, `index-tickers:${channel.replace(/-SWAP$/, '')}`],
  }),
  request: (op, topics, id) => JSON.stringify({ id: String(id), op, args: topics.map(argOf) }),
  heartbeat: () => 'ping',
  decode(frame, _connection, take, listed) {
    const message = jsonObject(frame);
    if (typeof message.event === 'string') return take(replyOf(message));
    const { channel, instId } = objectIn(message.arg, 'arg');
    const topic = `${textOf(channel)}:${textOf(instId)}`;
    if (channel === 'index-tickers' || channel === 'mark-price' || channel === 'funding-rate')
      return take(marksOf(topic, objectsIn(message.data, 'data').at(-1) ?? {}));
    const market = listed(textOf(instId));
    if (market === undefined) return take({ kind: 'ignored' });
    const rows = objectsIn(message.data, 'data');
    if (channel === 'books') for (const row of rows) take(bookOf(market, topic, textField(message, 'action'), row));
    else if (channel === 'trades') take({ kind: 'trades', topic, trades: rows.map((row) => tradeOf(market, row)) });
    else take({ kind: 'ignored' });
  },
};

/** One of the three channels of the venue's own prices, by its fields. */
function marksOf(topic: string, row: Fields): VenueMessage {
  const marks = { kind: 'marks', topic, time: optionalTime(row.ts) } as const;
  if (row.markPx !== undefined) return { ...marks, mark: row.markPx };
  if (row.idxPx !== undefined) return { ...marks, index: row.idxPx };
  if (row.fundingRate === undefined) return { kind: 'ignored' };
  const [at, next] = [Number(textOf(row.fundingTime)), Number(textOf(row.nextFundingTime))];
  const hours = Math.round((next - at) / 3_600_000);
  return {
    ...{ ...marks, fundingRate: row.fundingRate },
    ...(at > 0 && { nextFundingAt: at }),
    ...(at > 0 && hours > 0 && { fundingHours: hours }),
  };
}

function argOf(topic: string): { channel: string; instId: string } {
  const [channel, instId] = topic.split(':');
  return { channel: channel!, instId: instId! };
}

function replyOf(message: Fields): VenueMessage {
  const id = idIn(message.id);
  const { channel, instId } = isJsonObject(message.arg) ? message.arg : {};
  const topics = typeof channel === 'string' && typeof instId === 'string' ? [`${channel}:${instId}`] : [];
  switch (message.event) {
    case 'subscribe':
      return topics.length === 0 ? { kind: 'ignored' } : { kind: 'confirmed', id, topics };
    case 'error': {
      // One bad channel is named in the text: "channel:books,instId:X doesn't exist".
      const reason = textOf(message.msg);
      const [, named, market] = /channel:([\w-]+),\s*instId:([\w-]+)/.exec(reason) ?? [];
      return { kind: 'refused', id, topics: named === undefined ? topics : [`${named}:${market}`], reason };
    }
    // The connection will soon be closed for an upgrade of the service.
    case 'notice':
      return { kind: 'draining' };
    default:
      return { kind: 'ignored' };
  }
}

function bookOf(market: VenueMarket, topic: string, action: string, row: Fields): BookMessage {
  if (action !== 'snapshot' && action !== 'update') throw new LineProblem(`unknown action ${quoted(action)}`);
  const [last, previous] = [wholeField(row, 'seqId'), wholeField(row, 'prevSeqId')];
  const ids = { first: last, last, previous };
  return { kind: 'book', topic, isFull: action === 'snapshot', ids, time: timeIn(row), ...levelsOf(market, row) };
}

function levelsOf(market: VenueMarket, row: Fields) {
  return bothSides((name) => baseLevels(market, levelsField(row, name)));
}

/** `tradeId` is the last of `count` trades. */
function tradeOf(market: VenueMarket, row: Fields): Trade {
  const side = sideIn(textField(row, 'side'));
  const number = wholeIn(row, 'tradeId');
  const count = row.count === undefined ? 1 : Math.max(1, wholeIn(row, 'count'));
  return {
    id: String(number),
    number,
    ...(count === 1 ? {} : { firstNumber: number - count + 1 }),
    time: timeIn(row),
    price: textField(row, 'px'),
    size: baseSize(market, textField(row, 'sz')),
    side,
    isOffBook: false,
  };
}

function timeIn(row: Fields): number {
  return wholeIn(row, 'ts');
}

/** A whole number that is written as text. */
function wholeIn(row: Fields, field: string): number {
  const text = textField(row, field);
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new LineProblem(`${field} must be a whole number, not ${quoted(text)}`);
  return number;
}

const closed = ['suspend', 'preopen', 'test', 'expired', 'rebase', 'settling', 'post_only'];

async function readMarkets(ask: Ask): Promise<VenueList> {
  const rows = rowsOf(await ask({ path: '/api/v5/public/instruments?instType=SWAP', isLong: true }));
  const list = new ListReader('instId');
  // Inverse contracts are settled in their coin.
  const isTraded = (row: Fields) =>
    list.has(row, 'ctType', ['linear'], ['inverse']) &&
    list.has(row, 'settleCcy', ['USDT', 'USDC'], []) &&
    list.has(row, 'state', ['live'], closed);
  return list.read(rows, (row) => (isTraded(row) ? readMarket(row) : null)).list();
}

function readMarket(row: Fields): VenueMarket {
  const channel = textField(row, 'instId');
  const contractSize = product(textField(row, 'ctVal'), textOf(row.ctMult ?? '1'));
  const grid = onGrid(textField(row, 'tickSz'), product(textField(row, 'lotSz'), contractSize), 0);
  const leverage = Number(textOf(row.lever));
  return marketOf('okx', channel, grid, {
    ...{ symbol: textField(row, 'ctValCcy'), contractSize },
    leverage: leverage >= 1 ? leverage : undefined,
  });
}

async function readBook(ask: Ask, market: VenueMarket, depth: BookDepth): Promise<RestBook> {
  const path = `/api/v5/market/books?instId=${market.channel}&sz=${depth === 'top' ? topLevels : levels}`;
  const [row] = rowsOf(await ask({ path }));
  const book = objectIn(row, 'data');
  return { ids: null, time: timeIn(book), ...levelsOf(market, book) };
}

/** The last trades, then older ones until the last print received. */
async function readHistory(ask: Ask, market: VenueMarket, missing: Missing): Promise<Trade[]> {
  const page = async (path: string) =>
    rowsOf(await ask({ path: `/api/v5/market/${path}` })).map((row) => tradeOf(market, row));
  const trades = await page(`trades?instId=${market.channel}&limit=${recentPage}`);
  for (let pages = 0; pages < maxOlderPages && trades.length > 0 && !hasReached(trades, missing); pages += 1) {
    const before = trades.at(-1)!.id;
    const older = await page(`history-trades?instId=${market.channel}&type=1&after=${before}&limit=${olderPage}`);
    if (older.length === 0) break;
    trades.push(...older);
  }
  return trades;
}

function rowsOf(body: unknown): Fields[] {
  const answer = objectIn(body);
  if (answer.code !== '0') throw new LineProblem(`the venue answers ${quoted(answer.msg ?? answer.code)}`);
  return objectsIn(answer.data, 'data');
}
