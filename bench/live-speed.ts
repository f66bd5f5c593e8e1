/**
 * Live markets: how soon many are live, how soon a resting order is filled over real sockets compared with a bare echo,
 * and what a recorder costs.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { plans } from '../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import { LiveMarkets } from '../src/venues/live/live-markets.ts';
import { openNetwork } from '../src/venues/live/open-network.ts';
import { binance } from '../src/venues/live/protocols/binance.ts';
import { VirtualWorld } from '../test/venues/live/virtual-world.ts';
import { BinanceOfBench } from './live-venue.ts';
import type { Figure } from './measure.ts';
import { bestBid, limitOrder } from './orders.ts';
import { benchFolder } from './served.ts';

const start = Date.UTC(2026, 10, 2, 12);
const address = { wsUrl: 'wss://venue', restUrl: 'https://venue' };
const coinsOf = (count: number) => Array.from({ length: count }, (_, number) => `COIN${number}USDT`);
const idOf = (coin: string) => `binance|${coin}`;

/** The figures of speed. */
export async function liveSpeed(): Promise<Figure[]> {
  const { folder, remove } = benchFolder();
  try {
    return [await starting(folder), ...(await filling(folder)), await recording(folder)];
  } finally {
    remove();
  }
}

/** Markets of a venue whose answers take 150 ms, until all are live, in the venue's time. */
async function starting(folder: string): Promise<Figure> {
  const coins = coinsOf(105);
  const server = new BinanceOfBench(coins, 3);
  const world = new VirtualWorld(server, start);
  world.latencyMs = 75;
  const opening = LiveMarkets.open({
    tape: join(folder, 'start.jsonl'),
    venues: [{ venue: binance, address }],
    network: world,
    cache: null,
    always: coins.map(idOf),
  });
  await world.pass(500);
  const markets = await opening;
  const areLive = () => markets.status().feeds[0]!.markets.filter(({ state }) => state === 'live').length;
  while (areLive() < coins.length && world.uptime() - start < 120_000) await world.pass(100);
  const seconds = (world.uptime() - start) / 1_000;
  const { weight } = markets.status().feeds[0]!.rest;
  await Promise.all([markets.close(), world.pass(1_000)]);
  const name = `${coins.length} markets of Binance live after the start`;
  return { name, value: seconds, unit: 's', target: { atMost: 40 }, note: `weight ${weight}, answers in 150 ms` };
}

/** 20 markets at 10 updates a second over real sockets: from a venue's trade until the venue knows of the fill. */
async function filling(folder: string): Promise<Figure[]> {
  const coins = coinsOf(20);
  const venue = new Worker(new URL('./live-exchange.ts', import.meta.url), {
    workerData: { coins, ticks: 200, everyMs: 5 },
  });
  const told = () =>
    new Promise<{ port: number; waits: Record<'fill' | 'echo', number[]> }>((r) => venue.once('message', r));
  const { port } = await told();
  const echo = new Worker(new URL('./live-echo.ts', import.meta.url), {
    workerData: { url: `ws://127.0.0.1:${port}/echo` },
  });
  const network = await openNetwork();
  const markets = await LiveMarkets.open({
    tape: join(folder, 'fills.jsonl'),
    venues: [{ venue: binance, address: { wsUrl: `ws://127.0.0.1:${port}`, restUrl: `http://127.0.0.1:${port}` } }],
    network: network,
    cache: null,
    always: coins.map(idOf),
  });
  for (const coin of coins) await markets.ready(idOf(coin), 10_000);
  const fills = new WebSocket(`ws://127.0.0.1:${port}/fills`);
  await new Promise((resolve) => fills.once('open', resolve));
  const exchange = new Exchange(markets.source, emptyState(1, markets.time()));
  // An account may trade 120 times a minute.
  for (let number = 0; number < 2 * coins.length; number += 1) exchange.execute({ ...account, name: `${number}` });
  const { accounts } = exchange.openState();
  let turn = 0;
  const rest = (marketId: string) => {
    turn += 1;
    const { id: accountId } = accounts[turn % accounts.length]!;
    exchange.execute({ ...limitOrder(accountId, 'buy', 0.001, bestBid(markets, marketId)), marketId });
  };
  for (const coin of coins) rest(idOf(coin));
  exchange.takeChanges();
  // Every trade of a market fills its order; another one rests after it.
  const report = () => {
    for (const { status, marketId } of exchange.takeChanges().orders.values()) {
      if (status !== 'filled') continue;
      fills.send(marketId.slice('binance|'.length));
      setImmediate(() => {
        rest(marketId);
        report();
      });
    }
  };
  markets.onEvents(() => {
    exchange.advance(markets.time());
    report();
  });
  venue.postMessage('go');
  const { waits } = await told();
  fills.terminate();
  await Promise.all([markets.close(), echo.terminate(), venue.terminate()]);
  await network.close();
  const [fill, bare] = [percentile(waits.fill), percentile(waits.echo)];
  const note = `${waits.fill.length} fills, ${fill.toFixed(2)} ms; echo ${bare.toFixed(2)} ms`;
  const name = 'event to fill over sockets / a bare echo, 99th percentile, 20 markets at 10 updates a second';
  return [{ name, value: fill / bare, unit: 'x', target: { atMost: 3 }, note }];
}

/** 20 markets at 100 updates a second, only recorded: processor time. */
async function recording(folder: string): Promise<Figure> {
  const seconds = 10;
  const coins = coinsOf(20);
  // What changes in 100 ms is spread over ten messages.
  const server = new BinanceOfBench(coins, seconds * 100, 7);
  const world = new VirtualWorld(server, start);
  const opening = LiveMarkets.open({
    tape: join(folder, 'recording.jsonl.gz'),
    venues: [{ venue: binance, address }],
    network: world,
    cache: null,
    always: coins.map(idOf),
  });
  await world.pass(500);
  const markets = await opening;
  for (const number of coins.keys()) server.publish(number, 0, world.now());
  await world.pass(3_000);
  const before = process.cpuUsage();
  for (let tick = 1; tick < server.ticks; tick += 1) {
    for (const number of coins.keys()) server.publish(number, tick, world.now(), tick % 10 > 0);
    await world.pass(10);
  }
  const { user, system } = process.cpuUsage(before);
  const { lines } = markets.status().tape;
  await Promise.all([markets.close(), world.pass(1_000)]);
  const value = (100 * (user + system)) / 1e6 / seconds;
  const name = 'recording 20 markets at 100 updates and 10 trades a second';
  return { name, value, unit: '% of a core', target: { atMost: 8 }, note: `${lines} lines in ${seconds} s` };
}

function percentile(values: number[]): number {
  values.sort((one, other) => one - other);
  return values[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

const account = {
  kind: 'open_account',
  owner: 'local',
  environment: 'live',
  name: 'one',
  plan: plans.none,
  startingBalance: 1e9,
} as const;
