import type { Order } from '../../contract/orders.ts';
import type { Context } from '../context/context.ts';
import { defineCommand } from '../grammar/spec.ts';
import { line, type Result, tableOf } from '../output/result.ts';
import { accountId } from '../resolve/account.ts';
import { counted } from '../text/format.ts';
import { orderColumns } from '../views/order-view.ts';
import { cancelEverything } from '../writes/bulk.ts';
import { write } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Cancel every working order of the account',
  description:
    'Cancels resting and armed orders, but not TWAPs or ladders themselves. Waits for the operation to finish, checks for remaining orders, and exits 9 if there are any. Without a terminal, this needs --yes.',
  examples: [
    ['perp cancel-all', 'show the orders and ask first'],
    ['perp cancel-all --yes --json', 'in a script'],
  ],
});

export async function run(context: Context): Promise<Result> {
  const account_id = await accountId(context);
  return write(
    context,
    'cancelAllAccountOrders',
    { path: { account_id } },
    {
      preview: async () => {
        const { data } = await context.call('listOrders', { query: { account_id, status: 'working' } });
        return data.length === 0
          ? [line('No working orders.')]
          : [line(`${counted(data.length, 'working order')}, ${sizes(data)}:`), tableOf(data, orderColumns)];
      },
      question: `Cancel every working order of ${account_id}?`,
      needsYes: true,
      ...cancelEverything(context, account_id),
    },
  );
}

function sizes(orders: readonly Order[]): string {
  const buys = orders.filter((order) => order.side === 'buy').length;
  return `${counted(buys, 'buy')}, ${counted(orders.length - buys, 'sell')}`;
}
