import { accountId } from '../../desk/resolve/account.ts';
import { resolveMarket } from '../../desk/resolve/market.ts';
import { resolveSince } from '../../desk/resolve/time.ts';
import type { Context } from '../context/context.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import { listOf, type Result } from '../output/result.ts';
import { extentOptions, listed, narrowOptions } from '../reading/lists.ts';
import { fillColumns, orderFields } from '../views/order-view.ts';

export const command = defineCommand({
  summary: 'List fills in settlement order, newest first',
  options: { ...narrowOptions, ...extentOptions },
  examples: [
    ['perp fills', 'the last 50'],
    ['perp fills --market BTC --since today', 'of one market, since midnight in New York'],
    ['perp fills --all -o csv > fills.csv', 'all of them, for a spreadsheet'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const account_id = await accountId(context);
  const market = input.market === undefined ? undefined : (await resolveMarket(context, input.market)).market_id;
  const since = input.since === undefined ? undefined : await resolveSince(context, input.since);
  const fills = listed(context, 'listFills', { account_id }, input, {
    ...(market === undefined ? {} : { keeps: (fill) => fill.market_id === market }),
    ...(since === undefined ? {} : { isOver: (fill) => (fill.settled_at ?? fill.requested_at) < since }),
  });
  return listOf(fills, { fields: orderFields, columns: fillColumns, empty: 'No fills yet.' });
}
