import type { ModelMarket, ModelTrade } from './model.ts';
import type { Dialect } from './server.ts';

const deepLevels = 20;
const fastLevels = 5;
/** The trades in the answer to `recentTrades`. */
const recentTrades = 10;

/** Hyperliquid: complete books without a sequence, of two kinds that frames do not distinguish. */
export const hyperliquidDialect: Dialect = {
  frame(server, socket, text) {
    const { method, subscription } = JSON.parse(text);
    if (method === 'ping') {
      if (!server.troubles.ignoresPings) socket.send(JSON.stringify({ channel: 'pong' }));
      return;
    }
    const market = server.market(subscription.coin);
    if (market === undefined) {
      socket.send(JSON.stringify({ channel: 'error', data: `Invalid subscription ${JSON.stringify(subscription)}` }));
      return;
    }
    const subscribed = server.subscriptions.get(socket)!;
    const topic = `${subscription.fast ? 'fast' : subscription.type}:${subscription.coin}`;
    if (method === 'subscribe' && subscribed.has(topic)) {
      socket.send(JSON.stringify({ channel: 'error', data: `Already subscribed: ${JSON.stringify(subscription)}` }));
      return;
    }
    if (method === 'subscribe') subscribed.add(topic);
    else subscribed.delete(topic);
    socket.send(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }));
    if (method !== 'subscribe') return;
    if (subscription.type === 'activeAssetCtx') socket.send(contextFrame(market));
    else if (subscription.type === 'trades') socket.send(tradesFrame(market, market.trades.slice(-recentTrades)));
    else socket.send(bookFrame(market, server.time, subscription.fast ? fastLevels : deepLevels));
  },
  refusal(text) {
    const { method, subscription } = JSON.parse(text);
    if (method !== 'subscribe') return null;
    return JSON.stringify({ channel: 'error', data: `Error handling request: ${JSON.stringify(subscription)}` });
  },
  publish(market, { time, trades }, subscribed) {
    const frames: string[] = [];
    if (subscribed.has(`fast:${market.coin}`)) frames.push(bookFrame(market, time, fastLevels));
    // Deep books come less often.
    if (subscribed.has(`l2Book:${market.coin}`) && market.count % 4 === 0) {
      frames.push(bookFrame(market, time, deepLevels));
    }
    if (subscribed.has(`trades:${market.coin}`) && trades.length > 0) frames.push(tradesFrame(market, trades));
    if (subscribed.has(`activeAssetCtx:${market.coin}`)) frames.push(contextFrame(market));
    return frames;
  },
  request(server, path, body) {
    if (path !== '/info') return undefined;
    const { type, coin, dex } = JSON.parse(body!);
    const market = server.market(coin ?? '');
    const isListed = (one: ModelMarket) => one.coin.startsWith('xyz:') === (dex === 'xyz');
    if (type === 'perpDexs') return [null, { name: 'xyz', fullName: 'XYZ' }];
    if (type === 'meta') return { universe: server.markets.filter(isListed).map(rowOf) };
    if (type === 'l2Book') return bookOf(market!, server.time, deepLevels);
    if (type === 'recentTrades') return market!.trades.slice(-recentTrades).map((trade) => tradeOf(market!, trade));
    return undefined;
  },
};

function rowOf({ coin, sizeDecimals }: ModelMarket) {
  return { name: coin, szDecimals: sizeDecimals, maxLeverage: 40 };
}

function bookOf(market: ModelMarket, time: number, most: number) {
  const side = (name: 'bids' | 'asks') =>
    market.levels(name, most).map((level) => {
      const [px, sz] = market.written(level);
      return { px, sz, n: 1 };
    });
  return { coin: market.coin, time, levels: [side('bids'), side('asks')] };
}

const bookFrame = (market: ModelMarket, time: number, most: number) =>
  JSON.stringify({ channel: 'l2Book', data: bookOf(market, time, most) });

function contextFrame(market: ModelMarket): string {
  const { mark, index } = market.marks;
  const rest = { funding: String(market.fundingRate), openInterest: '1.0', dayBaseVlm: market.volume };
  const ctx = { markPx: mark, oraclePx: index, midPx: mark, ...rest };
  return JSON.stringify({ channel: 'activeAssetCtx', data: { coin: market.coin, ctx } });
}

const tradesFrame = (market: ModelMarket, trades: readonly ModelTrade[]) =>
  JSON.stringify({ channel: 'trades', data: trades.map((trade) => tradeOf(market, trade)) });

function tradeOf(market: ModelMarket, { number, time, price, size, side }: ModelTrade) {
  const [px, sz] = market.written([price, size]);
  return { coin: market.coin, side: side === 'buy' ? 'B' : 'A', px, sz, time, hash: '0x0', tid: number };
}
