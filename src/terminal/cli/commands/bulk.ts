import { exitCodes } from '../../../base/failure/failure.ts';
import { counted, marketName } from '../../../base/text/format.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { openPositions, workingOrders } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { marksOf } from '../../../desk/resolve/quote.ts';
import { noteUncovered } from '../../../desk/writes/aftermath.ts';
import { newIdempotencyKey } from '../../../wire/client/form-request.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import { line, type RecordResult, type Result, recordOf, tableOf } from '../../console/output/result.ts';
import { orderColumns } from '../../console/views/order-view.ts';
import { openColumns } from '../../console/views/position-view.ts';
import { cancelEach, cancelEverything, closeEverything } from '../writes/bulk.ts';
import { conclude, confirmBulk, dryRunResult, write } from '../writes/write.ts';

const cancelAll = defineCommand({
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
  { market: name, side }: InputOf<typeof cancelAll>,
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

const closeAll = defineCommand({
  summary: 'Close every position of the account',
  description:
    'Sends one reduce-only market close per position, each within 2.5% of mid. Waits for the operation to finish, checks for remaining positions, and exits 9 if there are any; with --cancel-orders, also if a running TWAP may open one again. Without a terminal, this needs --yes.',
  options: { 'cancel-orders': { summary: 'cancel every working order first, so none can open a new position' } },
  examples: [
    ['perp close-all --cancel-orders', 'get flat and stay flat'],
    ['perp close-all --yes --json', 'in a script'],
  ],
  async run(console, input) {
    const account_id = await accountId(console);
    const path = { account_id };
    const { idempotencyKey, dryRun } = console.settings;
    if (input.cancelOrders && dryRun) {
      const { client } = await console.access();
      return dryRunResult([
        client.intend('cancelAllAccountOrders', { path, idempotencyKey: idempotencyKey ?? newIdempotencyKey() }),
        client.intend('closeAllAccountPositions', { path, idempotencyKey: idempotencyKey ?? newIdempotencyKey() }),
      ]);
    }
    const close = closeEverything(console, account_id, input.cancelOrders);
    const cancel = cancelEverything(console, account_id);
    let canceled: RecordResult | undefined;
    const request = { path };
    return write(console, 'closeAllAccountPositions', request, {
      preview: async () => {
        const positions = await openPositions(console);
        if (positions.length === 0) return [line('No open positions.')];
        const markets = positions.map(({ market_id }) => market_id);
        const marks = await marksOf(console, markets);
        return [line(`${counted(positions.length, 'open position')}:`), tableOf(positions, openColumns(marks))];
      },
      question: `Close every position of ${account_id}${input.cancelOrders ? ', and cancel every working order' : ''}?`,
      needsYes: true,
      send: async (keyed) => {
        if (input.cancelOrders)
          canceled = await conclude(console, await cancel.send({ path, idempotencyKey }), cancel.done);
        return close.send(keyed);
      },
      done: async (answer) => {
        const closed = await close.done(answer);
        if (canceled === undefined) return closed;
        const before = canceled;
        const exit = closed.exit === undefined || closed.exit === exitCodes.done ? before.exit : closed.exit;
        return recordOf([before.record, closed.record], () => [before.blocks(), closed.blocks()], exit);
      },
    });
  },
});

export const words = { 'cancel-all': cancelAll, 'close-all': closeAll };
