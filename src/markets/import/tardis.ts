import { LineProblem, quoted } from '../recorded/recording-error.ts';
import type { Level, VenueFormat } from './venue.ts';

/** Tardis names of exchanges, as the providers of the contract. */
const providers: Record<string, string> = {
  'binance-futures': 'binance',
  bybit: 'bybit',
  hyperliquid: 'hyperliquid',
  lighter: 'lighter',
};

/** Tardis CSV of book_snapshot_5 or _25: every row a full book of that many levels a side, times in microseconds. */
export const tardisFormat: VenueFormat = {
  name: 'Tardis book_snapshot CSV',
  identify([header, row]) {
    if (header === undefined || columnsOf(header) === null) return null;
    const [exchange = '', coin = ''] = row?.split(',') ?? [];
    return { provider: providers[exchange] ?? null, coin };
  },
  async *read(file, coin, tally) {
    let columns: Columns | null = null;
    for await (const line of file.lines()) {
      if (columns === null) {
        columns = columnsOf(line);
        if (columns === null) throw new LineProblem('the header is not that of a book_snapshot file');
        continue;
      }
      const cells = line.split(',');
      if (cells.length !== columns.count) {
        throw new LineProblem(`has ${cells.length} columns, the header ${columns.count}`);
      }
      if (cells[columns.symbol] !== coin) {
        tally.add('rows of other markets');
        continue;
      }
      const bids = levelsOf(cells, columns.bids);
      yield { kind: 'book', time: timeOf(cells[columns.timestamp]!), bids, asks: levelsOf(cells, columns.asks) };
    }
  },
};

interface Columns {
  count: number;
  symbol: number;
  timestamp: number;
  /** Places of price and size, best level first. */
  bids: [number, number][];
  asks: [number, number][];
}

function columnsOf(header: string): Columns | null {
  const names = header.split(',');
  const [symbol, timestamp] = [names.indexOf('symbol'), names.indexOf('timestamp')];
  const side = (name: string) => {
    const places: [number, number][] = [];
    for (let level = 0; names.includes(`${name}[${level}].price`); level += 1) {
      places.push([names.indexOf(`${name}[${level}].price`), names.indexOf(`${name}[${level}].amount`)]);
    }
    return places;
  };
  const [bids, asks] = [side('bids'), side('asks')];
  if (symbol < 0 || timestamp < 0 || bids.length === 0 || asks.length === 0) return null;
  return { count: names.length, symbol, timestamp, bids, asks };
}

/** Levels of a row; a thin book leaves the last cells empty. */
function levelsOf(cells: readonly string[], places: readonly [number, number][]): Level[] {
  return places
    .map(([price, size]): Level => [cells[price] ?? '', cells[size] ?? ''])
    .filter(([price, size]) => price !== '' || size !== '');
}

function timeOf(microseconds: string): number {
  if (!/^\d{1,18}$/.test(microseconds))
    throw new LineProblem(`timestamp is not in microseconds: ${quoted(microseconds)}`);
  return Math.floor(Number(microseconds) / 1000);
}
