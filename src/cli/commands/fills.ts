import type { Context } from '../context/context.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import { listOf, type Result } from '../output/result.ts';
import { extentOptions, listed } from '../reading/lists.ts';
import { accountId } from '../resolve/account.ts';
import { fillColumns, orderFields } from '../views/order-view.ts';

export const command = defineCommand({
  summary: 'List fills in settlement order, newest first',
  options: extentOptions,
  examples: [
    ['perp fills', 'the last 50'],
    ['perp fills --all -o csv > fills.csv', 'all of them, for a spreadsheet'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const fills = listed(context, 'listFills', { account_id: await accountId(context) }, input);
  return listOf(fills, { fields: orderFields, columns: fillColumns, empty: 'No fills yet.' });
}
