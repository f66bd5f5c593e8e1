import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { twapColumns, twapFields } from '../../../console/views/strategy-view.ts';
import type { TwapOrder } from '../../../contract/strategies.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { remember } from '../../../desk/resolve/remembered.ts';
import { extentOptions, firstOf, listed } from '../../reading/lists.ts';

export const command = defineCommand({
  summary: 'List TWAP and VWAP orders',
  options: {
    status: {
      value: 'STATUS',
      choices: ['active', 'completed', 'canceled'],
      summary: 'only orders with this status (default active)',
    },
    ...extentOptions,
  },
  examples: [
    ['perp twap list', 'active ones'],
    ['perp twap list --status completed --limit 10', 'the last ten'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const status = input.status ?? 'active';
  const account_id = await accountId(console);
  if (status !== 'active') return view(listed(console, 'listActiveTwapOrders', { account_id, status }, input), status);
  const { data } = await console.call('listActiveTwapOrders', { query: { account_id } });
  const known = data.map((twap) => [twap.id, `${twap.side} ${twap.total_size} ${twap.symbol ?? ''}`] as const);
  remember(console, 'twap', known);
  return view(firstOf(console, data, input), status);
}

function view(rows: readonly TwapOrder[] | AsyncIterable<TwapOrder>, status: string): Result {
  return listOf(rows, { fields: twapFields, columns: twapColumns, empty: `No ${status} TWAP orders.` });
}
