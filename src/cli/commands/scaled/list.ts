import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { scaledColumns, scaledFields } from '../../../console/views/strategy-view.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { remember } from '../../../desk/resolve/remembered.ts';
import { extentOptions, listed, seen } from '../../reading/lists.ts';

export const command = defineCommand({
  summary: 'List ladders, newest first',
  options: extentOptions,
  examples: [['perp scaled list', 'the last 50']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const ladders = listed(console, 'listScaledOrders', { account_id: await accountId(console) }, input);
  const rows = seen(ladders, (some) => {
    const known = some.map(
      (ladder) => [ladder.id, `${ladder.side} ${ladder.total_size} ${ladder.symbol ?? ''}`] as const,
    );
    remember(console, 'scaled', known);
  });
  return listOf(rows, { fields: scaledFields, columns: scaledColumns, empty: 'No ladders yet.' });
}
