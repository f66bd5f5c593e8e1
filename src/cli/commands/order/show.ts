import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Result, recordOf } from '../../output/result.ts';
import { resolveOrder } from '../../resolve/order.ts';
import { orderBlocks } from '../../views/order-view.ts';

export const command = defineCommand({
  summary: 'Show one order',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  examples: [
    ['perp order show my-entry-1', 'by client order id'],
    ['perp order show my-entry-1 --json', 'every field'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const order = await resolveOrder(context, input.order);
  return recordOf(order, () => orderBlocks(order));
}
