/**
 * A recording played in one go with 100 resting orders, after its import: 345 s of Binance's BTC with every print and
 * every update. The repository contains the best 25 levels per side; the rest of the 1,000, which change as often, are
 * made up. PERP_BENCH_RECORDING names another recording of one market to use instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { plans } from '../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import { openRecording, type Recording } from '../src/exchange/markets/recorded/recorded-source.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';
import { limitOrder } from './orders.ts';
import { benchFolder } from './served.ts';

const extract = resolve(import.meta.dirname, '../test/fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
/** Levels per side beyond those of the extract, and how many of them an update changes, as in the raw file. */
const deepLevels = 975;
const deepChanges = 29;
const restingOrders = 100;
const samples = 5;

interface Line {
  delta?: true;
  bids?: [price: string, size: string][];
  asks?: [price: string, size: string][];
}

/** Seconds from the recording's first line to its last. */
export async function replay(): Promise<Figure[]> {
  const { folder, remove } = benchFolder();
  try {
    const recording = await openRecording(process.env.PERP_BENCH_RECORDING ?? deepened(join(folder, 'deep.jsonl')));
    const times: number[] = [];
    let settled = 0;
    for (let sample = -1; sample < samples; sample++) {
      const exchange = withRestingOrders(recording);
      const ms = millisecondsOf(() => exchange.advance(recording.lastTime));
      settled = exchange.takeChanges().orders.size;
      if (sample >= 0) times.push(ms);
    }
    recording.close();
    const seconds = (recording.lastTime - recording.firstTime) / 1000;
    return [
      {
        isQuoted: true,
        name: `replay of ${seconds.toFixed(0)} recorded seconds, ${restingOrders} resting orders`,
        value: median(times) / 1000,
        unit: 's',
        target: { atMost: 1 },
        note: `${settled} order records changed`,
      },
    ];
  } finally {
    remove();
  }
}

/** Half of the orders are bids and half asks, around the first mid: some fill, some queue, some are never reached. */
function withRestingOrders({ source, firstTime }: Recording): Exchange {
  const exchange = new Exchange(source, emptyState(1, firstTime));
  exchange.advance(firstTime);
  const opened = exchange.execute({
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name: 'bench',
    plan: plans.none,
    startingBalance: 10_000_000,
  });
  if (!opened.ok || !opened.account) throw new Error('no account');
  const { marketId, priceDecimals } = source.definitions[0]!;
  const quote = exchange.quote(marketId, {});
  if (!quote.ok) throw new Error(quote.message);
  const mid = quote.mid! / 2 / 10 ** priceDecimals;
  for (let number = 0; number < restingOrders; number++) {
    const isBid = number % 2 === 0;
    const price = Math.round(mid + (isBid ? -1 : 1) * (1 + number * 2));
    const order = { ...limitOrder(opened.account.id, isBid ? 'buy' : 'sell', 0.001, price), marketId };
    const placed = exchange.execute(order);
    if (!placed.ok) throw new Error(placed.message);
  }
  exchange.takeChanges();
  return exchange;
}

/** The extract with more levels per side, beyond all that it ever shows; each update changes some of them. */
function deepened(file: string): string {
  let updates = 0;
  const size = (level: number) => ((1 + ((level + updates) % 9)) * 0.125).toFixed(3);
  const deeper = (levels: number[], best: number, step: number) =>
    levels.map((level): [string, string] => [(best + level * step).toFixed(2), size(level)]);
  const lines = gunzipSync(readFileSync(extract)).toString('utf8').trim().split('\n');
  const deepLines = lines.map((text) => {
    const line = JSON.parse(text) as Line;
    if (line.bids === undefined || line.asks === undefined) return text;
    const count = line.delta ? deepChanges : deepLevels;
    const levels = Array.from({ length: count }, (_, at) => (line.delta ? updates * 7 + at * 13 : at) % deepLevels);
    if (line.delta) updates++;
    line.bids.push(...deeper(levels, 61_200, -0.5));
    line.asks.push(...deeper(levels, 62_200, 0.5));
    return JSON.stringify(line);
  });
  writeFileSync(file, `${deepLines.join('\n')}\n`);
  return file;
}
