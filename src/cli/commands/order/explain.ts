import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Block, blank, line, type Result, recordOf } from '../../output/result.ts';
import { resolveOrder } from '../../resolve/order.ts';
import { timeOfDay } from '../../text/format.ts';
import { wrap } from '../../text/wrap.ts';
import { explained } from '../../views/explanation-view.ts';
import { orderHeadline } from '../../views/order-view.ts';

export const command = defineCommand({
  summary: 'Explain why an order filled or did not (simulation only)',
  description:
    'Prints the history of the order: book times, levels taken, queue ahead, prints used, tolerance, reductions and margin.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  examples: [['perp order explain my-entry-1', 'why it is still resting']],
  simulationOnly: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const order = await resolveOrder(context, input.order);
  const { data } = await context.call('simExplainOrder', { path: { order_id: order.id } });
  const width = Math.min(context.io.columns, 100);
  return recordOf(data, (): Block[] => [
    orderHeadline(order),
    ...(data.lines.length === 0 ? [line({ text: 'Nothing has happened to it yet.', tone: 'faint' })] : []),
    ...data.lines.flatMap(({ time, kind, detail }) => [
      blank,
      line(`${timeOfDay(time)}  `, { text: kind.replaceAll('_', ' '), tone: 'strong' }),
      ...wrap(explained({ kind, detail: Object(detail) }, order), width, '  ')
        .split('\n')
        .map((text) => line(text)),
    ]),
  ]);
}
