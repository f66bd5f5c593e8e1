import { counted, marketName } from '../../../base/text/format.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { workingOrders } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { noteUncovered } from '../../../desk/writes/aftermath.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import { line, type Result, recordOf, tableOf } from '../../console/output/result.ts';
import { orderColumns } from '../../console/views/order-view.ts';
import { cancelEverything } from '../writes/bulk.ts';
import { cancelEach } from '../writes/cancel-orders.ts';
import { confirmBulk, dryRunResult, write } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Cancel every working order of the account',
  description:
    'Cancels resting and armed orders, but not TWAPs or ladders themselves; --market and --side select some of them. Waits for the operation to finish, checks for remaining orders, and exits 9 if there are any. Without a terminal, this needs --yes.',
  options: {
    market: { value: 'MARKET', kind: 'market', summary: 'only orders in this market' },
    side: { value: 'SIDE', choices: ['buy', 'sell'], summary: 'only orders of this side' },
  },
  examples: [
    ['perp cancel-all', 'show the orders and ask first'],
    ['perp cancel-all --market BTC --side buy', "one market's buys"],
    ['perp cancel-all --yes --json', 'in a script'],
  ],
  async run(console, input): Promise<Result> {
    const account_id = await accountId(console);
    if (input.market !== undefined || input.side !== undefined) return cancelSome(console, account_id, input);
    beginAftermath(console, { account_id });
    const working = console.settings.dryRun ? [] : await shownOrders(console, account_id);
    const { done, ...sending } = cancelEverything(console, account_id);
    const request = { path: { account_id } };
    return write(console, 'cancelAllAccountOrders', request, {
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
    });
  },
});

/** Cancels the working orders of a market or a side, one by one. */
async function cancelSome(
  console: Console,
  account_id: string,
  { market: name, side }: InputOf<typeof command>,
): Promise<Result> {
  const market = name === undefined ? undefined : await resolveMarket(console, name);
  const orders = (await workingOrders(console, account_id)).filter(
    (order) => (market === undefined || order.market_id === market.market_id) && (side ?? order.side) === order.side,
  );
  if (orders.length === 0) return recordOf([], () => [line('No such working orders.')]);
  if (console.settings.dryRun) {
    const { client } = await console.access();
    return dryRunResult(orders.map(({ id }) => client.intend('cancelOrder', { path: { order_id: id } })));
  }
  const of = [side, market === undefined ? undefined : marketName(market.market_id, market.symbol)]
    .filter(Boolean)
    .join(' ');
  await confirmBulk(
    console,
    `Cancel ${counted(orders.length, 'order')} (${of}) of ${account_id}?`,
    [account_id],
    async () => [tableOf(orders, orderColumns)],
  );
  return cancelEach(console, orders);
}

/**
 * The items to be canceled, for the question and the note. With --yes, orders that can't be read are canceled all the
 * same.
 */
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
