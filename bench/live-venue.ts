/**
 * A stand-in for Binance in the benchmarks of live markets: books of 1,000 levels per side, updates made in advance.
 */
import type { LevelTexts } from '../src/venues/tape/live-book.ts';
import type { ServerSocket, VirtualAnswer, VirtualServer } from '../test/venues/live/virtual-world.ts';

const depth = 1_000;
/** Levels changed per update in 100 ms, both sides together, as in Binance's BTC. */
const changedAt100Ms = 68;
/** The best bid, in tenths. */
const best = 618_000;

interface Made {
  frames: string[];
  /** In all frames. */
  levels: number;
  snapshot: LevelTexts;
}

/** `count` depth updates of a market, of so many levels; the best levels occasionally trade away and return. */
export function framesOf(coin: string, count: number, changed = changedAt100Ms): Made {
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const level = (price: number, lots: number) => `["${(price / 10).toFixed(2)}","${(lots / 1000).toFixed(3)}"]`;
  const side = (sign: number) =>
    Array.from({ length: depth }, (_, at) => level(best + sign * (at + (sign > 0 ? 1 : 0)), 1 + random(9_000)));
  const snapshot = { bids: `[${side(-1)}]`, asks: `[${side(1)}]` };
  const frames = Array.from({ length: count }, (_, number) => {
    const texts = [-1, 1].map((sign) => {
      const first = sign > 0 ? 1 : 0;
      const places = new Set<number>();
      // Every fourth update takes the best bid away, the next brings it back.
      if (sign < 0) places.add(0);
      while (places.size < changed / 2) places.add(random(4) === 0 ? random(depth) : random(40));
      // By price, as Binance sends them.
      const ordered = [...places].sort((one, other) => sign * (one - other));
      return ordered.map((at) => {
        const isGone = sign < 0 && at === 0 ? number % 4 === 1 : at > 0 && random(12) === 0;
        return level(best + sign * (at + first), isGone ? 0 : 1 + random(9_000));
      });
    });
    const id = 1_000 + number;
    const stamp = `"E":${id},"T":${id},"s":"${coin}","U":${id + 1},"u":${id + 1},"pu":${id}`;
    return `{"e":"depthUpdate",${stamp},"b":[${texts[0]}],"a":[${texts[1]}]}`;
  });
  return { frames, levels: changed * count, snapshot };
}

/** Publishes updates on request, one market at a time. */
export class BinanceOfBench implements VirtualServer {
  readonly ticks: number;
  private readonly markets: { coin: string; made: Made }[];
  private readonly sockets: ServerSocket[] = [];
  private readonly topics: string[] = [];

  constructor(coins: readonly string[], ticks: number, changed = changedAt100Ms) {
    this.ticks = ticks;
    this.markets = coins.map((coin) => ({ coin, made: framesOf(coin, ticks + 1, changed) }));
  }

  /** The next update of a market, and unless it is quiet a sale below the best bid, which fills the orders there. */
  publish(number: number, tick: number, time: number, isQuiet = false): void {
    const { coin, made } = this.markets[number]!;
    const facts = `"T":${time},"s":"${coin}","t":${tick},"p":"${((best - 2) / 10).toFixed(2)}"`;
    const trade = `{"e":"trade","E":1,${facts},"q":"9.000","X":"MARKET","m":true}`;
    for (const socket of this.sockets) {
      socket.send(made.frames[tick]!);
      if (!isQuiet) socket.send(trade);
    }
  }

  onConnect(socket: ServerSocket): void {
    this.sockets.push(socket);
  }

  onFrame(socket: ServerSocket, text: string): void {
    const { method, params, id } = JSON.parse(text);
    if (method === 'SUBSCRIBE') this.topics.push(...params);
    socket.send(JSON.stringify({ result: method === 'LIST_SUBSCRIPTIONS' ? this.topics : null, id }));
  }

  onRequest(path: string): VirtualAnswer {
    const url = new URL(path, 'http://venue');
    const coin = url.searchParams.get('symbol');
    if (url.pathname === '/fapi/v1/exchangeInfo')
      return answer({ symbols: this.markets.map((market) => symbolOf(market.coin)) });
    if (url.pathname === '/fapi/v1/aggTrades') return answer([]);
    // The venue's clock is unknown, so no message counts as late.
    if (url.pathname !== '/fapi/v1/depth') return { status: 404, body: '{}' };
    const { snapshot } = this.markets.find((market) => market.coin === coin)!.made;
    return { status: 200, body: `{"lastUpdateId":1000,"bids":${snapshot.bids},"asks":${snapshot.asks}}` };
  }
}

const answer = (body: unknown): VirtualAnswer => ({ status: 200, body: JSON.stringify(body) });

function symbolOf(symbol: string) {
  const filters = [
    { filterType: 'PRICE_FILTER', tickSize: '0.10' },
    { filterType: 'LOT_SIZE', stepSize: '0.001', minQty: '0.001' },
  ];
  return { symbol, contractType: 'PERPETUAL', status: 'TRADING', pricePrecision: 2, filters };
}
