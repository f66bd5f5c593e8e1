import { product } from '../../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { LevelTexts } from '../../tape/live-book.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, jsonObject, sideIn, textField, wholeField } from '../../tape/venue-events.ts';
import {
  bothSides,
  decimalOf,
  hasReached,
  objectIn,
  objectsIn,
  optionalTime,
  plainDecimal,
  refusalOf,
  textOf,
} from './frame.ts';
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

/** Levels per side of a book requested only for its best levels. */
const topLevels = 5;
/** Trades in one answer, and the number of answers requested for one gap. */
const historyPage = 100;
const maxHistoryPages = 10;

/**
 * Kraken Futures: its linear perpetuals, `PF_...`. Inverse ones, `PI_...`, are settled in coins and left out. Numbers
 * come as JSON numbers. The book starts with a snapshot; then each message changes one level, and they count up by one.
 * Trades have ids that the history has, too; a subscription starts with the last hundred.
 */
export const kraken: Venue = {
  name: 'kraken',
  paths: { futures: '/ws/v1' },
  stream: {
    // A request names one feed.
    topicsPerRequest: 1,
    topicsPerConnection: 400,
    // 100 requests a second are allowed.
    framesPerSecond: 20,
    // A client is disconnected after 60 s without a ping.
    pingMs: 30_000,
  },
  rest: {
    // 500 requests in 10 s are allowed; perp sends far fewer.
    weightPerMinute: 600,
    markets: readMarkets,
    book: readBook,
    history: readHistory,
    // Every answer has the venue's time; this is a short one.
    time: async (ask) => {
      const answer = answerOf(await ask({ path: '/derivatives/api/v3/feeschedules' }));
      return dateIn(textField(answer, 'serverTime'));
    },
  },
  topics: (channel) => ({
    books: [`book:${channel}`],
    trades: `trade:${channel}`,
    marks: [`ticker:${channel}`],
  }),
  request(event, [topic]) {
    const [feed, channel] = topic!.split(':');
    return JSON.stringify({ event, feed, product_ids: [channel] });
  },
  // A subscription that exists is confirmed again, so this request gets an answer.
  heartbeat: () => JSON.stringify({ event: 'subscribe', feed: 'heartbeat' }),
  decode(frame, _connection, take, listed) {
    const message = jsonObject(frame);
    if (typeof message.event === 'string') return take(replyOf(message));
    if (message.feed === 'heartbeat') return take({ kind: 'alive', time: null });
    const channel = textOf(message.product_id);
    const market = listed(channel);
    if (market === undefined) return take({ kind: 'ignored' });
    if (message.feed === 'ticker') return take(marksOf(`ticker:${channel}`, message));
    const [book, trades] = [`book:${channel}`, `trade:${channel}`];
    if (message.feed === 'book_snapshot') take(bookOf(market, book, message, true));
    else if (message.feed === 'book') take(bookOf(market, book, message, false));
    else if (message.feed === 'trade')
      take({ kind: 'trades', topic: trades, trades: [tradeOf(market, message, 'qty')] });
    else if (message.feed === 'trade_snapshot') {
      // The newest comes first.
      const newest = objectsIn(message.trades, 'trades').map((row) => tradeOf(market, row, 'qty'));
      const rows = newest.toReversed();
      take({ kind: 'trades', topic: trades, trades: rows.sort((one, other) => one.time - other.time) });
    } else take({ kind: 'ignored' });
  },
};

/** `relative_funding_rate` is an hourly fraction; `funding_rate` is in USD per contract. */
function marksOf(topic: string, message: Fields): VenueMessage {
  const { markPrice, index, relative_funding_rate: rate, next_funding_rate_time: next } = message;
  if (markPrice === undefined) return { kind: 'ignored' };
  return {
    ...{ kind: 'marks', topic, time: optionalTime(message.time), mark: decimalOf(markPrice) },
    ...(index !== undefined && { index: decimalOf(index) }),
    ...(rate !== undefined && { fundingRate: decimalOf(rate), fundingHours: 1 }),
    ...(Number(next) > 0 && { nextFundingAt: Number(next) }),
    ...(message.volume !== undefined && { volume: message.volume }),
  };
}

function replyOf(message: Fields): VenueMessage {
  const { event, feed } = message;
  if (feed === 'heartbeat') return { kind: 'alive', time: null };
  const channels = Array.isArray(message.product_ids) ? message.product_ids.map(textOf) : [];
  const topics = channels.map((channel) => `${textOf(feed)}:${channel}`);
  if (event === 'subscribed') return { kind: 'confirmed', id: null, topics };
  if (event === 'error' || event === 'alert' || event === 'subscribed_failed')
    return refusalOf(textOf(message.message ?? message.error ?? event), topics);
  return { kind: 'ignored' };
}

function bookOf(market: VenueMarket, topic: string, message: Fields, isFull: boolean): BookMessage {
  const id = wholeField(message, 'seq');
  const ids = { first: id, last: id, previous: id - 1 };
  const levels = isFull ? snapshotOf(market, message) : changeOf(market, message);
  return { kind: 'book', topic, isFull, ids, time: wholeField(message, 'timestamp'), ...levels };
}

/** A snapshot may list a price whose size is 0. */
function snapshotOf(market: VenueMarket, message: Fields): LevelTexts {
  const levels = (name: string) => objectsIn(message[name], name).map(levelOf);
  return bothSides((name) =>
    baseLevels(
      market,
      levels(name).filter(([, size]) => size !== '0'),
    ),
  );
}

function changeOf(market: VenueMarket, message: Fields): LevelTexts {
  const levels = baseLevels(market, [levelOf(message)]);
  return sideIn(message.side) === 'buy' ? { bids: levels, asks: '[]' } : { bids: '[]', asks: levels };
}

