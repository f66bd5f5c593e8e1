import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import {
  base,
  type Subject,
  sideIn,
  unitOf,
  type VenueBook,
  type VenueFormat,
  type VenuePrint,
} from '../tape/venue-events.ts';
import { type Columns, columnsOf, hasColumns, headerOf, millisecondsOf, rowsOf, truthOf } from './rows.ts';
import { type Keyed, sorted } from './time-order.ts';

const aggTrades = columnsOf(
  ['agg_trade_id', 'price', 'quantity', 'transact_time', 'is_buyer_maker'],
  'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker',
);
const trades = columnsOf(
  ['id', 'price', 'qty', 'time', 'is_buyer_maker'],
  'id,price,qty,quote_qty,time,is_buyer_maker',
);
const bookTicker = columnsOf(
  ['update_id', 'best_bid_price', 'best_bid_qty', 'best_ask_price', 'best_ask_qty', 'transaction_time'],
  'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
);
const bybitTrades = columnsOf(
  ['timestamp', 'symbol', 'side', 'size', 'price', 'trdMatchID'],
  'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional,RPI',
);
const okxTrades = columnsOf(
  ['instrument_name', 'trade_id', 'side', 'price', 'size', 'created_time'],
  'instrument_name,trade_id,side,price,size,created_time,source',
);

/** Binance's archive of aggregated trades. */
export const binanceAggTradesFormat: VenueFormat = {
  name: 'Binance aggTrades',
  columns: aggTrades.names,
  identify: ([first], name) =>
    subjectOf(first, name, 'aggTrades', aggTrades, /^\d+,[\d.]+,[\d.]+,\d+,\d+,\d+,(true|false)$/i),
  async *read(file, _, tally) {
    for await (const row of rowsOf(file, aggTrades, tally)) {
      const time = millisecondsOf(row.transact_time, 'transact_time');
      const { price, quantity: size, is_buyer_maker, agg_trade_id: id } = row;
      yield { kind: 'print', time, price, size, side: takerOf(is_buyer_maker), id };
    }
  },
};

/** Binance's archive of trades. */
export const binanceTradesFormat: VenueFormat = {
  name: 'Binance trades',
  columns: trades.names,
  identify: ([first], name) => {
    // The archive of contracts that are settled in coins has `base_qty`.
    if (hasColumns(first, [...trades.names, 'base_qty']))
      return { provider: 'binance', coin: nameOf(name, 'trades'), unit: { kind: 'inverse' } };
    return subjectOf(first, name, 'trades', trades, /^\d+,[\d.]+,[\d.]+,[\d.]+,\d+,(true|false)$/i);
  },
  async *read(file, _, tally) {
    for await (const { id, price, qty: size, time, is_buyer_maker } of rowsOf(file, trades, tally))
      yield { kind: 'print', time: millisecondsOf(time, 'time'), price, size, side: takerOf(is_buyer_maker), id };
  },
};

/** Binance's archive of best prices: books of one level a side. Its parts are interleaved, so rows are out of order. */
export const binanceBookTickerFormat: VenueFormat = {
  name: 'Binance bookTicker',
  columns: bookTicker.names,
  identify: ([first], name) => subjectOf(first, name, 'bookTicker', bookTicker, null),
  async *read(file, _, tally) {
    const books = async function* (): AsyncGenerator<Keyed<VenueBook>> {
      for await (const row of rowsOf(file, bookTicker, tally)) {
        if (!/^\d{1,16}$/.test(row.update_id)) throw new LineProblem(`update_id is no id: ${quoted(row.update_id)}`);
        const time = millisecondsOf(row.transaction_time, 'transaction_time');
        const [bids, asks] = [
          [[row.best_bid_price, row.best_bid_qty]],
          [[row.best_ask_price, row.best_ask_qty]],
        ] as const;
        yield { key: Number(row.update_id), row: { kind: 'book', time, bids, asks } };
      }
    };
    yield* sorted(file, books(), 'key');
  },
};

/** Bybit's archive of trades: CSV with times in seconds; older files are in reverse order. */
export const bybitTradesFormat: VenueFormat = {
  name: 'Bybit trades',
  columns: bybitTrades.names,
  identify([header, row]) {
    if (!hasColumns(header, bybitTrades.names)) return null;
    const coin = row?.split(',')[header!.split(',').indexOf('symbol')] ?? '';
    return { provider: 'bybit', coin, unit: unitOf('bybit', coin) };
  },
  async *read(file, coin, tally) {
    const prints = async function* (): AsyncGenerator<Keyed<VenuePrint>> {
      for await (const row of rowsOf(file, bybitTrades, tally)) {
        const { symbol, size, price, trdMatchID: id } = row;
        const side = sideIn(row.side, 'side', 'Buy', 'Sell');
        const time = fromSeconds(row.timestamp);
        if (symbol !== coin) tally.add('rows of other markets');
        else yield { key: time, row: { kind: 'print', time, price, size, side, id } };
      }
    };
    yield* sorted(file, prints(), 'arrival');
  },
};

/** Unix ms of a time in seconds, possibly with a fraction. */
function fromSeconds(cell: string): number {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d+))?$/.exec(cell) ?? [];
  if (whole === undefined) throw new LineProblem(`timestamp is not in seconds: ${quoted(cell)}`);
  return 1000 * Number(whole) + Number(fraction.padEnd(3, '0').slice(0, 3));
}

/** OKX's archive of trades of a perpetual swap: CSV with sizes in contracts. Headers of older files are bilingual. */
export const okxTradesFormat: VenueFormat = {
  name: 'OKX trades',
  columns: okxTrades.names,
  identify([header, row]) {
    if (!hasColumns(header, okxTrades.names)) return null;
    const coin = row?.split(',')[headerOf(header!).indexOf('instrument_name')] ?? '';
    if (coin !== '' && !coin.endsWith('-SWAP'))
      throw new LineProblem(`${quoted(coin)} is not a perpetual swap, and perp trades only those`);
    return { provider: 'okx', coin, unit: unitOf('okx', coin) };
  },
  async *read(file, coin, tally) {
    for await (const row of rowsOf(file, okxTrades, tally)) {
      const { price, size, trade_id: id } = row;
      const side = sideIn(row.side);
      const time = millisecondsOf(row.created_time, 'created_time');
      if (row.instrument_name !== coin) tally.add('rows of other markets');
      else yield { kind: 'print', time, price, size, side, id };
    }
  },
};

/** The market is in the file's name only. */
function nameOf(name: string, kind: string): string | null {
  const [coin = '', ofKind] = name.split('-');
  return ofKind === kind && /^[A-Z0-9]+(_[A-Z0-9]+)?$/.test(coin) ? coin : null;
}

function subjectOf(
  first: string | undefined,
  name: string,
  kind: string,
  { names }: Columns<string>,
  headless: RegExp | null,
): Subject | null {
  if (!hasColumns(first, names) && headless?.test(first ?? '') !== true) return null;
  const coin = nameOf(name, kind);
  return { provider: 'binance', coin, unit: coin === null ? base : unitOf('binance', coin) };
}

/** The taker sold if the buyer was the maker. */
const takerOf = (isBuyerMaker: string) => (truthOf(isBuyerMaker, 'is_buyer_maker') ? 'sell' : 'buy');
