import { type ModelMarket, type ModelTrade, nextFunding } from './model.ts';
import type { Dialect } from './server.ts';

/** Binance USD-M: confirmations by id, updates with absolute sizes that name their predecessor, books over REST. */
export const binanceDialect: Dialect = {
  frame(server, socket, text) {
    const { method, params, id } = JSON.parse(text);
    const subscribed = server.subscriptions.get(socket)!;
    if (method === 'SUBSCRIBE') for (const topic of params) subscribed.add(topic);
    if (method === 'UNSUBSCRIBE') for (const topic of params) subscribed.delete(topic);
    if (method === 'LIST_SUBSCRIPTIONS') {
      if (!server.troubles.ignoresPings) socket.send(JSON.stringify({ result: [...subscribed], id }));
    } else socket.send(JSON.stringify({ result: null, id }));
  },
  refusal(text) {
    const { method, id } = JSON.parse(text);
    return method === 'SUBSCRIBE' ? JSON.stringify({ error: { code: 3, msg: 'Too many requests' }, id }) : null;
  },
  publish(market, { time, first, last, previous, bids, asks, trades }, subscribed) {
    const name = market.coin.toLowerCase();
    const stamp = { E: time, T: time, s: market.coin };
    const frames: string[] = [];
    if (subscribed.has(`${name}@depth@100ms`)) {
      const levels = { b: bids.map((level) => market.written(level)), a: asks.map((level) => market.written(level)) };
      frames.push(JSON.stringify({ e: 'depthUpdate', ...stamp, U: first, u: last, pu: previous, ...levels }));
    }
    if (subscribed.has(`${name}@trade`)) {
      for (const trade of trades) {
        const [p, q] = market.written([trade.price, trade.size]);
        const facts = { t: trade.number, p, q, X: 'MARKET', m: trade.side === 'sell' };
        frames.push(JSON.stringify({ e: 'trade', ...stamp, ...facts }));
      }
    }
    if (subscribed.has(`${name}@markPrice@1s`)) frames.push(marksFrame(market, time));
    return frames;
  },
  request(server, path) {
    const url = new URL(path, 'http://venue');
    const market = server.market(url.searchParams.get('symbol') ?? '');
    switch (url.pathname) {
      case '/fapi/v1/time':
        return { serverTime: server.time };
      case '/fapi/v1/exchangeInfo':
        return { symbols: server.markets.map(symbolOf) };
      case '/fapi/v1/depth':
        return depthOf(market!, Number(url.searchParams.get('limit')), server.time);
      case '/fapi/v1/aggTrades':
        return aggregated(market!, url.searchParams);
    }
    return undefined;
  },
};

function marksFrame(market: ModelMarket, time: number): string {
  const { mark, index } = market.marks;
  const facts = { s: market.coin, p: mark, i: index, P: index, r: String(market.fundingRate), T: nextFunding(time) };
  return JSON.stringify({ e: 'markPriceUpdate', E: time, ...facts });
}

function symbolOf(market: ModelMarket) {
  return {
    symbol: market.coin,
    contractType: 'PERPETUAL',
    status: 'TRADING',
    pricePrecision: market.writtenDecimals,
    filters: [
      { filterType: 'PRICE_FILTER', tickSize: market.tick },
      { filterType: 'LOT_SIZE', stepSize: market.lot, minQty: market.lot },
      { filterType: 'MIN_NOTIONAL', notional: '100' },
    ],
  };
}

function depthOf(market: ModelMarket, limit: number, time: number) {
  const levels = (side: 'bids' | 'asks') => market.levels(side, limit).map((level) => market.written(level));
  return { lastUpdateId: market.id, E: time, T: time, bids: levels('bids'), asks: levels('asks') };
}

function aggregated(market: ModelMarket, query: URLSearchParams) {
  const [from, since] = [Number(query.get('fromId') ?? 0), Number(query.get('startTime') ?? 0)];
  const found = market.trades.filter(({ number, time }) => number >= from && time >= since);
  return found.slice(0, Number(query.get('limit'))).map((trade: ModelTrade) => {
    const [p, q] = market.written([trade.price, trade.size]);
    return { a: trade.number, p, q, f: trade.number, l: trade.number, T: trade.time, m: trade.side === 'sell' };
  });
}
