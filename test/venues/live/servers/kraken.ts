import { product } from '../../../../src/exchange/markets/recorded/decimal-text.ts';
import { bookText, type ModelMarket, type ModelTrade, nextFunding } from './model.ts';
import type { Dialect } from './server.ts';

/** The number of the last message about a market's book: each level is a message of its own. */
const sequences = new WeakMap<ModelMarket, number>();

/** Every market's book as of its last change. */
const books = new WeakMap<ModelMarket, { bids: Map<number, number>; asks: Map<number, number> }>();

/** Kraken Futures: a snapshot upon subscription, then one message for each changed level; the last trades at first. */
export const krakenDialect: Dialect = {
  frame(server, socket, text) {
    const { event, feed, product_ids: channels } = JSON.parse(text);
    if (feed === 'heartbeat') {
      if (!server.troubles.ignoresPings) socket.send(JSON.stringify({ event: 'subscribed', feed }));
      return;
    }
    const [channel] = channels;
    const market = server.market(channel);
    if (market === undefined) {
      socket.send(JSON.stringify({ event: 'error', message: 'Invalid product id' }));
      return;
    }
    const subscribed = server.subscriptions.get(socket)!;
    const topic = `${feed}:${channel}`;
    if (event === 'unsubscribe') subscribed.delete(topic);
    else subscribed.add(topic);
    socket.send(JSON.stringify({ event: `${event}d`, feed, product_ids: channels }));
    if (event === 'unsubscribe') return;
    if (feed === 'book') socket.send(snapshotOf(market, server.time));
    else if (feed === 'ticker') socket.send(tickerFrame(market, server.time));
    else {
      const trades = market.trades.slice(-100).map((trade) => tradeFrame(market, trade));
      socket.send(JSON.stringify({ feed: 'trade_snapshot', product_id: channel, trades: trades.reverse() }));
    }
  },
  refusal(text) {
    const { event, feed, product_ids } = JSON.parse(text);
    if (event !== 'subscribe' || feed === 'heartbeat') return null;
    return JSON.stringify({ event: 'subscribed_failed', feed, product_ids, message: 'Too many requests' });
  },
  publish(market, { time, bids, asks, trades }, subscribed) {
    const frames: string[] = [];
    const changes = [
      ...bids.map((level) => ({ side: 'buy', level })),
      ...asks.map((level) => ({ side: 'sell', level })),
    ];
    const first = sequenceOf(market) - changes.length + 1;
    if (subscribed.has(`book:${market.coin}`)) {
      for (const [at, { side, level }] of changes.entries()) {
        const facts = { feed: 'book', product_id: market.coin, side, seq: first + at, timestamp: time };
        frames.push(JSON.stringify({ ...facts, ...levelOf(market, level) }));
      }
    }
    if (subscribed.has(`trade:${market.coin}`))
      for (const trade of trades) frames.push(JSON.stringify(tradeFrame(market, trade)));
    if (subscribed.has(`ticker:${market.coin}`)) frames.push(tickerFrame(market, time));
    return frames;
  },
  changed(market, { bids, asks }) {
    sequences.set(market, sequenceOf(market) + bids.length + asks.length);
    const before = books.get(market);
    const now = { bids: new Map(market.bids), asks: new Map(market.asks) };
    books.set(market, now);
    if (before === undefined) return;
    // Each message makes a book.
    for (const [side, levels] of [
      ['bids', bids],
      ['asks', asks],
    ] as const) {
      for (const [price, size] of levels) {
        if (size === 0) before[side].delete(price);
        else before[side].set(price, size);
        market.states.add(bookText(sorted(before.bids, -1), sorted(before.asks, 1)));
      }
    }
  },
  request(server, path) {
    const url = new URL(path, 'http://venue');
    const market = server.market(url.searchParams.get('symbol') ?? '');
    const serverTime = new Date(server.time).toISOString();
    switch (url.pathname) {
      case '/derivatives/api/v3/feeschedules':
        return { result: 'success', feeSchedules: [], serverTime };
      case '/derivatives/api/v3/instruments':
        return { result: 'success', instruments: server.markets.map(instrumentOf), serverTime };
      case '/derivatives/api/v3/orderbook': {
        const side = (name: 'bids' | 'asks') =>
          market!.levels(name).map((level) => Object.values(levelOf(market!, level)));
        return { result: 'success', orderBook: { bids: side('bids'), asks: side('asks') }, serverTime };
      }
      case '/derivatives/api/v3/history': {
        const until = Date.parse(url.searchParams.get('lastTime') ?? '') || Number.POSITIVE_INFINITY;
        const found = market!.trades.filter(({ time }) => time < until).slice(-100);
        const history = found.reverse().map((trade, at) => pastOf(market!, trade, found.length - at));
        return { result: 'success', history, serverTime };
      }
    }
    return undefined;
  },
};

function sorted(side: ReadonlyMap<number, number>, direction: 1 | -1): number[] {
  return [...side].sort(([one], [other]) => direction * (one - other)).flat();
}

function sequenceOf(market: ModelMarket): number {
  return sequences.get(market) ?? 1_000;
}

function levelOf(market: ModelMarket, level: readonly [number, number]) {
  const [price, size] = market.written(level);
  return { price: Number(price), qty: Number(product(size, market.contract[1])) };
}

function snapshotOf(market: ModelMarket, timestamp: number): string {
  const side = (name: 'bids' | 'asks') => market.levels(name).map((level) => levelOf(market, level));
  const facts = { feed: 'book_snapshot', product_id: market.coin, timestamp, seq: sequenceOf(market), tickSize: null };
  return JSON.stringify({ ...facts, bids: side('bids'), asks: side('asks') });
}

function tickerFrame(market: ModelMarket, time: number): string {
  const { mark, index } = market.marks;
  const prices = { markPrice: Number(mark), index: Number(index), volume: Number(market.volume) };
  const funding = { relative_funding_rate: market.fundingRate, next_funding_rate_time: nextFunding(time) };
  return JSON.stringify({ feed: 'ticker', product_id: market.coin, time, ...prices, ...funding });
}

function tradeFrame(market: ModelMarket, { number, time, price, size, side }: ModelTrade) {
  const facts = {
    feed: 'trade',
    product_id: market.coin,
    uid: `trade-${number}`,
    side,
    type: 'fill',
    seq: number,
    time,
  };
  return { ...facts, ...levelOf(market, [price, size]) };
}

function pastOf(market: ModelMarket, trade: ModelTrade, index: number) {
  const { uid, side, type, price, qty } = tradeFrame(market, trade);
  return { time: new Date(trade.time).toISOString(), trade_id: index, price, size: qty, side, type, uid };
}

function instrumentOf(market: ModelMarket) {
  const base = market.coin.slice('PF_'.length).replace(/USD$/, '');
  const contractValueTradePrecision = -Math.round(Math.log10(Number(product(market.lot, market.contract[1]))));
  const size = { contractSize: Number(market.contract[0]), contractValueTradePrecision, tickSize: Number(market.tick) };
  const margin = [{ numNonContractUnits: 0, initialMargin: 0.02, maintenanceMargin: 0.01 }];
  return {
    symbol: market.coin,
    type: 'flexible_futures',
    tradeable: true,
    marginLevels: margin,
    base,
    quote: 'USD',
    ...size,
  };
}
