import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { orderBlocks } from '../../../console/views/order-view.ts';
import { resolveOrder } from '../../../desk/resolve/holdings.ts';
import { checkWait, placed } from '../../writes/order-outcome.ts';

export const command = defineCommand({
  summary: 'Show one order',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  options: { wait: { summary: 'wait until the order ends; exits 5 if it is rejected' } },
  examples: [
    ['perp order show my-entry-1', 'by client order id'],
    ['perp order show my-entry-1 --json', 'every field'],
    ['perp order show my-entry-1 --wait', 'once it has ended'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  await checkWait(console, input.wait);
  const order = await resolveOrder(console, input.order);
  if (input.wait) return placed(console, order, true);
  return recordOf(order, () => orderBlocks(order));
}
