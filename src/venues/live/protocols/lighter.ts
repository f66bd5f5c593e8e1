import { isJsonObject } from '../../../base/terms/json-object.ts';
import { product } from '../../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import { decimalText, readDecimal } from '../../tape/level-text.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, jsonObject, textField, wholeField } from '../../tape/venue-events.ts';
import {
  bothSides,
  decimalField,
  objectIn,
  objectLevels,
  objectsIn,
  optionalTime,
  refusalOf,
  textOf,
  timeField,
  truthField,
} from './frame.ts';
import { ListReader, marketOf, onGrid } from './market.ts';
import type { Ask, BookDepth, BookMessage, RestBook, Venue, VenueList, VenueMarket, VenueMessage } from './venue.ts';

/** Maximum number of orders, and of trades, in one answer. */
const maxOrders = 250;
const historyPage = 100;
/** The error code for a subscription that already exists. */
const alreadySubscribed = 30003;

/**
 * Lighter perpetuals, by the venue's number for each market. The book starts with a snapshot; each change names the
 * nonce that it follows. `offset` counts on only one of the venue's servers, so it is ignored. Either side may ping.
 */
export const lighter: Venue = {
  name: 'lighter',
  paths: { stream: '/stream' },
  stream: {
    topicsPerRequest: 1,
    topicsPerConnection: 100,
    // 200 requests a minute.
    framesPerSecond: 3,
  },
  rest: { weightPerMinute: 60, markets: readMarkets, book: readBook, history: readHistory },
  topics: (channel) => ({
    books: [`order_book:${channel}`],
    trades: `trade:${channel}`,
    marks: [`market_stats:${channel}`],
  }),
  request: (type, [topic]) => JSON.stringify({ type, channel: topic!.replace(':', '/') }),
  heartbeat: () => JSON.stringify({ type: 'ping' }),
  decode(frame, _connection, take) {
    const message = jsonObject(frame);
    const type = typeof message.type === 'string' ? message.type : '';
    const topic = typeof message.channel === 'string' ? message.channel.replace('/', ':') : '';
    if (type.startsWith('subscribed/')) take({ kind: 'confirmed', id: null, topics: [topic] });
    if (type.endsWith('/order_book')) take(bookOf(message, topic, type.startsWith('subscribed/')));
    else if (type.endsWith('/market_stats')) take(marksOf(message, topic));
    else if (type.endsWith('/trade')) take({ kind: 'trades', topic, trades: tradesOf(message) });
    else if (type === 'ping') take({ kind: 'asked', frame: JSON.stringify({ type: 'pong' }) });
    else if (type === 'pong') take({ kind: 'alive', time: null });
    else if ('error' in message) take(errorOf(message, topic));
    else take({ kind: 'ignored' });
  },
};

function bookOf(message: Fields, topic: string, isFull: boolean): BookMessage {
  const book = objectIn(message.order_book, 'order_book');
  const last = wholeField(book, 'nonce');
  // A snapshot follows nothing.
  const previous = isFull && book.begin_nonce === undefined ? last : wholeField(book, 'begin_nonce');
  const time = timeField(message, 'timestamp' in message ? 'timestamp' : 'last_updated_at');
  const [bids, asks] = [book.bids, book.asks].map((side) => objectLevels(side, ['price'], ['size']));
  // An update does not report the first nonce that it covers.
  return { kind: 'book', topic, isFull, ids: { first: last, last, previous }, time, bids: bids!, asks: asks! };
}

/** Its rates are percent, an hour. */
function marksOf(message: Fields, topic: string): VenueMessage {
  const {
    mark_price: mark,
    index_price: index,
    current_funding_rate: rate,
    daily_base_token_volume: volume,
  } = objectIn(message.market_stats, 'market_stats');
  const time = optionalTime(message.timestamp) === 0 ? 0 : timeField(message, 'timestamp');
  if (mark === undefined) return { kind: 'ignored' };
  return {
    ...{ kind: 'marks', topic, time, mark },
    ...(index !== undefined && { index }),
    ...(rate !== undefined && { fundingRate: hundredth(rate), fundingHours: 1 }),
    ...(volume !== undefined && { volume }),
  };
}

