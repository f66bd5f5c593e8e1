import type { Order } from '../../../contract/orders.ts';
import { remember } from '../../completion/remember.ts';
import type { Context } from '../../context/context.ts';
import { usageFailure } from '../../failure/failure.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { listOf, type Result } from '../../output/result.ts';
import { extentOptions, listed, seen } from '../../reading/lists.ts';
import { accountId } from '../../resolve/account.ts';
import { orderColumns, orderFields } from '../../views/order-view.ts';

export const command = defineCommand({
  summary: 'List orders, newest first',
  options: {
    status: { value: 'STATUS', choices: ['working'], summary: 'only pending and resting orders, including armed ones' },
    ...extentOptions,
  },
  examples: [
    ['perp order list --status working', 'working orders'],
    ['perp order list --all --json', 'every order, for a program'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const account_id = await accountId(context);
  if (input.status !== undefined && input.limit !== undefined) {
    throw usageFailure(
      "--status working always lists all working orders; --limit can't be used with it.",
      'Omit --limit.',
    );
  }
  const orders =
    input.status === undefined ? listed(context, 'listOrders', { account_id }, input) : working(context, account_id);
  return listOf(
    seen(orders, (some) => rememberWorking(context, some)),
    {
      fields: orderFields,
      columns: orderColumns,
      empty: input.status === undefined ? 'No orders yet.' : 'No working orders.',
    },
  );
}

async function* working(context: Context, account_id: string): AsyncGenerator<Order> {
  yield* (await context.call('listOrders', { query: { account_id, status: 'working' } })).data;
}

function rememberWorking(context: Context, orders: readonly Order[]): void {
  const open = orders.filter(({ status }) => status === 'resting' || status === 'pending');
  remember(
    context,
    'order',
    open.map((order) => [order.id, `${order.side} ${order.size} ${order.symbol}`] as const),
  );
}
