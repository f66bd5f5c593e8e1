/**
 * Live markets: the cost of a feed, the size of its tape, and how soon a resting order is filled. Frames have Binance's
 * format and are made in advance; the venue is a server in this process whose time is not counted, so only perp is
 * measured.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { plans } from '../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import type { MarketDefinition } from '../src/exchange/engine/model.ts';
import { LiveMarkets } from '../src/venues/live/live-markets.ts';
import { binance } from '../src/venues/live/protocols/binance.ts';
import type { VenueMessage } from '../src/venues/live/protocols/venue.ts';
import { LiveBook } from '../src/venues/tape/live-book.ts';
import { partFiles } from '../src/venues/tape/parts.ts';
import { TapeLines } from '../src/venues/tape/tape-lines.ts';
import { openTape } from '../src/venues/tape/tape-source.ts';
import { TapeWriter } from '../src/venues/tape/tape-writer.ts';
import { LiveScene } from '../test/venues/live/live-scene.ts';
import { bitcoinMinutes } from '../test/venues/live/real-logs.ts';
import type { LogMarket } from '../test/venues/live/servers/log.ts';
import { VirtualWorld } from '../test/venues/live/virtual-world.ts';
import { BinanceOfBench, framesOf } from './live-venue.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';
import { bestBid, limitOrder } from './orders.ts';
import { benchFolder } from './served.ts';

const updates = 15_000;
const samples = 5;
const turn = 250;
const loadSeconds = 60;
const loadMarkets = 20;
const start = Date.UTC(2026, 10, 2, 12);

/** Every figure of live markets. */
export async function live(): Promise<Figure[]> {
  const { folder, remove } = benchFolder();
  try {
    return [...decoding(), ...(await load(folder)), await weight(), ...day(folder)];
  } finally {
    remove();
  }
}

/**
 * Decoding updates and applying them to a book of 1,000 levels per side, against JSON.parse alone on the same bytes.
 */
function decoding(): Figure[] {
  const { frames, levels, snapshot } = framesOf('BTCUSDT', updates);
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let sample = -1; sample < samples; sample += 1) {
    const book = new LiveBook(definition('BTCUSDT'));
    book.take('book', snapshot);
    let [parse, decode] = [0, 0];
    // Alternating, so that other load on the machine affects both.
    for (let from = 0; from < frames.length; from += turn) {
      const part = frames.slice(from, from + turn);
      parse += millisecondsOf(() => {
        for (const frame of part) JSON.parse(frame);
      });
      decode += millisecondsOf(() => {
        for (const frame of part) {
          const take = (message: VenueMessage) => {
            if (message.kind === 'book') book.take('delta', message);
          };
          binance.decode(frame, 'public', take, () => undefined);
        }
      });
    }
    if (sample < 0) continue;
    ratios.push((100 * parse) / decode);
    rates.push((1000 * levels) / decode);
  }
  const note = `${Math.round(levels / updates)} levels each`;
  return [
    {
      name: `decode and apply ${updates} depth updates / JSON.parse alone`,
      value: median(ratios),
      unit: '%',
      target: { atLeast: 40 },
      note,
    },
    { name: 'levels decoded and applied', value: median(rates), unit: 'a second' },
  ];
}

/** 20 markets of 1,000 levels at 10 updates a second, recorded and traded on: processor time, and time until a fill. */
async function load(folder: string): Promise<Figure[]> {
  const coins = Array.from({ length: loadMarkets }, (_, number) => `COIN${number}USDT`);
  const server = new BinanceOfBench(coins, loadSeconds * 10);
  const world = new VirtualWorld(server, start);
  const tape = join(folder, 'load.jsonl.gz');
  const address = { wsUrl: 'wss://venue', restUrl: 'https://venue' };
  const always = coins.map((coin) => `binance|${coin}`);
  const opening = LiveMarkets.open({
    tape,
    venues: [{ venue: binance, address }],
    network: world,
    cache: null,
    always,
  });
  await world.pass(1_000);
  const markets = await opening;
  for (const number of coins.keys()) server.publish(number, 0, world.now());
  await world.pass(2_000);
  const exchange = new Exchange(markets.source, emptyState(1, markets.time()));
  exchange.execute(account());
  const { id: accountId } = exchange.openState().accounts[0]!;
  const fills: number[] = [];
  const before = process.cpuUsage();
  for (let tick = 1; tick < server.ticks; tick += 1) {
    const rested = tick % always.length;
    const marketId = always[rested]!;
    exchange.execute({ ...limitOrder(accountId, 'buy', 0.01, bestBid(markets, marketId)), marketId });
    exchange.takeChanges();
    for (const number of coins.keys()) {
      const at = threadMs();
      server.publish(number, tick, world.now());
      await world.pass(100 / loadMarkets);
      exchange.advance(markets.time());
      const changes = exchange.takeChanges();
      const took = threadMs() - at;
      if ([...changes.orders.values()].some(({ status }) => status === 'filled')) fills.push(took);
    }
  }
  const { user, system } = process.cpuUsage(before);
  await Promise.all([markets.close(), world.pass(1_000)]);
  const share = (user + system) / 1000 / (server.ticks * 100);
  fills.sort((one, other) => one - other);
  return [
    {
      name: `${loadMarkets} markets of 1,000 levels at 10 updates a second, recorded and traded on`,
      value: 100 * share,
      unit: '% of a core',
      target: { atMost: 15 },
    },
    {
      name: 'processor time from event to fill under that load, 99th percentile',
      value: fills[Math.floor(fills.length * 0.99)] ?? Number.NaN,
      unit: 'ms',
      target: { atMost: 5 },
      note: `${fills.length} fills`,
    },
  ];
}