function levelOf(row: Fields): [string, string] {
  return [plainDecimal(row.price), plainDecimal(row.qty)];
}

/** Fills and liquidations execute on the book; block trades, assignments and terminations do not. */
function tradeOf(market: VenueMarket, row: Fields, size: 'qty' | 'size'): Trade {
  const { time, type } = row;
  return {
    id: textField(row, 'uid'),
    number: null,
    time: typeof time === 'string' ? dateIn(time) : wholeField(row, 'time'),
    price: plainDecimal(row.price),
    size: baseSize(market, plainDecimal(row[size])),
    side: sideIn(row.side),
    isOffBook: type !== undefined && type !== 'fill' && type !== 'liquidation',
  };
}

function dateIn(text: string): number {
  const time = Date.parse(text);
  if (!Number.isFinite(time)) throw new LineProblem(`is not a time: ${quoted(text)}`);
  return time;
}

/** Dated futures, inverse ones, options and indices. */
const others = ['futures_inverse', 'futures_vanilla', 'options', 'spot index', 'real_time_index', 'flexible_options'];

async function readMarkets(ask: Ask): Promise<VenueList> {
  const answer = answerOf(await ask({ path: '/derivatives/api/v3/instruments', isLong: true }));
  const list = new ListReader('symbol');
  // Dated contracts of the same type are FF_.
  const isTraded = (row: Fields) =>
    list.has(row, 'type', ['flexible_futures'], others) &&
    list.has(row, 'tradeable', [true], [false]) &&
    textOf(row.symbol).startsWith('PF_');
  const rows = objectsIn(answer.instruments, 'instruments');
  return list.read(rows, (row) => (isTraded(row) ? readMarket(row) : null)).list();
}

function readMarket(row: Fields): VenueMarket {
  const channel = textField(row, 'symbol');
  const contractSize = plainDecimal(row.contractSize);
  // How many decimals a size has, in contracts; below zero, it is a multiple of 10, 100 and so on.
  const precision = row.contractValueTradePrecision ?? 0;
  if (!Number.isInteger(precision)) throw new LineProblem(`is not a number of decimals: ${quoted(precision)}`);
  const size = product(plainDecimal(Number(`1e${-(precision as number)}`)), contractSize);
  const grid = onGrid(plainDecimal(row.tickSize), size, 0);
  const [category, symbol] = [categoryOf(row), symbolOf(row, channel)];
  return marketOf('kraken', channel, grid, { leverage: leverageOf(row), category, symbol, contractSize });
}

/** Perpetuals of stocks, commodities and currencies are marked as such. */
function categoryOf({ category, tradfi }: Fields): 'crypto' | 'tradfi' {
  const isOther = /tradfi|equit|stock|forex|fx|commodit|metal/i.test(typeof category === 'string' ? category : '');
  return tradfi === true || isOther ? 'tradfi' : 'crypto';
}

/** The leverage of the smallest positions. */
function leverageOf({ marginLevels }: Fields): number | undefined {
  const [first] = Array.isArray(marginLevels) ? objectsIn(marginLevels, 'marginLevels') : [];
  const margin = Number(first?.initialMargin);
  return margin > 0 ? Math.floor(1 / margin + 1e-9) : undefined;
}

/** The base by its common name: Kraken's XBT is BTC. */
function symbolOf({ base }: Fields, channel: string): string {
  const name = typeof base === 'string' ? base : channel.slice('PF_'.length).replace(/USD$/, '');
  return name === 'XBT' ? 'BTC' : name;
}

async function readBook(ask: Ask, market: VenueMarket, depth: BookDepth): Promise<RestBook> {
  const answer = answerOf(await ask({ path: `/derivatives/api/v3/orderbook?symbol=${market.channel}` }));
  const book = objectIn(answer.orderBook, 'orderBook');
  const side = (name: string) => {
    const rows = Array.isArray(book[name]) ? (book[name] as unknown[]) : null;
    if (rows?.every(Array.isArray) !== true) throw new LineProblem(`${name} must be a list of [price, size]`);
    const levels = (rows as unknown[][]).map((row): [string, string] => [plainDecimal(row[0]), plainDecimal(row[1])]);
    return baseLevels(market, depth === 'top' ? levels.slice(0, topLevels) : levels);
  };
  const time = typeof answer.serverTime === 'string' ? dateIn(answer.serverTime) : 0;
  return { ids: null, time, ...bothSides(side) };
}

/** Pages of trades, each going back from the oldest of the one before, until the last print received. */
async function readHistory(ask: Ask, market: VenueMarket, missing: Missing): Promise<Trade[]> {
  const trades: Trade[] = [];
  const ids = new Set<string>();
  let until = '';
  for (let page = 0; page < maxHistoryPages; page += 1) {
    const path = `/derivatives/api/v3/history?symbol=${market.channel}${until}`;
    const answer = answerOf(await ask({ path }));
    const rows = objectsIn(answer.history, 'history').map((row) => tradeOf(market, row, 'size'));
    const fresh = rows.filter(({ id }) => !ids.has(id));
    for (const { id } of fresh) ids.add(id);
    trades.push(...fresh);
    if (fresh.length === 0 || rows.length < historyPage || hasReached(trades, missing)) break;
    const oldest = Math.min(...rows.map(({ time }) => time));
    until = `&lastTime=${encodeURIComponent(new Date(oldest + 1).toISOString())}`;
  }
  return trades;
}

function answerOf(body: unknown): Fields {
  const answer = objectIn(body);
  if (answer.result !== 'success') throw new LineProblem(`the venue answers ${quoted(answer.error ?? answer.result)}`);
  return answer;
}
