import type { Order } from '../../../contract/orders.ts';
import type { ExitOrderBatchRequest, Position } from '../../../contract/positions.ts';
import type { Context } from '../../context/context.ts';
import { usageFailure } from '../../failure/failure.ts';
import type { Price } from '../../grammar/prices.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { parseValue } from '../../grammar/values.ts';
import { listOf, type Result, recordOf } from '../../output/result.ts';
import { legsBefore } from '../../preview/lost-legs.ts';
import { ofChosenAccount } from '../../resolve/belonging.ts';
import { resolveOrder } from '../../resolve/order.ts';
import { resolvePosition, workingExits } from '../../resolve/position.ts';
import { resolvePrice } from '../../resolve/price.ts';
import { resolveSize } from '../../resolve/size.ts';
import { counted, quantity, word } from '../../text/format.ts';
import { quoted } from '../../text/quoted.ts';
import { exitBlocks, orderColumns, orderFields } from '../../views/order-view.ts';
import { positionBlocks } from '../../views/position-view.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Place, move and cancel the exits of a position in one request',
  description:
    'Without options, lists the exits. The changes apply completely or not at all, and only if the position and its exits have not changed in the meantime.',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  options: {
    'take-profit': { value: 'PRICE', kind: 'exitPrice', summary: 'place a take-profit' },
    'stop-loss': { value: 'PRICE', kind: 'exitPrice', summary: 'place a stop-loss' },
    size: { value: 'SIZE', kind: 'size', summary: 'size of the new exits: 0.02, 500usd or 50% (default: all)' },
    oco: { summary: 'a fill of one new exit cancels the other' },
    cancel: { value: 'ORDER', kind: 'order', repeat: true, summary: 'cancel an exit' },
    modify: { value: 'ORDER=PRICE', kind: 'text', repeat: true, summary: 'move an exit' },
  },
  examples: [
    ['perp positions exits BTC', 'list them'],
    ['perp positions exits BTC --take-profit 160000 --stop-loss 59000 --oco', 'a bracket'],
    ['perp positions exits BTC --modify ord_12=59500', 'move a stop'],
  ],
});

type Input = InputOf<typeof command>;
type Operations = ExitOrderBatchRequest['operations'];

export async function run(context: Context, input: Input): Promise<Result> {
  const position = ofChosenAccount(context, await resolvePosition(context, input.position));
  const exits = await workingExits(context, position);
  const operations = [...(await changes(context, input, position)), ...(await placements(context, input, position))];
  if (operations.length === 0) {
    return listOf(exits, {
      fields: orderFields,
      columns: orderColumns,
      empty: `The ${word(position.side)} ${word(position.symbol)} position has no exits.`,
    });
  }
  const body: ExitOrderBatchRequest = {
    expected_position_size: position.size,
    expected_orders: exits.map((exit) => ({
      order_id: exit.id,
      execution_type:
        exit.type === 'limit' || exit.type === 'stop_limit' || exit.type === 'take_limit' ? 'limit' : 'market',
      price: exit.trigger_price ?? exit.limit_price ?? 0,
      size: exit.size,
    })),
    operations,
  };
  const removed = new Set(operations.flatMap((one) => (one.kind === 'cancel' ? [one.order_id] : [])));
  const lostLegs = await legsBefore(
    context,
    exits.filter(({ id }) => removed.has(id)),
  );
  return write(
    context,
    'replacePositionExitOrders',
    { path: { position_id: position.id }, body },
    {
      question: `Apply ${counted(operations.length, 'change')} to the exits of ${word(position.side)} ${quantity(position.size)} ${word(position.symbol)}?`,
      done: async ({ data }) => {
        const now = context.settings.output === 'table' ? await workingExits(context, data) : [];
        const lost = await lostLegs();
        return recordOf(data, () => [...positionBlocks(data), ...exitBlocks(now), ...lost]);
      },
    },
  );
}

async function changes(context: Context, input: Input, position: Position): Promise<Operations> {
  const operations: Operations = [];
  for (const text of input.cancel)
    operations.push({ kind: 'cancel', order_id: ofChosenAccount(context, await resolveOrder(context, text)).id });
  for (const text of input.modify) {
    const at = text.lastIndexOf('=');
    if (at < 1)
      throw usageFailure(`--modify is ${quoted(text)}, not ORDER=PRICE.`, 'Write ORDER=PRICE, such as ord_12=59500.');
    const label = 'The price of --modify';
    const given = parseValue('exitPrice', text.slice(at + 1), label);
    const order = ofChosenAccount(context, await resolveOrder(context, text.slice(0, at)));
    const exit = isTakeProfit(order) ? 'target' : 'stop';
    operations.push({
      kind: 'modify',
      order_id: order.id,
      price: await exitPrice(context, position, given, exit, label),
    });
  }
  return operations;
}

async function placements(context: Context, input: Input, position: Position): Promise<Operations> {
  const { takeProfit, stopLoss } = input;
  const both = takeProfit !== undefined && stopLoss !== undefined;
  if (input.oco && !both) throw usageFailure('--oco needs two exits.', 'Give both --take-profit and --stop-loss.');
  if (takeProfit === undefined && stopLoss === undefined) {
    if (input.size !== undefined)
      throw usageFailure('--size needs --take-profit or --stop-loss.', 'Give one of them, or omit --size.');
    return [];
  }
  const before = input.cancel.length + input.modify.length;
  const operations: Operations = [];
  for (const [group, given, exit, label] of [
    ['tp', takeProfit, 'target', '--take-profit'],
    ['sl', stopLoss, 'stop', '--stop-loss'],
  ] as const) {
    if (given === undefined) continue;
    const price = await exitPrice(context, position, given, exit, label);
    const other = before + (group === 'tp' ? 1 : 0);
    const size = await exitSize(context, input, position, price);
    operations.push({
      kind: 'place',
      group,
      execution_type: 'market',
      price,
      size,
      ...(input.oco ? { oco_pair_with_operation_index: other } : {}),
    });
  }
  return operations;
}

async function exitSize(context: Context, input: Input, position: Position, price: number): Promise<number> {
  if (input.size === undefined) return position.size;
  const market = { ...position, size_decimals: position.size_decimals ?? 8 };
  return resolveSize(context, input.size, {
    market,
    side: position.side === 'long' ? 'sell' : 'buy',
    trigger: price,
    position,
  });
}

/** The price of an exit; a relative one starts from the position's entry. */
function exitPrice(context: Context, position: Position, price: Price, exit: 'stop' | 'target', label: string) {
  return resolvePrice(context, price, {
    label,
    marketId: position.market_id,
    side: position.side === 'long' ? 'sell' : 'buy',
    entry: () => position.entry_price,
    from: 'entry',
    exit,
  });
}

function isTakeProfit({ type }: Order): boolean {
  return type === 'take_profit' || type === 'limit';
}
