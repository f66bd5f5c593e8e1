import { readCandles } from '../../../desk/reading/candle-history.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import { intervals } from '../../../wire/contract/streams.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { pastTime } from '../../console/grammar/option-groups.ts';
import { line, listOf, recordOf } from '../../console/output/result.ts';
import { candleColumns, candleFields } from '../../console/views/stream-view.ts';

const candles = defineCommand({
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

const defaultWidth = 100;
const defaultHeight = 20;
/** Maximum number of fills to search. */
const maxFills = 500;

const chart = defineCommand({
  summary: 'Print a candle chart of a market, with your fills and orders',
  description:
    'Shows as many candles as fit, the newest on the right; times are UTC. Up and down triangles are your buys and sells; lines are your orders, entry and liquidation price. perp watch shows the chart live; perp candles prints the numbers.',
  args: [{ name: 'market', kind: 'market', summary: 'id, coin or symbol' }],
  options: {
    interval: { value: 'LENGTH', choices: intervals, summary: 'length of a candle (default 15m)' },
    to: { ...pastTime, summary: 'time of the last candle, yesterday, or a duration before now (default now)' },
    height: { value: 'ROWS', kind: 'count', maximum: 200, summary: `rows of the chart (default ${defaultHeight})` },
    width: { value: 'COLUMNS', kind: 'count', maximum: 500, summary: 'columns of the chart (default: the terminal)' },
    bare: { summary: 'show only candles; needs no account' },
  },
  examples: [
    ['perp chart BTC --interval 15m', 'the last hours'],
    ['perp chart ETH --interval 1d --bare', 'daily candles without your orders'],
    ['perp chart BTC --to 6h --json', 'the candles, fills and orders up to six hours ago'],
  ],
  async run(console, input) {
    const { interval = '15m', to } = input;
    const width = input.width ?? (Number.isFinite(console.io.columns) ? console.io.columns : defaultWidth);
    const market = await resolveMarket(console, input.market);
    const candles = await console.person.during('Reading candles', () =>
      readCandles(console, market, { interval, to, limit: width }),
    );
    const own = input.bare ? nothing : await ownIn(console, market, candles[0]?.openTime);
    const record = { market_id: market.market_id, interval, candles, ...own };
    if (console.settings.output !== 'table') return recordOf(record, () => []);
    if (candles.length === 0)
      return recordOf(record, () => [line('No candles; a market has none before its first trade.')]);
    const { printedChart } = await import('../../console/charts/market-chart.ts');
    const size = { width, height: input.height ?? defaultHeight };
    return { kind: 'text', text: await printedChart(console, market, { ...own, candles }, size) };
  },
});

/** An account's position, orders and fills in the market. */
interface Own {
  account: Account['id'] | null;
  position: Position | null;
  orders: Order[];
  fills: Order[];
}

const nothing: Own = { account: null, position: null, orders: [], fills: [] };

/** Reads an account's position, working orders and fills in a market, fills since this time (Unix ms). */
async function ownIn(console: Console, { market_id }: Market, since = 0): Promise<Own> {
  const account_id = await accountId(console);
  const isHere = (record: { market_id: string }) => record.market_id === market_id;
  const [positions, orders, fills] = await Promise.all([
    console.call('listOpenPositions', { query: { account_id } }),
    console.call('listOrders', { query: { account_id, status: 'working', limit: 100 } }),
    fillsSince(console, account_id, since),
  ]);
  return {
    account: account_id,
    position: positions.data.find(isHere) ?? null,
    orders: orders.data.filter(isHere),
    fills: fills.filter(isHere),
  };
}

async function fillsSince(console: Console, account_id: string, since: number): Promise<Order[]> {
  const fills: Order[] = [];
  let count = 0;
  for await (const fill of console.pages('listFills', { query: { account_id, limit: 100 } })) {
    if ((fill.settled_at ?? 0) < since) break;
    fills.push(fill);
    if (++count === maxFills) {
      console.note(`Showing the last ${maxFills} fills of the account.`);
      break;
    }
  }
  return fills;
}

export const words = { candles, chart };
