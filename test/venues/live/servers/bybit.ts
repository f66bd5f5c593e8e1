import { type ModelMarket, type ModelTrade, nextFunding } from './model.ts';
import type { Dialect } from './server.ts';

/** Bybit v5 linear: a snapshot upon subscription, then deltas whose u counts up by one. */
export const bybitDialect: Dialect = {
  frame(server, socket, text) {
    const { op, args, req_id: id } = JSON.parse(text);
    if (op === 'ping') {
      if (!server.troubles.ignoresPings)
        socket.send(JSON.stringify({ success: true, ret_msg: 'pong', req_id: id, op }));
      return;
    }
    const subscribed = server.subscriptions.get(socket)!;
    for (const topic of args) {
      if (server.market(topic.split('.').at(-1)) === undefined) {
        socket.send(JSON.stringify({ success: false, ret_msg: `Invalid topic: ${topic}`, req_id: id, op }));
        return;
      }
    }
    const known = op === 'subscribe' ? args.find((topic: string) => subscribed.has(topic)) : undefined;
    if (known !== undefined) {
      const reason = `error:already subscribed,topic:${known}`;
      socket.send(JSON.stringify({ success: false, ret_msg: reason, req_id: id, op }));
      return;
    }
    for (const topic of args) {
      if (op === 'subscribe') subscribed.add(topic);
      else subscribed.delete(topic);
    }
    socket.send(JSON.stringify({ success: true, ret_msg: '', req_id: id, op }));
    if (op !== 'subscribe') return;
    for (const topic of args) {
      const market = server.market(topic.split('.').at(-1))!;
      if (topic.startsWith('orderbook.')) socket.send(bookFrame(market, topic, 'snapshot', server.time));
      if (topic.startsWith('tickers.')) socket.send(tickerFrame(market, topic, 'snapshot', server.time));
    }
  },
  refusal(text) {
    const { op, req_id: id } = JSON.parse(text);
    return op === 'subscribe' ? JSON.stringify({ success: false, ret_msg: 'Too many visits', req_id: id, op }) : null;
  },
  publish(market, { time, bids, asks, trades }, subscribed) {
    const frames: string[] = [];
    for (const topic of subscribed) {
      if (!topic.endsWith(`.${market.coin}`)) continue;
      if (topic.startsWith('orderbook.')) frames.push(bookFrame(market, topic, 'delta', time, bids, asks));
      else if (topic.startsWith('tickers.')) frames.push(tickerFrame(market, topic, 'delta', time));
      else if (trades.length > 0) {
        const data = trades.map((trade) => tradeOf(market, trade));
        frames.push(JSON.stringify({ topic, type: 'snapshot', ts: time, data }));
      }
    }
    return frames;
  },
  request(server, path) {
    const url = new URL(path, 'http://venue');
    const market = server.market(url.searchParams.get('symbol') ?? '');
    const answer = (result: unknown) => ({ retCode: 0, retMsg: 'OK', result, time: server.time });
    switch (url.pathname) {
      case '/v5/market/time':
        return answer({});
      case '/v5/market/instruments-info':
        return answer({ nextPageCursor: '', list: server.markets.map(instrumentOf) });
      case '/v5/market/orderbook': {
        const limit = Number(url.searchParams.get('limit'));
        const side = (name: 'bids' | 'asks') => market!.levels(name, limit).map((level) => market!.written(level));
        const stamp = { s: market!.coin, ts: server.time, cts: server.time, u: market!.changeNumber, seq: 1 };
        return answer({ ...stamp, b: side('bids'), a: side('asks') });
      }
      case '/v5/market/recent-trade': {
        const last = market!.trades.slice(-1000).reverse();
        return answer({ list: last.map((trade) => pastOf(market!, trade)) });
      }
    }
    return undefined;
  },
};

function bookFrame(
  market: ModelMarket,
  topic: string,
  type: 'snapshot' | 'delta',
  time: number,
  bids = market.levels('bids'),
  asks = market.levels('asks'),
): string {
  const written = (levels: [number, number][]) => levels.map((level) => market.written(level));
  const data = { s: market.coin, b: written(bids), a: written(asks), u: market.changeNumber, seq: 7 };
  return JSON.stringify({ topic, type, ts: time, data, cts: time });
}

/** A delta leaves out what did not change. */
function tickerFrame(market: ModelMarket, topic: string, type: 'snapshot' | 'delta', time: number): string {
  const { mark, index } = market.marks;
  const [every, next] = ['8', String(nextFunding(time))];
  const rest = { indexPrice: index, fundingRate: String(market.fundingRate), nextFundingTime: next };
  const facts = type === 'delta' ? { indexPrice: index } : { ...rest, fundingIntervalHour: every };
  return JSON.stringify({
    topic,
    type,
    data: { symbol: market.coin, markPrice: mark, volume24h: market.volume, ...facts },
    cs: 1,
    ts: time,
  });
}

function instrumentOf(market: ModelMarket) {
  return {
    symbol: market.coin,
    contractType: 'LinearPerpetual',
    status: 'Trading',
    priceScale: String(market.writtenDecimals),
    leverageFilter: { maxLeverage: '50.00' },
    priceFilter: { tickSize: market.tick },
    lotSizeFilter: { minOrderQty: market.lot, qtyStep: market.lot, minNotionalValue: '5' },
  };
}

function tradeOf(market: ModelMarket, { number, time, price, size, side }: ModelTrade) {
  const [p, v] = market.written([price, size]);
  return { T: time, s: market.coin, S: side === 'buy' ? 'Buy' : 'Sell', v, p, i: `trade-${number}`, BT: false };
}

function pastOf(market: ModelMarket, trade: ModelTrade) {
  const { T, S, v, p, i } = tradeOf(market, trade);
  return { execId: i, symbol: market.coin, price: p, size: v, side: S, time: String(T), isBlockTrade: false };
}
