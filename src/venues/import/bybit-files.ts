import { isJsonObject } from '../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import { unitOf } from '../tape/units.ts';
import {
  type Fields,
  jsonObject,
  levelsField,
  type VenueFormat,
  type VenuePrint,
  wholeField,
} from '../tape/venue-events.ts';
import { sorted } from './row-order.ts';
import { type Columns, hasColumns, rowsOf } from './rows.ts';

/**
 * Bybit's order book archive: one message of topic orderbook.DEPTH.COIN per line; first a snapshot, then deltas whose u
 * counts up by one. After a gap, deltas are skipped until the next snapshot.
 */
export const bybitFormat: VenueFormat = {
  name: 'Bybit order book archive',
  identify([first]) {
    if (first === undefined) return null;
    const message = tryObject(first);
    const coin = message === null ? null : coinOf(message.topic);
    return coin === null ? null : { provider: 'bybit', coin, unit: unitOf('bybit', coin) };
  },
  async *read(file, coin, tally) {
    let last: number | null = null;
    let books = 0;
    for await (const line of file.lines()) {
      const message = jsonObject(line);
      if (coinOf(message.topic) !== coin) {
        tally.add('messages of other topics');
        continue;
      }
      const { data, type } = message;
      if (!isJsonObject(data)) throw new LineProblem(`data must be a JSON object, not ${quoted(data)}`);
      if (type !== 'snapshot' && type !== 'delta') throw new LineProblem(`unknown message type ${quoted(type)}`);
      const id = wholeField(data, 'u');
      if (type === 'delta' && last !== null && id !== last + 1) {
        tally.notice('gaps in the update ids');
        last = null;
      }
      if (type === 'delta' && last === null) {
        tally.add(books === 0 ? 'deltas before the first snapshot' : 'deltas after a gap');
        continue;
      }
      books += 1;
      last = id;
      const kind = type === 'snapshot' ? 'book' : 'delta';
      yield { kind, time: wholeField(message, 'ts'), bids: levelsField(data, 'b'), asks: levelsField(data, 'a') };
    }
    if (books === 0) throw new LineProblem('there is no snapshot in the file to start the book from');
  },
};

const trades: Columns<'timestamp' | 'symbol' | 'side' | 'size' | 'price'> = {
  names: ['timestamp', 'symbol', 'side', 'size', 'price'],
  known: 'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional,RPI'.split(
    ',',
  ),
};

/** Bybit's archive of trades: CSV with times in seconds; older files run backwards in time. */
export const bybitTradesFormat: VenueFormat = {
  name: 'Bybit trades',
  identify([header, row]) {
    if (!hasColumns(header, [...trades.names, 'trdMatchID'])) return null;
    const coin = row?.split(',')[header!.split(',').indexOf('symbol')] ?? '';
    return { provider: 'bybit', coin, unit: unitOf('bybit', coin) };
  },
  async *read(file, coin, tally) {
    const prints = async function* (): AsyncGenerator<{ key: number; row: VenuePrint }> {
      for await (const row of rowsOf(file, trades, tally)) {
        const { symbol, size, price } = row;
        const side = row.side === 'Buy' ? 'buy' : row.side === 'Sell' ? 'sell' : null;
        if (side === null) throw new LineProblem(`side must be Buy or Sell, not ${quoted(row.side)}`);
        const time = fromSeconds(row.timestamp);
        if (symbol !== coin) tally.add('rows of other markets');
        else yield { key: time, row: { kind: 'print', time, price, size, side } };
      }
    };
    yield* sorted(prints());
  },
};

/** Unix ms of a time in seconds, possibly with a fraction. */
function fromSeconds(cell: string): number {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d+))?$/.exec(cell) ?? [];
  if (whole === undefined) throw new LineProblem(`timestamp is not in seconds: ${quoted(cell)}`);
  return 1000 * Number(whole) + Number(fraction.padEnd(3, '0').slice(0, 3));
}

function coinOf(topic: unknown): string | null {
  const match = typeof topic === 'string' ? /^orderbook\.\d+\.(.+)$/.exec(topic) : null;
  return match === null ? null : match[1]!;
}

function tryObject(text: string): Fields | null {
  try {
    return jsonObject(text);
  } catch {
    return null;
  }
}
