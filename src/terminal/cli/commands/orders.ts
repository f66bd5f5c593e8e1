import { usageFailure } from '../../../base/failure/failure.ts';
import { counted, dateTime, marketName, quantity, word } from '../../../base/text/format.ts';
import { isWorking } from '../../../desk/account/means.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { remember } from '../../../desk/resolve/remembered.ts';
import { resolveSince } from '../../../desk/resolve/time.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { TwapOrder } from '../../../wire/contract/strategies.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import {
  type Block,
  blank,
  type Cell,
  type Column,
  line,
  listOf,
  type Result,
  sideCell,
  statusCell,
  tableOf,
} from '../../console/output/result.ts';
import { fillColumns, orderColumns, orderFields } from '../../console/views/order-view.ts';
import { extentOptions, firstOf, listed, narrowOptions, seen } from '../reading/lists.ts';

/** A row of the table: an order, an attached exit of an entry, or a TWAP in place of its slices. */
type Row = Order | { readonly cells: Cells };

/** Cells by header. */
type Cells = Readonly<Partial<Record<string, Cell>>>;

/**
 * Working orders, then ended ones, with titles if there are both. Entries come first in their market, each with its
 * attached exits, followed by exits of positions; a TWAP represents its slices.
 */
export function orderListBlocks(
  orders: readonly Order[],
  { running, ended: over }: { running: readonly TwapOrder[]; ended: readonly TwapOrder[] },
): Block[] {
  const folds = new Set(running.map(({ id }) => id));
  const isShown = (order: Order) => order.twap_order_id === undefined || !folds.has(order.twap_order_id);
  const working = workingRows(
    orders.filter((order) => isWorking(order) && isShown(order)),
    running,
  );
  const ended = endedRows(
    orders.filter((order) => !isWorking(order) && isShown(order)),
    over,
  );
  if (working.length === 0 || ended.length === 0) return [tableOf([...working, ...ended], columns)];
  const title = (text: string) => line({ text, tone: 'strong' });
  return [title('Working'), tableOf(working, columns), blank, title('Ended'), tableOf(ended, columns)];
}

const columns: readonly Column<Row>[] = orderColumns.map((column) => ({
  ...column,
  cell: (row) => ('cells' in row ? (row.cells[column.header] ?? '') : column.cell(row)),
}));

function workingRows(orders: readonly Order[], twaps: readonly TwapOrder[]): Row[] {
  const markets = new Set([...orders, ...twaps].map(({ market_id }) => market_id));
  return [...markets].flatMap((market) => {
    const here = orders.filter(({ market_id }) => market_id === market);
    const exits = here.filter((order) => order.reduce_only && order.target_position_id !== undefined);
    return [
      ...here.filter((order) => !exits.includes(order)).flatMap((order) => [order, ...legsOf(order)]),
      ...twaps.filter(({ market_id }) => market_id === market).map(twapRow),
      ...[...Map.groupBy(exits, pairOf).values()].flat(),
    ];
  });
}

/** The same for both orders of an OCO pair. */
function pairOf({ id, oco_sibling_order_id: sibling = id }: Order): string {
  return id < sibling ? id : sibling;
}

/** From an entry's first fill on, its legs are exits of the position. */
function legsOf(entry: Order): Row[] {
  if ((entry.filled_size ?? 0) > 0) return [];
  const legs = [
    ['stop_loss', entry.attached_stop_loss_price],
    ['take_profit', entry.attached_take_profit_price],
  ] as const;
  return legs.flatMap(([kind, price]) => (price === undefined ? [] : legRow(entry, kind, price)));
}

function legRow(entry: Order, kind: string, price: number): Row {
  return {
    cells: {
      MARKET: marketName(entry.market_id, entry.symbol),
      KIND: `  ${kind}`,
      SIDE: sideCell(entry.side === 'buy' ? 'sell' : 'buy'),
      SIZE: quantity(entry.size),
      PRICE: `@${quantity(price)}`,
      STATUS: { text: 'attached', tone: 'faint' },
      'PART OF': entry.id,
    },
  };
}

function twapRow(twap: TwapOrder): Row {
  return {
    cells: {
      TIME: dateTime(twap.started_at),
      MARKET: marketName(twap.market_id, twap.symbol),
      KIND: word(twap.strategy),
      SIDE: sideCell(twap.side),
      SIZE: quantity(twap.total_size),
      PRICE: twap.average_price === undefined ? '' : quantity(twap.average_price),
      FILLED: `${quantity(twap.filled_size)} of ${quantity(twap.total_size)}`,
      STATUS: statusCell(twap.status),
      REASON: twap.completion_reason ?? '',
      ID: twap.id,
    },
  };
}

/** Slices are folded where the newest of them stands. */
function endedRows(orders: readonly Order[], twaps: readonly TwapOrder[]): Row[] {
  const slices = Map.groupBy(orders, ({ twap_order_id }) => twap_order_id);
  return orders.flatMap((order): Row[] => {
    const id = order.twap_order_id;
    const own = slices.get(id) ?? [];
    if (id === undefined) return [order];
    if (own[0] !== order) return [];
    const twap = twaps.find((one) => one.id === id);
    return [twap === undefined ? slicesRow(id, own) : twapRow(twap)];
  });
}

/** Slices of an unknown TWAP. */
function slicesRow(id: string, slices: readonly Order[]): Row {
  const newest = slices[0]!;
  const filled = slices.reduce((sum, { filled_size = 0 }) => sum + filled_size, 0);
  return {
    cells: {
      TIME: dateTime(newest.requested_at),
      MARKET: marketName(newest.market_id, newest.symbol),
      KIND: counted(slices.length, 'slice'),
      SIDE: sideCell(newest.side),
      FILLED: quantity(Number(filled.toPrecision(14))),
      ID: id,
    },
  };
}

