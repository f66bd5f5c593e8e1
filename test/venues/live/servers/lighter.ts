import type { ModelMarket, ModelTrade } from './model.ts';
import type { Dialect } from './server.ts';

/**
 * Lighter: a snapshot upon subscription, then changes that name the preceding nonce; markets are identified by numbers.
 */
export const lighterDialect: Dialect = {
  frame(server, socket, text) {
    const { type, channel } = JSON.parse(text);
    if (type === 'pong') return;
    if (type === 'ping') {
      if (!server.troubles.ignoresPings) socket.send(JSON.stringify({ type: 'pong' }));
      return;
    }
    const subscribed = server.subscriptions.get(socket)!;
    const [kind, number] = channel.split('/');
    const market = server.market(number);
    if (market === undefined) {
      socket.send(JSON.stringify({ error: { code: 30005, message: `Invalid Channel: (${channel})` } }));
      return;
    }
    const topic = `${kind}:${number}`;
    if (type === 'unsubscribe') {
      subscribed.delete(topic);
      return;
    }
    if (subscribed.has(topic)) {
      socket.send(JSON.stringify({ error: { code: 30003, message: 'Already Subscribed' } }));
      return;
    }
    subscribed.add(topic);
    if (kind === 'market_stats') return socket.send(statsFrame(market, 'subscribed/market_stats', server.time));
    socket.send(
      kind === 'trade'
        ? tradesFrame(market, 'subscribed/trade', market.trades.slice(-50))
        : bookFrame(market, 'subscribed/order_book', server.time, 0, market.levels('bids'), market.levels('asks')),
    );
  },
  refusal(text) {
    const { type } = JSON.parse(text);
    return type === 'subscribe' ? JSON.stringify({ error: { code: 23000, message: 'Too Many Requests' } }) : null;
  },
  publish(market, { time, previous, bids, asks, trades }, subscribed) {
    const frames: string[] = [];
    if (subscribed.has(`order_book:${market.number}`)) {
      frames.push(bookFrame(market, 'update/order_book', time, previous, bids, asks));
    }
    if (subscribed.has(`trade:${market.number}`) && trades.length > 0) {
      frames.push(tradesFrame(market, 'update/trade', trades));
    }
    if (subscribed.has(`market_stats:${market.number}`)) frames.push(statsFrame(market, 'update/market_stats', time));
    return frames;
  },
  request(server, path) {
    const url = new URL(path, 'http://venue');
    const market = server.market(url.searchParams.get('market_id') ?? '');
    const isUnknown = url.searchParams.has('market_id') && market === undefined;
    if (isUnknown) return { code: 20_001, message: 'invalid param' };
    switch (url.pathname) {
      case '/api/v1/orderBookDetails':
        return { code: 200, order_book_details: server.markets.map(detailsOf), spot_order_book_details: [] };
      case '/api/v1/orderBookOrders':
        return { code: 200, bids: ordersOf(market!, 'bids'), asks: ordersOf(market!, 'asks') };
      case '/api/v1/recentTrades':
        return {
          code: 200,
          trades: market!.trades
            .slice(-100)
            .reverse()
            .map((trade) => tradeOf(market!, trade)),
        };
    }
    return undefined;
  },
};

function detailsOf({ coin, number, priceDecimals, sizeDecimals }: ModelMarket) {
  return {
    symbol: coin,
    market_id: number,
    market_type: 'perp',
    status: 'active',
    min_base_amount: '0.001',
    min_quote_amount: '10.0',
    supported_size_decimals: sizeDecimals,
    supported_price_decimals: priceDecimals,
    min_initial_margin_fraction: 200,
  };
}

function bookFrame(
  market: ModelMarket,
  type: string,
  time: number,
  previous: number,
  bids: [number, number][],
  asks: [number, number][],
): string {
  const side = (levels: [number, number][]) =>
    levels.map((level) => {
      const [price, size] = market.written(level);
      return { price, size };
    });
  const book = { code: 0, bids: side(bids), asks: side(asks), offset: 3, nonce: market.id, begin_nonce: previous };
  return JSON.stringify({ channel: `order_book:${market.number}`, order_book: book, timestamp: time, type });
}

/** Rates are percent. */
function statsFrame(market: ModelMarket, type: string, timestamp: number): string {
  const { mark, index } = market.marks;
  const rate = (100 * market.fundingRate).toFixed(4);
  const daily_base_token_volume = Number(market.volume);
  const stats = {
    daily_base_token_volume,
    symbol: market.coin,
    market_id: market.number,
    index_price: index,
    mark_price: mark,
  };
  const channel = `market_stats:${market.number}`;
  return JSON.stringify({ channel, market_stats: { ...stats, current_funding_rate: rate }, timestamp, type });
}

const tradesFrame = (market: ModelMarket, type: string, trades: readonly ModelTrade[]) =>
  JSON.stringify({
    channel: `trade:${market.number}`,
    type,
    trades: trades.map((trade) => tradeOf(market, trade)),
    liquidation_trades: [],
  });

function tradeOf(market: ModelMarket, trade: ModelTrade) {
  const [price, size] = market.written([trade.price, trade.size]);
  const facts = { trade_id: trade.number, trade_id_str: String(trade.number), type: 'trade', market_id: market.number };
  return { ...facts, price, size, is_maker_ask: trade.side === 'buy', timestamp: trade.time };
}

/** Two orders at each price. */
function ordersOf(market: ModelMarket, side: 'bids' | 'asks') {
  return market.levels(side).flatMap(([price, lots]) => {
    const parts = lots > 1 ? [1, lots - 1] : [lots];
    return parts.map((part) => {
      const [written, size] = market.written([price, part]);
      return { price: written, remaining_base_amount: size };
    });
  });
}