/** A percentage as a fraction; anything but a decimal stays as it is. */
function hundredth(percent: unknown): unknown {
  if (typeof percent !== 'string' || !/^-?\d+(\.\d+)?$/.test(percent)) return percent;
  const isNegative = percent.startsWith('-');
  return `${isNegative ? '-' : ''}${product(isNegative ? percent.slice(1) : percent, '0.01')}`;
}

/** Executions on the book: trades, and liquidations, which are ordinary orders; not deleveraging. */
function tradesOf(message: Fields): Trade[] {
  const liquidations = message.liquidation_trades ?? [];
  const rows = [...objectsIn(message.trades ?? [], 'trades'), ...objectsIn(liquidations, 'liquidation_trades')];
  return rows.map(tradeOf).sort((one, other) => one.time - other.time || Number(one.id) - Number(other.id));
}

function tradeOf(trade: Fields): Trade {
  return {
    id: decimalField(trade, 'trade_id_str', 'trade_id'),
    number: null,
    time: timeField(trade, 'timestamp'),
    price: textField(trade, 'price'),
    size: textField(trade, 'size'),
    side: truthField(trade, 'is_maker_ask') ? 'buy' : 'sell',
    isOffBook: trade.type !== undefined && trade.type !== 'trade' && trade.type !== 'liquidation',
  };
}

function errorOf(message: Fields, topic: string): VenueMessage {
  const { error } = message;
  const reason = typeof error === 'string' ? error : JSON.stringify(error);
  const named = topic || /(?:order_book|trade|market_stats)[/:]\d+/.exec(reason)?.[0].replace('/', ':');
  const topics = named === undefined ? [] : [named];
  const isKnown = (isJsonObject(error) && error.code === alreadySubscribed) || /already subscribed/i.test(reason);
  return refusalOf(reason, topics, isKnown);
}

async function readMarkets(ask: Ask): Promise<VenueList> {
  const answer = answerOf(await ask({ path: '/api/v1/orderBookDetails', isLong: true }));
  const list = new ListReader('symbol');
  const isTraded = (row: Fields) =>
    list.has(row, 'market_type', ['perp', undefined], ['spot']) && list.has(row, 'status', ['active'], ['inactive']);
  const rows = objectsIn(answer.order_book_details, 'order_book_details');
  return list.read(rows, (row) => (isTraded(row) ? readMarket(row) : null)).list();
}

function readMarket(row: Fields): VenueMarket {
  const [price, size] = [wholeField(row, 'supported_price_decimals'), wholeField(row, 'supported_size_decimals')];
  const grid = onGrid(decimalText(1, price), decimalText(1, size), price);
  const fraction = Number(textOf(row.min_initial_margin_fraction));
  return marketOf('lighter', textField(row, 'symbol'), grid, {
    leverage: fraction > 0 ? 10_000 / fraction : undefined,
    channel: String(wholeField(row, 'market_id')),
  });
}

/** Combines orders by price, best first. The last price may be incomplete, so it is left out. */
async function readBook(ask: Ask, market: VenueMarket, depth: BookDepth): Promise<RestBook> {
  const path = `/api/v1/orderBookOrders?market_id=${market.channel}&limit=${maxOrders}`;
  const answer = answerOf(await ask({ path }));
  const side = (name: 'bids' | 'asks') => {
    const { sizeDecimals } = market.definition;
    const lots = new Map<string, number>();
    const orders = objectsIn(answer[name], name);
    for (const order of orders) {
      const price = textField(order, 'price');
      lots.set(price, (lots.get(price) ?? 0) + readDecimal(textField(order, 'remaining_base_amount'), sizeDecimals));
    }
    const levels = [...lots].map(([price, size]) => [price, decimalText(size, sizeDecimals)]);
    if (orders.length === maxOrders) levels.pop();
    return JSON.stringify(depth === 'top' ? levels.slice(0, 5) : levels);
  };
  return { ids: null, time: 0, ...bothSides(side) };
}

async function readHistory(ask: Ask, { channel }: VenueMarket): Promise<Trade[]> {
  const answer = answerOf(await ask({ path: `/api/v1/recentTrades?market_id=${channel}&limit=${historyPage}` }));
  return objectsIn(answer.trades, 'trades').map(tradeOf);
}

function answerOf(body: unknown): Fields {
  const answer = objectIn(body);
  if (answer.code !== 200) throw new LineProblem(`the venue answers ${quoted(answer.message ?? answer.code)}`);
  return answer;
}
