import type { Order } from '../../../contract/orders.ts';
import type { TwapOrder } from '../../../contract/strategies.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { remember } from '../../../desk/resolve/remember.ts';
import { resolveSince } from '../../../desk/resolve/time.ts';
import { isWorking } from '../../../desk/risk/cover.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';
import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { listOf, type Result } from '../../output/result.ts';
import { firstOf, listed, narrowOptions, seen } from '../../reading/lists.ts';
import { orderListBlocks } from '../../views/order-list-view.ts';
import { orderColumns, orderFields } from '../../views/order-view.ts';

export const command = defineCommand({
  summary: 'List working orders and, with --ended, those that have ended',
  description:
    'Working orders are pending, resting or armed; all of them are listed. Ended ones follow, newest first. The table shows the attached exits of an entry below it, the exits of positions last in their market, and a TWAP instead of its slices; JSON and CSV list the orders themselves. PART OF names the ladder or TWAP of an order, or the other order of an OCO pair.',
  options: {
    ended: { summary: 'also list ended orders' },
    ...narrowOptions,
    status: {
      value: 'STATUS',
      choices: ['working', 'pending', 'resting', 'filled', 'canceled', 'rejected', 'expired'],
      summary: 'only orders with this status',
    },
    limit: {
      value: 'N',
      kind: 'count',
      maximum: 100_000,
      summary: 'number of orders to list (default: all working ones, 50 ended ones)',
    },
    all: { summary: 'list every order, working or ended' },
  },
  examples: [
    ['perp order', 'working orders'],
    ['perp order list --ended --since today', 'and those of today that have ended'],
    ['perp order list --columns market,side,size,price,id', 'these columns, in this order'],
    ['perp order list --all --json', 'every order, for a program'],
  ],
});

type Input = InputOf<typeof command>;

/** Which orders are listed: by status, market and time. */
interface Wanted {
  readonly working: boolean;
  readonly ended: boolean;
  has(order: Pick<Order, 'market_id'>, at: number): boolean;
  readonly since: number | undefined;
}

export async function run(context: Context, input: Input): Promise<Result> {
  const wanted = await wantedOf(context, input);
  const account_id = await accountId(context);
  const isTable = context.settings.output === 'table' && context.settings.listColumns === undefined;
  const orders = seen(chosen(context, { account_id }, input, wanted, isTable), (some) =>
    rememberWorking(context, some),
  );
  const list = listOf(orders, { fields: orderFields, columns: orderColumns, empty: emptyText(input, wanted) });
  if (!isTable) return list;
  const running = wanted.working && input.status !== 'pending' && input.status !== 'resting';
  const [rows, active] = await Promise.all([
    Array.fromAsync(orders),
    running ? twapsOf(context, account_id, 'active') : [],
  ]);
  const hasEndedSlices = rows.some(
    (order) =>
      !isWorking(order) && order.twap_order_id !== undefined && !active.some(({ id }) => id === order.twap_order_id),
  );
  const ended = hasEndedSlices
    ? await Promise.all([twapsOf(context, account_id, 'completed'), twapsOf(context, account_id, 'canceled')])
    : [];
  const twaps = { running: active.filter((twap) => wanted.has(twap, twap.started_at)), ended: ended.flat() };
  return { ...list, rows, blocks: () => orderListBlocks(rows, twaps) };
}

async function wantedOf(context: Context, { status, ended, all, market, since }: Input): Promise<Wanted> {
  const isOfWorking = status === 'working' || status === 'pending' || status === 'resting';
  if (isOfWorking && ended) {
    throw usageFailure(`--status ${status} lists working orders; --ended adds ended ones.`, 'Give one of them.');
  }
  const [marketId, from] = await Promise.all([
    market === undefined ? undefined : resolveMarket(context, market).then(({ market_id }) => market_id),
    since === undefined ? undefined : resolveSince(context, since),
  ]);
  return {
    working: status === undefined || isOfWorking,
    ended: status === undefined ? ended || all : !isOfWorking,
    has: ({ market_id }, at) =>
      (marketId === undefined || market_id === marketId) && (from === undefined || at >= from),
    since: from,
  };
}

/** Working orders, then ended ones. Those that ended in between are not listed twice. */
async function* chosen(
  context: Context,
  query: { account_id: string },
  input: Input,
  wanted: Wanted,
  foldsSlices: boolean,
): AsyncGenerator<Order> {
  const { status } = input;
  const isOfStatus = (order: Order) => status === undefined || status === 'working' || order.status === status;
  const shown = new Set<string>();
  if (wanted.working) {
    const { data } = await context.call('listOrders', { query: { ...query, status: 'working' } });
    const working = data.filter((order) => isOfStatus(order) && wanted.has(order, order.requested_at));
    for (const order of wanted.ended ? working : firstOf(context, working, input)) {
      shown.add(order.id);
      yield order;
    }
  }
  if (!wanted.ended) return;
  const { since } = wanted;
  yield* listed(context, 'listOrders', query, input, {
    keeps: (order) => !isWorking(order) && !shown.has(order.id) && isOfStatus(order) && wanted.has(order, Infinity),
    ...(since === undefined ? {} : { isOver: (order) => order.requested_at < since }),
    ...(foldsSlices ? { groupOf: (order) => order.twap_order_id } : {}),
  });
}

/** Orders are listed even if their TWAPs can't be read. */
async function twapsOf(
  context: Context,
  account_id: string,
  status: 'active' | 'completed' | 'canceled',
): Promise<readonly TwapOrder[]> {
  try {
    return (await context.call('listActiveTwapOrders', { query: { account_id, status } })).data;
  } catch (error) {
    context.note(`TWAP orders (${status}) could not be read: ${(error as Error).message}`);
    return [];
  }
}

function emptyText({ status }: Input, { ended }: Wanted): string {
  if (status !== undefined) return `No ${status} orders.`;
  return ended ? 'No orders yet.' : 'No working orders. --ended lists those that have ended.';
}

function rememberWorking(context: Context, orders: readonly Order[]): void {
  remember(
    context,
    'order',
    orders.filter(isWorking).map((order) => [order.id, `${order.side} ${order.size} ${order.symbol}`] as const),
  );
}
