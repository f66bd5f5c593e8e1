import { accountId } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { resolveSince } from '../../../desk/resolve/time.ts';
import { defineCommand } from '../../console/console.ts';
import { listOf } from '../../console/output/result.ts';
import { orderFields } from '../../console/views/csv-columns.ts';
import { fillColumns } from '../../console/views/order-view.ts';
import { extentOptions, listed, narrowOptions } from '../reading/lists.ts';

export const command = defineCommand({
  summary: 'List fills in settlement order, newest first',
  options: { ...narrowOptions, ...extentOptions },
  examples: [
    ['perp fills', 'the last 50'],
    ['perp fills --market BTC --since today', 'of one market, since midnight in New York'],
    ['perp fills --all -o csv > fills.csv', 'all of them, for a spreadsheet'],
  ],
  async run(console, input) {
    const account_id = await accountId(console);
    const market = input.market === undefined ? undefined : (await resolveMarket(console, input.market)).market_id;
    const since = input.since === undefined ? undefined : await resolveSince(console, input.since);
    const fills = listed(console, 'listFills', { account_id }, input, {
      ...(market === undefined ? {} : { keeps: (fill) => fill.market_id === market }),
      ...(since === undefined ? {} : { isOver: (fill) => (fill.settled_at ?? fill.requested_at) < since }),
    });
    return listOf(fills, { fields: orderFields, columns: fillColumns, empty: 'No fills yet.' });
  },
});
