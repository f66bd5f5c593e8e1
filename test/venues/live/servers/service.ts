import type { ModelMarket, ModelTrade } from './model.ts';
import type { Dialect, VenueServer } from './server.ts';

const provider = 'binance';

/** The trading service's market stream: a complete book per event, and an id for each subscription. */
export const serviceDialect: Dialect = {
  frame(server, socket, text) {
    const { op, id, channel, payload, method } = JSON.parse(text);
    const subscribed = server.subscriptions.get(socket)!;
    if (op === 'req' && method === 'ping') {
      if (!server.troubles.ignoresPings) socket.send(JSON.stringify({ op: 'res', id, result: server.time }));
      return;
    }
    if (op === 'unsub') {
      for (const topic of subscribed) if (topic.endsWith(` ${id}`)) subscribed.delete(topic);
      return;
    }
    const [coin] = payload.symbols;
    const market = server.market(coin);
    if (market === undefined || payload.providers[0] !== provider) {
      socket.send(JSON.stringify({ op: 'sub_err', id, error: { message: 'unknown market' } }));
      return;
    }
    subscribed.add(`${channel} ${coin} ${id}`);
    const isReplayed = channel === 'trades';
    socket.send(JSON.stringify({ op: 'sub_ok', id, sub: `s-${id}`, snapshotBoundary: isReplayed }));
    const replay = isReplayed
      ? market.trades.slice(-20).map((trade) => tradeOf(market, trade))
      : eventsOf(channel, market, server.time);
    socket.send(JSON.stringify({ op: 'events', sub: `s-${id}`, events: replay }));
    if (isReplayed) socket.send(JSON.stringify({ op: 'snapshot_end', id }));
  },
  refusal(text) {
    const { op, id } = JSON.parse(text);
    return op === 'sub' ? JSON.stringify({ op: 'sub_err', id, error: { message: 'try again later' } }) : null;
  },
  publish(market, { time, trades }, subscribed) {
    const frames: string[] = [];
    for (const topic of subscribed) {
      const [channel, coin, id] = topic.split(' ');
      if (coin !== market.coin) continue;
      const events =
        channel === 'trades' ? trades.map((trade) => tradeOf(market, trade)) : eventsOf(channel!, market, time);
      if (events.length > 0) frames.push(JSON.stringify({ op: 'events', sub: `s-${id}`, events }));
    }
    return frames;
  },
  request(server, path) {
    return path === '/v1/markets' ? { data: server.markets.map(rowOf) } : undefined;
  },
};

function rowOf({ coin, sizeDecimals }: ModelMarket) {
  const facts = { coin, market_id: `${provider}|${coin}`, provider, symbol: coin.replace('USDT', '') };
  return { ...facts, max_leverage: 8, size_decimals: sizeDecimals, tick_size: '0.1' };
}

function eventsOf(channel: string, market: ModelMarket, time: number): unknown[] {
  if (channel === 'books') return [bookOf(market, { time })];
  const { mark, index } = market.marks;
  const facts = { provider, symbol: market.coin, time };
  if (channel === 'ticks')
    return [
      { type: 'tick', ...facts, kind: 'mid', price: index },
      { type: 'tick', ...facts, kind: 'mark', price: mark },
    ];
  return [
    { type: 'marketStats', ...facts, markPx: Number(mark), fundingRate: market.fundingRate, fundingIntervalHours: 8 },
  ];
}

function bookOf(market: ModelMarket, { time }: Pick<VenueServer, 'time'>) {
  const side = (name: 'bids' | 'asks') =>
    market.levels(name).map((level) => {
      const [px, sz] = market.written(level);
      return { px, sz };
    });
  return { type: 'book', provider, symbol: market.coin, bids: side('bids'), asks: side('asks'), time };
}

function tradeOf(market: ModelMarket, { number, time, price, size, side }: ModelTrade) {
  const [written, lots] = market.written([price, size]);
  const facts = { type: 'trade', provider, symbol: market.coin, tradeId: String(number) };
  return { ...facts, side, price: written, size: lots, time };
}