/** Processor time of this thread, ms: equal to elapsed time on an idle machine. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The recorder's output against gzip of the raw frames, for 345 s of Binance's BTC. */
async function weight(): Promise<Figure> {
  const logs = bitcoinMinutes();
  const desk = await LiveScene.onLogs('binance', logs);
  const frames: string[] = [];
  desk.world.route.down = (text) => {
    frames.push(text);
    return [{ text, afterMs: 0 }];
  };
  const [{ endMs }] = logs as [LogMarket];
  while (desk.world.now() < endMs + 1_000) {
    await desk.world.pass(10_000);
    for (const marketId of desk.marketIds) desk.live.look(marketId);
  }
  await desk.stop();
  const bytes = partFiles(desk.tape).reduce((sum, { file }) => sum + statSync(file).size, 0);
  const raw = gzipSync(frames.join('\n')).length;
  desk.remove();
  return {
    name: "the recorder's output / gzip of the raw frames",
    value: bytes / raw,
    unit: 'x',
    target: { atMost: 1 },
    note: `${frames.length} frames, ${Math.round(raw / 1000)} kB`,
  };
}

/**
 * 24 h of a tape, one update per second, replayed at full speed: peak memory of the second half against that of the
 * first.
 */
function day(folder: string): Figure[] {
  const tape = join(folder, 'day.jsonl.gz');
  const plain = tape.replace('.gz', '');
  writeDay(plain);
  const { source, firstTime, lastTime, close } = openTape(plain);
  const exchange = new Exchange(source, emptyState(1, firstTime));
  exchange.execute(account());
  const { id: accountId } = exchange.openState().accounts[0]!;
  for (let rest = 0; rest < 10; rest += 1) exchange.execute(limitOrder(accountId, 'buy', 1, 100 + rest));
  const peaks = [0, 0];
  const ms = millisecondsOf(() => {
    for (let time = firstTime; time < lastTime; time += 600_000) {
      exchange.advance(Math.min(time, lastTime));
      exchange.takeChanges();
      const half = time < (firstTime + lastTime) / 2 ? 0 : 1;
      peaks[half] = Math.max(peaks[half]!, process.memoryUsage.rss());
    }
  });
  close();
  for (const { file } of partFiles(plain)) rmSync(file);
  return [
    {
      name: 'peak memory over 24 h of replay: second half / first half',
      value: peaks[1]! / peaks[0]!,
      unit: 'x',
      target: { atMost: 1.1 },
      note: `${Math.round(peaks[1]! / 1e6)} MB, ${(ms / 1000).toFixed(1)} s`,
    },
  ];
}

function writeDay(tape: string): void {
  let time = start;
  const lines = new TapeLines(definition('BTCUSDT'));
  const book = new LiveBook(definition('BTCUSDT'));
  const { frames, snapshot } = framesOf('BTCUSDT', 1_000);
  const writer = TapeWriter.open(tape, {
    now: () => time,
    standing: () => ({ time, book: lines.book('book', book.full()) }),
  });
  writer.append([lines.market(), lines.book('book', book.take('book', snapshot)!)]);
  for (let second = 0; second < 24 * 3_600; second += 1) {
    time += 1_000;
    const take = (message: VenueMessage) => {
      if (message.kind !== 'book') return;
      const change = book.take('delta', message);
      if (change !== null) writer.append([lines.book(change.kind, change)]);
    };
    binance.decode(frames[second % frames.length]!, 'public', take, () => undefined);
  }
  void writer.close();
}

function definition(coin: string): MarketDefinition {
  const grid = { sizeDecimals: 3, priceDecimals: 2, tick: 10, maxLeverage: 10 };
  return {
    marketId: `binance|${coin}`,
    provider: 'binance',
    coin,
    symbol: coin.replace('USDT', ''),
    category: 'crypto',
    ...grid,
  };
}

function account() {
  return {
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name: 'one',
    plan: plans.none,
    startingBalance: 1e9,
  } as const;
}
