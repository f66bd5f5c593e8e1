import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { importFile } from '../../../src/venues/import/import-file.ts';
import { type LogChange, LogMarket } from './servers/log.ts';
import { bookText, type ModelOptions } from './servers/model.ts';

type Texts = readonly [price: string, size: string][];
type Grid = Omit<ModelOptions, 'levels'>;

/** The fields of a recording's line that logs need. */
interface RecordedLine {
  time: number;
  delta?: true;
  bids?: Texts;
  asks?: Texts;
  trade?: { price: string; size: string; side: 'buy' | 'sell' };
}

/** Half a minute of Binance in July 2021: four markets, with the REST snapshots requested at the time. */
export async function binanceSession(): Promise<LogMarket[]> {
  const grids: [coin: string, decimals: number][] = [
    ['SUSHIUSDT', 4],
    ['AKROUSDT', 5],
    ['KEEPUSDT', 4],
    ['CTKUSDT', 5],
  ];
  const lines = fixtureText('binance-usdm-session-2021-07-22.txt.gz').trimEnd().split('\n');
  return await Promise.all(
    grids.map(async ([coin, decimals], number) => {
      const own = lines.filter((line) => line.includes(`{"stream":"${coin.toLowerCase()}@`));
      const grid = { priceDecimals: decimals, writtenDecimals: decimals, sizeDecimals: 0 };
      const changes: LogChange[] = [];
      let book: { lastUpdateId: number; bids: Texts; asks: Texts } | null = null;
      for (const line of own) {
        const at = Math.ceil(Number(line.slice(0, 16)) / 1000);
        const frame = line.slice(line.indexOf(' ') + 1);
        const { data } = JSON.parse(frame);
        if ('lastUpdateId' in data) book = data;
        else {
          const [bids, asks] = [inUnits(data.b, grid), inUnits(data.a, grid)];
          const ids = { first: data.U, last: data.u, previous: data.pu };
          changes.push({ at, frame, isFull: false, ...ids, bids, asks, trades: [] });
        }
      }
      const { lastUpdateId: id, bids, asks } = book!;
      const first = { id, bids: inUnits(bids, grid), asks: inUnits(asks, grid) };
      const states = await importedStates(own.join('\n'), `binance|${coin}`, grid);
      return new LogMarket(coin, number, { ...grid, changes, book: first, states });
    }),
  );
}

/** Five seconds of Bybit in December 2024. */
export async function bybitLog(): Promise<LogMarket[]> {
  const text = fixtureText('bybit-xrpusdt-ob500-log.jsonl.gz');
  const grid = { priceDecimals: 4, writtenDecimals: 4, sizeDecimals: 0 };
  const changes = text
    .trimEnd()
    .split('\n')
    .map((line): LogChange => {
      // perp subscribes to 200 levels; the log is of a stream of 500.
      const frame = line.replace('orderbook.500', 'orderbook.200');
      const { type, cts, data } = JSON.parse(line);
      const [bids, asks] = [inUnits(data.b, grid), inUnits(data.a, grid)];
      const ids = { first: data.u, last: data.u, previous: data.u - 1 };
      return { at: cts, frame, isFull: type === 'snapshot', ...ids, bids, asks, trades: [] };
    });
  const { last: id, bids, asks } = changes[0]!;
  const states = await importedStates(text, 'bybit|XRPUSDT', grid);
  return [new LogMarket('XRPUSDT', 0, { ...grid, changes, book: { id, bids, asks }, states })];
}

/**
 * 345 s of Binance BTCUSDT in August 2024, from a recording: its sequence numbers are made up, its prints and times are
 * real.
 */
export function bitcoinMinutes(seconds = 345): LogMarket[] {
  const grid = { priceDecimals: 1, writtenDecimals: 2, sizeDecimals: 3 };
  const lines = fixtureText('binance-usdm-btcusdt-345s.jsonl.gz').trimEnd().split('\n').slice(1);
  const events = lines.map((line) => JSON.parse(line) as RecordedLine);
  const [first, ...others] = events.filter(({ time }) => time < events[0]!.time + seconds * 1000);
  const changes: LogChange[] = [];
  let trades = 0;
  for (const { time, bids = [], asks = [], trade } of others) {
    const id = 1_000 + changes.length;
    const change = { bids: inUnits(bids, grid), asks: inUnits(asks, grid), trades: [] as LogChange['trades'] };
    if (trade !== undefined) {
      const [[price, size]] = inUnits([[trade.price, trade.size]], grid) as [[number, number]];
      change.trades.push({ number: 5_000 + trades, time, price, size, side: trade.side });
      trades += 1;
    }
    changes.push({ at: time, frame: null, isFull: false, first: id + 1, last: id + 1, previous: id, ...change });
  }
  const book = { id: 1_000, bids: inUnits(first!.bids!, grid), asks: inUnits(first!.asks!, grid) };
  const states = recordedStates([first!, ...others], grid);
  return [new LogMarket('BTCUSDT', 0, { ...grid, changes, book, states })];
}

/** Every book during an import of a venue's file. */
async function importedStates(text: string, marketId: string, grid: Grid): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-log-'));
  try {
    const [file, out] = [join(folder, 'log'), join(folder, 'out.jsonl')];
    writeFileSync(file, text);
    const tick = (10 ** -grid.priceDecimals).toFixed(grid.priceDecimals);
    await importFile(file, out, { marketId, tick, sizeDecimals: grid.sizeDecimals });
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n').slice(1);
    return recordedStates(
      lines.map((line) => JSON.parse(line)),
      grid,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The successive books of a recording: a fold over two maps, independent of our code. */
function recordedStates(events: readonly RecordedLine[], grid: Grid): string[] {
  const sides = [new Map<number, number>(), new Map<number, number>()];
  const states: string[] = [];
  for (const { bids, asks, delta } of events) {
    if (bids === undefined || asks === undefined) continue;
    for (const [at, texts] of [bids, asks].entries()) {
      const side = sides[at]!;
      if (delta === undefined) side.clear();
      for (const [price, size] of inUnits(texts, grid)) {
        if (size === 0) side.delete(price);
        else side.set(price, size);
      }
    }
    const flat = (at: number, sign: number) => [...sides[at]!].sort(([a], [b]) => sign * (a - b)).flat();
    states.push(bookText(flat(0, -1), flat(1, 1)));
  }
  return states;
}

function inUnits(levels: Texts, { priceDecimals, sizeDecimals }: Grid): [number, number][] {
  const units = (text: string, decimals: number) => Math.round(Number(text) * 10 ** decimals);
  return levels.map(([price, size]) => [units(price, priceDecimals), units(size, sizeDecimals)]);
}

function fixtureText(name: string): string {
  return gunzipSync(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url))).toString('utf8');
}
