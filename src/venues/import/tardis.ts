import type { MarketProvider } from '../../base/terms/venues.ts';
import type { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import type { Level, Tally, VenueBook, VenueFormat } from '../tape/venue-events.ts';

/** Tardis's names of exchanges, with our providers. */
const providers: Partial<Record<string, MarketProvider>> = {
  'binance-futures': 'binance',
  bybit: 'bybit',
  hyperliquid: 'hyperliquid',
  lighter: 'lighter',
};

/**
 * Tardis CSV of book_snapshot_5 or _25: every row is a full book with that many levels per side; times are in
 * microseconds.
 */
export const tardisSnapshotFormat: VenueFormat = {
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
        if (columns === null) throw new LineProblem('the header does not match a book_snapshot file');
        continue;
      }
      const cells = line.split(',');
      if (cells.length !== columns.count) {
        throw new LineProblem(`has ${cells.length} columns, but the header has ${columns.count}`);
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

/**
 * Tardis CSV of incremental_book_L2: one level per row, with size 0 where it was removed. The rows of a snapshot are
 * consecutive and replace the book; other rows received at the same time are one update.
 */
export const tardisBookFormat: VenueFormat = {
  name: 'Tardis incremental_book_L2 CSV',
  identify: ([header, row]) => aboutOf(header, row, ['is_snapshot', 'side', 'price', 'amount']),
  async *read(file, coin, tally) {
    let update: Update | null = null;
    let books = 0;
    for await (const row of rowsOf(file, coin, tally)) {
      const isSnapshot = row.is_snapshot === 'true';
      if (!isSnapshot && row.is_snapshot !== 'false') throw new LineProblem('is_snapshot must be true or false');
      const received = row.local_timestamp!;
      const continues: boolean =
        update !== null && update.isSnapshot === isSnapshot && (isSnapshot || update.received === received);
      if (!continues) {
        if (update !== null && books > 0) yield bookOf(update);
        const time = Math.max(update?.time ?? 0, timeOf(row.timestamp!));
        update = { isSnapshot, received, time, bids: [], asks: [] };
        if (isSnapshot) books += 1;
        else if (books === 0) tally.add('updates before the first snapshot');
      }
      update!.time = Math.max(update!.time, timeOf(row.timestamp!));
      const side = row.side === 'bid' ? update!.bids : row.side === 'ask' ? update!.asks : null;
      if (side === null) throw new LineProblem(`side must be bid or ask, not ${quoted(row.side)}`);
      side.push([row.price!, row.amount!]);
    }
    if (books === 0) throw new LineProblem('there is no snapshot in the file to start the book from');
    yield bookOf(update!);
  },
};

/** Tardis CSV of trades: one print per row. It is merged with a recording of the book. */
export const tardisTradesFormat: VenueFormat = {
  name: 'Tardis trades CSV',
  printsOnly: true,
  identify([header, row]) {
    if (header?.split(',').includes('is_snapshot')) return null;
    return aboutOf(header, row, ['id', 'side', 'price', 'amount']);
  },
  async *read(file, coin, tally) {
    for await (const row of rowsOf(file, coin, tally)) {
      const { side, price, amount } = row;
      if (side !== 'buy' && side !== 'sell') tally.add('trades without a side');
      else yield { kind: 'print', time: timeOf(row.timestamp!), price: price!, size: amount!, side };
    }
  },
};

interface Update {
  isSnapshot: boolean;
  /** The time when Tardis received it, in microseconds, as text. */
  received: string;
  time: number;
  bids: Level[];
  asks: Level[];
}

function bookOf({ isSnapshot, time, bids, asks }: Update): VenueBook {
  return { kind: isSnapshot ? 'book' : 'delta', time, bids, asks };
}

/** The subject of a file, if its header has these columns and those of all Tardis files. */
function aboutOf(header: string | undefined, row: string | undefined, columns: readonly string[]) {
  const names = header?.split(',') ?? [];
  if (![...commonColumns, ...columns].every((name) => names.includes(name))) return null;
  const cells = row?.split(',') ?? [];
  const [exchange = '', coin = ''] = ['exchange', 'symbol'].map((name) => cells[names.indexOf(name)]);
  return { provider: providers[exchange] ?? null, coin };
}

const commonColumns = ['exchange', 'symbol', 'timestamp', 'local_timestamp'];

/** Rows of one market, by column. */
async function* rowsOf(file: LineFile, coin: string, tally: Tally): AsyncGenerator<Record<string, string>> {
  let names: string[] | null = null;
  for await (const line of file.lines()) {
    const cells = line.split(',');
    if (names === null) {
      names = cells;
      continue;
    }
    if (cells.length !== names.length) {
      throw new LineProblem(`has ${cells.length} columns, but the header has ${names.length}`);
    }
    const row = Object.fromEntries(names.map((name, i) => [name, cells[i]!]));
    if (row.symbol === coin) yield row;
    else tally.add('rows of other markets');
  }
}

interface Columns {
  count: number;
  symbol: number;
  timestamp: number;
  /** Columns of price and size, best level first. */
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

/** Levels of a row; in a thin book the last cells are empty. */
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
