import { counted } from '../../../base/text/format.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { workingOrders } from '../../../desk/resolve/holdings.ts';
import { noteUncovered } from '../../../desk/writes/cancellation.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand } from '../../console/grammar/spec.ts';
import { line, type Result, tableOf } from '../../console/output/result.ts';
import { orderColumns } from '../../console/views/order-view.ts';
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

export async function run(console: Console): Promise<Result> {
  const account_id = await accountId(console);
  beginAftermath(console, { account_id });
  const working = console.settings.dryRun ? [] : await shownOrders(console, account_id);
  const { done, ...sending } = cancelEverything(console, account_id);
  return write(
    console,
    'cancelAllAccountOrders',
    { path: { account_id } },
    {
      preview: async () =>
        working.length === 0
          ? [line('No working orders.')]
          : [line(`${counted(working.length, 'working order')}, ${sizes(working)}:`), tableOf(working, orderColumns)],
      question: `Cancel every working order of ${account_id}?`,
      needsYes: true,
      ...sending,
      done: async (answer) => {
        const result = await done(answer);
        await noteUncovered(console, account_id, working);
        return result;
      },
    },
  );
}

/** What will be canceled, for the question and the note. With --yes, orders that can't be read are canceled all the same. */
async function shownOrders(console: Console, account_id: string): Promise<readonly Order[]> {
  try {
    return await workingOrders(console, account_id);
  } catch (error) {
    if (!console.settings.yes || console.signal.aborted) throw error;
    return [];
  }
}

function sizes(orders: readonly Order[]): string {
  const buys = orders.filter((order) => order.side === 'buy').length;
  return `${counted(buys, 'buy')}, ${counted(orders.length - buys, 'sell')}`;
}