const list = defineCommand({
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
    ['perp order list --ended --since today', "and today's ended orders"],
    ['perp order list --columns market,side,size,price,id', 'these columns, in this order'],
    ['perp order list --all --json', 'every order, for a program'],
  ],
  async run(console, input): Promise<Result> {
    const wanted = await wantedOf(console, input);
    const account_id = await accountId(console);
    const isTable = console.settings.output === 'table' && console.settings.listColumns === undefined;
    const orders = seen(chosen(console, { account_id }, input, wanted, isTable), (some) =>
      rememberWorking(console, some),
    );
    const list = listOf(orders, { fields: orderFields, columns: orderColumns, empty: emptyText(input, wanted) });
    if (!isTable) return list;
    const running = wanted.working && input.status !== 'pending' && input.status !== 'resting';
    const [rows, active] = await Promise.all([
      Array.fromAsync(orders),
      running ? twapsOf(console, account_id, 'active') : [],
    ]);
    const hasEndedSlices = rows.some(
      (order) =>
        !isWorking(order) && order.twap_order_id !== undefined && !active.some(({ id }) => id === order.twap_order_id),
    );
    const ended = hasEndedSlices
      ? await Promise.all([twapsOf(console, account_id, 'completed'), twapsOf(console, account_id, 'canceled')])
      : [];
    const twaps = { running: active.filter((twap) => wanted.has(twap, twap.started_at)), ended: ended.flat() };
    return { ...list, rows, blocks: () => orderListBlocks(rows, twaps) };
  },
});

type Input = InputOf<typeof list>;

/** The filter of listed orders: by status, market and time. */
type Wanted = Awaited<ReturnType<typeof wantedOf>>;

async function wantedOf(console: Console, { status, ended, all, market, since }: Input) {
  const isOfWorking = status === 'working' || status === 'pending' || status === 'resting';
  if (isOfWorking && ended) {
    throw usageFailure(`--status ${status} lists working orders; --ended adds ended ones.`, 'Give one of them.');
  }
  const [marketId, from] = await Promise.all([
    market === undefined ? undefined : resolveMarket(console, market).then(({ market_id }) => market_id),
    since === undefined ? undefined : resolveSince(console, since),
  ]);
  return {
    working: status === undefined || isOfWorking,
    ended: status === undefined ? ended || all : !isOfWorking,
    has: ({ market_id }: Pick<Order, 'market_id'>, at: number) =>
      (marketId === undefined || market_id === marketId) && (from === undefined || at >= from),
    since: from,
  };
}

/** Working orders, then ended ones. Those that ended in between are not listed twice. */
async function* chosen(
  console: Console,
  query: { account_id: string },
  input: Input,
  wanted: Wanted,
  foldsSlices: boolean,
): AsyncGenerator<Order> {
  const { status } = input;
  const isOfStatus = (order: Order) => status === undefined || status === 'working' || order.status === status;
  const shown = new Set<string>();
  if (wanted.working) {
    const { data } = await console.call('listOrders', { query: { ...query, status: 'working' } });
    const working = data.filter((order) => isOfStatus(order) && wanted.has(order, order.requested_at));
    for (const order of wanted.ended ? working : firstOf(console, working, input)) {
      shown.add(order.id);
      yield order;
    }
  }
  if (!wanted.ended) return;
  const { since } = wanted;
  yield* listed(console, 'listOrders', query, input, {
    keeps: (order) => !isWorking(order) && !shown.has(order.id) && isOfStatus(order) && wanted.has(order, Infinity),
    ...(since === undefined ? {} : { isOver: (order) => order.requested_at < since }),
    ...(foldsSlices ? { groupOf: (order) => order.twap_order_id } : {}),
  });
}

/** Orders are listed even if their TWAPs can't be read. */
async function twapsOf(
  console: Console,
  account_id: string,
  status: 'active' | 'completed' | 'canceled',
): Promise<readonly TwapOrder[]> {
  try {
    return (await console.call('listActiveTwapOrders', { query: { account_id, status } })).data;
  } catch (error) {
    console.note(`TWAP orders (${status}) could not be read: ${(error as Error).message}`);
    return [];
  }
}

function emptyText({ status }: Input, { ended }: Wanted): string {
  if (status !== undefined) return `No ${status} orders.`;
  return ended ? 'No orders yet.' : 'No working orders. --ended lists those that have ended.';
}

function rememberWorking(console: Console, orders: readonly Order[]): void {
  remember(
    console,
    'order',
    orders.filter(isWorking).map((order) => [order.id, `${order.side} ${order.size} ${order.symbol}`] as const),
  );
}

const fills = defineCommand({
  summary: 'List fills in settlement order, newest first',
  options: { ...narrowOptions, ...extentOptions },
  examples: [
    ['perp fills', 'the last 50'],
    ['perp fills --market BTC --since today', 'of one market, since midnight in New York'],
    ['perp fills --all -o csv > fills.csv', 'all of them, for a spreadsheet'],
  ],
  async run(console, input) {
    const account_id = await accountId(console);
    const market = input.market === undefined ? undefined : (await resolveMarket(console, input.market)).market_id;
    const since = input.since === undefined ? undefined : await resolveSince(console, input.since);
    const fills = listed(console, 'listFills', { account_id }, input, {
      ...(market === undefined ? {} : { keeps: (fill) => fill.market_id === market }),
      ...(since === undefined ? {} : { isOver: (fill) => (fill.settled_at ?? fill.requested_at) < since }),
    });
    return listOf(fills, { fields: orderFields, columns: fillColumns, empty: 'No fills yet.' });
  },
});

export const words = { order: { list }, fills };
