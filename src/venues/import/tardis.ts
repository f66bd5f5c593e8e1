import type { MarketProvider } from '../../base/terms/venues.ts';
import type { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import {
  type Level,
  type Subject,
  type Tally,
  type Unit,
  unitOf,
  unknownUnit,
  type VenueBook,
  type VenueFormat,
  type VenueMarks,
} from '../tape/venue-events.ts';
import { type Columns, columnsOf, hasColumns, headerOf, rowsOf, truthOf } from './rows.ts';

/** Tardis's names of exchanges, with our providers. It leaves sizes in the exchange's own unit. */
const providers: Partial<Record<string, MarketProvider>> = {
  'binance-futures': 'binance',
  'binance-delivery': 'binance',
  bybit: 'bybit',
  hyperliquid: 'hyperliquid',
  lighter: 'lighter',
  'okex-swap': 'okx',
  cryptofacilities: 'kraken',
};
/** Contracts sized in the quote currency, or settled in the coin, of exchanges that perp has no name for. */
const inverseElsewhere =
  /^deribit,(BTC|ETH)-\w+$|^bitmex,XBT(USD|[FGHJKMNQUVXZ]\d\d)$|^huobi-dm-swap,|^huobi-dm,|^okex-futures,\w+-USD-|^gate-io-futures,\w+_USD$|^(phemex|bitget-futures),[A-Z0-9]+USD(_[A-Z0-9]+)?$/;

const common = ['exchange', 'symbol', 'timestamp', 'local_timestamp'] as const;

const ofBooks = columnsOf([...common, 'is_snapshot', 'side', 'price', 'amount']);
const ofTrades = columnsOf([...common, 'id', 'side', 'price', 'amount']);
const ofQuotes = columnsOf([...common, 'ask_amount', 'ask_price', 'bid_price', 'bid_amount']);
const ofTicker = columnsOf(
  [...common, 'funding_timestamp', 'funding_rate', 'index_price', 'mark_price'],
  `${common.join()},funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price`,
);

/** Tardis CSV of book_snapshot_5 or _25: every row is a full book with that many levels per side. */
export const tardisSnapshotFormat: VenueFormat = {
  name: 'Tardis book_snapshot CSV',
  identify: ([header, row]) => (levelColumns(header ?? '') === null ? null : subjectOf(header!, row)),
  async *read(file, coin, tally) {
    let columns: ReturnType<typeof levelColumns> = null;
    let exchange: string | null = null;
    for await (const line of file.lines()) {
      if (columns === null) {
        columns = levelColumns(line);
        if (columns === null) throw new LineProblem('the header does not match a book_snapshot file');
        continue;
      }
      const cells = line.split(',');
      if (cells.length !== columns.count) throw new LineProblem(`has ${cells.length} columns, not ${columns.count}`);
      exchange ??= cells[columns.exchange]!;
      if (cells[columns.symbol] !== coin || cells[columns.exchange] !== exchange) {
        tally.add('rows of other markets');
        continue;
      }
      const bids = levelsOf(cells, columns.bids);
      yield { kind: 'book', time: timeOf(cells[columns.timestamp]!), bids, asks: levelsOf(cells, columns.asks) };
    }
  },
};

/**
 * Tardis CSV of incremental_book_L2: one level per row, with size 0 where it was removed. Rows received at the same
 * time are one message; one of snapshot rows replaces the book.
 */
export const tardisBookFormat: VenueFormat = {
  name: 'Tardis incremental_book_L2 CSV',
  columns: ofBooks.names,
  identify: ([header, row]) => (hasColumns(header, ofBooks.names) ? subjectOf(header!, row) : null),
  async *read(file, coin, tally) {
    let message: Message | null = null;
    let books = 0;
    for await (const row of ofMarket(file, ofBooks, coin, tally)) {
      const isSnapshot = truthOf(row.is_snapshot, 'is_snapshot');
      const received = row.local_timestamp;
      const time = timeOf(row.timestamp);
      if (message === null || message.received !== received || message.isSnapshot !== isSnapshot) {
        if (message !== null && books > 0) yield bookOf(message);
        message = { isSnapshot, received, time, bids: [], asks: [] };
        if (isSnapshot) books += 1;
        else if (books === 0) tally.add('updates before the first snapshot');
      }
      const side = row.side === 'bid' ? message.bids : row.side === 'ask' ? message.asks : null;
      if (side === null) throw new LineProblem(`side must be bid or ask, not ${quoted(row.side)}`);
      side.push([row.price, row.amount]);
    }
    if (message === null || books === 0)
      throw new LineProblem('there is no snapshot in the file to start the book from');
    yield bookOf(message);
  },
};

/** Tardis CSV of trades: one print per row. */
export const tardisTradesFormat: VenueFormat = {
  name: 'Tardis trades CSV',
  columns: ofTrades.names,
  identify: ([header, row]) => {
    const isTrades = hasColumns(header, ofTrades.names) && !hasColumns(header, ofBooks.names);
    return isTrades ? subjectOf(header!, row) : null;
  },
  async *read(file, coin, tally) {
    for await (const { timestamp, id, side, price, amount: size } of ofMarket(file, ofTrades, coin, tally)) {
      if (side !== 'buy' && side !== 'sell') tally.add('trades without a side');
      else yield { kind: 'print', time: timeOf(timestamp), price, size, side, id };
    }
  },
};

/** Tardis CSV of quotes: each row is a book of one level a side; empty cells where a side is empty. */
export const tardisQuotesFormat: VenueFormat = {
  name: 'Tardis quotes CSV',
  columns: ofQuotes.names,
  identify: ([header, row]) => (hasColumns(header, ofQuotes.names) ? subjectOf(header!, row) : null),
  async *read(file, coin, tally) {
    const side = (price: string, size: string): Level[] => (price === '' && size === '' ? [] : [[price, size]]);
    for await (const row of ofMarket(file, ofQuotes, coin, tally)) {
      const [bids, asks] = [side(row.bid_price, row.bid_amount), side(row.ask_price, row.ask_amount)];
      yield { kind: 'book', time: timeOf(row.timestamp), bids, asks };
    }
  },
};

/** Tardis CSV of derivative_ticker: the venue's mark and index prices and its next funding. */
export const tardisTickerFormat: VenueFormat = {
  name: 'Tardis derivative_ticker CSV',
  columns: ofTicker.names,
  identify: ([header, row]) => (hasColumns(header, ofTicker.names) ? subjectOf(header!, row) : null),
  async *read(file, coin, tally) {
    let before = '';
    for await (const row of ofMarket(file, ofTicker, coin, tally)) {
      const { mark_price, index_price, funding_timestamp } = row;
      const text = [mark_price, index_price, funding_timestamp].join();
      // It does not say how many hours the rate covers.
      if (row.funding_rate !== '') tally.add('funding rates without their interval');
      if (text === before || text === ',,') tally.add("rows without a change of the venue's own prices");
      else yield marksOf(timeOf(row.timestamp), mark_price, index_price, funding_timestamp);
      before = text;
    }
  },
};

function marksOf(time: number, mark: string, index: string, funding: string): VenueMarks {
  const nextFundingAt = funding === '' ? null : timeOf(funding);
  return { kind: 'marks', time, mark: mark === '' ? null : mark, index: index === '' ? null : index, nextFundingAt };
}

/** Levels received in one message. */
interface Message {
  isSnapshot: boolean;
  /** The time when Tardis received it, in microseconds, as text. */
  received: string;
  time: number;
  bids: Level[];
  asks: Level[];
}

function bookOf({ isSnapshot, time, bids, asks }: Message): VenueBook {
  return { kind: isSnapshot ? 'book' : 'delta', time, bids, asks };
}

function subjectOf(header: string, row: string | undefined): Subject {
  const names = headerOf(header);
  const cells = row?.split(',') ?? [];
  const [exchange = '', coin = ''] = ['exchange', 'symbol'].map((name) => cells[names.indexOf(name)]);
  const provider = providers[exchange] ?? null;
  return { provider, coin, unit: unitAt(exchange, provider, coin) };
}

function unitAt(exchange: string, provider: MarketProvider | null, coin: string): Unit {
  if (exchange === 'binance-delivery' || inverseElsewhere.test(`${exchange},${coin}`)) return { kind: 'inverse' };
  return provider === null ? unknownUnit : unitOf(provider, coin);
}

/** Rows of one market: the exchange of the first row. */
async function* ofMarket<Name extends string>(
  file: LineFile,
  columns: Columns<Name | 'exchange' | 'symbol'>,
  coin: string | null,
  tally: Tally,
): AsyncGenerator<Record<Name | 'exchange' | 'symbol', string>> {
  let exchange: string | null = null;
  for await (const row of rowsOf(file, columns, tally)) {
    exchange ??= row.exchange;
    if (row.symbol === coin && row.exchange === exchange) yield row;
    else tally.add('rows of other markets');
  }
}

/** The columns of a header, with those of price and size, best level first; null for another kind of file. */
function levelColumns(header: string) {
  const names = header.split(',');
  const [exchange, symbol, timestamp] = common.map((name) => names.indexOf(name)) as [number, number, number];
  const side = (name: string) => {
    const places: [number, number][] = [];
    for (let level = 0; names.includes(`${name}[${level}].price`); level += 1) {
      places.push([names.indexOf(`${name}[${level}].price`), names.indexOf(`${name}[${level}].amount`)]);
    }
    return places;
  };
  const [bids, asks] = [side('bids'), side('asks')];
  if (Math.min(exchange, symbol, timestamp) < 0 || bids.length === 0 || asks.length === 0) return null;
  return { count: names.length, exchange, symbol, timestamp, bids, asks };
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
