/** Live markets over real sockets: the processor time of a recorder and of a desk, compared with a bare client's. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createGzip } from 'node:zlib';
import { WebSocket } from 'ws';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import { LiveMarkets } from '../src/venues/live/live-markets.ts';
import { openNetwork } from '../src/venues/live/open-network.ts';
import { binance } from '../src/venues/live/protocols/binance.ts';
import { type Figure, median } from './measure.ts';
import { benchFolder } from './served.ts';

const rounds = 11;
const coins = Array.from({ length: 20 }, (_, number) => `COIN${number}USDT`);
const ids = coins.map((coin) => `binance|${coin}`);

/** What receives the frames; resolves to what ends it. */
type Client = (port: number, folder: string) => Promise<() => Promise<unknown>>;

const bare =
  (isPacked: boolean): Client =>
  async (port) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/public/ws`);
    await once(socket, 'open');
    const gzip = createGzip({ level: 1 }).resume();
    socket.on('message', (data) => {
      JSON.parse(String(data));
      if (isPacked) gzip.write(data);
    });
    return async () => {
      socket.terminate();
      await once(gzip.end(), 'end');
    };
  };

const markets =
  (isTraded: boolean): Client =>
  async (port, folder) => {
    const network = await openNetwork();
    const live = await LiveMarkets.open({
      tape: join(folder, `${performance.now()}.jsonl.gz`),
      venues: [{ venue: binance, address: { wsUrl: `ws://127.0.0.1:${port}`, restUrl: `http://127.0.0.1:${port}` } }],
      network,
      cache: null,
      always: ids,
    });
    for (const id of ids) await live.ready(id, 10_000);
    if (isTraded) {
      const exchange = new Exchange(live.source, emptyState(1, live.time()));
      live.onEvents(() => exchange.advance(live.time()));
    }
    return async () => {
      await live.close();
      await network.close();
    };
  };

/** Milliseconds of processor time for one run of the venue, without its own thread. */
async function costOf(client: Client, folder: string): Promise<number> {
  const workerData = { coins, ticks: 100, everyMs: 2 };
  const venue = new Worker(new URL('./live-exchange.ts', import.meta.url), { workerData });
  const [{ port }] = await once(venue, 'message');
  const end = await client(port, folder);
  const [before, own] = [process.cpuUsage(), await venue.cpuUsage()];
  venue.postMessage('go');
  await once(venue, 'message');
  const ofVenue = await venue.cpuUsage(own);
  await end();
  const all = process.cpuUsage(before);
  await venue.terminate();
  return (all.user + all.system - ofVenue.user - ofVenue.system) / 1_000;
}

/** The figures of cost. */
export async function liveCost(): Promise<Figure[]> {
  const { folder, remove } = benchFolder();
  const ratios = { recorder: [] as number[], desk: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      ratios.recorder.push((await costOf(markets(false), folder)) / (await costOf(bare(true), folder)));
      ratios.desk.push((await costOf(markets(true), folder)) / (await costOf(bare(false), folder)));
    }
  } finally {
    remove();
  }
  const figure = (name: string, values: number[], atMost: number): Figure => {
    const note = `${rounds} rounds, ${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
    return { name, value: median(values), unit: 'x', target: { atMost }, note };
  };
  return [
    figure('recording 20 markets / a bare client that parses and packs', ratios.recorder, 2.5),
    figure('a desk on 20 markets / a bare client that parses', ratios.desk, 3.5),
  ];
}
