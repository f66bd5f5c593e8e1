import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import { unitOf, type VenueFormat } from '../tape/venue-events.ts';
import { type Columns, hasColumns, headerOf, millisecondsOf, rowsOf } from './rows.ts';

const columns: Columns<'instrument_name' | 'trade_id' | 'side' | 'price' | 'size' | 'created_time'> = {
  names: ['instrument_name', 'trade_id', 'side', 'price', 'size', 'created_time'],
  known: ['instrument_name', 'trade_id', 'side', 'price', 'size', 'created_time', 'source'],
};

/** OKX's archive of trades of a perpetual swap: CSV with sizes in contracts. Headers of older files are bilingual. */
export const okxTradesFormat: VenueFormat = {
  name: 'OKX trades',
  columns: columns.names,
  identify([header, row]) {
    if (!hasColumns(header, columns.names)) return null;
    const coin = row?.split(',')[headerOf(header!).indexOf('instrument_name')] ?? '';
    if (coin !== '' && !coin.endsWith('-SWAP'))
      throw new LineProblem(`${quoted(coin)} is not a perpetual swap, and perp trades only those`);
    return { provider: 'okx', coin, unit: unitOf('okx', coin) };
  },
  async *read(file, coin, tally) {
    for await (const row of rowsOf(file, columns, tally)) {
      const { side, price, size, trade_id: id } = row;
      if (side !== 'buy' && side !== 'sell') throw new LineProblem(`side must be buy or sell, not ${quoted(side)}`);
      const time = millisecondsOf(row.created_time, 'created_time');
      if (row.instrument_name !== coin) tally.add('rows of other markets');
      else yield { kind: 'print', time, price, size, side, id };
    }
  },
};
