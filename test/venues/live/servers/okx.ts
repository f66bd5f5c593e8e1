import { product } from '../../../../src/exchange/markets/recorded/decimal-text.ts';
import { type ModelMarket, type ModelTrade, nextFunding } from './model.ts';
import type { Dialect } from './server.ts';

/** OKX v5: a snapshot upon subscription, then updates that name their predecessor; sizes in contracts. */
export const okxDialect: Dialect = {
  frame(server, socket, text) {
    if (text === 'ping') {
      if (!server.troubles.ignoresPings) socket.send('pong');
      return;
    }
    const { id, op, args } = JSON.parse(text);
    const subscribed = server.subscriptions.get(socket)!;
    for (const arg of args) {
      const market = server.market(arg.channel === 'index-tickers' ? `${arg.instId}-SWAP` : arg.instId);
      const topic = `${arg.channel}:${arg.instId}`;
      if (op === 'unsubscribe') subscribed.delete(topic);
      else if (market === undefined) {
        const msg = `Wrong URL or channel:${arg.channel},instId:${arg.instId} doesn't exist.`;
        socket.send(JSON.stringify({ id, event: 'error', code: '60018', msg, connId: 'c' }));
        continue;
      } else subscribed.add(topic);
      socket.send(JSON.stringify({ id, event: op, arg, connId: 'c' }));
      if (op === 'subscribe' && arg.channel === 'books') socket.send(bookFrame(market!, 'snapshot', server.time, -1));
      if (op === 'subscribe')
        for (const frame of marksFrames(market!, server.time, new Set([topic]))) socket.send(frame);
    }
  },
  refusal(text) {
    if (text === 'ping') return null;
    const { id, op } = JSON.parse(text);
    const refused = { id, event: 'error', code: '50011', msg: 'Requests too frequent', connId: 'c' };
    return op === 'subscribe' ? JSON.stringify(refused) : null;
  },
  publish(market, { time, previous, bids, asks, trades }, subscribed) {
    const frames: string[] = [];
    if (subscribed.has(`books:${market.coin}`)) frames.push(bookFrame(market, 'update', time, previous, bids, asks));
    if (subscribed.has(`trades:${market.coin}`)) {
      for (const trade of trades) {
        const arg = { channel: 'trades', instId: market.coin };
        frames.push(JSON.stringify({ arg, data: [{ ...tradeOf(market, trade), count: '1' }] }));
      }
    }
    return [...frames, ...marksFrames(market, time, subscribed)];
  },
  request(server, path) {
    const url = new URL(path, 'http://venue');
    const market = server.market(url.searchParams.get('instId') ?? '');
    const limit = Number(url.searchParams.get('limit') ?? 0);
    const answer = (data: unknown[]) => ({ code: '0', msg: '', data });
    switch (url.pathname) {
      case '/api/v5/public/time':
        return answer([{ ts: String(server.time) }]);
      case '/api/v5/public/instruments':
        return answer(server.markets.map(instrumentOf));
      case '/api/v5/market/books':
        return answer([bookOf(market!, server.time, Number(url.searchParams.get('sz')))]);
      case '/api/v5/market/trades':
        return answer(
          market!.trades
            .slice(-limit)
            .reverse()
            .map((trade) => tradeOf(market!, trade)),
        );
      case '/api/v5/market/history-trades': {
        const after = Number(url.searchParams.get('after'));
        const older = market!.trades.filter(({ number }) => number < after).slice(-limit);
        return answer(older.reverse().map((trade) => tradeOf(market!, trade)));
      }
    }
    return undefined;
  },
};

/** Mark, index and funding have a channel each; the index is that of the pair. */
function marksFrames(market: ModelMarket, time: number, subscribed: ReadonlySet<string>): string[] {
  const { mark, index } = market.marks;
  const [ts, instId, pair] = [String(time), market.coin, market.coin.replace('-SWAP', '')];
  const next = nextFunding(time);
  const times = { fundingTime: String(next), nextFundingTime: String(next + 8 * 3_600_000) };
  const rows = [
    ['mark-price', instId, { markPx: mark }],
    ['index-tickers', pair, { idxPx: index }],
    ['funding-rate', instId, { fundingRate: String(market.fundingRate), ...times }],
  ] as const;
  return rows
    .filter(([channel, id]) => subscribed.has(`${channel}:${id}`))
    .map(([channel, id, facts]) =>
      JSON.stringify({ arg: { channel, instId: id }, data: [{ instId: id, ts, ...facts }] }),
    );
}

function contractsOf(market: ModelMarket, level: readonly [number, number]): [string, string] {
  const [price, size] = market.written(level);
  return [price, product(size, market.contract[1])];
}

function bookOf(
  market: ModelMarket,
  time: number,
  most: number,
  bids = market.levels('bids', most),
  asks = market.levels('asks', most),
) {
  const side = (levels: [number, number][]) => levels.map((level) => [...contractsOf(market, level), '0', '1']);
  return { asks: side(asks), bids: side(bids), ts: String(time) };
}

function bookFrame(
  market: ModelMarket,
  action: 'snapshot' | 'update',
  time: number,
  prevSeqId: number,
  bids?: [number, number][],
  asks?: [number, number][],
): string {
  const book = bookOf(market, time, 400, bids, asks);
  const data = [{ ...book, checksum: 0, seqId: market.id, prevSeqId }];
  return JSON.stringify({ arg: { channel: 'books', instId: market.coin }, action, data });
}

function tradeOf(market: ModelMarket, { number, time, price, size, side }: ModelTrade) {
  const [px, sz] = contractsOf(market, [price, size]);
  return { instId: market.coin, tradeId: String(number), px, sz, side, ts: String(time) };
}

function instrumentOf(market: ModelMarket) {
  const [coin] = market.coin.split('-');
  const contracts = { ctType: 'linear', ctVal: market.contract[0], ctMult: '1', ctValCcy: coin, settleCcy: 'USDT' };
  const step = product(market.lot, market.contract[1]);
  const grid = { tickSz: String(Number(market.tick)), lotSz: step, minSz: step };
  return { instId: market.coin, instType: 'SWAP', state: 'live', lever: '100', ...contracts, ...grid };
}
