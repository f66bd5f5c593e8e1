import type { Order } from '../../../contract/orders.ts';
import { remember } from '../../completion/remember.ts';
import type { Context } from '../../context/context.ts';
import { usageFailure } from '../../failure/failure.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { blank, line, listOf, type Result, tableOf } from '../../output/result.ts';
import { extentOptions, listed, narrowOptions, seen } from '../../reading/lists.ts';
import { accountId } from '../../resolve/account.ts';
import { resolveMarket } from '../../resolve/market.ts';
import { resolveSince } from '../../resolve/time.ts';
import { isWorking, orderColumns, orderFields } from '../../views/order-view.ts';

export const command = defineCommand({
  summary: 'List orders, newest first',
  description:
    'The table shows working orders first, then ended ones. PART OF names the ladder or TWAP of an order, or the other leg of an OCO pair. --status working lists all working orders: pending, resting and armed.',
  options: {
    ...narrowOptions,
    status: {
      value: 'STATUS',
      choices: ['working', 'pending', 'resting', 'filled', 'canceled', 'rejected', 'expired'],
      summary: 'only orders with this status',
    },
    ...extentOptions,
  },
  examples: [
    ['perp order list --status working', 'working orders'],
    ['perp order list --market BTC --since 2h', 'of one market, in the last two hours'],
    ['perp order list --all --json', 'every order, for a program'],
  ],
});

type Input = InputOf<typeof command>;

export async function run(context: Context, input: Input): Promise<Result> {
  const account_id = await accountId(context);
  if (input.status === 'working' && input.limit !== undefined) {
    throw usageFailure(
      "--status working always lists all working orders; --limit can't be used with it.",
      'Omit --limit.',
    );
  }
  const orders = seen(await chosen(context, account_id, input), (some) => rememberWorking(context, some));
  const empty = input.status === undefined ? 'No orders yet.' : `No ${input.status} orders.`;
  const list = listOf(orders, { fields: orderFields, columns: orderColumns, empty });
  return { ...list, blocks: (rows) => apart(rows as readonly Order[]) };
}

async function chosen(context: Context, account_id: string, input: Input): Promise<AsyncIterable<Order>> {
  const { status } = input;
  const market = input.market === undefined ? undefined : (await resolveMarket(context, input.market)).market_id;
  const since = input.since === undefined ? undefined : await resolveSince(context, input.since);
  const isOfMarket = (order: Order) => market === undefined || order.market_id === market;
  if (status === 'working' || status === 'pending' || status === 'resting') {
    return working(context, account_id, (order) => {
      const isOfStatus = status === 'working' || order.status === status;
      return isOfStatus && isOfMarket(order) && (since === undefined || order.requested_at >= since);
    });
  }
  const keeps = (order: Order) => (status === undefined || order.status === status) && isOfMarket(order);
  return listed(context, 'listOrders', { account_id }, input, {
    ...(status === undefined && market === undefined ? {} : { keeps }),
    ...(since === undefined ? {} : { isOver: (order) => order.requested_at < since }),
  });
}

async function* working(context: Context, account_id: string, keeps: (order: Order) => boolean): AsyncGenerator<Order> {
  yield* (await context.call('listOrders', { query: { account_id, status: 'working' } })).data.filter(keeps);
}

/** Working orders first, then ended ones; with titles if there are both. */
function apart(orders: readonly Order[]) {
  const [live, ended] = [orders.filter(isWorking), orders.filter((order) => !isWorking(order))];
  if (live.length === 0 || ended.length === 0) return [tableOf(orders, orderColumns)];
  const title = (text: string) => line({ text, tone: 'strong' });
  return [title('Working'), tableOf(live, orderColumns), blank, title('Ended'), tableOf(ended, orderColumns)];
}

function rememberWorking(context: Context, orders: readonly Order[]): void {
  remember(
    context,
    'order',
    orders.filter(isWorking).map((order) => [order.id, `${order.side} ${order.size} ${order.symbol}`] as const),
  );
}
