import { readCandles } from '../../../desk/reading/candle-history.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { intervals } from '../../../wire/contract/streams.ts';
import { defineCommand } from '../../console/console.ts';
import { pastTime } from '../../console/grammar/option-groups.ts';
import { listOf } from '../../console/output/result.ts';
import { candleColumns, candleFields } from '../../console/views/stream-view.ts';

export const command = defineCommand({
  summary: 'List candles of a market, oldest first',
  description:
    'The last candle may still be forming. --from and --to select candles by opening time, given as a time or as a duration before now. With --from and without --limit, lists all candles from that time.',
  args: [{ name: 'market', kind: 'market', summary: 'id, coin or symbol' }],
  options: {
    interval: { value: 'LENGTH', choices: intervals, summary: 'length of a candle (default 1m)' },
    from: { ...pastTime, summary: 'first opening time, today, yesterday, or a duration before now, such as 2h' },
    to: { ...pastTime, summary: 'last opening time, yesterday, or a duration before now (default now)' },
    limit: { value: 'N', kind: 'count', summary: 'only the newest N candles (default 100)' },
  },
  examples: [
    ['perp candles BTC', 'the last 100 minutes'],
    ['perp candles BTC --interval 5m --from 6h -o csv > btc.csv', 'six hours, for a spreadsheet'],
    ['perp candles ETH --interval 1h --limit 24', 'a day'],
  ],
  async run(console, input) {
    const market = await resolveMarket(console, input.market);
    const candles = await console.person.during('Reading candles', () => readCandles(console, market, input));
    return listOf(candles, {
      fields: candleFields,
      columns: candleColumns,
      empty: 'No candles in this range; a market has none before its first trade.',
    });
  },
});
